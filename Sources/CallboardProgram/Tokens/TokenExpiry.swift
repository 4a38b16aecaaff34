import ArgumentParser
import Directors
import Notation

/// When a token ends, on the command line: a span from now such as `90d`, or a date in ISO 8601.
enum TokenExpiry: Sendable, Equatable, ExpressibleByArgument {
    /// So many seconds from now.
    case after(Int)
    /// At this time, in seconds since 1970.
    case at(Int)

    init?(argument: String) {
        guard let expiry = Self.span(argument) ?? Self.date(argument) else { return nil }
        self = expiry
    }

    /// The end in seconds since 1970.
    ///
    /// - Throws: ``ProgramError`` for a time that has passed, or after the year 9999.
    func seconds(now: Int) throws -> Int {
        let end =
            switch self {
            case .after(let span): now + span
            case .at(let time): time
            }
        guard end > now else {
            throw ProgramError(
                "the token would have ended already: it is \(TokenTime.text(now))",
                advice: "--expires takes a later date, or a span from now such as 90d", status: .usage)
        }
        guard end <= WallTime.distantFuture.seconds else {
            throw ProgramError(
                "a token cannot end after the year 9999", advice: "without --expires it does not end",
                status: .usage)
        }
        return end
    }

    /// Reads a number of minutes, hours, days or weeks.
    private static func span(_ text: String) -> TokenExpiry? {
        let units: [Character: Int] = ["m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        guard let unit = text.last.flatMap({ units[$0] }), text.dropLast().allSatisfy({ $0.isASCII && $0.isNumber }),
            let number = Int(text.dropLast()), number > 0
        else { return nil }
        let (seconds, isTooLong) = number.multipliedReportingOverflow(by: unit)
        return isTooLong || seconds > WallTime.distantFuture.seconds ? nil : .after(seconds)
    }

    /// Reads a date, or a date with a time and its offset from UTC (RFC 3339, section 5.6); a date is its beginning in
    /// UTC.
    private static func date(_ text: String) -> TokenExpiry? {
        let time =
            DateText.secondsSince1970(date: text) ?? DateText.millisecondsSince1970(rfc3339: text).map { $0 / 1000 }
        return time.map { .at($0) }
    }
}

/// Times of tokens as text.
enum TokenTime {
    /// A time in UTC to the second, `2026-11-21T09:30:00Z` (RFC 3339, section 5.6).
    static func text(_ seconds: Int) -> String {
        // Tokens are kept by the second, so that the milliseconds say nothing.
        WallTime(seconds: seconds).description
            .replacing(".000Z", with: "Z")
    }
}
