import HTTPTypes
import Testing

@testable import HTTPWire

private let get = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"
private let unfinished = "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhe"

@Suite("HTTP/1.1 on a connection: streams, refusals and the end")
struct HTTP1MachineEndTests {
    @Test("a stream's parts are chunks for HTTP/1.1, and plain to the end of the connection for HTTP/1.0")
    func streams() {
        let modern = MachineConnection()
        modern.feed(get)
        #expect(modern.stream() && modern.sendsChunks)
        #expect(modern.part("abc") == .chunk && modern.endStream())
        #expect(modern.text.hasSuffix("\r\n\r\n3\r\nabc\r\n0\r\n\r\n") && modern.stage == .receiving)
        let old = MachineConnection()
        old.feed("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(old.stream() && !old.sendsChunks)
        #expect(old.part("abc") == .plain && old.endStream())
        #expect(old.text.hasSuffix("\r\n\r\nabc") && old.stage == .closing)
    }

    @Test("an announced length is kept to: more is not sent, and less does not pass for complete")
    func announcedLength() {
        let connection = MachineConnection()
        connection.feed(get)
        #expect(connection.stream(length: 5))
        #expect(connection.part("abc") == .plain && connection.part("abc") == .excess)
        #expect(!connection.endStream() && connection.stage == .streaming)
        #expect(connection.part("de") == .plain && connection.endStream())
        #expect(connection.text.hasSuffix("\r\n\r\nabcde") && connection.stage == .receiving)
    }

    @Test(
        "a stream to HEAD or with a status without content is complete with its head",
        arguments: [("HEAD", HTTPResponse.Status.ok), ("GET", .noContent), ("GET", .notModified)])
    func noContent(method: String, status: HTTPResponse.Status) {
        let connection = MachineConnection()
        connection.feed("\(method) / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(!connection.sendsContent(of: status))
        #expect(!connection.stream(status) && connection.stage == .receiving)
        #expect(connection.text.hasSuffix("\r\n\r\n"))
    }

    @Test("what a client sends during a stream is bounded, and closes the connection behind it")
    func chatter() {
        let connection = MachineConnection()
        connection.feed(get)
        #expect(connection.stream())
        #expect(connection.discard(10, limit: 10) && connection.endStream())
        #expect(connection.stage == .closing)
        #expect(connection.lastAnswerSent(isAllRead: false, hasUnread: false))
        #expect(connection.stage == .draining && connection.discard(1_000_000, limit: 10))
        let other = MachineConnection()
        other.feed(get)
        #expect(other.stream() && other.discard(10, limit: 10) && !other.discard(1, limit: 10))
    }

    @Test(
        "bytes that are no request are refused, and nothing behind them is read",
        arguments: [
            ("GET / HTTP/2.0\r\nHost: h\r\n\r\n", 505), ("GET / HTTP/1.1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", 400),
        ])
    func refusal(bytes: String, status: Int) {
        let connection = MachineConnection()
        connection.feed(bytes + get)
        #expect(connection.events == [.refused(1, status)])
        #expect(connection.isAnswering(StreamID(1)) && connection.keptBytes == 0)
        connection.respond(.badRequest, "no")
        #expect(connection.text.contains("\r\nConnection: close\r\n") && connection.text.hasSuffix("no"))
        connection.feed(get)
        #expect(connection.events.count == 1 && connection.stage == .closing)
        #expect(connection.refuse() == nil)
        #expect(connection.lastAnswerSent(isAllRead: false, hasUnread: false))
    }

    @Test("a refused HEAD is answered without content, before and after it is complete")
    func refusedHead() {
        let broken = MachineConnection()
        broken.feed("HEAD / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n")
        let complete = MachineConnection()
        complete.feed("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(complete.refuse() == StreamID(1))
        for connection in [broken, complete] {
            #expect(!connection.sendsContent(of: .badRequest) && !connection.keepsAlive)
        }
    }

    @Test("an early end of what the client sends leaves the answers that are owed")
    func peerFinished() {
        let idle = MachineConnection()
        #expect(idle.peerFinished(hasOutput: false))
        let inside = MachineConnection()
        inside.feed(unfinished)
        #expect(inside.peerFinished(hasOutput: false) && inside.stage == .receiving)
        #expect(!inside.peerFinished(hasOutput: true) && inside.stage == .closing)
        #expect(!inside.lastAnswerSent(isAllRead: true, hasUnread: false))
        let answering = MachineConnection()
        answering.feed(get)
        #expect(!answering.peerFinished(hasOutput: false) && answering.stage == .answering)
        #expect(answering.stream() && !answering.peerFinished(hasOutput: false))
        #expect(answering.endStream(peerHasFinished: true) && answering.stage == .closing)
        #expect(answering.lastAnswerSent(isAllRead: false, hasUnread: true))
        #expect(answering.peerFinished(hasOutput: false))
    }

    @Test("a deadline that passes is answered 408 inside of a request, and closes where nothing is owed")
    func expiry() {
        let silent = MachineConnection()
        #expect(silent.expire(hasUnread: false) == .close(isTimeout: true))
        let idle = MachineConnection()
        idle.feed(get)
        #expect(idle.expire(hasUnread: false) == .nothing)
        idle.respond()
        #expect(idle.expire(hasUnread: false) == .close(isTimeout: false))
        #expect(
            idle.expire(hasUnread: true)
                == .refused(StreamID(2), reason: "The head of the request came too slowly."))
        for (bytes, part) in [("GET", "head"), (unfinished, "body")] {
            let slow = MachineConnection()
            slow.feed(bytes)
            #expect(
                slow.expire(hasUnread: false)
                    == .refused(StreamID(1), reason: "The \(part) of the request came too slowly."))
            slow.respond(.requestTimeout, "")
            #expect(slow.expire(hasUnread: false) == .close(isTimeout: false))
        }
        let emptyLine = MachineConnection()
        emptyLine.feed("\r\n")
        #expect(emptyLine.isIdle && emptyLine.expire(hasUnread: false) == .close(isTimeout: true))
    }

    @Test("input that is given up closes the connection behind what is owed, and is drained", arguments: 0..<4)
    func abandonedInput(stage: Int) {
        let connection = MachineConnection()
        if stage > 0 { connection.feed(get) }
        if stage == 1 { connection.respond() }
        if stage == 3 { #expect(connection.stream()) }
        connection.machine.abandonInput()
        if stage == 2 { connection.respond() }
        if stage == 3 { #expect(connection.endStream()) }
        #expect(connection.stage == .closing && !connection.keepsAlive)
        #expect(connection.lastAnswerSent(isAllRead: false, hasUnread: false))
    }

    @Test("a closed machine takes nothing and owes nothing")
    func closed() {
        let connection = MachineConnection()
        connection.feed(unfinished)
        connection.machine.close()
        #expect(connection.stage == .closed && !connection.isIdle)
        connection.feed("llo" + get)
        connection.machine.abandonInput()
        connection.machine.endKeepAlive()
        #expect(connection.events.isEmpty && connection.stage == .closed && connection.output.isEmpty)
        #expect(connection.refuse() == nil && !connection.peerFinished(hasOutput: true))
        #expect(connection.deadlineWhenDrained == .keep && connection.expire(hasUnread: true) == .nothing)
    }
}
