import Reactor
import Synchronization
import TestSupport
import Testing

@testable import HTTPClient

@Suite("Time-outs of webhooks")
struct TimeoutTests {
    @Test("the time-out counts from the call, and says what it was waiting for", arguments: [1, 2])
    func phases(places: Int) async throws {
        let clock = ManualClock()
        try await RawReceiver.run {
            $0.waitForEnd()
        } _: { receiver in
            try await withTransport(clock: clock) {
                $0.concurrencyPerTarget = places
            } _: { fixture in
                let url = try receiver.url()
                let first = Task { await fixture.failure(url, timeout: .seconds(5)) }
                try await fixture.eventually("the first is sent") { $0.connectionsOpened == 1 }
                let second = Task { await fixture.failure(url, timeout: .seconds(3)) }
                try await fixture.eventually("the second is there") {
                    places == 1 ? $0.waiting == 1 : $0.connectionsOpened == 2
                }
                clock.advance(by: .milliseconds(2999), waking: [fixture.loop])
                await turns(of: fixture.loop)
                #expect(fixture.transport.statistics.failed == 0)
                clock.advance(by: .milliseconds(1), waking: [fixture.loop])
                let phase = await second.value
                #expect(phase == .timedOut(after: .seconds(3), during: places == 1 ? .queue : .answer))
                clock.advance(by: .seconds(2), waking: [fixture.loop])
                let failure = await first.value
                #expect(failure == .timedOut(after: .seconds(5), during: .answer))
                #expect(failure?.description == "timed out after 5 s, waiting for the answer")
            }
        }
    }

    @Test("a look-up that hangs takes no longer than the time-out, and holds up its own name only")
    func lookUps() async throws {
        let clock = ManualClock()
        let resolver = HangingResolver()
        try await HTTPReceiver.run { receiver in
            try await withTransport(resolver: resolver, clock: clock) { fixture in
                let url = try receiver.url(host: "hanging.example")
                let hanging = Task { await fixture.failure(url, timeout: .milliseconds(1500)) }
                try await fixture.eventually("it is looked up") { $0.underWay == 1 }
                #expect(await fixture.send(try receiver.url()).value?.status == 204)
                clock.advance(by: .milliseconds(1500), waking: [fixture.loop])
                let failure = await hanging.value
                #expect(failure?.description == "timed out after 1.5 s, looking up the host's name")
                // The look-up ends after all, for nobody.
                resolver.finish()
                await turns(of: fixture.loop)
                #expect(fixture.transport.statistics.underWay == 0)
            }
        }
    }

    @Test("an address that nobody answers at is a connection that is waited for")
    func connecting() async throws {
        // A listener whose queue is full leaves further connections without an answer.
        let listener = try ListeningSocket(
            try #require(SocketAddress.resolve(host: "127.0.0.1", port: 0).first), backlog: 0)
        let clock = ManualClock()
        try await withTransport(clock: clock) { fixture in
            let url = try HTTPURL("http://\(listener.address)/")
            let tasks = (0..<3).map { _ in Task { await fixture.failure(url, timeout: .seconds(4)) } }
            try await fixture.eventually("they are under way") { $0.connectionsOpened == 3 }
            clock.advance(by: .seconds(4), waking: [fixture.loop])
            var phases: [ClientFailure?] = []
            for task in tasks { phases.append(await task.value) }
            #expect(openSockets(to: listener.address.port ?? 0) == 0)
            #expect(phases.contains(.timedOut(after: .seconds(4), during: .connection)), "\(phases)")
        }
    }

    /// Lets the loop take a few turns.
    private func turns(of loop: EventLoop) async {
        for _ in 0..<5 {
            await withCheckedContinuation { continuation in loop.execute { continuation.resume() } }
        }
    }
}

/// A resolver that answers nobody until it is told to.
private final class HangingResolver: Resolver {
    private let waiting = Kept<CheckedContinuation<Void, Never>>()

    func resolve(_ name: String) async throws(ResolutionError) -> [IPAddress] {
        await withCheckedContinuation { waiting.add($0) }
        throw ResolutionError("too late")
    }

    func finish() {
        for continuation in waiting.takeAll() { continuation.resume() }
    }
}
