import Foundation
import Testing

@testable import CallboardClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
#if os(Linux)
    import Glibc
#endif

@Suite("When a stream connects again", .timeLimit(.minutes(1)))
struct ReconnectionTests {
    private static let changeset =
        #"event: changeset\#nid: e-2\#ndata: {"epoch":"e","from":1,"version":2,"stages":[]}\#n\#n"#

    @Test("a reader that is too slow pauses between its attempts, and they are counted")
    func overrun() async throws {
        let clock = JumpingClock(patience: .seconds(30))
        let transport = TestTransport(Array(repeating: .overrun, count: 10))
        var options = StreamOptions()
        options.reconnect = ReconnectPolicy(
            initialDelay: .seconds(1), connectTimeout: .seconds(100), maximumAttempts: 3)
        await #expect(throws: ClientError.self) {
            for try await _ in EventStream.test(transport, clock: clock, options: options) {}
        }
        #expect(transport.requests.count == 3)
        #expect(clock.log.all == [.milliseconds(750), .milliseconds(1500)])
    }

    @Test("a stream that waits for its next attempt connects at once when the network may be back")
    func wakesWaiting() async throws {
        // The wait of 0.75 s never ends by itself.
        let clock = JumpingClock(patience: .zero)
        let transport = TestTransport([.failure("no network"), .stream([Self.changeset], stays: true)])
        let registry = StreamRegistry()
        for try await event in EventStream.test(transport, clock: clock, registry: registry) {
            if case .changeset = event { break }
            guard case .connection(.lost) = event else { continue }
            // Whether it waits already or is about to makes no difference.
            for stream in registry.connections { await stream.wakeUp() }
        }
        #expect(transport.requests.count == 2)
    }

    @Test("a connection that has brought something of late stays when the network may be back")
    func keepsLiving() async throws {
        let transport = TestTransport([.stream([Self.changeset], stays: true)])
        let registry = StreamRegistry()
        let stream = EventStream.test(transport, clock: JumpingClock(patience: .seconds(14)), registry: registry)
        let iterator = stream.makeAsyncIterator()
        for _ in 0..<3 { _ = try await iterator.next() }
        for stream in registry.connections { await stream.wakeUp() }
        #expect(transport.requests.count == 1 && transport.closed == 0)
        #expect(registry.count == 1)
    }

    @Test("a stream that goes leaves nothing behind")
    func leavesNothing() async throws {
        let registry = StreamRegistry()
        for _ in 0..<10 {
            let transport = TestTransport([.stream([Self.changeset], stays: true)])
            let clock = JumpingClock(patience: .seconds(14))
            for try await event in EventStream.test(transport, clock: clock, registry: registry) {
                if case .changeset = event { break }
            }
        }
        #expect(registry.count == 0)
    }

    @Test("however many pieces a stream brings, one sleep watches for its silence")
    func oneSleep() async throws {
        let clock = JumpingClock(patience: .seconds(1))
        let timer = SilenceTimer(clock: clock, limit: .zero)
        // A limit that has passed at once closes each wait that is still there.
        let (closed, continuation) = AsyncStream<Void>.makeStream()
        timer.begin { continuation.yield() }
        for await _ in closed { break }
        #expect(timer.hasExpired && clock.log.all == [.zero])

        let patient = SilenceTimer(clock: clock, limit: .seconds(45))
        patient.begin { Issue.record("closed though pieces come") }
        while clock.log.beginnings < 2 { await Task.yield() }
        for _ in 0..<1000 {
            patient.end()
            patient.begin { Issue.record("closed though pieces come") }
        }
        #expect(clock.log.beginnings == 2)
        patient.stop()
    }
}

@Suite("A server that asks for a later attempt", .timeLimit(.minutes(1)))
struct PatienceTests {
    private static let done = TestTransport.Answer.status(
        200, fields: [:], body: #"{"epoch":"e","from":1,"version":2,"stages":[]}"#)

    private func director(_ transport: TestTransport, patience: Duration = .seconds(10)) throws -> RemoteDirector {
        try Callboard(
            server: "http://localhost:8080/", transport: transport, configuration: .init(patience: patience)
        ).director("d")
    }

    @Test("is asked again, with the same key", arguments: [409, 429, 503])
    func again(status: Int) async throws {
        let transport = TestTransport([.status(status, fields: ["Retry-After": "0"], body: ""), Self.done])
        _ = try await director(transport).reload()
        let keys = transport.requests.map { $0.value(forHTTPHeaderField: "Idempotency-Key") }
        #expect(keys.count == 2 && keys[0] != nil && keys[0] == keys[1])
    }

    @Test("is not asked again for longer than the client's patience")
    func impatient() async throws {
        let transport = TestTransport([.status(429, fields: ["Retry-After": "7"], body: ""), Self.done])
        await #expect(throws: ClientError.self) { _ = try await director(transport, patience: .seconds(6)).reload() }
        #expect(transport.requests.count == 1)
    }

    @Test("is not asked again for what may have been done")
    func unsafe() async throws {
        let transport = TestTransport([.status(503, fields: ["Retry-After": "0"], body: ""), Self.done])
        await #expect(throws: ClientError.self) { try await director(transport).setVariable("v", to: 1) }
        #expect(transport.requests.count == 1)
    }

    @Test("time-outs go to the transport as they are", arguments: [0.5, 1.9, 60])
    func timeouts(seconds: Double) throws {
        let callboard = try Callboard(
            server: "http://localhost:8080/", transport: TestTransport([]),
            configuration: .init(timeout: .seconds(seconds)))
        #expect(try callboard.request(for: Call("GET", ["directors"])).timeoutInterval == seconds)
    }
}
