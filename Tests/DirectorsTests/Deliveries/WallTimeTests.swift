import Foundation
import TestSupport
import Testing

@testable import Directors

/// Times as calendars have them.
struct WallTimeTests {
    @Test(
        "a time is written in UTC as RFC 3339 says",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_700_000_000_123, "2023-11-14T22:13:20.123Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (.max, "9999-12-31T23:59:59.999Z"),
            (.min, "1970-01-01T00:00:00.000Z"),
        ])
    func text(_ milliseconds: Int, _ text: String) {
        #expect(WallTime(milliseconds: milliseconds).description == text)
    }

    @Test("every day is written as Foundation has it")
    func everyDay() {
        let seed = SeededGenerator.seedOfRun("wall times")
        var random = SeededGenerator(seed: seed)
        for day in stride(from: 0, to: 366 * 500, by: 7) {
            let seconds = day * 86_400 + random.below(86_400)
            let expected = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601).dropLast()
            #expect(WallTime(milliseconds: seconds * 1000).description == expected + ".000Z", "seed \(seed)")
        }
    }

    @Test("times move on and apart, and stay within their years")
    func arithmetic() {
        let time = WallTime(milliseconds: 1500)
        #expect(time.seconds == 1)
        #expect(time.advanced(by: .milliseconds(700)) == WallTime(milliseconds: 2200))
        #expect(time.advanced(by: .seconds(-9)) == WallTime(milliseconds: 0))
        #expect(time.advanced(by: .seconds(Int64.max)) == .distantFuture)
        #expect(WallTime.distantFuture.advanced(by: .seconds(1)) == .distantFuture)
        #expect(time.since(WallTime(milliseconds: 2000)) == .milliseconds(-500))
        #expect(time < WallTime(milliseconds: 1501))
    }
}
