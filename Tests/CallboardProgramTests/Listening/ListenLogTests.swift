import CallboardClient
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CallboardProgram

@Suite("What a listener shows")
struct ListenLogTests {
    private static let time = Date(timeIntervalSince1970: 1_795_256_671.25)

    private static var clock: String {
        Date.ISO8601FormatStyle(timeZone: .current).time(includingFractionalSeconds: false).format(time)
    }

    private static func reception(
        _ event: ReceivedEvent, path: String = "/", id: String? = "msg_1", attempt: Int = 1,
        plan: AnswerPlan = AnswerPlan(),
        after seconds: Double = 0
    ) -> ListenEntry {
        .event(
            Reception(
                event: event, time: (event.reported ?? time).addingTimeInterval(seconds), path: path, id: id,
                attempt: attempt, signature: .verified, answer: plan.answer(to: event, failures: 0)))
    }

    private static func plain(_ entry: ListenEntry) -> [String] {
        // The clock shows the zone of the machine.
        ListenLog(style: .plain).lines(for: entry).map { line in
            line.replacing(#/^\d\d:\d\d:\d\d /#, with: "")
        }
    }

    @Test("an event is shown with where it happened, from whom it is and what was answered")
    func event() throws {
        let operations = AnswerTemplate([["op": "removeElement", "section": "{section}", "element": "{element}"]])
        let plan = AnswerPlan(operations: operations, reloads: true)
        let entry = Self.reception(try Messages.event("didSelect"), plan: plan)
        #expect(
            Self.plain(entry) == [
                "didSelect  [5, 0] AD-07  Andorra la Vella",
                "  director countries, version 3, section AD, cell ItemCell, msg_1, signature verified",
                #"  answered 200 {"operations":[{"op":"removeElement","section":"AD","element":"AD-07"}],"reload":true}"#,
            ])
        #expect(
            ListenLog(style: .plain).lines(for: entry).first?.wholeMatch(of: #/\d\d:\d\d:\d\d didSelect .*/#) != nil)
    }

    @Test("a delivery that comes again, or late, or to a path is shown as such")
    func again() throws {
        let event = try Messages.event("didSelect")
        let entry = Self.reception(
            event, path: "/taps?x=1", attempt: 3, plan: AnswerPlan(failure: .init(retryAfter: 5), delay: .seconds(2)),
            after: 305)
        #expect(
            Self.plain(entry).dropFirst() == [
                "  director countries, version 3, section AD, cell ItemCell, at /taps?x=1, msg_1, attempt 3, "
                    + "reported 5 min 5 s ago, signature verified",
                "  in 2 s answered 500, again after 5 s",
            ])
    }

