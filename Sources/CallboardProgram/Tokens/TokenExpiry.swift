import ArgumentParser
import Directors
import Foundation

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
                advice: "--expires takes a later date, or a span from now such as 90d")
        }
        guard end <= WallTime.distantFuture.seconds else {
            throw ProgramError(
                "a token cannot end after the year 9999", advice: "without --expires it does not end")
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
        let form = /(\d{4}-\d\d-\d\d)(T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(Z|[+-]([01]\d|2[0-3]):[0-5]\d))?/
        guard text.utf8.count <= 25, let match = text.wholeMatch(of: form) else { return nil }
        let style = Date.ISO8601FormatStyle()
        // The 30th of February would be read as a day in March.
        guard let day = try? style.parse(match.1 + "T00:00:00Z"), style.format(day).hasPrefix(match.1),
            let time = match.2 == nil ? day : try? style.parse(text)
        else { return nil }
        return .at(Int(time.timeIntervalSince1970))
    }
}

/// Times of tokens as text.
enum TokenTime {
    /// A time in UTC to the second, `2026-11-21T09:30:00Z` (RFC 3339, section 5.6).
    static func text(_ seconds: Int) -> String {
        // Tokens are kept by the second, so that the milliseconds say nothing.
        WallTime(milliseconds: min(max(0, seconds), WallTime.distantFuture.seconds) * 1000).description
            .replacing(".000Z", with: "Z")
    }
}
