import HTTPServer
import HTTPTestSupport
import HTTPWire
import Reactor
import Synchronization
import TestSupport
import Testing

@Suite("Waking a stream")
struct WakeTests {
    private static let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

    /// A connection whose stream has begun and is quiet.
    private static func quietStream(_ server: TestServer, _ producer: TestProducer) async throws -> TestClient {
        let client = try server.connect()
        client.send(get)
        #expect(client.receiveHead().status == 200)
        try await eventually("it is quiet") { producer.snapshot.asked == 1 }
        return client
    }

    @Test("what a quiet stream is woken for arrives in order, whatever it is and however much", arguments: [1, 100])
    func pieces(count: Int) async throws {
        let producer = TestProducer()
        try await withServer(application: ClosureApplication { $0.stream(ResponseHead(status: .ok), from: producer) }) {
            server in
            let client = try await Self.quietStream(server, producer)
            for round in 0..<3 {
                producer.produce(
                    (0..<count).flatMap {
                        [.event("\(round) \($0)"), .text("text"), .frame(EventFrame(ServerSentEvent()))]
                    })
                for number in 0..<count {
                    #expect(client.receives("event: test\ndata: \(round) \(number)\n\n"))
                    #expect(client.receives("text"))
                }
            }
            producer.produce([.event("last"), .end])
            #expect(client.receives("event: test\ndata: last\n\n") && client.receivesEnd())
            client.send("GET /next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(client.receiveHead().status == 200)
        }
    }

    @Test("a producer with nothing behind an event is asked again only once it is woken")
    func latest() async throws {
        let producer = TestProducer()
        try await withServer(application: ClosureApplication { $0.stream(ResponseHead(status: .ok), from: producer) }) {
            server in
            let client = try await Self.quietStream(server, producer)
            for round in 1...3 {
                producer.produce([.latest(EventFrame(ServerSentEvent(event: "test", data: Array("\(round)".utf8))))])
                #expect(client.receives("event: test\ndata: \(round)\n\n"))
                #expect(producer.snapshot.asked == 1 + round)
            }
        }
    }

    @Test("an event that is more than the kernel takes at once arrives whole, and what follows it in order")
    func largeEvent() async throws {
        let producer = TestProducer()
        let data = String(repeating: "x", count: 8 << 20)
        try await withServer(application: ClosureApplication { $0.stream(ResponseHead(status: .ok), from: producer) }) {
            server in
            let client = try await Self.quietStream(server, producer)
            producer.produce([.event(data), .event("next")])
            #expect(client.receives("event: test\ndata: \(data)\n\n"))
            #expect(client.receives("event: test\ndata: next\n\n"))
            try await eventually("nothing is kept") { server.server.statistics.bytesBuffered == 0 }
        }
    }

    @Test("the handle of a stream that is over does nothing to the next one of its connection")
    func lateHandle() async throws {
        let (first, second) = (TestProducer([.end]), TestProducer([.event("one")]))
        try await withServer(
            application: ClosureApplication { exchange in
                exchange.stream(ResponseHead(status: .ok), from: exchange.head.target == "/1" ? first : second)
            }
        ) { server in
            let client = try server.connect()
            client.send("GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(client.receiveHead().status == 200 && client.receivesEnd())
            #expect(client.receiveHead().status == 200 && client.receives("event: test\ndata: one\n\n"))
            let late = try #require(first.snapshot.handle)
            first.snapshot.loop?.execute { late.close() }
            second.produce([.event("two")])
            #expect(client.receives("event: test\ndata: two\n\n"))
            #expect(first.snapshot.closed == 1 && second.snapshot.closed == 0)
        }
    }

    @Test("a producer that gives pieces only while it wakes the stream gets them all out, each in a turn of its own")
    func turns() async throws {
        let producer = TurnProducer(pieces: 50)
        try await withServer(application: ClosureApplication { $0.stream(ResponseHead(status: .ok), from: producer) }) {
            server in
            let client = try server.connect()
            client.send(Self.get)
            #expect(client.receiveHead().status == 200)
            for number in 0..<50 { #expect(client.receives("piece \(number)")) }
            #expect(client.receivesEnd())
            // One that is asked outside of its turns asks for another each time.
            #expect(producer.turns < 200)
        }
    }
}

/// A producer that takes turns with others of its loop: what it has is for the turn alone in which it wakes the stream.
private final class TurnProducer: BodyProducer {
    private struct State: Sendable {
        var handle: StreamHandle?
        var hasTurn = false
        var isAwaitingTurn = false
        var sent = 0
        var turns = 0
    }

    private let state = Mutex(State())
    private let pieces: Int

    init(pieces: Int) {
        self.pieces = pieces
    }

    var turns: Int { state.withLock { $0.turns } }

    func streamStarted(_ handle: StreamHandle) { state.withLock { $0.handle = handle } }

    func next() -> Production {
        state.withLock { state in
            guard state.sent < pieces else { return .end }
            guard state.hasTurn else {
                // What turns without end would keep the loop from everything else.
                if !state.isAwaitingTurn, state.turns < 200 { awaitTurn(state.handle) }
                state.isAwaitingTurn = true
                return .later
            }
            state.hasTurn = false
            state.sent += 1
            return .text("piece \(state.sent - 1)")
        }
    }

    private func awaitTurn(_ handle: StreamHandle?) {
        EventLoop.current?.execute {
            self.state.withLock {
                $0.isAwaitingTurn = false
                $0.hasTurn = true
                $0.turns += 1
            }
            handle?.wake()
            self.state.withLock { $0.hasTurn = false }
        }
    }

    func serverIsClosing() {}

    func connectionClosed() {}
}
