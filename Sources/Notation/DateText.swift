/// Reads times as they are written in bodies, options and fields. Every reader of dates is one of these.
///
/// A date that the calendar does not have, such as the 30th of February, is none: nothing is carried over into the next
/// month, day or hour.
package enum DateText {
    /// The milliseconds since 1970 of a date and time with an offset from UTC (RFC 3339, section 5.6), such as
    /// `2030-12-31T23:59:59Z`; nil for anything else.
    ///
    /// Digits behind the milliseconds are left out. A leap second, `:60`, is taken for none: which there will be is not
    /// known in advance.
    package static func millisecondsSince1970(rfc3339 text: some StringProtocol) -> Int? {
        var reader = Reader(text)
        guard let day = reader.date(), reader.takes("T") || reader.takes("t"), let time = reader.time(maximum: 59),
            let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        return (day * 86_400 + time - offset) * 1000 + fraction
    }

    /// The seconds since 1970 of the beginning of a date in UTC, such as `2030-12-31` (RFC 3339, `full-date`); nil for
    /// anything else.
    package static func secondsSince1970(date text: some StringProtocol) -> Int? {
        var reader = Reader(text)
        guard let day = reader.date(), reader.isAtEnd else { return nil }
        return day * 86_400
    }

    /// The seconds since 1970 of an IMF-fixdate, an RFC 850 date or a date of C's `asctime` (RFC 9110, section 5.6.7);
    /// nil for anything else.
    ///
    /// The name of the day is not compared with the date. The second 60 is taken in the last minute of a day, where leap
    /// seconds are.
    package static func secondsSince1970(http text: some StringProtocol) -> Int? {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        switch words.count {
        case 6 where words[5] == "GMT":
            // Sun, 06 Nov 1994 08:49:37 GMT
            return seconds(day: words[1], month: words[2], year: number(words[3], digits: 4), time: words[4])
        case 4 where words[3] == "GMT":
            // Sunday, 06-Nov-94 08:49:37 GMT
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard date.count == 3, let year = number(date[2], digits: 2) else { return nil }
            // Two digits stand for the century that brings them nearest; 70 and later cannot be later than 1999 here.
            return seconds(day: date[0], month: date[1], year: year + (year < 70 ? 2000 : 1900), time: words[2])
        case 5:
            // Sun Nov  6 08:49:37 1994
            return seconds(day: words[2], month: words[1], year: number(words[4], digits: 4), time: words[3])
        default:
            return nil
        }
    }

    private static func seconds(
        day: some StringProtocol, month: some StringProtocol, year: Int?, time: some StringProtocol
    ) -> Int? {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        var clock = Reader(time)
        guard let year, let month = months.firstIndex(where: { $0 == month }), 1...2 ~= day.utf8.count,
            let day = number(day, digits: day.utf8.count),
            let date = CivilDate(year: year, month: month + 1, day: day), let seconds = clock.time(maximum: 60),
            clock.isAtEnd
        else { return nil }
        return date.daysSince1970 * 86_400 + seconds
    }

    private static func number(_ text: some StringProtocol, digits: Int) -> Int? {
        var reader = Reader(text)
        guard let number = reader.number(digits: digits), reader.isAtEnd else { return nil }
        return number
    }
}

/// Takes the parts of a date from the beginning of a text.
private struct Reader {
    private var rest: ArraySlice<UInt8>

    init(_ text: some StringProtocol) {
        rest = Array(text.utf8)[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func takes(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// A number of so many digits.
    mutating func number(digits: Int) -> Int? {
        let text = rest.prefix(digits)
        guard text.count == digits, text.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        rest = rest.dropFirst(digits)
        return text.reduce(0) { $0 * 10 + Int($1 & 15) }
    }

    /// The days since 1970 of `2030-12-31`.
    mutating func date() -> Int? {
        guard let year = number(digits: 4), takes("-"), let month = number(digits: 2), takes("-"),
            let day = number(digits: 2)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)?.daysSince1970
    }

    /// The seconds since midnight of `23:59:59`; the second 60 is one of the last minute alone.
    mutating func time(maximum: Int) -> Int? {
        guard let hour = number(digits: 2), hour < 24, takes(":"), let minute = number(digits: 2), minute < 60,
            takes(":"), let second = number(digits: 2), second <= maximum,
            second < 60 || (hour, minute) == (23, 59)
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// The milliseconds of `.25`; 0 where there is no fraction.
    mutating func fraction() -> Int? {
        guard takes(".") else { return 0 }
        let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        return (0..<3).reduce(0) { sum, place in
            sum * 10 + (place < digits.count ? Int(digits[digits.startIndex + place] & 15) : 0)
        }
    }

    /// The seconds that local time is ahead of UTC: `Z`, `+01:00`.
    mutating func offset() -> Int? {
        if takes("Z") || takes("z") { return 0 }
        let isBehind = rest.first == UInt8(ascii: "-")
        guard takes("+") || takes("-"), let hours = number(digits: 2), hours < 24, takes(":"),
            let minutes = number(digits: 2), minutes < 60
        else { return nil }
        return (isBehind ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}
