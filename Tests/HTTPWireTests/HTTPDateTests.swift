import Testing

@testable import HTTPWire

@Suite("Dates")
struct HTTPDateTests {
    @Test(
        "known moments are written as RFC 9110 has them",
        arguments: [
            (784_887_151, "Tue, 15 Nov 1994 08:12:31 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"), (Int.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (Int.min, "Sat, 01 Jan 0000 00:00:00 GMT"),
        ])
    func known(seconds: Int, text: String) {
        let date = HTTPDate(secondsSince1970: seconds)
        #expect(date.text == text)
        #expect(date.line == Array("Date: \(text)\r\n".utf8))
    }

    @Test("every day from 1970 to 2400 follows the one before")
    func everyDay() {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        var (year, month, day) = (1970, 0, 1)
        for days in 0..<157_000 {
            let digits = day < 10 ? "0\(day)" : "\(day)"
            let expected = "\(weekdays[days % 7]), \(digits) \(months[month]) \(year) 12:00:00 GMT"
            guard HTTPDate(secondsSince1970: days * 86_400 + 43_200).text == expected else {
                Issue.record("day \(days) is not \(expected)")
                return
            }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            day += 1
            if day > lengths[month] { (month, day) = (month + 1, 1) }
            if month == 12 { (year, month) = (year + 1, 0) }
        }
    }
}
