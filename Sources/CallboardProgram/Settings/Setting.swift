import CallboardClient

/// One setting: its key, its type, and its place in the configuration.
struct Setting: Sendable {
    /// The type of a setting's value.
    enum Kind: Sendable, Equatable {
        /// Text.
        case text
        /// One of these words.
        case choice([String])
        /// A whole number in a range.
        case integer(ClosedRange<Int>)
        /// A number in a range, fractions allowed.
        case number(ClosedRange<Double>)
        /// Several texts; in the environment separated by commas.
        case texts
        /// Several numbers in a range, fractions allowed; in the environment separated by commas.
        case numbers(ClosedRange<Double>)
        /// `true` or `false`.
        case flag
        /// An array of objects; in the environment as JSON. Its content is checked when the settings are put together.
        case objects
    }

    /// The key: the names of the file's members from the outside in, joined by dots.
    let key: String
    /// What its value may be.
    let kind: Kind
    /// The unit of a number, such as `seconds`; empty where there is none.
    let unit: String
    /// The setting's effect, in a sentence.
    let summary: String
    /// The value that settings have now, as the file would say it.
    let read: @Sendable (ServeSettings) -> JSON
    /// Puts a value in its place; the value has been checked against `kind`.
    let write: @Sendable (inout ServeSettings, SettingValue) -> Void

    /// The name of its environment variable: `server.maxBody` is `CALLBOARD_SERVER_MAX_BODY`, and `tls.clientCA`
    /// `CALLBOARD_TLS_CLIENT_CA`.
    var environmentName: String {
        var name = "CALLBOARD_"
        var isInCapitals = false
        for character in key {
            if character.isUppercase, !isInCapitals { name += "_" }
            name += character == "." ? "_" : character.uppercased()
            isInCapitals = character.isUppercase
        }
        return name
    }

    /// The form of a valid value, for an error's message and the example file.
    var expectation: String {
        let unit = unit.isEmpty ? "" : ", in \(unit)"
        switch kind {
        case .text: return "text" + unit
        case .choice(let words): return words.map { "\"\($0)\"" }.joined(separator: " or ")
        case .integer(let range): return "a whole number from \(range.lowerBound) to \(range.upperBound)" + unit
        case .number(let range):
            return "a number from \(Setting.plain(range.lowerBound)) to \(Setting.plain(range.upperBound))" + unit
        case .texts: return "a list of texts"
        case .numbers(let range):
            let bounds = "\(Setting.plain(range.lowerBound)) to \(Setting.plain(range.upperBound))"
            return "a list of numbers from " + bounds + unit
        case .flag: return "true or false"
        case .objects: return "a JSON array of objects"
        }
    }

    private static func plain(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}

/// A setting's value, of the type that its kind asks for.
enum SettingValue: Sendable, Equatable, CustomStringConvertible {
    case text(String)
    case integer(Int)
    case number(Double)
    case texts([String])
    case numbers([Double])
    case flag(Bool)
    /// The text of a JSON array.
    case objects(String)

    var description: String {
        switch self {
        case .text(let value): "\"\(value)\""
        case .integer(let value): String(value)
        case .number(let value): String(value)
        case .texts(let values): values.joined(separator: ",")
        case .numbers(let values): values.map { String($0) }.joined(separator: ",")
        case .flag(let value): String(value)
        case .objects(let value): value
        }
    }

    var text: String { if case .text(let value) = self { value } else { "" } }
    var integer: Int { if case .integer(let value) = self { value } else { 0 } }
    var number: Double { if case .number(let value) = self { value } else { 0 } }
    var texts: [String] { if case .texts(let value) = self { value } else { [] } }
    var numbers: [Double] { if case .numbers(let value) = self { value } else { [] } }
    var flag: Bool { if case .flag(let value) = self { value } else { false } }
    var objects: String { if case .objects(let value) = self { value } else { "[]" } }
}

extension Setting {
    /// Text.
    static func text(
        _ key: String, _ path: any WritableKeyPath<ServeSettings, String> & Sendable, _ summary: String
    ) -> Setting {
        Setting(
            key: key, kind: .text, unit: "", summary: summary, read: { .string($0[keyPath: path]) },
            write: { $0[keyPath: path] = $1.text })
    }

    /// A whole number.
    static func integer(
        _ key: String, _ path: any WritableKeyPath<ServeSettings, Int> & Sendable, _ range: ClosedRange<Int>,
        unit: String, _ summary: String
    ) -> Setting {
        Setting(
            key: key, kind: .integer(range), unit: unit, summary: summary,
            read: { .number(JSONNumber($0[keyPath: path])) }, write: { $0[keyPath: path] = $1.integer })
    }

    /// A length of time in seconds.
    static func seconds(
        _ key: String, _ path: any WritableKeyPath<ServeSettings, Duration> & Sendable, _ range: ClosedRange<Double>,
        _ summary: String
    ) -> Setting {
        duration(key, path, range, unit: "seconds", second: 1, summary)
    }

    /// A length of time in milliseconds.
    static func milliseconds(
        _ key: String, _ path: any WritableKeyPath<ServeSettings, Duration> & Sendable, _ range: ClosedRange<Double>,
        _ summary: String
    ) -> Setting {
        duration(key, path, range, unit: "milliseconds", second: 1000, summary)
    }

    private static func duration(
        _ key: String, _ path: any WritableKeyPath<ServeSettings, Duration> & Sendable, _ range: ClosedRange<Double>,
        unit: String, second: Double, _ summary: String
    ) -> Setting {
        Setting(
            key: key, kind: .number(range), unit: unit, summary: summary,
            read: { settings in
                JSONNumber(settings[keyPath: path] / .seconds(1) * second).map { .number($0) } ?? .null
            },
            write: { $0[keyPath: path] = .seconds($1.number / second) })
    }
}
