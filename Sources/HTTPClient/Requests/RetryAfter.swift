import Notation

/// When to come back, as a `Retry-After` field says it (RFC 9110, section 10.2.3).
package enum RetryAfter: Hashable, Sendable {
    /// So many seconds after the answer.
    case seconds(Int)
    /// At a time, in seconds since 1970-01-01T00:00:00Z.
    case time(Int)

    /// Reads the field's value: digits, or a date in one of the three formats that recipients must accept
    /// (section 5.6.7). Nil for anything else.
    package init?(_ value: some StringProtocol) {
        let bytes = Array(value.utf8.drop(while: \.isBlank))
        let trimmed = bytes[..<((bytes.lastIndex { !$0.isBlank } ?? -1) + 1)]
        if !trimmed.isEmpty, trimmed.allSatisfy(\.isDigit) {
            // More than ten digits are some three hundred years and more: as good as never.
            self = .seconds(trimmed.count > 10 ? 9_999_999_999 : trimmed.reduce(0) { 10 * $0 + Int($1 & 15) })
        } else if let time = DateText.secondsSince1970(http: String(decoding: trimmed, as: UTF8.self)) {
            self = .time(time)
        } else {
            return nil
        }
    }

    /// How long to wait from a given time of the wall clock (in seconds since 1970) on; never less than nothing.
    package func delay(at now: Int) -> Duration {
        switch self {
        case .seconds(let seconds): .seconds(seconds)
        case .time(let time): .seconds(max(0, time - now))
        }
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}
