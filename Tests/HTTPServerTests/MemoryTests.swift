import Glibc
import HTTPServer
import HTTPTestSupport
import HTTPTypes
import HTTPWire
import Synchronization
import TestSupport
import Testing

/// Settings with a bound of some MiB on what is kept for clients.
private func bounded(mebibytes: Int) -> ServerConfiguration {
    .test {
        $0.limits.maxBody = 1 << 20
        $0.maxBufferedBytes = mebibytes << 20
    }
}

@Suite("Memory over all connections")
struct MemoryTests {
    private static let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    private static let answer = [UInt8](repeating: 120, count: 4 << 20)

    @Test(
        "30 unfinished bodies of 1 MiB hold 8 MiB where that is the bound; the others are 503, until there is room again",
        arguments: [true, false])
    func unfinishedBodies(isAnnounced: Bool) async throws {
        let body = [UInt8](repeating: 120, count: 1 << 20)
        let framing = isAnnounced ? "Content-Length: \(body.count)" : "Transfer-Encoding: chunked"
        let chunk = isAnnounced ? "" : "\(String(body.count, radix: 16))\r\n"
        try await withServer(
            loops: 2, configuration: bounded(mebibytes: 8),
            application: ClosureApplication { $0.respond(Response(status: .noContent)) }
        ) { server in
            let statistics = { server.server.statistics }
            var clients: [TestClient] = []
            for count in 1...30 {
                let client = try server.connect()
                client.send("POST / HTTP/1.1\r\nHost: x\r\n\(framing)\r\n\r\n\(chunk)")
                client.send(body.dropLast())
                clients.append(client)
                try await eventually("its body is kept or refused") {
                    statistics().bytesBuffered / body.dropLast().count + statistics().refused(.request) == count
                }
                #expect(statistics().bytesBuffered <= 8 << 20)
            }
            #expect(statistics().refused(.request) == 23)
            for client in clients[7...] {
                let refused = client.receiveAnswer()
                #expect(refused.status == 503 && refused.fields["retry-after"] == "1")
                #expect(client.isDoneWithRefusal())
            }
            let end = isAnnounced ? "x" : "x\r\n0\r\n\r\n"
            for client in clients[..<7] {
                client.send(end)
                #expect(client.receiveAnswer().status == 204)
            }
            try await eventually("nothing is kept") { statistics().bytesBuffered == 0 }
            let client = try server.connect()
            client.send("POST / HTTP/1.1\r\nHost: x\r\n\(framing)\r\n\r\n\(chunk)")
            client.send(body.dropLast())
            client.send(end)
            #expect(client.receiveAnswer().status == 204)
        }
    }

    @Test("a body of the largest size is taken where the bound is set to less")
    func oneBody() async throws {
        let application = ClosureApplication { $0.respond(Response(status: .noContent)) }
        var configuration = bounded(mebibytes: 0)
        configuration.limits.maxBody = 2 << 20
        try await withServer(configuration: configuration, application: application) { server in
            let client = try server.connect()
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(2 << 20)\r\n\r\n")
            client.send([UInt8](repeating: 120, count: 2 << 20))
            #expect(client.receiveAnswer().status == 204)
        }
    }

    @Test(
        "heads that are sent slowly count as well",
        .enabled(if: TestTransport.isHTTP1, "a head is a frame in HTTP/2"))
    func unfinishedHeads() async throws {
        try await withServer { server in
            var clients: [TestClient] = []
            for _ in 0..<20 {
                let client = try server.connect()
                client.send("GET / HTTP/1.1\r\nHost: x\r\n")
                for number in 0..<30 { client.send("A\(number): \(String(repeating: "x", count: 1000))\r\n") }
                clients.append(client)
            }
            try await eventually("they count") { server.server.statistics.bytesBuffered > 20 * 30 * 1000 }
            for client in clients {
                client.send("\r\n")
                #expect(client.receiveAnswer().status == 200)
            }
            try await eventually("they are gone") { server.server.statistics.bytesBuffered == 0 }
        }
    }

    @Test("60 unread answers of 4 MiB hold 32 MiB where that is the bound; the other requests are answered 503")
    func unreadAnswers() async throws {
        try await withServer(
            loops: 2, configuration: bounded(mebibytes: 32),
            application: ClosureApplication { $0.respond(Response(status: .ok, body: .bytes(Self.answer))) }
        ) { server in
            let statistics = { server.server.statistics }
            var clients: [TestClient] = []
            for count in 1...60 {
                let client = try TestClient(to: server.address, receiveBuffer: 4096)
                client.send(Self.get)
                clients.append(client)
                try await eventually("it is kept or refused") {
                    statistics().bytesBuffered / Self.answer.count + statistics().refused(.answer) == count
                }
                #expect(statistics().bytesBuffered <= 32 << 20)
            }
            #expect((52...53).contains(statistics().refused(.answer)))
            var kept = 0
            for client in clients {
                let answer = client.receiveAnswer()
                if answer.status == 200 {
                    kept += 1
                    #expect(answer.body.utf8.count == Self.answer.count)
                } else {
                    #expect(answer.status == 503 && answer.fields["retry-after"] == "1")
                    #expect(answer.fields["connection"] == nil)
                }
            }
            #expect(kept + statistics().refused(.answer) == 60)
            try await eventually("nothing is kept") { statistics().bytesBuffered == 0 }
            // Who was refused may ask again on the same connection.
            clients[59].send(Self.get)
            #expect(clients[59].receiveAnswer().status == 200)
        }
    }

