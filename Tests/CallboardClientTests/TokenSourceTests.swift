import Foundation
import Synchronization
import Testing

@testable import CallboardClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Tokens of a provider", .timeLimit(.minutes(1)))
struct TokenSourceTests {
    private func client(_ transport: TestTransport, _ credential: Credential) throws -> Callboard {
        try Callboard(server: "http://localhost", transport: transport, configuration: .init(credential: credential))
    }

    @Test("requests at the same time share one call, and so do those after a token was refused")
    func shared() async throws {
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let provider = TestProvider()
        let tokens = TokenSource(
            .provider {
                for await _ in gate { break }
                return try provider.next()
            })
        /// Has 20 requests wait for a token and lets the provider answer.
        func race(after refused: HeldToken?) async throws -> [String?] {
            try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<20 { group.addTask { try await tokens.token(after: refused)?.token.text } }
                while await tokens.waiterCount < 20 { await Task.yield() }
                opener.yield()
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(try await race(after: nil) == Array(repeating: "t1", count: 20))
        let first = try #require(try await tokens.token())
        #expect(try await race(after: first) == Array(repeating: "t2", count: 20))
        // One that learns late that the first was refused takes the second.
        #expect(try await tokens.replacement(for: first)?.token.text == "t2")
        #expect(provider.calls == 2)
    }

    @Test(
        "the next token is asked for a minute before the end, or a tenth of the life where that is less",
        arguments: [(3600, 3540), (600, 540), (100, 90), (10, 9)] as [(TimeInterval, TimeInterval)])
    func renewal(lifetime: TimeInterval, due: TimeInterval) async throws {
        let time = TestTime()
        let provider = TestProvider(lifetime: lifetime, now: { time.now })
        let tokens = TokenSource(provider.credential, now: { time.now })
        for (second, expected) in [(0, "t1"), (due - 0.1, "t1"), (due, "t2"), (due + 0.1, "t2")] {
            time.set(second)
            #expect(try await tokens.token()?.token.text == expected)
        }
        #expect(provider.calls == 2)
    }

    @Test("a provider whose tokens have ended already is asked once a second at most")
    func ended() async throws {
        let time = TestTime()
        let provider = TestProvider(lifetime: -100, now: { time.now })
        let tokens = TokenSource(provider.credential, now: { time.now })
        for _ in 0..<50 { _ = try await tokens.token() }
        #expect(provider.calls == 1)
        time.set(1)
        for _ in 0..<50 { _ = try await tokens.token() }
        #expect(provider.calls == 2)
    }

    @Test("a provider that keeps tokens itself is asked for each request")
    func notKept() async throws {
        let provider = TestProvider()
        let transport = TestTransport([.noDirectors, .noDirectors])
        let client = try client(transport, .provider(keepsToken: false) { try provider.next() })
        for _ in 0..<2 { _ = try await client.directors() }
        #expect(transport.authorizations == ["Bearer t1", "Bearer t2"])
    }

    @Test("after 401 the provider is asked once, and the request is sent once more")
    func refused() async throws {
        let provider = TestProvider()
        let transport = TestTransport([
            .noDirectors, .refusal(401, "revoked"), .noDirectors,
            .refusal(401, "revoked"), .refusal(401, "still"), .noDirectors,
        ])
        let client = try client(transport, provider.credential)
        for _ in 0..<2 { _ = try await client.directors() }
        #expect(transport.authorizations == ["Bearer t1", "Bearer t1", "Bearer t2"])
        let error = await #expect(throws: ClientError.self) { try await client.directors() }
        #expect(error?.problem?.detail == "still")
        #expect(transport.authorizations.dropFirst(3) == ["Bearer t2", "Bearer t3"])
        #expect(provider.calls == 3)
    }

    @Test("a provider that gives the refused token again costs no second request")
    func same() async throws {
        let provider = TestProvider(repeated: true)
        let transport = TestTransport([.refusal(401, "unknown")])
        let client = try client(transport, provider.credential)
        let error = await #expect(throws: ClientError.self) { try await client.directors() }
        #expect(error?.status == 401)
        #expect(transport.requests.count == 1 && provider.calls == 2)
    }

    @Test("403 asks for no other token")
    func forbidden() async throws {
        let provider = TestProvider()
        let transport = TestTransport([.refusal(403, "The right define is missing")])
        let client = try client(transport, provider.credential)
        await #expect(throws: ClientError.self) { try await client.directors() }
        #expect(transport.requests.count == 1 && provider.calls == 1)
    }

    @Test("what the provider throws is what the request throws, and the next request asks again")
    func failure() async throws {
        let provider = TestProvider(failing: [1, 3])
        let transport = TestTransport([.noDirectors, .refusal(401, "revoked")])
        let client = try client(transport, provider.credential)
        await #expect(throws: TestProvider.Failure()) { try await client.directors() }
        #expect(transport.requests.isEmpty)
        _ = try await client.directors()
        await #expect(throws: TestProvider.Failure()) { try await client.directors() }
        #expect(provider.calls == 3)
    }

    @Test("a cancelled request does not wait for the provider, whose call lasts as long as somebody waits")
    func cancellation() async throws {
        let (cancelled, note) = AsyncStream<Void>.makeStream()
        let tokens = TokenSource(
            .provider {
                do {
                    try await Task.sleep(for: .seconds(3600))
                } catch {
                    note.yield()
                }
                throw TestProvider.Failure()
            })
        let requests = (0..<2).map { _ in Task { try await tokens.token() } }
        while await tokens.waiterCount < 2 { await Task.yield() }
        requests[0].cancel()
        await #expect(throws: CancellationError.self) { try await requests[0].value }
        #expect(await tokens.waiterCount == 1)
        requests[1].cancel()
        await #expect(throws: CancellationError.self) { try await requests[1].value }
        for await _ in cancelled { break }
    }
}
