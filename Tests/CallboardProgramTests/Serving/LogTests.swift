import CallboardAPI
import CallboardClient
import Foundation
import Hosting
import Logging
import Testing

@testable import CallboardProgram

@Suite("The log")
struct LogTests {
    @Test(
        "times and sizes have three digits for people",
        arguments: [
            (.duration(.zero), "<1ms"), (.duration(.microseconds(996)), "1ms"),
            (.duration(.microseconds(1206)), "1.21ms"), (.duration(.milliseconds(153)), "153ms"),
            (.duration(.microseconds(999_600)), "1s"),
            (.duration(.milliseconds(2406)), "2.41s"), (.duration(.milliseconds(59_960)), "1min0s"),
            (.duration(.seconds(725)), "12min5s"), (.bytes(0), "0B"), (.bytes(1023), "1023B"), (.bytes(1024), "1KiB"),
            (.bytes(1_048_000), "1023KiB"), (.bytes(1_048_575), "1MiB"), (.bytes(1_268_776), "1.21MiB"),
            (.bytes(53_687_091_200), "50GiB"), (.bytes(.max), "8EiB"), (.count(1_234_567), "1234567"),
        ] as [(LogQuantity, String)])
    func people(quantity: LogQuantity, text: String) {
        #expect(quantity.description == text)
    }

    @Test("machines get plain numbers: seconds, bytes and counts")
    func machines() throws {
        let event = LogEvent(
            level: .info, message: "recovered",
            metadata: [
                "took": .stringConvertible(LogQuantity.duration(.microseconds(153_492))),
                "size": .stringConvertible(LogQuantity.bytes(1_268_776)),
                "records": .stringConvertible(LogQuantity.count(3)), "folder": "callboard-data",
                "status": .number(404), "living": .flag(true), "ratio": .stringConvertible(0.5),
                "most": .stringConvertible(UInt64.max), "nothing": .stringConvertible(Double.nan),
                "list": [.number(1), "1"], "parts": ["n": .number(-7)],
            ], source: "test", file: "", function: "", line: 0)
        let line = try JSON(
            parsing: Array(JSONLogHandler(label: "callboard").line(for: event, at: Date()).utf8))
        #expect(line.value(at: "/took")?.numberValue?.text == "0.153492")
        #expect(line.value(at: "/size")?.numberValue?.text == "1268776")
        #expect(line.value(at: "/records")?.numberValue?.text == "3")
        #expect(line.value(at: "/folder") == "callboard-data")
        #expect(line.value(at: "/status")?.numberValue?.text == "404")
        #expect(line.value(at: "/living") == true)
        #expect(line.value(at: "/ratio")?.numberValue?.text == "0.5")
        #expect(line.value(at: "/most")?.numberValue?.text == "18446744073709551615")
        #expect(line.value(at: "/nothing") == "nan")
        #expect(line.value(at: "/list") == [1, "1"])
        #expect(line.value(at: "/parts") == ["n": -7])
    }

    @Test("people get a line with the time, what happened, and its details; nothing in it acts on the terminal")
    func lines() {
        let event = LogEvent(
            level: .warning, message: "request",
            metadata: [
                "took": .stringConvertible(LogQuantity.duration(.microseconds(153_492))), "target": "/a\r\n\u{1B}[2J",
                "folder": "my data", "id": "",
            ], source: "test", file: "", function: "", line: 0)
        let line = TextLogHandler().line(for: event, at: Date(timeIntervalSince1970: 0))
        let details = #"folder="my data"  id=""  target=/a\u{FFFD}\u{FFFD}\u{FFFD}[2J  took=153ms"#
            .replacing(#"\u{FFFD}"#, with: "\u{FFFD}")
        #expect(line == "1970-01-01T00:00:00Z warning: request  " + details)
    }
}
