import CallboardClient
import Directors

/// A settings file: JSON with comments, one object for each group of keys.
struct SettingsFile {
    /// The file's path, for messages.
    let path: String
    /// The values by key, checked against what each key takes.
    private(set) var values: [String: SettingValue] = [:]
    /// The file's faults, in its order: an unknown key, a value that its key does not take.
    private(set) var faults: [ProgramError] = []

    /// Reads a file's content.
    ///
    /// - Throws: the first fault as ``ProgramError``: not JSON, an unknown key, a value that its key does not take.
    init(path: String, content: [UInt8]) throws {
        try self.init(examining: content, path: path)
        if let fault = faults.first { throw fault }
    }

    /// Reads a file's content, and keeps what is wrong with single keys in ``faults``.
    ///
    /// - Throws: ``ProgramError`` for what is no JSON object.
    init(examining content: [UInt8], path: String) throws {
        let document: JSON
        do {
            document = try JSON(parsing: JSONComments.blank(content))
        } catch {
            let place = TextPlace(offset: error.offset, in: content)
            throw ProgramError(
                "\(path):\(place.line):\(place.column): \(error.reason)",
                advice: "the file is JSON in which // and /* */ comments are allowed; commas go between members only",
                status: .configuration)
        }
        guard let object = document.objectValue else {
            throw ProgramError(
                "\(path): expected an object at the top", advice: "Config/callboard.json shows how it looks",
                status: .configuration)
        }
        self.path = path
        collect(object, prefix: "")
    }

    private mutating func collect(_ object: JSONObject, prefix: String) {
        for member in object.members {
            let key = prefix + member.name
            if let setting = Setting.named(key) {
                do throws(ProgramError) {
                    values[key] = try setting.value(of: member.value, in: path)
                } catch {
                    faults.append(error)
                }
            } else if let group = member.value.objectValue, Setting.all.contains(where: { $0.key.hasPrefix(key + ".") })
            {
                collect(group, prefix: key + ".")
            } else {
                faults.append(Self.unknown(key, in: path))
            }
        }
    }

    private static func unknown(_ key: String, in path: String) -> ProgramError {
        let nearest = NearestName.find(key, among: Setting.all.map(\.key))
        return ProgramError(
            "\(path): unknown key \"\(key)\"",
            advice: nearest.map { "did you mean \"\($0)\"?" }
                ?? "Config/callboard.json shows every key there is", status: .configuration)
    }
}

/// A place in a text, both numbers counted from one.
struct TextPlace: Equatable {
    let line: Int
    let column: Int

    init(offset: Int, in text: [UInt8]) {
        let before = text.prefix(max(0, offset))
        line = 1 + before.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        // Continuation bytes of UTF-8 are not characters of their own.
        column = 1 + before[lineStart...].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
    }
}

extension Setting {
    /// Checks a file's value.
    func value(of json: JSON, in path: String) throws(ProgramError) -> SettingValue {
        guard let value = value(of: json) else {
            throw ProgramError(
                "\(path): \"\(key)\" is \(TextWidth.fit(json.text, 60)) but has to be \(expectation)",
                advice: "correct it, or leave it out for the default", status: .configuration)
        }
        return value
    }

    private func value(of json: JSON) -> SettingValue? {
        switch kind {
        case .text: return json.stringValue.map { .text($0) }
        case .choice(let words): return json.stringValue.flatMap { words.contains($0) ? .text($0) : nil }
        case .integer(let range): return json.intValue.flatMap { range.contains($0) ? .integer($0) : nil }
        case .number(let range): return json.doubleValue.flatMap { range.contains($0) ? .number($0) : nil }
        case .texts:
            guard let elements = json.arrayValue else { return nil }
            let texts = elements.compactMap(\.stringValue)
            return texts.count == elements.count ? .texts(texts) : nil
        case .numbers(let range):
            guard let elements = json.arrayValue else { return nil }
            let numbers = elements.compactMap(\.doubleValue).filter(range.contains)
            return numbers.count == elements.count ? .numbers(numbers) : nil
        case .flag: return json.boolValue.map { .flag($0) }
        case .objects: return json.arrayValue == nil ? nil : .objects(json.text)
        }
    }
}
