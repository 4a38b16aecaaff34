import Glibc
import HTTPServer
import HTTPTestSupport
import HTTPTypes
import HTTPWire
import Reactor
import Synchronization
import TestSupport
import Testing

/// Streams every request from the producer that `make` returns.
private func streaming(
    _ fields: HTTPFields = [.contentType: "text/event-stream"], _ make: @escaping @Sendable () -> TestProducer
) -> ClosureApplication {
    ClosureApplication { $0.stream(ResponseHead(status: .ok, fields: fields), from: make()) }
}

@Suite("Streamed answers")
struct StreamTests {
    private static let get = "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test("an event's frame is one chunk, and the connection takes another request after the end")
    func frames() async throws {
        let producer = TestProducer([.event("one", id: "1"), .pending])
        try await withServer(application: streaming { producer }) { server in
            let client = try server.connect()
            client.send(Self.get)
            let head = client.receiveHead()
            #expect(head.status == 200 && head.fields["transfer-encoding"] == "chunked")
            #expect(client.receives("event: test\ndata: one\nid: 1\n\n"))
            producer.produce([.event("two"), .text("raw"), .text(""), .event("three"), .end])
            #expect(client.receives("event: test\ndata: two\n\n"))
            #expect(client.receives("raw"))
            #expect(client.receives("event: test\ndata: three\n\n"))
            #expect(client.receivesEnd())
            // Over HTTP/2 the end is on its way before the stream is closed.
            try await eventually("it is closed") { producer.snapshot.closed == 1 }
            let state = producer.snapshot
            #expect(state.started == 1 && state.closed == 1 && state.closings == 0)
            client.send("HEAD /stream HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(client.receiveAnswer(toHead: true).status == 200)
            #expect(producer.snapshot.started == 1 && producer.snapshot.closed == 2)
        }
    }

    @Test(
        "an HTTP/1.0 client gets the events without chunks, and their end is the connection's",
        .enabled(if: TestTransport.isHTTP1, "HTTP/2 has no older clients"))
    func oldClient() async throws {
        let producer = TestProducer([.event("one"), .text("raw"), .end])
        try await withServer(application: streaming { producer }) { server in
            let client = try server.connect()
            client.send("GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(client.receiveHead().fields["connection"] == "close")
            #expect(client.receiveToEnd() == "event: test\ndata: one\n\nraw")
            #expect(producer.snapshot.closed == 1)
        }
    }

    @Test(
        "a stream of announced length is sent without chunks",
        arguments: TestTransport.isHTTP1 ? ["HTTP/1.1", "HTTP/1.0"] : ["HTTP/1.1"])
    func announcedLength(version: String) async throws {
        try await withServer(
            application: streaming([.contentLength: "40000"]) {
                TestProducer([.text(String(repeating: "a", count: 39_997)), .text("bcd"), .end])
            }
        ) { server in
            let client = try server.connect()
            for _ in 0..<2 {
                client.send("GET /stream \(version)\r\nHost: x\r\nConnection: keep-alive\r\n\r\n")
                let answer = client.receiveAnswer()
                #expect(answer.body.utf8.count == 40_000 && answer.body.hasSuffix("abcd"))
            }
        }
    }

    @Test(
        "a stream that is not as long as announced ends with the connection", arguments: [["ab"], ["abc", "def", "g"]])
    func wrongLength(pieces: [String]) async throws {
        let producer = TestProducer(pieces.map { Production.text($0) } + [.end])
        try await withServer(application: streaming([.contentLength: "6"]) { producer }) { server in
            let client = try server.connect()
            // Over HTTP/2 the second would be answered at the same time, from the same producer.
            client.send(TestTransport.isHTTP1 ? Self.get + Self.get : Self.get)
            #expect(client.receiveHead().fields["content-length"] == "6")
            #expect(!client.receiveToEnd().contains("HTTP/1.1"))
            try await eventually("it is closed") { producer.snapshot.closed == 1 }
        }
    }

    @Test("large pieces arrive whole, in order")
    func largePieces() async throws {
        let piece = String(repeating: "0123456789", count: 100_000)
        try await withServer(
            application: streaming { TestProducer([.text(piece), .event(piece), .text(piece), .end]) }
        ) { server in
            let client = try server.connect()
            client.send(Self.get)
            #expect(client.receiveAnswer().body == piece + "event: test\ndata: \(piece)\n\n" + piece)
        }
    }

    @Test("a client that does not read is asked for no more pieces, and gets everything once it reads")
    func backpressure() async throws {
        let piece = String(repeating: "x", count: 50_000)
        let producer = TestProducer([.event(piece)], isEndless: true)
        try await withServer(application: streaming { producer }) { server in
            let client = try TestClient(to: server.address, receiveBuffer: 8192)
            client.send(Self.get)
            try await eventually("the stream starts") { producer.snapshot.asked > 1 }
            try await settled(server) { producer.snapshot.asked }
            let (asked, sent) = (producer.snapshot.asked, server.server.statistics.bytesSent)
            // What was asked for and is not with the kernel is at most one piece.
            #expect(asked * 50_100 - sent < 2 * 50_100)
            for _ in 0..<100 { producer.produce([]) }
            try await settled(server) { producer.snapshot.asked }
            #expect(producer.snapshot.asked == asked)
            #expect(client.receiveHead().status == 200)
            for _ in 0..<(asked + 5) { #expect(client.receives("event: test\ndata: \(piece)\n\n")) }
            #expect(producer.snapshot.asked > asked)
            let (handle, loop) = (producer.snapshot.handle, producer.snapshot.loop)
            loop?.execute { handle?.close() }
            try await eventually("it is closed") { producer.snapshot.closed == 1 }
        }
    }

    @Test("a stalled stream is cut off after the write stall deadline, a quiet one never")
    func stall() async throws {
        let stalled = TestProducer([.event(String(repeating: "x", count: 100_000))], isEndless: true)
        let quiet = TestProducer([.event("hello")])
        try await withServer(
            clock: ManualClock(),
            application: ClosureApplication { exchange in
                let producer = exchange.head.target == "/quiet" ? quiet : stalled
                exchange.stream(ResponseHead(status: .ok), from: producer)
            }
        ) { server in
            let (reader, sleeper) = (try server.connect(), try TestClient(to: server.address, receiveBuffer: 4096))
            reader.send("GET /quiet HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(reader.receiveHead().status == 200 && reader.receiveChunk() != nil)
            sleeper.send(Self.get)
            try await eventually("it starts") { stalled.snapshot.asked > 0 }
            try await server.pass(.seconds(31), until: "the stalled one is closed") { stalled.snapshot.closed == 1 }
            server.advance(by: .seconds(10_000))
            quiet.produce([.event("still here")])
            #expect(reader.receives("event: test\ndata: still here\n\n"))
            #expect(quiet.snapshot.closed == 0)
        }
    }

    @Test("the producer hears exactly once that the client has left", arguments: [true, false])
    func clientLeaves(isReset: Bool) async throws {
        let producer = TestProducer([.event("one")])
        try await withServer(application: streaming { producer }) { server in
            do {
                let client = try server.connect()
                client.send(Self.get)
                #expect(client.receiveHead().status == 200 && client.receiveChunk() != nil)
                if isReset {
                    var linger = linger(l_onoff: 1, l_linger: 0)
                    setsockopt(
                        client.socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
                }
            }
            try await eventually("the producer hears of it") { producer.snapshot.closed == 1 }
            producer.produce([.event("two")])
            try await eventually("the connection is gone") { server.server.statistics.connectionsOpen == 0 }
        }
        #expect(producer.snapshot.closed == 1 && producer.snapshot.closings == 0)
    }

    @Test(
        "a client that has finished sending gets what there is, and then an orderly end",
        .enabled(if: TestTransport.isHTTP1, "HTTP/2 ends requests, not a connection's direction"))
    func halfClosed() async throws {
        let producer = TestProducer([.event("one"), .event("two"), .pending, .event("never")])
        try await withServer(application: streaming { producer }) { server in
            let client = try server.connect()
            client.send(Self.get)
            client.finishSending()
            #expect(client.receiveHead().status == 200)
            #expect(client.receives("event: test\ndata: one\n\n"))
            #expect(client.receives("event: test\ndata: two\n\n"))
            let rest = client.receiveToEnd()
            #expect(rest.hasSuffix("0\r\n\r\n"))
            #expect(producer.snapshot.closed == 1)
        }
    }

    @Test(
        "a client that has finished sending gets all of a stream that goes on in later turns",
        .enabled(if: TestTransport.isHTTP1, "HTTP/2 ends requests, not a connection's direction"))
    func halfClosedBetweenTurns() async throws {
        let producer = TestProducer([.event("one"), .later])
        try await withServer(application: streaming { producer }) { server in
            let client = try server.connect()
            client.send(Self.get)
            client.finishSending()
            #expect(client.receiveHead().status == 200)
            #expect(client.receives("event: test\ndata: one\n\n"))
            let bytes = SharedBytes(Array(repeating: UInt8(ascii: "x"), count: 100_000))
            for _ in 0..<3 { producer.produce([.bytes(bytes), .later]) }
            for _ in 0..<3 { #expect(client.receiveChunk()?.utf8.count == 100_000) }
            producer.produce([.pending])
            #expect(client.receiveToEnd().hasSuffix("0\r\n\r\n"))
            #expect(producer.snapshot.closed == 1)
        }
    }

    @Test(
        "bytes that arrive during a stream are ignored up to a bound, beyond which the client is cut off",
        .enabled(if: TestTransport.isHTTP1, "other streams of the connection are served meanwhile"))
    func chatter() async throws {
        let producer = TestProducer([.event("one")])
        try await withServer(
            configuration: .test { $0.maxIgnoredDuringStream = 10_000 }, application: streaming { producer }
        ) { server in
            let client = try server.connect()
            client.send(Self.get)
            #expect(client.receiveHead().status == 200 && client.receiveChunk() != nil)
            client.send(Array(repeating: 120, count: 10_000))
            try await eventually("they arrive") {
                server.server.statistics.bytesReceived == 10_000 + Self.get.utf8.count
            }
            producer.produce([.event("two")])
            #expect(client.receives("event: test\ndata: two\n\n"))
            client.send("x")
            try await eventually("it is cut off") { producer.snapshot.closed == 1 }
        }
    }

    @Test(
        "the rest of a request that was begun during a stream is not read as another one: the connection closes",
        .enabled(if: TestTransport.isHTTP1, "other streams of the connection are served meanwhile"))
    func requestInsideStream() async throws {
        let producer = TestProducer([.event("one")])
        try await withServer(application: streaming { producer }) { server in
            let client = try server.connect()
            client.send(Self.get)
            #expect(client.receiveHead().status == 200 && client.receiveChunk() != nil)
            let begun = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 42\r\n\r\n"
            client.send(begun)
            try await eventually("it arrives") {
                server.server.statistics.bytesReceived == (Self.get + begun).utf8.count
            }
            producer.produce([.end])
            #expect(client.receivesEnd())
            client.send("GET /hidden HTTP/1.1\r\nHost: attacker\r\n\r\n")
            #expect(client.receiveToEnd() == "")
            #expect(server.server.statistics.requests == 1)
        }
    }

    @Test(
        "a stream that closes its connection says so in its head, and what was sent ahead is not read",
        .enabled(if: TestTransport.isHTTP1, "an answer of HTTP/2 ends its stream alone"))
    func closingStream() async throws {
        let application = ClosureApplication { exchange in
            let producer = TestProducer([.event("one"), .end])
            exchange.stream(ResponseHead(status: .ok), from: producer, closesConnection: true)
        }
        try await withServer(application: application) { server in
            let client = try server.connect()
            client.send(Self.get + Self.get)
            let head = client.receiveHead()
            #expect(head.fields["connection"] == "close" && head.fields["transfer-encoding"] == "chunked")
            #expect(client.receives("event: test\ndata: one\n\n") && client.receivesEnd())
            #expect(client.receiveToEnd() == "")
            #expect(server.server.statistics.requests == 1)
        }
    }

    @Test("2,000 streams on two loops each get every event, and cost little while they are quiet")
    func manyStreams() async throws {
        let producers = Mutex<[TestProducer]>([])
        try await withServer(
            loops: 2,
            application: streaming {
                let producer = TestProducer([.event("0")])
                producers.withLock { $0.append(producer) }
                return producer
            }
        ) { server in
            _ = try DescriptorLimit.raise()
            let clients = try (0..<2000).map { _ in
                let client = try server.connect()
                client.send(Self.get)
                return client
            }
            for client in clients { #expect(client.receiveHead().status == 200) }
            try await eventually("all have started") { server.server.statistics.streamsOpen == 2000 }
            for number in 1...3 {
                for producer in producers.withLock({ $0 }) { producer.produce([.event("\(number)")]) }
            }
            let expected = (0...3).map { "event: test\ndata: \($0)\n\n" }
            let complete = clients.count { client in expected.allSatisfy { client.receives($0) } }
            #expect(complete == 2000)
        }
        #expect(producers.withLock { $0.allSatisfy { $0.snapshot.closed == 1 } })
    }
}
