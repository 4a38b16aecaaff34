import Glibc
import HTTPServer
import HTTPTestSupport
import HTTPTypes
import HTTPWire
import Reactor
import TestSupport
import Testing

@Suite("Requests and answers")
struct RequestTests {
    @Test("a connection serves one request after the other")
    func keepAlive() async throws {
        try await withServer { server in
            let client = try server.connect()
            for number in 0..<5 {
                client.send("GET /\(number) HTTP/1.1\r\nHost: x\r\n\r\n")
                let answer = client.receiveAnswer()
                #expect(answer.status == 200 && answer.body == "GET /\(number) ")
                #expect(answer.fields["connection"] == nil && answer.fields["date"]?.count == 29)
            }
            #expect(server.server.statistics.requests == 5)
            #expect(server.server.statistics.connectionsAccepted == 1)
        }
    }

    @Test("pipelined requests are answered in order, however the application takes its time", arguments: [1, 2, 300])
    func pipelining(count: Int) async throws {
        let other = try EventLoop(name: "other")
        try await withServer(
            application: ClosureApplication { exchange in
                // Every other answer comes from another thread.
                if exchange.head.target.hasSuffix("0") { echo(exchange) } else { other.execute { echo(exchange) } }
            }
        ) { server in
            let client = try server.connect()
            client.send(
                (0..<count).map { "POST /\($0) HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc" }.joined())
            for number in 0..<count { #expect(client.receiveAnswer().body == "POST /\(number) abc") }
        }
        await other.stopAndWait()
    }

    @Test("large answers to pipelined requests arrive whole and in order")
    func largePipelined() async throws {
        let shared = SharedBytes(Array(repeating: UInt8(ascii: "z"), count: 3_000_000))
        try await withServer(
            application: ClosureApplication { exchange in
                exchange.respond(Response(status: .ok, body: .shared(shared)))
            }
        ) { server in
            let client = try server.connect()
            client.send(String(repeating: "GET / HTTP/1.1\r\nHost: x\r\n\r\n", count: 4))
            for _ in 0..<4 {
                let answer = client.receiveAnswer()
                #expect(answer.body.utf8.count == 3_000_000 && answer.body.utf8.allSatisfy { $0 == UInt8(ascii: "z") })
            }
        }
    }

    @Test("a body arrives whole, however it is framed and cut", arguments: [1, 7, 1000, 100_000], [true, false])
    func bodies(piece: Int, isChunked: Bool) async throws {
        let content = String((0..<100_000).map { Character(UnicodeScalar(UInt8(97 + $0 % 26))) })
        try await withServer { server in
            let client = try server.connect()
            var request: [UInt8]
            if isChunked {
                request = Array("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
                var rest = Substring(content).utf8
                while !rest.isEmpty {
                    ResponseWriter.appendChunk(rest.prefix(1 + piece * 3), to: &request)
                    rest = rest.dropFirst(1 + piece * 3)
                }
                request += ResponseWriter.lastChunk
            } else {
                request = Array(
                    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(content.utf8.count)\r\n\r\n\(content)".utf8)
            }
            // The whole in small pieces would take long; the beginning is where heads and first chunks are cut.
            let cut = min(request.count, piece * 300)
            for start in stride(from: 0, to: cut, by: piece) { client.send(request[start..<min(start + piece, cut)]) }
            client.send(request[cut...])
            #expect(client.receiveAnswer().body == "POST / " + content)
        }
    }

    @Test(
        "a head that comes byte by byte is read",
        .enabled(if: TestTransport.isHTTP1, "a head is a frame in HTTP/2, which its engine's tests cut"))
    func byteByByte() async throws {
        try await withServer { server in
            let client = try server.connect()
            for byte in "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n".utf8 { client.send([byte]) }
            #expect(client.receiveAnswer().body == "GET /slow ")
        }
    }

    @Test("HEAD gets the head of a GET, and the connection goes on")
    func head() async throws {
        try await withServer { server in
            let client = try server.connect()
            client.send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n")
            let answer = client.receiveAnswer(toHead: true)
            #expect(answer.status == 200 && answer.fields["content-length"] == "8")
            #expect(client.receiveAnswer().body == "GET /b ")
        }
    }

    @Test(
        "an HTTP/1.0 client is closed on, unless it asks to keep the connection",
        .enabled(if: TestTransport.isHTTP1, "HTTP/2 has no older clients"))
    func oldClients() async throws {
        try await withServer { server in
            let closing = try server.connect()
            closing.send("GET /a HTTP/1.0\r\n\r\n")
            let answer = closing.receiveAnswer()
            #expect(answer.body == "GET /a " && answer.fields["connection"] == "close")
            #expect(closing.receiveToEnd() == "" && !closing.wasReset)
            let keeping = try server.connect()
            for _ in 0..<2 {
                keeping.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                #expect(keeping.receiveAnswer().fields["connection"] == "keep-alive")
            }
        }
    }

    @Test(
        "Connection: close is answered, and then the connection closes",
        .enabled(if: TestTransport.isHTTP1, "HTTP/2 has no Connection field"))
    func connectionClose() async throws {
        try await withServer { server in
            let client = try server.connect()
            client.send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(client.receiveAnswer().fields["connection"] == "close")
            #expect(client.receiveToEnd() == "" && !client.wasReset)
        }
    }

    @Test(
        "an application may close the connection after its answer",
        .enabled(if: TestTransport.isHTTP1, "an answer of HTTP/2 ends its stream alone"))
    func applicationCloses() async throws {
        try await withServer(
            application: ClosureApplication { exchange in
                exchange.respond(Response(status: .noContent, closesConnection: true))
            }
        ) { server in
            let client = try server.connect()
            client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(client.receiveAnswer().status == 204)
            #expect(client.receiveToEnd() == "")
        }
    }

    @Test("a client that waits for 100 Continue is told to go on, once")
    func expectContinue() async throws {
        try await withServer { server in
            let client = try server.connect()
            client.send("PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
            #expect(client.receiveHead().status == 100)
            client.send("body")
            let answer = client.receiveAnswer()
            #expect(answer.status == 200 && answer.body == "PUT /a body")
        }
    }

    @Test(
        "too large a length is refused before any of it is read, with or without 100-continue",
        arguments: [true, false])
    func tooLarge(expects: Bool) async throws {
        try await withServer(configuration: .test { $0.limits.maxBody = 1000 }) { server in
            let client = try server.connect()
            client.send(
                "PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\(expects ? "Expect: 100-continue\r\n" : "")\r\n"
            )
            let answer = client.receiveAnswer()
            #expect(answer.status == 413 && answer.fields["content-type"] == "application/problem+json")
            #expect(server.server.statistics.requests == 0 && server.server.statistics.requestsRefused == 1)
            #expect(client.isDoneWithRefusal())
        }
    }

    @Test("a client that goes on sending a refused body still sees the answer")
    func lingering() async throws {
        try await withServer(configuration: .test { $0.limits.maxBody = 1000 }) { server in
            let client = try server.connect()
            client.send("PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n")
            client.send(Array(repeating: 120, count: 3_000_000))
            #expect(client.receiveAnswer().status == 413)
            #expect(client.isDoneWithRefusal())
        }
    }

    @Test(
        "a client that has finished sending gets its answers all the same",
        .enabled(if: TestTransport.isHTTP1, "HTTP/2 ends requests, not a connection's direction"))
    func halfClosed() async throws {
        let other = try EventLoop(name: "other")
        try await withServer(application: ClosureApplication { exchange in other.execute { echo(exchange) } }) {
            server in
            let client = try server.connect()
            client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n")
            client.finishSending()
            #expect(client.receiveAnswer().body == "GET /a ")
            #expect(client.receiveAnswer().body == "GET /b ")
            #expect(client.receiveToEnd() == "")
        }
        await other.stopAndWait()
    }

    @Test("a request that is never answered is answered 500")
    func unanswered() async throws {
        try await withServer(application: ClosureApplication { _ in }) { server in
            let client = try server.connect()
            client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            let answer = client.receiveAnswer()
            #expect(answer.status == 500 && answer.body.contains(#""status":500"#))
        }
    }

    @Test("an answer for a client that has left goes nowhere")
    func leftClient() async throws {
        let kept = KeptExchanges()
        try await withServer(application: ClosureApplication { kept.add($0) }) { server in
            do {
                let client = try server.connect()
                client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
                try await eventually("the request arrives") { kept.count == 1 }
                // Closing with this option resets the connection, which the server hears of at once.
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(client.socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
            }
            try await eventually("the connection closes") { server.server.statistics.connectionsOpen == 0 }
            kept.answerAll()
            let client = try server.connect()
            client.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n")
            try await eventually("the next request arrives") { kept.count == 1 }
            kept.answerAll()
            #expect(client.receiveAnswer().body == "GET /b ")
        }
    }

    @Test("IPv6 is served", .enabled(if: canBindIPv6()))
    func ipv6() async throws {
        try await withServer(configuration: .test { $0.host = "::1" }) { server in
            let client = try server.connect()
            client.send("GET /six HTTP/1.1\r\nHost: [::1]\r\n\r\n")
            #expect(client.receiveAnswer().body == "GET /six ")
        }
    }

    @Test("the wildcard serves IPv4 and IPv6 on one port", .enabled(if: canBindIPv6()))
    func wildcard() async throws {
        try await withServer(configuration: .test { $0.host = "*" }) { server in
            let port = try #require(server.address.port)
            for address in [SocketAddress.ipv4(0x7f00_0001, port: port), .ipv6(0, 1, scope: 0, port: port)] {
                let client = try TestClient(to: address)
                client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(client.receiveAnswer().status == 200)
            }
        }
    }

    @Test("a Unix-domain socket is served by every loop in turn, and its file goes with the server")
    func unixSocket() async throws {
        let path = "/tmp/http-server-test-\(getpid()).sock"
        try await withServer(
            loops: 2,
            configuration: .test {
                $0.port = nil
                $0.unixSocketPath = path
            },
            application: ClosureApplication { exchange in
                exchange.respond(
                    Response(status: .ok, body: .bytes(Array("\(exchange.loop.name) \(exchange.remoteAddress)".utf8))))
            }
        ) { server in
            var bodies: Set<String> = []
            for _ in 0..<4 {
                let client = try server.connect()
                client.send("GET /unix HTTP/1.1\r\nHost: x\r\n\r\n")
                bodies.insert(client.receiveAnswer().body)
            }
            #expect(bodies == ["loop-0 unix", "loop-1 unix"])
        }
        #expect(access(path, F_OK) != 0)
    }

    @Test("a port that somebody listens on is an error that says so")
    func portInUse() async throws {
        try await withServer { server in
            let group = try EventLoopGroup(count: 1)
            let second = HTTPServer(
                configuration: ServerConfiguration(port: server.address.port), group: group,
                application: ClosureApplication(echo))
            let error = await #expect(throws: SystemError.self) { try await second.start() }
            #expect(error?.description.contains("127.0.0.1") == true)
            _ = await second.shutdown()
            await group.stop()
        }
    }
}

func canBindIPv6() -> Bool {
    (try? ListeningSocket.reserve(.ipv6(0, 1, scope: 0, port: 0))) != nil
}
