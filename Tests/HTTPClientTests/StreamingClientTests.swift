import Dispatch
import Glibc
import Synchronization
import Testing

@testable import HTTPClient

/// What a receiver was told, in order.
private enum Told: Sendable, Equatable {
    case head(Int, [String: String])
    case piece(String)
    case end(StreamFailure?)
}

/// Hands on what it is told, as a sequence that a test waits for.
private final class Listener: StreamReceiver {
    private let (stream, continuation) = AsyncStream.makeStream(of: Told.self)
    /// How many pieces have come.
    let pieces = Atomic(0)

    func receiveHead(status: Int, fields: [String: String]) -> Bool {
        continuation.yield(.head(status, fields))
        return true
    }

    func receiveBody(_ piece: [UInt8]) {
        pieces.add(1, ordering: .relaxed)
        continuation.yield(.piece(String(decoding: piece, as: UTF8.self)))
    }

    func end(_ failure: StreamFailure?) {
        continuation.yield(.end(failure))
        continuation.finish()
    }

    /// The next thing that is told; nil after the end.
    func next() async -> Told? { await stream.first { _ in true } }

    /// All pieces up to the end, as one text, and the end.
    func rest() async -> (text: String, failure: StreamFailure?) {
        var text = ""
        for await told in stream {
            switch told {
            case .head: break
            case .piece(let piece): text += piece
            case .end(let failure): return (text, failure)
            }
        }
        return (text, nil)
    }
}

/// Adds up numbers; any thread.
private final class Counter: Sendable {
    private let sum = Atomic(0)
    var value: Int { sum.load(ordering: .relaxed) }
    func add(_ number: Int) { sum.add(number, ordering: .relaxed) }
}

@Suite("Answers that are read piece by piece")
struct StreamingClientTests {
    private static let head = "HTTP/1.1 200 OK\r\nVary: a\r\nvary: b\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// Runs `body` with a client, and waits until its loop has ended.
    private func withClient(_ body: (StreamingClient) async throws -> Void) async throws {
        let client = try StreamingClient(trusting: nil)
        do {
            try await body(client)
        } catch {
            Issue.record(error)
        }
        client.finish()
        await client.loop.stopAndWait()
    }

    private func request(
        _ receiver: RawReceiver, _ method: String = "GET", _ body: String = "", silence: Duration = .seconds(60)
    ) -> StreamRequest {
        StreamRequest(
            url: "http://\(receiver.address)/", method: method, fields: [HeaderField("X-Empty", "")],
            body: Array(body.utf8), silence: silence)
    }

    @Test("the head comes first, then each piece as it was sent, then the end")
    func pieces() async throws {
        let requests = Kept<String>()
        try await RawReceiver.run { connection in
            requests.add(connection.read(until: "\r\n\r\n"))
            connection.write(Self.head + "3\r\none\r\n")
            connection.write("3\r\ntwo\r\n0\r\n\r\n")
            connection.waitForEnd()
        } _: { receiver in
            try await withClient { client in
                let listener = Listener()
                client.begin(request(receiver), StreamHandle(), listener)
                guard case .head(200, let fields)? = await listener.next() else {
                    Issue.record("no head")
                    return
                }
                #expect(fields["vary"] == "a, b")
                let (text, failure) = await listener.rest()
                #expect(text == "onetwo" && failure == nil)
                let sent = try #require(requests.all.first?.lowercased())
                #expect(sent.contains("x-empty:\r\n") && !sent.contains("content-type") && !sent.contains("expect"))
            }
        }
    }

    /// Numbers that tell each place of a long content from those around it.
    private static let numbers = (0..<200_000).map { "\($0)," }.joined()

    private func longRequest(_ receiver: RawReceiver, _ method: String, read: Counter? = nil) -> StreamRequest {
        var sent = request(receiver, method)
        let bytes = Array(Self.numbers.utf8)
        sent.longContent = LongContent(count: bytes.count) { range in
            read?.add(range.count)
            return Array(bytes[range])
        }
        return sent
    }

