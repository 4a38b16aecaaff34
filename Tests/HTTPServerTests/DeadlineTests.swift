import HTTPServer
import HTTPTestSupport
import HTTPTypes
import Reactor
import TestSupport
import Testing

@Suite("Deadlines and limits")
struct DeadlineTests {
    private static let slowHeads: [(String, Duration)] = [
        ("GET / HTTP/1.1\r\nHost: x\r\n", .seconds(10)),
        ("G", .seconds(10)),
    ]
    private static let slowContents: [(String, Duration)] = [
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc", .seconds(30)),
        ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", .seconds(30)),
    ]

    @Test(
        "a request that comes too slowly is answered 408",
        arguments: TestTransport.isHTTP1 ? slowHeads + slowContents : slowContents)
    func slowRequest(bytes: String, timeout: Duration) async throws {
        try await withServer(clock: ManualClock()) { server in
            let client = try server.connect()
            client.send(bytes)
            try await eventually("the bytes arrive") { server.server.statistics.bytesReceived == client.sentCount }
            server.advance(by: timeout - .milliseconds(1))
            server.advance(by: .zero)
            #expect(server.server.statistics.connectionsTimedOut == 0)
            await server.pass(TestTransport.isHTTP1 ? .milliseconds(2) : .seconds(10))
            let answer = client.receiveAnswer()
            #expect(answer.status == 408)
            #expect(answer.fields["connection"] == (TestTransport.isHTTP1 ? "close" : nil))
            #expect(server.server.statistics.connectionsTimedOut == 1)
            #expect(client.isDoneWithRefusal())
        }
    }

    @Test("a body that trickles in does not put the deadline off")
    func trickle() async throws {
        try await withServer(clock: ManualClock()) { server in
            let client = try server.connect()
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
            for _ in 0..<(TestTransport.isHTTP1 ? 31 : 39) {
                client.send("x")
                try await eventually("the byte arrives") {
                    server.server.statistics.bytesReceived == client.sentCount
                        || server.server.statistics.connectionsTimedOut > 0
                }
                server.advance(by: .seconds(1))
            }
            #expect(client.receiveAnswer().status == 408)
        }
    }

    @Test("a body that makes progress may take as long as it needs")
    func progress() async throws {
        try await withServer(clock: ManualClock()) { server in
            let client = try server.connect()
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n")
            for _ in 1...10 {
                client.send(Array(repeating: 120, count: 20_000))
                try await eventually("the piece arrives") {
                    server.server.statistics.bytesReceived == client.sentCount
                }
                server.advance(by: .seconds(20))
            }
            #expect(client.receiveAnswer().body.utf8.count == 200_007)
        }
    }

    @Test("a connection that never sends anything is closed without an answer")
    func silent() async throws {
        try await withServer(clock: ManualClock()) { server in
            let client = try server.connect()
            try await eventually("it is accepted") { server.server.statistics.connectionsOpen == 1 }
            server.advance(by: .seconds(11))
            try await eventually("it is closed") { server.server.statistics.connectionsOpen == 0 }
            #expect(client.receiveToEnd() == "")
        }
    }

    @Test("an idle connection is closed after the keep-alive time, which each request begins anew")
    func keepAlive() async throws {
        try await withServer(clock: ManualClock()) { server in
            let client = try server.connect()
            for _ in 0..<3 {
                client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(client.receiveAnswer().status == 200)
                server.advance(by: .seconds(70))
            }
            server.advance(by: .seconds(6))
            #expect(client.receiveToEnd() == "")
            #expect(server.server.statistics.connectionsTimedOut == 0)
        }
    }

    @Test(
        "the head's deadline begins with the first byte of the next request",
        .enabled(if: TestTransport.isHTTP1, "a part of a head cannot be told from a frame that comes slowly"))
    func secondHead() async throws {
        try await withServer(clock: ManualClock()) { server in
            let client = try server.connect()
            client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(client.receiveAnswer().status == 200)
            server.advance(by: .seconds(60))
            let before = server.server.statistics.bytesReceived
            client.send("GET")
            try await eventually("the bytes arrive") { server.server.statistics.bytesReceived == before + 3 }
            server.advance(by: .seconds(9))
            client.send(" /b HTTP/1.1\r\n")
            try await eventually("more bytes arrive") { server.server.statistics.bytesReceived == before + 17 }
            server.advance(by: .seconds(2))
            #expect(client.receiveAnswer().status == 408)
        }
    }

    @Test("a client that takes nothing of its answer is cut off")
    func writeStall() async throws {
        let large = SharedBytes(Array(repeating: 120, count: 30_000_000))
        try await withServer(
            clock: ManualClock(),
            application: ClosureApplication { $0.respond(Response(status: .ok, body: .shared(large))) }
        ) { server in
            let client = try TestClient(to: server.address, receiveBuffer: 4096)
            client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            try await eventually("it begins") { server.server.statistics.bytesSent > 0 }
            // Over HTTP/2 only the stream is: others of its connection may be read.
            try await server.pass(.seconds(31), until: "it is cut off") {
                server.server.statistics.connectionsTimedOut == 1
            }
            if TestTransport.isHTTP1 {
                try await eventually("it is closed") { server.server.statistics.connectionsOpen == 0 }
            }
            #expect(client.receiveToEnd().utf8.count < 30_000_000)
            #expect(server.server.statistics.bytesSent < 30_000_000)
        }
    }

    @Test("a request that the application takes long over has no deadline")
    func slowApplication() async throws {
        let kept = KeptExchanges()
        try await withServer(clock: ManualClock(), application: ClosureApplication { kept.add($0) }) { server in
            let client = try server.connect()
            client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            try await eventually("the request arrives") { kept.count == 1 }
            server.advance(by: .seconds(1000))
            kept.answerAll()
            #expect(client.receiveAnswer().body == "GET /a ")
        }
    }

    @Test("connections over the limit are answered 503, and served again once there is room")
    func connectionLimit() async throws {
        try await withServer(loops: 2, configuration: .test { $0.maxConnections = 3 }) { server in
            var clients: [TestClient] = []
            for _ in 0..<3 {
                let client = try server.connect()
                client.send("GET /in HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(client.receiveAnswer().status == 200)
                clients.append(client)
            }
            for _ in 0..<5 {
                let refused = try server.connect()
                refused.send("GET /over HTTP/1.1\r\nHost: x\r\n\r\n")
                // Before a handshake nothing can be said.
                if TestTransport.isEncrypted {
                    #expect(!refused.isOpen)
                    continue
                }
                // What the client speaks is not known yet: it is told in HTTP/1.1, which a client of HTTP/2 finds wrong.
                if TestTransport.isHTTP2 {
                    #expect(refused.isFailing)
                    continue
                }
                let answer = refused.receiveAnswer()
                #expect(answer.status == 503 && answer.fields["connection"] == "close")
                #expect(refused.receiveToEnd() == "" && !refused.wasReset)
            }
            #expect(server.server.statistics.connectionsRefused == 5)
            clients.removeLast()
            try await eventually("the server notices") { server.server.statistics.connectionsOpen == 2 }
            let client = try server.connect()
            client.send("GET /in HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(client.receiveAnswer().status == 200)
        }
    }
}

/// Waits until a number stays the same for twenty turns of the server's loop.
func settled(_ server: TestServer, _ value: () -> Int) async throws {
    var (last, unchanged) = (-1, 0)
    while unchanged < 20 {
        try await Task.sleep(for: .milliseconds(5))
        await server.turn()
        let now = value()
        unchanged = now == last && now > 0 ? unchanged + 1 : 0
        last = now
    }
}
