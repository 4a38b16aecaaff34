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
