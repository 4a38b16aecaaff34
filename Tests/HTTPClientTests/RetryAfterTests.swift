import HTTPClient
import Testing

@Suite("Retry-After")
struct RetryAfterTests {
    @Test(
        "seconds and the three forms of a date are read",
        arguments: [
            ("120", .seconds(120)), (" 0 ", .seconds(0)), ("\t7", .seconds(7)),
            ("99999999999999999999", .seconds(9_999_999_999)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", .time(784_111_777)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", .time(784_111_777)),
            ("Sun Nov  6 08:49:37 1994", .time(784_111_777)), ("Thu, 01 Jan 1970 00:00:00 GMT", .time(0)),
            ("Thu, 29 Feb 2024 23:59:60 GMT", .time(1_709_251_200)),
            ("Sat, 01 Jan 2000 00:00:00 GMT", .time(946_684_800)),
            ("Saturday, 01-Jan-00 00:00:00 GMT", .time(946_684_800)),
        ] as [(String, RetryAfter)])
    func reading(value: String, expected: RetryAfter) {
        #expect(RetryAfter(value) == expected)
    }

    @Test(
        "anything else is none",
        arguments: [
            "", " ", "-1", "1.5", "1e3", "soon", "1 2", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 06 Nov 1994 08:49 GMT", "1994-11-06T08:49:37Z", "٣",
        ])
    func refusing(value: String) {
        #expect(RetryAfter(value) == nil)
    }

    @Test("a delay is never negative")
    func delays() {
        #expect(RetryAfter.seconds(5).delay(at: 1000) == .seconds(5))
        #expect(RetryAfter.time(1010).delay(at: 1000) == .seconds(10))
        #expect(RetryAfter.time(990).delay(at: 1000) == .zero)
    }
}