    @Test("long content arrives whole, by whatever method", arguments: ["POST", "PUT", "PATCH"])
    func longContent(method: String) async throws {
        let requests = Kept<String>()
        try await RawReceiver.run { connection in
            // The last number is there once and at the end.
            requests.add(connection.read(until: "199999,"))
            connection.write("HTTP/1.1 204 No Content\r\n\r\n")
            connection.waitForEnd()
        } _: { receiver in
            try await withClient { client in
                let (listener, read) = (Listener(), Counter())
                client.begin(longRequest(receiver, method, read: read), StreamHandle(), listener)
                #expect(await listener.rest().failure == nil)
                let sent = try #require(requests.all.first)
                let parts = sent.split(separator: "\r\n\r\n", maxSplits: 1)
                #expect(parts[0].hasPrefix("\(method) / HTTP/1.1"))
                #expect(parts[0].lowercased().contains("content-length: \(Self.numbers.utf8.count)"))
                #expect(!parts[0].lowercased().contains("expect"))
                #expect(parts[1] == Self.numbers)
                #expect(read.value == Self.numbers.utf8.count)
            }
        }
    }

    @Test("long content is sent again from its beginning where a redirect leads")
    func redirectedContent() async throws {
        let requests = Kept<String>()
        try await RawReceiver.run { connection in
            requests.add(connection.read(until: "199999,"))
            guard requests.all.count > 1 else {
                connection.write("HTTP/1.1 307 Temporary Redirect\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n")
                requests.add(connection.read(until: "199999,"))
                connection.write("HTTP/1.1 204 No Content\r\n\r\n")
                return connection.waitForEnd()
            }
            connection.write("HTTP/1.1 204 No Content\r\n\r\n")
            connection.waitForEnd()
        } _: { receiver in
            try await withClient { client in
                let listener = Listener()
                client.begin(longRequest(receiver, "PUT"), StreamHandle(), listener)
                #expect(await listener.rest().failure == nil)
                #expect(requests.all.count == 2)
                for (sent, path) in zip(requests.all, ["/", "/other"]) {
                    let parts = sent.split(separator: "\r\n\r\n", maxSplits: 1)
                    #expect(parts.first?.hasPrefix("PUT \(path) HTTP/1.1") == true)
                    #expect(parts.last.map(String.init) == Self.numbers)
                }
            }
        }
    }

