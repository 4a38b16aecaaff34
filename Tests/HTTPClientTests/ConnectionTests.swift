import HTTPServer
import HTTPTypes
import Reactor
import Synchronization
import TestSupport
import Testing
import Webhooks

@testable import HTTPClient

@Suite("Connections to webhooks")
struct ConnectionTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test("connections are used again: as many as requests at a time, not as requests")
    func reuse() async throws {
        try await HTTPReceiver.run { receiver in
            try await withTransport {
                $0.concurrencyPerTarget = 4
            } _: { fixture in
                let url = try receiver.url()
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<200 { group.addTask { _ = await fixture.send(url, urgency: .question) } }
                }
                #expect(receiver.received.count == 200)
                let peers = Set(receiver.received.map(\.peer))
                #expect((1...4).contains(peers.count))
                #expect(fixture.transport.statistics.connectionsOpened == peers.count)
                #expect(fixture.transport.statistics.answered == 200)
            }
        }
    }

    @Test(
        "a kept connection that the target has closed meanwhile is found closed, or its request fails: none is sent twice"
    )
    func staleConnection() async throws {
        let requests = Kept<String>()
        try await RawReceiver.run { connection in
            let request = connection.read(until: "{}")
            // libcurl connects anew before it asks whether to send again, and is told not to.
            if !request.isEmpty { requests.add(request) }
            // Not announced, as when a target is restarted.
            connection.write(Self.ok)
        } _: { receiver in
            try await withTransport { fixture in
                let url = try receiver.url()
                var answered = 0
                for _ in 0..<20 {
                    switch await fixture.send(url) {
                    case .success(let response): answered += response.status == 200 ? 1 : 0
                    case .failure(.cutOff): break
                    case .failure(let failure): Issue.record("\(failure)")
                    }
                }
                #expect(requests.all.count == answered)
            }
        }
    }

    @Test("a kept connection that is closed on the next request's arrival is a failure, and nothing is sent again")
    func closedOnArrival() async throws {
        let requests = Kept<String>()
        try await RawReceiver.run { connection in
            let first = connection.read(until: "{}")
            if !first.isEmpty { requests.add(first) }
            connection.write(Self.ok)
            let second = connection.read(until: "{}")
            if !second.isEmpty { requests.add(second) }
        } _: { receiver in
            try await withTransport { fixture in
                let url = try receiver.url()
                let id = [HeaderField("webhook-id", "msg_1")]
                #expect(await fixture.send(url, fields: id).value?.isConnectionReused == false)
                guard case .failure(.cutOff(_, let reason)) = await fixture.send(url, fields: id) else {
                    Issue.record("was answered")
                    return
                }
                #expect(reason.contains("was used before"))
                #expect(requests.all.count == 2)
                #expect(await fixture.send(url, fields: id).value?.isConnectionReused == false)
                #expect(requests.all.count == 3)
                #expect(requests.all.allSatisfy { $0.contains("webhook-id: msg_1\r\n") && $0.hasSuffix("{}") })
            }
        }
    }

    @Test("a large request is sent without asking first, and arrives whole")
    func largeBody() async throws {
        let heads = Kept<String>()
        let counts = Kept<Int>()
        let size = 3 << 20
        try await RawReceiver.run { connection in
            let start = Array(connection.read(until: "\r\n\r\n").utf8)
            let text = String(decoding: start, as: UTF8.self)
            let head = text[..<(text.firstRange(of: "\r\n\r\n")?.upperBound ?? text.endIndex)]
            heads.add(String(head))
            var count = start.count - head.utf8.count
            while count < size, case let more = connection.read(), !more.isEmpty { count += more.count }
            counts.add(count)
            connection.write(Self.ok)
        } _: { receiver in
            let url = try receiver.url()
            try await withTransport { fixture in
                #expect(await fixture.send(url, String(repeating: "x", count: size)).value?.status == 200)
            }
        }
        #expect(counts.all == [size])
        #expect(heads.all.first?.contains("Content-Length: \(size)\r\n") == true)
        #expect(heads.all.first?.lowercased().contains("expect") == false)
    }

    @Test("a target that closes while a large request is being sent is a failure, not a signal")
    func closedWhileSending() async throws {
        try await RawReceiver.run { connection in
            _ = connection.read()
        } _: { receiver in
            try await withTransport { fixture in
                let url = try receiver.url()
                for _ in 0..<4 {
                    guard case .failure(let failure) = await fixture.send(url, String(repeating: "x", count: 3 << 20))
                    else {
                        Issue.record("was answered")
                        continue
                    }
                    #expect(failure.description.contains("ended before the answer did"))
                }
            }
        }
    }

    @Test("a target that hangs fills its own places and nobody else's")
    func hangingTarget() async throws {
        try await RawReceiver.run {
            $0.waitForEnd()
        } _: { hanging in
            try await HTTPReceiver.run { receiver in
                try await withTransport {
                    $0.concurrencyPerTarget = 4
                } _: { fixture in
                    let (stuck, fine) = (try hanging.url(), try receiver.url())
                    let tasks = (0..<40).map { _ in Task { await fixture.failure(stuck) } }
                    try await fixture.eventually("it hangs") { $0.connectionsOpened == 3 && $0.waiting == 37 }
                    for _ in 0..<50 { #expect(await fixture.send(fine).value?.status == 204) }
                    // Questions have places of their own even there.
                    let question = Task { await fixture.send(stuck, urgency: .question) }
                    try await fixture.eventually("the question is sent") { $0.underWay == 4 }
                    for task in tasks { task.cancel() }
                    question.cancel()
                    for task in tasks { #expect(await task.value == .cancelled) }
                    _ = await question.value
                }
            }
        }
    }

    @Test("what is too much is refused at once, and says so")
    func fullQueue() async throws {
        try await RawReceiver.run {
            $0.waitForEnd()
        } _: { receiver in
            try await withTransport {
                $0.concurrencyPerTarget = 1
                $0.maxWaitingPerTarget = 2
            } _: { fixture in
                let url = try receiver.url()
                let tasks = (0..<3).map { _ in Task { await fixture.failure(url) } }
                try await fixture.eventually("the line is full") { $0.underWay == 1 && $0.waiting == 2 }
                let failure = await fixture.failure(url)
                #expect(failure == .queueFull(target: "\(url.target)", limit: 2))
                #expect(failure?.description == "2 requests wait for \(url.target) already")
                for task in tasks { task.cancel() }
                for task in tasks { _ = await task.value }
            }
        }
    }

    @Test("a transport that was shut down is let go of, and so is its loop's memory of it")
    func lettingGo() async throws {
        try await HTTPReceiver.run { receiver in
            let loop = try EventLoop(name: "letting-go")
            let url = try receiver.url(host: "localhost")
            weak var gone: HTTPClient?
            do {
                let transport = try HTTPClient(
                    loop: loop, rules: AddressPolicy(allowing: [.loopback]),
                    configuration: HTTPClientConfiguration(version: "1"))
                gone = transport
                let fixture = TransportFixture(transport: transport, loop: loop, clock: nil)
                for _ in 0..<3 { #expect(await fixture.send(url).value?.status == 204) }
                await transport.shutdown()
                await transport.shutdown()
            }
            await loop.stopAndWait()
            #expect(gone == nil)
        }
    }
}
