import Glibc
import HTTPServer
import HTTPTypes
import Reactor
import TestSupport
import Testing

@testable import HTTPClient

@Suite("Webhooks that get no answer")
struct FailureTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// What the transport makes of a receiver that answers a request like this, and closes.
    private func failure(
        answering text: String, _ change: (inout HTTPClientConfiguration) -> Void = { _ in }
    ) async throws -> ClientFailure? {
        var failure: ClientFailure?
        try await RawReceiver.run { connection in
            connection.read(until: "{}")
            connection.write(text)
        } _: { receiver in
            try await withTransport(change) { failure = await $0.failure(try receiver.url()) }
        }
        return failure
    }

    @Test("nobody at the port")
    func refusedConnection() async throws {
        var url = try HTTPURL("http://127.0.0.1:1/")
        try await RawReceiver.run { _ in
        } _: {
            url = try $0.url()
        }
        try await withTransport { fixture in
            guard case .notConnected(let target, let reason)? = await fixture.failure(url) else {
                Issue.record("connected")
                return
            }
            #expect(target == "\(url.target)")
            #expect(reason.contains("refused") || reason.contains("Failed to connect"))
        }
    }

    @Test(
        "an answer that ends too early, or is none",
        arguments: [
            ("", "ended"), ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", "ended"), ("HTTP/1.1 200", "ended"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "ended"),
            ("HTTP/1.1 200 OK\r\n", "ended"), ("HTTP/1.1 200 OK\r\nContent-Len", "ended"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", "ended"),
            ("SSH-2.0-OpenSSH_9.2\r\n", "did not answer in HTTP"), ("hello\n", "did not answer in HTTP"),
            ("HTTP/9.1 200 OK\r\n\r\n", "did not answer in HTTP"),
        ])
    func broken(answer: String, words: String) async throws {
        let failure = try await failure(answering: answer)
        #expect(failure?.description.contains(words) == true, "\(String(describing: failure))")
        #expect(failure?.description.contains("http://127.0.0.1:") == true)
    }

    @Test("an answer's content is limited, whether its length is announced or not")
    func largeAnswers() async throws {
        let announced = "HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n" + String(repeating: "x", count: 101)
        let chunked =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n" + String(repeating: "x", count: 64)
            + "\r\n40\r\n" + String(repeating: "x", count: 64) + "\r\n0\r\n\r\n"
        let untilClose = "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 101)
        for answer in [announced, chunked, untilClose] {
            let failure = try await failure(answering: answer) { $0.maxAnswerBytes = 100 }
            #expect(failure == .answerTooLarge(limit: 100))
            #expect(failure?.description == "the answer has more than 100 bytes")
        }
    }

    @Test("an answer that never ends is cut off at the limit")
    func endlessAnswer() async throws {
        try await RawReceiver.run { connection in
            connection.read(until: "{}")
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            while connection.write(String(repeating: "x", count: 10_000)) {}
        } _: { receiver in
            let url = try receiver.url()
            try await withTransport { #expect(await $0.failure(url) == .answerTooLarge(limit: 1 << 20)) }
        }
    }

    @Test("a header that never ends is cut off, interim answers too")
    func endlessHeader() async throws {
        for line in ["X-Padding: \(String(repeating: "x", count: 1000))\r\n", "HTTP/1.1 102 Processing\r\n\r\n"] {
            try await RawReceiver.run { connection in
                connection.read(until: "{}")
                if line.hasPrefix("X") { connection.write("HTTP/1.1 200 OK\r\n") }
                while connection.write(line) {}
            } _: { receiver in
                try await withTransport {
                    let failure = await $0.failure(try receiver.url())
                    #expect(failure?.description.contains("its header has more than") == true)
                }
            }
        }
    }

    @Test("a field with control characters is not sent", arguments: ["a\r\nb: c", "a\nb", "a\u{0}b", "\u{7f}"])
    func invalidFields(value: String) async throws {
        try await HTTPReceiver.run { receiver in
            try await withTransport { fixture in
                for field in [HeaderField("X-Field", value), HeaderField("X-\(value)", "x"), HeaderField("", "x")] {
                    let failure = await fixture.failure(try receiver.url(), fields: [field])
                    #expect(failure == .invalidField(name: field.name))
                    #expect(failure?.description.contains("\n") == false)
                }
            }
            #expect(receiver.received.isEmpty)
        }
    }

    @Test(
        "a field that says how a message is carried is not for a hook to send",
        arguments: [
            "Host", "host", "Content-Length", "Transfer-Encoding", "Connection", "Expect", "TE", "Trailer", "Upgrade",
            "Keep-Alive", "Proxy-Connection",
        ])
    func reservedFields(name: String) async throws {
        try await HTTPReceiver.run { receiver in
            try await withTransport { fixture in
                let failure = await fixture.failure(try receiver.url(), fields: [HeaderField(name, "5")])
                #expect(failure == .invalidField(name: name))
            }
            #expect(receiver.received.isEmpty)
        }
    }

    @Test("a cancelled task's request is given up, whether it waits or is under way")
    func cancellation() async throws {
        try await RawReceiver.run {
            $0.waitForEnd()
        } _: { receiver in
            try await withTransport {
                $0.concurrencyPerTarget = 1
            } _: { fixture in
                let url = try receiver.url()
                let first = Task { await fixture.failure(url) }
                try await fixture.eventually("the first is under way") { $0.connectionsOpened == 1 }
                #expect(openSockets(to: receiver.address.port ?? 0) == 1)
                let second = Task { await fixture.failure(url) }
                try await fixture.eventually("the second waits") { $0.waiting == 1 }
                second.cancel()
                #expect(await second.value == .cancelled)
                #expect(fixture.transport.statistics.waiting == 0)
                first.cancel()
                #expect(await first.value == .cancelled)
                #expect(openSockets(to: receiver.address.port ?? 0) == 0)
                let third = Task { await fixture.failure(url) }
                third.cancel()
                #expect(await third.value == .cancelled)
            }
        }
    }

    @Test("shutting down fails what waits and what is under way, and what comes later")
    func shuttingDown() async throws {
        try await RawReceiver.run {
            $0.waitForEnd()
        } _: { receiver in
            try await withTransport {
                $0.concurrencyPerTarget = 4
            } _: { fixture in
                let url = try receiver.url()
                let failures = await withTaskGroup(of: ClientFailure?.self) { group in
                    for _ in 0..<10 { group.addTask { await fixture.failure(url) } }
                    try? await fixture.eventually("all are there") { $0.underWay == 3 && $0.waiting == 7 }
                    await fixture.transport.shutdown()
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(failures == Array(repeating: .shutDown, count: 10))
                #expect(await fixture.failure(url) == .shutDown)
                #expect(fixture.transport.statistics.failed == 11)
            }
        }
    }

    @Test("an answer of any status is an answer, a redirect too, which is not followed")
    func statuses() async throws {
        try await HTTPReceiver.run { exchange in
            let status = Int(exchange.head.target.dropFirst()) ?? 0
            exchange.respond(
                Response(
                    status: .init(code: status), fields: [.location: "/204", .retryAfter: "7"],
                    body: .bytes(Array("text".utf8))))
        } _: { receiver in
            try await withTransport { fixture in
                for status in [200, 201, 301, 302, 303, 307, 308, 400, 401, 410, 429, 500, 503, 599] {
                    let response = await fixture.send(try receiver.url("/\(status)")).value
                    #expect(response?.status == status)
                    #expect(response?.body == Array("text".utf8))
                    #expect(response?.retryAfter == .seconds(7))
                    #expect(response?.isSuccess == (status < 300))
                }
                #expect(receiver.received.count == 14)
                #expect(receiver.received.allSatisfy { $0.target != "/204" })
            }
        }
    }
}
