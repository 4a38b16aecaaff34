/// Reads the dates of HTTP (RFC 9110, section 5.6.7).
enum DateText {
    /// The seconds since 1970 of an IMF-fixdate, an RFC 850 date or a date of C's `asctime`; nil for anything else.
    static func secondsSince1970(_ text: String) -> Int? {
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

    private static func seconds(day: Substring, month: Substring, year: Int?, time: Substring) -> Int? {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard let year, let month = months.firstIndex(of: String(month)), clock.count == 3,
            let day = number(day, digits: day.utf8.count), (1...31).contains(day),
            let hour = number(clock[0], digits: 2), hour < 24,
            let minute = number(clock[1], digits: 2), minute < 60,
            let second = number(clock[2], digits: 2), second <= 60
        else { return nil }
        let days = daysSince1970(year: year, month: month + 1, day: day)
        return days * 86_400 + hour * 3600 + minute * 60 + second
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        guard text.utf8.count == digits, (1...4).contains(digits), text.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(text)
    }

    /// Counts in years that begin in March, so that the leap day is the last of one.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        return 365 * marchYear + leapDays + dayOfYear - 719_468
    }
}
