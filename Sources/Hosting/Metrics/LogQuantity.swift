import Logging

/// A number in a log entry: rounded and with its unit for people, plain for machines.
///
/// It is given to a logger as `.stringConvertible`. A text log prints ``description``; `--log-format json` writes
/// ``number``.
package enum LogQuantity: Sendable, Hashable, CustomStringConvertible {
    /// How many there are.
    case count(Int)
    /// A time; its number is seconds.
    case duration(Duration)
    /// A size; its number is bytes.
    case bytes(Int)

    /// Such as `1204`, `153ms` or `1.2MiB`: without spaces, since a text log separates its values by them.
    package var description: String {
        switch self {
        case .count(let count): String(count)
        case .duration(let duration): Self.text(duration, separator: "")
        case .bytes(let bytes): Self.text(bytes: bytes, separator: "")
        }
    }

    /// The number in its plain unit; a time to the microsecond.
    package var number: Double {
        switch self {
        case .count(let number), .bytes(let number): Double(number)
        case .duration(let duration): (duration / .microseconds(1)).rounded() / 1_000_000
        }
    }

    /// A time with three digits: `153 ms`, `2.41 s`, `12 min 5 s`.
    package static func text(_ duration: Duration, separator: String = " ") -> String {
        let seconds = duration / .seconds(1)
        if seconds >= 59.95 {
            let whole = Int(seconds.rounded())
            return ["\(whole / 60)", "min", "\(whole % 60)", "s"].joined(separator: separator)
        }
        if seconds >= 0.9995 { return digits(seconds) + separator + "s" }
        let milliseconds = seconds * 1000
        return (milliseconds < 0.995 ? "<1" : digits(milliseconds)) + separator + "ms"
    }

    /// A size with three digits: `512 B`, `1.21 MiB`.
    package static func text(bytes: Int, separator: String = " ") -> String {
        guard bytes >= 1024 else { return "\(bytes)\(separator)B" }
        var size = Double(bytes) / 1024
        var unit = 0
        let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
        while size >= 1023.5, unit < units.count - 1 {
            size /= 1024
            unit += 1
        }
        return digits(size) + separator + units[unit]
    }

    /// A number from 1 to 1024 with three digits, and without zeros at its end.
    private static func digits(_ number: Double) -> String {
        let places = number < 9.995 ? 100.0 : number < 99.95 ? 10.0 : 1.0
        let rounded = (number * places).rounded() / places
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
    }
}

extension Logger.MetadataValue {
    /// A number without a unit, which a log in JSON has as a number: an interpolated text would be a string there.
    package static func number(_ number: Int) -> Self { .stringConvertible(number) }

    /// A truth value, which a log in JSON has as one.
    package static func flag(_ flag: Bool) -> Self { .stringConvertible(flag) }
}
