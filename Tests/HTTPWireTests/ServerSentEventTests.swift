import Testing

@testable import HTTPWire

@Suite("Event streams")
struct ServerSentEventTests {
    private func text(_ event: ServerSentEvent) -> String {
        var out: [UInt8] = []
        event.append(to: &out)
        return String(decoding: out, as: UTF8.self)
    }

    @Test("an event's lines go out in the order event, data, id")
    func order() {
        let event = ServerSentEvent(event: "changeset", data: Array("{}".utf8), id: "k3f9-42")
        #expect(text(event) == "event: changeset\ndata: {}\nid: k3f9-42\n\n")
    }

    @Test(
        "data is split at every line end that a client knows",
        arguments: [
            ("a", "data: a\n\n"), ("", "data: \n\n"), ("a\nb", "data: a\ndata: b\n\n"),
            ("a\rb", "data: a\ndata: b\n\n"), ("a\r\nb", "data: a\ndata: b\n\n"),
            ("a\n\nb\n", "data: a\ndata: \ndata: b\ndata: \n\n"), ("\r\r\n", "data: \ndata: \ndata: \n\n"),
            ("é: \0", "data: é: \0\n\n"),
        ])
    func data(value: String, expected: String) {
        #expect(text(ServerSentEvent(data: Array(value.utf8))) == expected)
    }

    @Test("retry is in milliseconds, and a comment is a line of its own")
    func retryAndComment() {
        #expect(text(ServerSentEvent(retry: .milliseconds(2500))) == "retry: 2500\n\n")
        #expect(text(ServerSentEvent(retry: .seconds(Int64.max))) == "retry: \(Int.max)\n\n")
        #expect(text(ServerSentEvent(retry: .seconds(-1))) == "retry: 0\n\n")
        #expect(text(ServerSentEvent(comment: "on\nand on")) == ": on\n: and on\n\n")
    }

    @Test("nothing is written for nothing, and its frame is not a last chunk")
    func nothing() {
        #expect(text(ServerSentEvent()).isEmpty)
        let frame = EventFrame(ServerSentEvent())
        #expect(frame.bytes.isEmpty && frame.payload.isEmpty && frame.body.isEmpty)
    }

    @Test(
        "an event whose data is written where it stays is the event",
        arguments: ["{}", String(repeating: "x", count: 70_000)])
    func writtenInPlace(data: String) {
        let frame = EventFrame(event: "changeset", id: "k-1", reservingCapacity: 10) { $0 += data.utf8 }
        let expected = EventFrame(ServerSentEvent(event: "changeset", data: Array(data.utf8), id: "k-1"))
        #expect(frame.bytes == expected.bytes && frame.payload == expected.payload && frame.body == expected.body)
    }

    @Test("neither id nor event can begin another line or be dropped for a NUL")
    func injection() {
        let event = ServerSentEvent(event: "a\ndata: b", id: "c\r\n\0d")
        #expect(text(event) == "event: adata: b\nid: cd\n\n")
    }

    @Test(
        "a frame is one chunk around the event", arguments: [nil, "k-1"],
        ["", "{}", String(repeating: "x", count: 5000)])
    func frame(id: String?, data: String) {
        let event = ServerSentEvent(event: "changeset", data: Array(data.utf8), id: id)
        let frame = EventFrame(event)
        var lines: [UInt8] = []
        event.append(to: &lines)
        #expect(Array(frame.bytes[frame.payload]) == lines)
        var chunk: [UInt8] = []
        ResponseWriter.appendChunk(lines, to: &chunk)
        #expect(Array(frame.bytes) == chunk)
        let body = Array("event: changeset\ndata: \(data)\n".utf8)
        #expect(Array(frame.bytes[frame.body]) == body)
        #expect(frame.body.lowerBound == frame.payload.lowerBound)
    }

    @Test(
        "a frame with another id is the one that would have been encoded with it", arguments: [nil, "b", "long-9999"])
    func replacingID(id: String?) {
        let data = Array("a\nb".utf8)
        let frame = EventFrame(ServerSentEvent(event: "e", data: data, id: "a")).replacingID(with: id)
        let expected = EventFrame(ServerSentEvent(event: "e", data: data, id: id))
        #expect(frame.bytes == expected.bytes && frame.payload == expected.payload && frame.body == expected.body)
    }
}
