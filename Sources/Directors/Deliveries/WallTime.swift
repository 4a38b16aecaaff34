import Notation

/// A point in time as calendars have it, in milliseconds since 1970.
///
/// The clock that it is read from may be set, also backwards; what has to pass is measured on another one.
package struct WallTime: Sendable, Hashable, Comparable {
    /// Milliseconds since the beginning of 1970 in UTC, without leap seconds.
    package let milliseconds: Int

    /// The last millisecond of the year 9999.
    package static let distantFuture = WallTime(milliseconds: .max)

    /// Makes a time; before 1970 and after the year 9999, the nearest that is not.
    package init(milliseconds: Int) {
        self.milliseconds = min(max(0, milliseconds), 253_402_300_799_999)
    }

    /// Makes a time of whole seconds since 1970; before that and after the year 9999, the nearest that is not.
    package init(seconds: Int) {
        self.init(milliseconds: min(max(0, seconds), Self.distantFuture.seconds) * 1000)
    }

    /// The whole seconds since 1970, as `webhook-timestamp` has them.
    package var seconds: Int { milliseconds / 1000 }

    /// The time that is so much later, or earlier by what is negative.
    package func advanced(by duration: Duration) -> WallTime {
        let far = Duration.milliseconds(Self.distantFuture.milliseconds)
        let step = Int(min(max(duration, .zero - far), far) / .milliseconds(1))
        return WallTime(milliseconds: milliseconds + step)
    }

    /// How long after another time it is; negative where it is before.
    package func since(_ other: WallTime) -> Duration {
        .milliseconds(milliseconds - other.milliseconds)
    }

    /// Orders by time.
    package static func < (one: WallTime, other: WallTime) -> Bool {
        one.milliseconds < other.milliseconds
    }
}

extension WallTime: CustomStringConvertible {
    /// The time in UTC with its milliseconds, `2026-11-21T09:30:00.000Z` (RFC 3339, section 5.6).
    package var description: String {
        let date = CivilDate(daysSince1970: seconds / 86_400)
        let second = seconds % 86_400
        let time = [second / 3600, second / 60 % 60, second % 60].map { Self.padded($0, 2) }.joined(separator: ":")
        return "\(Self.padded(date.year, 4))-\(Self.padded(date.month, 2))-\(Self.padded(date.day, 2))"
            + "T\(time).\(Self.padded(milliseconds % 1000, 3))Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