    @Test("the answer to a change is not replaced by a 503 for want of memory: it is cut off behind its head")
    func answerToChange() async throws {
        try await withServer(
            configuration: bounded(mebibytes: 5),
            application: ClosureApplication { $0.respond(Response(status: .created, body: .bytes(Self.answer))) }
        ) { server in
            let reader = try TestClient(to: server.address, receiveBuffer: 4096)
            reader.send(Self.get)
            try await eventually("the budget is used up") { server.server.statistics.bytesBuffered > 3 << 20 }
            let writer = try TestClient(to: server.address, receiveBuffer: 4096)
            writer.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
            try await eventually("it cannot be kept") { server.server.statistics.refused(.answer) == 1 }
            withKnownIssue(
                "the head is in one record of TLS with the content behind it", isIntermittent: true
            ) {
                #expect(writer.receiveHead().status == 201)
            } when: {
                TestTransport.current == .https2
            }
            #expect(writer.receiveToEnd().utf8.count < Self.answer.count)
        }
    }

    @Test("a request in work counts until the application lets go of it, even where its client has left")
    func requestInWork() async throws {
        let kept = KeptExchanges()
        try await withServer(application: ClosureApplication { kept.add($0) }) { server in
            do {
                let client = try server.connect()
                client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n")
                client.send([UInt8](repeating: 120, count: 100_000))
                try await eventually("it is in work") { kept.count == 1 }
                // A reset, which the server sees at once.
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(client.socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
            }
            try await eventually("the client has left") { server.server.statistics.connectionsOpen == 0 }
            #expect((100_000...101_000).contains(server.server.statistics.bytesBuffered))
            kept.answerAll()
            try await eventually("it is gone") { server.server.statistics.bytesBuffered == 0 }
        }
    }

    @Test("requests that are read and answered in one turn charge nothing")
    func ordinaryRequests() async throws {
        let seen = Mutex(0)
        let statistics = Mutex<(@Sendable () -> ServerStatistics)?>(nil)
        let application = ClosureApplication { exchange in
            seen.withLock { $0 = max($0, statistics.withLock { $0 }?().bytesBuffered ?? -1) }
            echo(exchange)
        }
        try await withServer(application: application) { server in
            statistics.withLock { $0 = { server.server.statistics } }
            let client = try server.connect()
            for _ in 0..<20 {
                client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n")
                client.send([UInt8](repeating: 120, count: 1000))
                #expect(client.receiveAnswer().status == 200)
                client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody" + Self.get)
                #expect(client.receiveAnswer().body == "POST /a body")
                #expect(client.receiveAnswer().body == "GET / ")
            }
            #expect(server.server.statistics.bytesBuffered == 0)
        }
        // A head and its body may come in two pieces: then the head is kept for that long, and nothing else.
        #expect(seen.withLock { $0 } < 1100)
    }

    @Test("a frame that 50 streams are stuck in counts once")
    func sharedFrame() async throws {
        let frame = EventFrame(ServerSentEvent(event: "e", data: Self.answer))
        try await withServer(
            loops: 2, configuration: bounded(mebibytes: 8),
            application: ClosureApplication {
                $0.stream(ResponseHead(status: .ok), from: TestProducer([.frame(frame)], isEndless: true))
            }
        ) { server in
            var clients: [TestClient] = []
            for _ in 0..<50 {
                let client = try TestClient(to: server.address, receiveBuffer: 4096)
                client.send(Self.get)
                clients.append(client)
            }
            try await eventually("all are stuck") { frame.keepers.load(ordering: .relaxed) == 50 }
            let buffered = server.server.statistics.bytesBuffered
            // Over TLS each has a piece of its own, sealed.
            let own = TestTransport.isEncrypted ? 40_000 : 200
            #expect((frame.bytes.count...(frame.bytes.count + 50 * own)).contains(buffered))
            #expect(server.server.statistics.refused(.stream) == 0)
            clients = []
            try await eventually("nothing is kept") { server.server.statistics.bytesBuffered == 0 }
            #expect(frame.keepers.load(ordering: .relaxed) == 0)
        }
    }

    @Test("of 20 streams that lag in frames of their own, those beyond the bound are ended; one that reads is served")
    func laggingStreams() async throws {
        try await withServer(
            loops: 2, configuration: bounded(mebibytes: 32),
            application: ClosureApplication {
                let frame = EventFrame(ServerSentEvent(event: "e", data: Self.answer))
                $0.stream(ResponseHead(status: .ok), from: TestProducer([.frame(frame), .frame(frame), .end]))
            }
        ) { server in
            let statistics = { server.server.statistics }
            var clients: [TestClient] = []
            for count in 1...20 {
                let client = try TestClient(to: server.address, receiveBuffer: 4096)
                client.send(Self.get)
                clients.append(client)
                try await eventually("it lags or is ended") {
                    statistics().bytesBuffered / Self.answer.count + statistics().refused(.stream) == count
                }
                #expect(statistics().bytesBuffered <= 32 << 20)
            }
            #expect(statistics().refused(.stream) == 13)
            #expect(clients.removeLast().receiveToEnd().utf8.count < Self.answer.count)
            clients[0...1] = []
            try await eventually("there is room") { statistics().bytesBuffered < 24 << 20 }
            let reader = try server.connect()
            reader.send(Self.get)
            #expect(reader.receiveAnswer().body.utf8.count > 2 * Self.answer.count)
        }
    }
}