    @Test("a server that does not want long content is heard, and the rest is not read")
    func refusedContent() async throws {
        let heard = DispatchSemaphore(value: 0)
        try await RawReceiver.run { connection in
            connection.read(until: "\r\n\r\n")
            connection.write(
                "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            heard.wait()
        } _: { receiver in
            try await withClient { client in
                defer { heard.signal() }
                let listener = Listener()
                client.begin(longRequest(receiver, "PUT"), StreamHandle(), listener)
                guard case .head(413, _)? = await listener.next() else {
                    Issue.record("no head")
                    return
                }
            }
        }
    }

    @Test("a body that is held back waits in the sender's socket, and comes whole once it is read on")
    func holding() async throws {
        let size = 8 << 20
        try await RawReceiver.run { connection in
            connection.read(until: "\r\n\r\n")
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            let piece = String(repeating: "x", count: 1 << 20)
            for _ in 0..<size >> 20 { connection.write(piece) }
            connection.waitForEnd()
        } _: { receiver in
            try await withClient { client in
                let (listener, handle) = (Listener(), StreamHandle())
                handle.hold()
                client.begin(request(receiver), handle, listener)
                guard case .head? = await listener.next() else {
                    Issue.record("no head")
                    return
                }
                // Another answer comes whole meanwhile.
                let other = Listener()
                client.begin(request(receiver), StreamHandle(), other)
                #expect(await other.rest().text.utf8.count == size)
                #expect(listener.pieces.load(ordering: .relaxed) == 0)
                client.proceed(handle)
                let (text, failure) = await listener.rest()
                #expect(text.utf8.count == size && failure == nil)
            }
        }
    }

    @Test(
        "a request ends when no byte has come for as long as it allows, to the millisecond, before the head and after it",
        arguments: [0.15, 1.2], [false, true])
    func silence(seconds: Double, hasHead: Bool) async throws {
        try await RawReceiver.run { connection in
            connection.read(until: "\r\n\r\n")
            if hasHead { connection.write(Self.head + "3\r\none\r\n") }
            connection.waitForEnd()
        } _: { receiver in
            try await withClient { client in
                let (listener, start) = (Listener(), ContinuousClock.now)
                client.begin(request(receiver, silence: .seconds(seconds)), StreamHandle(), listener)
                let (text, failure) = await listener.rest()
                #expect(text == (hasHead ? "one" : ""))
                #expect(failure == .connection("no byte came for \(seconds) s"))
                #expect(ContinuousClock.now - start >= .seconds(seconds))
            }
        }
    }

    @Test("bytes that come, and a reader that holds them back, are no silence")
    func noSilence() async throws {
        let silence = Duration.seconds(2)
        try await RawReceiver.run { connection in
            connection.read(until: "\r\n\r\n")
            connection.write(Self.head)
            for _ in 0..<5 {
                connection.write("3\r\none\r\n")
                usleep(500_000)
            }
            connection.write("0\r\n\r\n")
            connection.waitForEnd()
        } _: { receiver in
            try await withClient { client in
                let (listener, handle, held) = (Listener(), StreamHandle(), Listener())
                handle.hold()
                client.begin(request(receiver, silence: silence), handle, held)
                client.begin(request(receiver, silence: silence), StreamHandle(), listener)
                // Longer in all than the silence that is allowed.
                #expect(await listener.rest().text.utf8.count == 15)
                client.proceed(handle)
                let (text, failure) = await held.rest()
                #expect(text.utf8.count == 15 && failure == nil)
            }
        }
    }

    @Test("a request that is given up closes its connection, and its receiver is told nothing more")
    func cancelling() async throws {
        let (closed, closes) = AsyncStream.makeStream(of: Void.self)
        try await RawReceiver.run { connection in
            connection.read(until: "\r\n\r\n")
            connection.write(Self.head)
            connection.waitForEnd()
            closes.yield()
        } _: { receiver in
            try await withClient { client in
                let (listener, handle) = (Listener(), StreamHandle())
                client.begin(request(receiver), handle, listener)
                _ = await listener.next()
                client.cancel(handle)
                _ = await closed.first { true }
                let refused = StreamHandle()
                client.cancel(refused)
                client.begin(request(receiver), refused, listener)
            }
        }
    }

    @Test("what is not safe to repeat is sent once, and a GET again, where a kept connection ends without an answer")
    func repeating() async throws {
        let requests = Kept<String>()
        try await RawReceiver.run { connection in
            while case let text = connection.read(until: "\r\n\r\n"), !text.isEmpty {
                requests.add(String(text.prefix { $0 != " " }))
                // The first one on a connection is answered, the next one ends it.
                guard requests.all.count % 2 == 1 else { return }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        } _: { receiver in
            try await withClient { client in
                func failure(_ method: String) async -> StreamFailure? {
                    let listener = Listener()
                    client.begin(request(receiver, method), StreamHandle(), listener)
                    return await listener.rest().failure
                }
                #expect(await failure("GET") == nil)
                #expect(await failure("DELETE") == .cutOff)
                #expect(requests.all == ["GET", "DELETE"])
                #expect(await failure("GET") == nil)
                #expect(await failure("GET") == nil)
                #expect(requests.all == ["GET", "DELETE", "GET", "GET", "GET"])
            }
        }
    }

    @Test("a client that is to end lets what is under way end first")
    func finishing() async throws {
        try await RawReceiver.run { connection in
            connection.read(until: "\r\n\r\n")
            connection.write(Self.head + "3\r\none\r\n")
            connection.waitForEnd()
        } _: { receiver in
            let client = try StreamingClient(trusting: nil)
            let (listener, handle) = (Listener(), StreamHandle())
            client.begin(request(receiver), handle, listener)
            _ = await listener.next()
            client.finish()
            #expect(await listener.next() == .piece("one"))
            client.cancel(handle)
            await client.loop.stopAndWait()
        }
    }
}
