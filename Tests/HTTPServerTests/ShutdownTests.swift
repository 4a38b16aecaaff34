import Glibc
import HTTPServer
import HTTPTestSupport
import HTTPTypes
import HTTPWire
import Reactor
import Synchronization
import TestSupport
import Testing

@Suite("Accepting and shutting down")
struct ShutdownTests {
    @Test("idle connections are closed at once, and nobody is accepted any more")
    func idle() async throws {
        try await withServer { server in
            let clients = try (0..<10).map { _ in try server.connect() }
            for client in clients {
                client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(client.receiveAnswer().status == 200)
            }
            #expect(await server.server.shutdown())
            for client in clients { #expect(client.receiveToEnd() == "") }
            #expect(throws: (any Error).self) { try server.connect() }
        }
    }

    @Test("a request in work is answered, with the connection's end announced")
    func inWork() async throws {
        let kept = KeptExchanges()
        try await withServer(application: ClosureApplication { kept.add($0) }) { server in
            let client = try server.connect()
            client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            try await eventually("the request arrives") { kept.count == 1 }
            async let isGraceful = server.server.shutdown()
            try await eventually("nobody is accepted any more") { (try? server.connect()) == nil }
            kept.answerAll()
            let answer = client.receiveAnswer()
            #expect(answer.body == "GET /a ")
            #expect(answer.fields["connection"] == (TestTransport.isHTTP1 ? "close" : nil))
            #expect(client.receiveToEnd() == "")
            #expect(await isGraceful)
        }
    }

    @Test("a stream's producer is told, and its last event arrives before the end")
    func streams() async throws {
        let producer = TestProducer([.event("one")], farewell: [.event("bye"), .end])
        try await withServer(application: ClosureApplication { $0.stream(ResponseHead(status: .ok), from: producer) }) {
            server in
            let client = try server.connect()
            client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(client.receiveHead().status == 200)
            #expect(client.receives("event: test\ndata: one\n\n"))
            #expect(await server.server.shutdown())
            #expect(client.receives("event: test\ndata: bye\n\n"))
            #expect(client.receivesEnd())
            #expect(client.receiveToEnd() == "")
            #expect(producer.snapshot.closings == 1 && producer.snapshot.closed == 1)
        }
    }

    @Test("what has not ended by the deadline is cut off, and the shutdown says so")
    func deadline() async throws {
        let producer = TestProducer([.event("one")], farewell: [])
        let kept = KeptExchanges()
        try await withServer(
            configuration: .test { $0.shutdownDeadline = .milliseconds(50) },
            application: ClosureApplication { exchange in
                if exchange.head.target == "/stream" {
                    exchange.stream(ResponseHead(status: .ok), from: producer)
                } else {
                    kept.add(exchange)
                }
            }
        ) { server in
            let (streaming, waiting) = (try server.connect(), try server.connect())
            streaming.send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
            waiting.send("GET /never HTTP/1.1\r\nHost: x\r\n\r\n")
            try await eventually("both are there") { kept.count == 1 && producer.snapshot.started == 1 }
            #expect(await !server.server.shutdown())
            #expect(producer.snapshot.closed == 1)
            #expect(!streaming.receiveToEnd().hasSuffix("0\r\n\r\n"))
            #expect(waiting.receiveToEnd() == "")
            kept.answerAll()
        }
    }

    @Test("under load, every request that was answered was answered whole")
    func underLoad() async throws {
        let answered = Tally()
        try await withServer(loops: 2) { server in
            let address = server.address
            // Threads of their own: clients that wait would keep the tests' few threads from everything else.
            let clients = try EventLoopGroup(count: 4)
            for loop in clients.loops {
                loop.execute {
                    guard let client = try? TestClient(to: address) else { return }
                    while true {
                        client.send("POST /load HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody")
                        // The connection may close between two requests, but not inside of an answer.
                        guard client.receive() else { return }
                        #expect(client.receiveAnswer().body == "POST /load body")
                        answered.add()
                    }
                }
            }
            try await eventually("there is load") { answered.count > 200 }
            #expect(await server.server.shutdown())
            await clients.stop()
        }
        #expect(answered.count > 200)
    }

    @Test("a connection that one loop hands to another that has begun to close is closed, not served and not counted")
    func handedOverTooLate() async throws {
        let path = "/tmp/callboard-\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
        let accepted = Mutex(0)
        let isReleased = Mutex(false)
        let acceptor: Acceptor = { (socket: borrowing ListeningSocket) throws(SystemError) in
            let outcome = try socket.accept()
            guard case .done = outcome else { return outcome }
            let number = accepted.withLock { number in
                number += 1
                return number
            }
            // The third goes to the second loop, and is on its way there while that one closes.
            while number == 3, !isReleased.withLock({ $0 }) { usleep(1000) }
            return outcome
        }
        var configuration = ServerConfiguration.test()
        configuration.port = nil
        configuration.unixSocketPath = path
        try await withServer(loops: 2, acceptor: acceptor, configuration: configuration) { server in
            let clients = try (0..<2).map { _ in try server.connect() }
            for client in clients {
                client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(client.receiveAnswer().status == 200)
            }
            let late = try server.connect()
            try await eventually("the third is accepted") { accepted.withLock { $0 } == 3 }
            async let isGraceful = server.server.shutdown()
            // The second loop's own connection, which is idle, ends: so that loop has begun to close.
            #expect(clients[0].receiveToEnd() == "")
            late.send("GET /late HTTP/1.1\r\nHost: x\r\n\r\n")
            isReleased.withLock { $0 = true }
            #expect(late.receiveToEnd() == "")
            #expect(await isGraceful)
            let statistics = server.server.statistics
            #expect(statistics.connectionsOpen == 0 && statistics.connectionsRefused == 0 && statistics.requests == 2)
        }
    }

    @Test("a listener without descriptors, which tries five times a second, is told of once a minute")
    func acceptFailures() async throws {
        let failures = Mutex<[AcceptFailure]>([])
        let attempts = Mutex(0)
        let acceptor: Acceptor = { (_: borrowing ListeningSocket) throws(SystemError) in
            attempts.withLock { $0 += 1 }
            throw SystemError(call: "accept4", number: EMFILE)
        }
        let application = ClosureApplication(
            onAcceptFailure: { failure in failures.withLock { $0.append(failure) } }, echo)
        try await withServer(clock: ManualClock(), acceptor: acceptor, application: application) { server in
            let client = try server.connect()
            for count in 1...700 {
                try await eventually("it tries") { attempts.withLock { $0 } >= count }
                // The turn that has tried goes on to set the timer, which would miss the time that has passed before.
                await server.turn()
                server.advance(by: .milliseconds(200))
            }
            // 140 seconds: at the first failure, after a minute and after two.
            let told = failures.withLock { $0 }
            #expect(told.count == 3 && told.allSatisfy { $0.error.number == EMFILE && $0.connections == 0 })
            #expect(told.map(\.attempts) == [1, 300, 300])
            client.finishSending()
        }
    }

    @Test("without descriptors the listener rests instead of spinning, and goes on when there are some again")
    func outOfDescriptors() async throws {
        let attempts = Mutex(0)
        let isExhausted = Mutex(true)
        let acceptor: Acceptor = { (socket: borrowing ListeningSocket) throws(SystemError) in
            attempts.withLock { $0 += 1 }
            if isExhausted.withLock({ $0 }) { throw SystemError(call: "accept4", number: EMFILE) }
            return try socket.accept()
        }
        try await withServer(clock: ManualClock(), acceptor: acceptor) { server in
            let client = try server.connect()
            // Over TLS the client waits for the server's part of the handshake first.
            if !TestTransport.isEncrypted { client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n") }
            try await eventually("the listener rests") { server.server.statistics.acceptPauses == 1 }
            // The turn that has tried goes on to set the timer.
            await server.turn()
            for _ in 0..<100 { server.advance(by: .milliseconds(1)) }
            try await settled(server) { attempts.withLock { $0 } }
            #expect(attempts.withLock { $0 } == 1)
            server.advance(by: .milliseconds(150))
            try await eventually("it tries again") { server.server.statistics.acceptPauses == 2 }
            await server.turn()
            isExhausted.withLock { $0 = false }
            server.advance(by: .milliseconds(250))
            if TestTransport.isEncrypted { client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n") }
            #expect(client.receiveAnswer().body == "GET /a ")
        }
    }
}

/// A count that tasks share.
private final class Tally: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock { $0 } }

    func add() { value.withLock { $0 += 1 } }
}