    @Test(
        "what is not about an element says what it is about",
        arguments: [
            (#"{"header":2,"section":{"id":"AD"},"view":"Title"}"#, "x  header 2", "section AD, view Title, "),
            (#"{"footer":0,"section":{"id":"AD"}}"#, "x  footer 0", "section AD, "), ("{}", "x", ""),
            (#"{"indexPath":[1,2]}"#, "x  [1, 2]", ""), (#"{"element":{"id":"a"}}"#, "x  a  null", ""),
            (#"{"indexPath":7,"element":[],"section":"s","cell":null}"#, "x", ""),
        ])
    func subjects(data: String, first: String, origin: String) throws {
        let lines = Self.plain(Self.reception(try Messages.event("x", JSON(parsing: data)), id: nil))
        #expect(lines.first?.trimmingCharacters(in: .whitespaces) == first)
        #expect(lines.dropFirst().first == "  director countries, version 3, \(origin)signature verified")
    }

    @Test("of many elements the first are shown, and parameters are shown as they are")
    func batch() throws {
        let items = JSON.array(
            (0..<1200).map {
                [
                    "indexPath": [0, .number(JSONNumber($0))],
                    "element": ["id": .string("e\($0)"), "value": .number(JSONNumber($0))],
                ]
            })
        let lines = Self.plain(
            Self.reception(try Messages.event("prefetch", ["items": items, "parameters": ["why": "scrolled"]])))
        #expect(lines.first == "prefetch  1,200 elements")
        #expect(lines.dropFirst().prefix(2) == ["  [0, 0] e0  0", "  [0, 1] e1  1"])
        #expect(lines.contains("  and 1,195 more"))
        #expect(lines.contains(#"  parameters {"why":"scrolled"}"#))
    }

    @Test("for machines an event is one object with the whole message")
    func json() throws {
        let event = try Messages.event("rowHeight")
        let plan = AnswerPlan(values: ["rowHeight": AnswerTemplate(44)], delay: .milliseconds(1500))
        let entry = Self.reception(event, attempt: 2, plan: plan)
        let lines = ListenLog(style: .json).lines(for: entry)
        #expect(lines.count == 1)
        #expect(
            try JSON(parsing: lines[0]) == [
                "time": "2026-11-21T10:24:31.250Z", "event": "rowHeight", "path": "/", "id": "msg_1", "attempt": 2,
                "signature": "verified", "status": 200, "answer": ["value": 44], "delayMilliseconds": 1500,
                "message": event.message,
            ])
        let refusal = ListenEntry.refused(
            ListenRefusal(status: .unauthorized, reason: "no"), at: Self.time, from: "::1")
        #expect(
            ListenLog(style: .json).lines(for: refusal)
                == [#"{"time":"2026-11-21T10:24:31.250Z","from":"::1","status":401,"refused":"no"}"#])
        #expect(Self.plain(refusal) == ["refused ::1 with 401: no"])
    }

    @Test("nothing that comes from outside moves a terminal's cursor, and a machine gets it all the same")
    func controlCharacters() throws {
        var random = SeededGenerator(seed: SeededGenerator.seedOfRun("control characters"))
        let hostile: [Unicode.Scalar] = [
            "\u{1B}", "\u{7F}", "\u{9B}", "\u{85}", "\n", "\r", "\t", "\u{202E}", "\u{2066}", "\u{2028}", "\"", "\\",
            "é", "😀",
        ]
        for _ in 0..<200 {
            func text() -> String {
                var scalars = String.UnicodeScalarView()
                for _ in 0..<random.below(20) {
                    let other = Unicode.Scalar(UInt32(random.below(0x3000))) ?? "x"
                    scalars.append(random.chance(2) ? hostile[random.below(hostile.count)] : other)
                }
                return String(scalars)
            }
            let data: JSON = [
                "indexPath": [.string(text())], "section": ["id": .string(text())], "cell": .string(text()),
                "element": ["id": .string(text()), "model": .string(text()), "value": ["name": .string(text())]],
                "parameters": [text(): .string(text())], "director": .string(text()), "version": .string(text()),
            ]
            let event = try Messages.event(text(), data)
            let plan = AnswerPlan(operations: AnswerTemplate(.array(["{element}", .string(text())])))
            let entries = [
                Self.reception(event, path: text(), id: text(), plan: plan),
                .refused(ListenRefusal(status: .badRequest, reason: text()), at: Self.time, from: text()),
            ]
            for entry in entries {
                ListenTests.expectHarmless(ListenLog(style: .plain).lines(for: entry))
                ListenTests.expectHarmless(ListenLog(style: .json).lines(for: entry))
            }
            let line = try #require(ListenLog(style: .json).lines(for: entries[0]).first)
            #expect(try JSON(parsing: line)["message"] == event.message)
        }
    }

    @Test("lines for people have an end, whatever comes")
    func longLines() throws {
        let long = JSON.string(String(repeating: "漢", count: 100_000))
        let event = try Messages.event("x", ["director": long, "element": ["id": long], "parameters": long])
        for line in ListenLog(style: .plain).lines(for: Self.reception(event, path: "/x")) {
            #expect(TextWidth.columns(of: line) <= 400)
        }
    }
}
