import Foundation
import Testing

@testable import CallboardClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Credentials of streams", .timeLimit(.minutes(1)))
struct StreamCredentialTests {
    private static let changeset =
        #"event: changeset\#nid: e-2\#ndata: {"epoch":"e","from":1,"version":2,"stages":[]}\#n\#n"#

    private static func end(_ reason: String, director: String? = nil) -> String {
        let name = director.map { #","director":"\#($0)""# } ?? ""
        return "event: end\ndata: {\"reason\":\"\(reason)\"\(name),\"detail\":\"more\"}\n\n"
    }

    private static let several = "http://localhost/v1/changesets?director=a&director=b"

    /// Reads until the stream fails or has brought so many events.
    private func read(
        _ transport: TestTransport, _ credential: Credential, options: StreamOptions = StreamOptions(),
        url: String = "http://localhost/v1/directors/d/changesets", count: Int = 100
    ) async -> (events: [StreamEvent], error: (any Error)?) {
        var events: [StreamEvent] = []
        let clock = JumpingClock(patience: .seconds(14))
        let stream = EventStream.test(transport, clock: clock, options: options, credential: credential, url: url)
        do {
            for try await event in stream {
                events.append(event)
                if events.count == count { break }
            }
        } catch {
            return (events, error)
        }
        return (events, nil)
    }

    @Test("each connection carries the token", arguments: ["closing", "the server is closing"])
    func eachConnection(reason: String) async throws {
        let transport = TestTransport([
            .stream([Self.changeset], stays: false), .stream([Self.end(reason)], stays: false),
            .stream([Self.changeset], stays: true),
        ])
        let (events, error) = await read(transport, try .token("t"), count: 11)
        #expect(error == nil && events.count == 11)
        #expect(transport.authorizations == ["Bearer t", "Bearer t", "Bearer t"])
    }

    @Test(
        "after expired and revoked a new token is asked for, and the stream goes on after its last event",
        arguments: ["expired", "revoked"], [false, true])
    func renewed(reason: String, isShared: Bool) async throws {
        let provider = TestProvider()
        let transport = TestTransport([
            .stream(["retry: 0\n\n" + Self.changeset + Self.end(reason)], stays: true),
            .stream([Self.changeset], stays: true),
        ])
        let url = isShared ? Self.several : "http://localhost/v1/directors/d/changesets"
        let (events, error) = await read(transport, provider.credential, url: url, count: 8)
        #expect(error == nil)
        let end = StreamEnd(director: nil, reason: reason)
        #expect(events[3] == .end(end))
        // Even where the server asks for no wait there is one.
        #expect(events[4] == .connection(.lost(.ended(end), retryIn: .milliseconds(750))))
        #expect(events[6] == .connection(.open))
        #expect(transport.authorizations == ["Bearer t1", "Bearer t2"])
        #expect(transport.requests[1].value(forHTTPHeaderField: "Last-Event-ID") == "e-2")
        #expect(provider.calls == 2)
    }

    @Test("a server that ends the stream for every new token is asked less and less often")
    func endless() async throws {
        let provider = TestProvider()
        let start = "retry: 0\n\nevent: resumed\ndata: {\"version\":2}\n\n"
        let transport = TestTransport(
            Array(repeating: .stream([start + Self.end("expired")], stays: true), count: 4) + [
                .stream([Self.changeset + Self.end("expired")], stays: true), .stream([start], stays: true),
            ])
        let (events, error) = await read(transport, provider.credential, count: 27)
        #expect(error == nil)
        let waits = events.compactMap { event in
            if case .connection(.lost(_, let wait)) = event { wait / .seconds(1) } else { nil }
        }
        #expect(waits == [0.75, 1.5, 3, 6, 0.75])
        #expect(provider.calls == 6)
    }

    @Test(
        "a fixed token ends with the stream, and forbidden ends any; nothing is sent again",
        arguments: [
            ("expired", false, 401), ("revoked", false, 401), ("forbidden", false, 403), ("forbidden", true, 403),
        ])
    func fixed(reason: String, hasProvider: Bool, status: Int) async throws {
        for url in ["http://localhost/v1/directors/d/changesets", Self.several] {
            let transport = TestTransport([.stream([Self.changeset + Self.end(reason)], stays: true)])
            let credential = hasProvider ? TestProvider().credential : try .token("t")
            let (events, error) = await read(transport, credential, url: url)
            let end = StreamEnd(director: nil, reason: reason)
            #expect(events.last == .end(end))
            let failure = try #require(error as? ClientError)
            #expect(failure.status == status)
            #expect(failure.description.contains("the server ended the stream: \(end.description)"))
            #expect(transport.requests.count == 1 && transport.closed == 1)
        }
    }

    @Test("one director that may not be read any more does not end the stream of several")
    func oneOfSeveral() async throws {
        let transport = TestTransport([
            .stream([Self.end("forbidden", director: "a") + Self.changeset], stays: true)
        ])
        let (events, error) = await read(transport, try .token("t"), url: Self.several, count: 4)
        #expect(error == nil)
        guard case .changeset = events.last else { return #expect(Bool(false), "\(events)") }
    }

    @Test("401 on a reconnection asks the provider once, then fails for good; 403 and 404 fail at once")
    func refusedAgain() async throws {
        for (status, calls) in [(401, 3), (403, 2), (404, 2)] {
            let provider = TestProvider()
            let transport = TestTransport([
                .stream([Self.changeset + Self.end("expired")], stays: true), .refusal(status, "no"),
                .refusal(status, "no"), .stream([Self.changeset], stays: true),
            ])
            let (_, error) = await read(transport, provider.credential)
            #expect((error as? ClientError)?.status == status)
            #expect(provider.calls == calls && transport.requests.count == calls)
        }
    }

    @Test("a first connection that is refused gets one other token")
    func refusedAtFirst() async throws {
        let transport = TestTransport([.refusal(401, "revoked"), .stream([Self.changeset], stays: true)])
        let (events, error) = await read(transport, TestProvider().credential, count: 3)
        #expect(error == nil && events.count == 3)
        #expect(transport.authorizations == ["Bearer t1", "Bearer t2"])
    }

    @Test("a provider that fails later is asked again, as the policy says")
    func providerFails() async throws {
        let provider = TestProvider(failing: [2, 3])
        let transport = TestTransport([
            .stream([Self.changeset + Self.end("expired")], stays: true), .stream([Self.changeset], stays: true),
        ])
        let (events, error) = await read(transport, provider.credential, count: 12)
        #expect(error == nil)
        let reason = StreamInterruption.noToken(reason: "Failure()")
        #expect(events[6] == .connection(.lost(reason, retryIn: .milliseconds(750))))
        #expect(events[8] == .connection(.lost(reason, retryIn: .milliseconds(1500))))
        #expect(events[10] == .connection(.open))
        #expect(transport.authorizations == ["Bearer t1", "Bearer t4"])
    }

    @Test("a provider that fails at first, or too often, ends the stream with its error")
    func providerFailsForGood() async throws {
        let (events, error) = await read(TestTransport([]), TestProvider(failing: [1]).credential)
        #expect(error is TestProvider.Failure && events.count == 1)
        var options = StreamOptions()
        options.reconnect.maximumAttempts = 3
        let provider = TestProvider(failing: [2, 3, 4])
        let transport = TestTransport([.stream([Self.changeset + Self.end("revoked")], stays: true)])
        let later = await read(transport, provider.credential, options: options)
        #expect(later.error is TestProvider.Failure && provider.calls == 4)
    }
}
