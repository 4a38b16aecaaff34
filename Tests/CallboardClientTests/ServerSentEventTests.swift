import CallboardClient
import Testing

@Suite("Event stream parser")
struct ServerSentEventTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let events: [ServerSentEvent]
        var testDescription: String { name }

        init(_ name: String, _ text: String, _ events: [ServerSentEvent]) {
            self.name = name
            bytes = Array(text.utf8)
            self.events = events
        }
    }

    static let cases: [Case] = [
        Case("a message", "data: hello\n\n", [ServerSentEvent(data: "hello")]),
        Case("one leading space only is dropped", "data:  x\n\n", [ServerSentEvent(data: " x")]),
        Case("no space after the colon", "data:x\n\n", [ServerSentEvent(data: "x")]),
        Case("several data lines", "data: a\ndata\ndata: b\n\n", [ServerSentEvent(data: "a\n\nb")]),
        Case("CR LF", "event: e\r\ndata: x\r\n\r\n", [ServerSentEvent(name: "e", data: "x")]),
        Case("CR", "event: e\rdata: x\r\r", [ServerSentEvent(name: "e", data: "x")]),
        Case(
            "mixed line ends", "data: a\r\n\rdata: b\n\r\n",
            [ServerSentEvent(data: "a"), ServerSentEvent(data: "b")]),
        Case("a byte order mark", "\u{FEFF}data: x\n\n", [ServerSentEvent(data: "x")]),
        Case("a byte order mark later on is text", "\n\u{FEFF}data: x\n\ndata: y\n\n", [ServerSentEvent(data: "y")]),
        Case("comments", ": hi\n:\ndata: x\n: there\n\n", [ServerSentEvent(data: "x")]),
        Case("unknown fields", "foo: bar\ndatax: y\n data: z\ndata: x\n\n", [ServerSentEvent(data: "x")]),
        Case(
            "an event without data is none", "event: e\nid: 1\n\ndata: x\n\n",
            [ServerSentEvent(data: "x", lastEventID: "1")]),
        Case("empty data is an event", "data:\n\n", [ServerSentEvent(data: "")]),
        Case(
            "an id stays until another comes", "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
            [
                ServerSentEvent(data: "a", lastEventID: "1"), ServerSentEvent(data: "b", lastEventID: "1"),
                ServerSentEvent(data: "c", lastEventID: ""),
            ]),
        Case(
            "an id with NUL is ignored", "id: 1\ndata: a\nid: x\u{0}y\n\n",
            [ServerSentEvent(data: "a", lastEventID: "1")]),
        Case("an unfinished event is dropped", "data: a\n\ndata: b\n", [ServerSentEvent(data: "a")]),
        Case("multibyte text", "data: 😀é\nevent: über\n\n", [ServerSentEvent(name: "über", data: "😀é")]),
        Case("a colon in the value", "data: a:b: c\n\n", [ServerSentEvent(data: "a:b: c")]),
    ]

    @Test("events are the same wherever the bytes are cut", arguments: cases)
    func everySplit(example: Case) throws {
        for cut in 0...example.bytes.count {
            var parser = ServerSentEventParser()
            var events = try parser.consume(example.bytes[..<cut])
            events += try parser.consume(example.bytes[cut...])
            #expect(events == example.events, "cut at \(cut)")
        }
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        for byte in example.bytes { events += try parser.consume([byte]) }
        #expect(events == example.events, "byte by byte")
    }

    @Test(
        "retry takes digits only",
        arguments: [
            ("retry: 1500\n", 1500), ("retry: 1.5\n", nil), ("retry: -1\n", nil), ("retry:\n", nil),
            ("retry: 99999999999999999999\n", Int.max),
        ] as [(String, Int?)])
    func retry(text: String, milliseconds: Int?) throws {
        var parser = ServerSentEventParser()
        _ = try parser.consume(Array(text.utf8))
        #expect(parser.retryMilliseconds == milliseconds)
    }

    @Test("the id is settled by the event's end, not before")
    func pendingID() throws {
        var parser = ServerSentEventParser(lastEventID: "0")
        _ = try parser.consume(Array("id: 1\ndata: x\n".utf8))
        #expect(parser.lastEventID == "0")
        _ = try parser.consume(Array("\n".utf8))
        #expect(parser.lastEventID == "1")
    }

    @Test("a line and an event are bounded, however they arrive")
    func bounds() {
        #expect(throws: ServerSentEventError.lineTooLong(limit: 10)) {
            var parser = ServerSentEventParser(maximumLineLength: 10)
            for _ in 0..<20 { _ = try parser.consume(Array("x".utf8)) }
        }
        #expect(throws: ServerSentEventError.eventTooLarge(limit: 10)) {
            var parser = ServerSentEventParser(maximumEventSize: 10)
            for _ in 0..<20 { _ = try parser.consume(Array("data: 123\n".utf8)) }
        }
    }
}
