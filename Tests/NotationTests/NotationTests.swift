import Testing

@testable import Notation

@Suite("Notations")
struct NotationTests {
    @Test("hexadecimal digits have their values and nothing else has one")
    func hexadecimal() {
        for byte in UInt8.min...UInt8.max {
            let expected = byte < 128 ? UInt8(String(UnicodeScalar(byte)), radix: 16) : nil
            #expect(Hexadecimal.value(byte) == expected, "byte \(byte)")
        }
        #expect((0..<16).map { Hexadecimal.digit($0) } == Array("0123456789ABCDEF".utf8))
    }

    @Test("every text is found again behind percent signs, and only unreserved characters stay as they are")
    func percentEncoding() {
        let text = "aZ09-._~ /?#%@+\u{0}é漢"
        let encoded = PercentEncoding.encode(text)
        #expect(encoded == "aZ09-._~%20%2F%3F%23%25%40%2B%00%C3%A9%E6%BC%A2")
        #expect(PercentEncoding.decode(encoded[...]) == text)
        #expect(PercentEncoding.encode("@a b", keeping: "@") == "@a%20b")
    }

    @Test("broken escapes and octets that are no UTF-8 are refused", arguments: ["%", "%4", "%zz", "%FF", "a%C3"])
    func brokenEscapes(text: String) {
        #expect(PercentEncoding.decode(text[...]) == nil)
    }

    @Test("a plus is a space in a query alone")
    func plus() {
        #expect(PercentEncoding.decode("a+b%2B") == "a+b+")
        #expect(PercentEncoding.decode("a+b%2B", plusIsSpace: true) == "a b+")
    }

    @Test("what JSON does not take in a string is escaped, and nothing else")
    func jsonStrings() {
        func quoted(_ text: String) -> String {
            var bytes = Array("x".utf8)
            JSONText.appendQuoted(text, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(quoted("plain é漢/") == "x\"plain é漢/\"")
        #expect(quoted("a\"b\\c") == #"x"a\"b\\c""#)
        #expect(quoted("\u{8}\u{c}\n\r\t\u{0}\u{1f}\u{7f}") == #"x"\b\f\n\r\t\u0000\u001f"# + "\u{7f}\"")
    }

    @Test("days follow each other through leap years and centuries, before 1970 too")
    func dates() {
        func length(_ year: Int, _ month: Int) -> Int {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        }
        var expected = (year: 1800, month: 1, day: 1)
        for days in -62_091..<170_000 {
            let date = CivilDate(daysSince1970: days)
            guard date.year == expected.year, date.month == expected.month, date.day == expected.day else {
                Issue.record("day \(days) is \(date), not \(expected)")
                return
            }
            expected.day += 1
            if expected.day > length(expected.year, expected.month) {
                expected = expected.month == 12 ? (expected.year + 1, 1, 1) : (expected.year, expected.month + 1, 1)
            }
        }
        #expect(CivilDate(daysSince1970: 0).year == 1970)
    }
}

@Suite("Dates as they are written")
struct DateTextTests {
    @Test("every day of the calendar is read back, and no other day is one")
    func calendar() {
        for year in [1, 4, 100, 400, 1900, 1970, 2000, 2023, 2024, 2030, 2100, 9999] {
            for month in 0...13 {
                for day in 0...32 {
                    guard let date = CivilDate(year: year, month: month, day: day) else { continue }
                    #expect(CivilDate(daysSince1970: date.daysSince1970) == date)
                }
            }
            let days = (1...12).map { month in (0...40).count { CivilDate(year: year, month: month, day: $0) != nil } }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            #expect(days == [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
        }
    }

    @Test(
        "times with an offset are those that the calendar and the clock have",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2030-12-31T23:59:59Z", 1_924_991_999_000),
            ("2024-02-29T00:00:00Z", 1_709_164_800_000),
            ("2030-12-31t23:59:59z", 1_924_991_999_000), ("2030-12-31T23:59:59.25Z", 1_924_991_999_250),
            ("2030-12-31T23:59:59.9999Z", 1_924_991_999_999), ("2031-01-01T00:59:59+01:00", 1_924_991_999_000),
            ("1969-12-31T23:59:59Z", -1000), ("2030-02-28T24:00:00Z", nil), ("2030-02-31T00:00:00Z", nil),
            ("2030-02-29T00:00:00Z", nil), ("2100-02-29T00:00:00Z", nil), ("2030-04-31T00:00:00Z", nil),
            ("2030-00-10T00:00:00Z", nil), ("2030-13-01T00:00:00Z", nil), ("2030-01-00T00:00:00Z", nil),
            ("2030-01-32T00:00:00Z", nil), ("2030-01-01T23:60:00Z", nil), ("2030-06-30T23:59:60Z", nil),
            ("2030-01-01T00:00:00", nil), ("2030-01-01", nil), ("2030-1-01T00:00:00Z", nil),
            ("2030-01-01 00:00:00Z", nil),
            ("2030-01-01T00:00:00+24:00", nil), ("2030-01-01T00:00:00+0100", nil), ("2030-01-01T00:00:00.Z", nil),
            ("2030-01-01T00:00:00ZZ", nil), ("+2030-01-01T00:00:00Z", nil), ("12030-01-01T00:00:00Z", nil), ("", nil),
        ] as [(String, Int?)])
    func internetTimes(text: String, milliseconds: Int?) {
        #expect(DateText.millisecondsSince1970(rfc3339: text) == milliseconds)
    }

    @Test(
        "dates of HTTP are those that the calendar has, in three forms",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800),
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800), ("Sun, 31 Feb 2030 00:00:00 GMT", nil),
            ("Fri, 29 Feb 2030 00:00:00 GMT", nil), ("Sunday, 31-Feb-30 08:49:37 GMT", nil),
            ("Sun Feb 30 08:49:37 2030", nil),
            ("Tue, 31 Apr 2030 00:00:00 GMT", nil), ("Sun, 06 Nov 1994 08:49:60 GMT", nil),
            ("Sun, 06 Nov 1994 24:00:00 GMT", nil), ("Sun, 00 Nov 1994 08:49:37 GMT", nil),
        ] as [(String, Int?)])
    func fieldDates(text: String, seconds: Int?) {
        #expect(DateText.secondsSince1970(http: text) == seconds)
    }

    @Test("a date by itself is its beginning in UTC")
    func days() {
        #expect(DateText.secondsSince1970(date: "2030-12-31") == 1_924_905_600)
        #expect(DateText.secondsSince1970(date: "2030-02-31") == nil)
        #expect(DateText.secondsSince1970(date: "2030-12-31 ") == nil)
    }
}
