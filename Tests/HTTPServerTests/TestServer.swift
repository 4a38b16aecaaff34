import HTTPServer
import HTTPTestSupport
import HTTPTypes
import HTTPWire
import Reactor
import TLSEngine
import Testing

/// An application that is a closure.
struct ClosureApplication: HTTPApplication {
    let body: @Sendable (Exchange) -> Void
    let onAcceptFailure: @Sendable (AcceptFailure) -> Void

    init(
        onAcceptFailure: @escaping @Sendable (AcceptFailure) -> Void = { _ in },
        _ body: @escaping @Sendable (Exchange) -> Void
    ) {
        self.body = body
        self.onAcceptFailure = onAcceptFailure
    }

    func handle(_ exchange: Exchange) { body(exchange) }

    func acceptFailed(_ failure: AcceptFailure) { onAcceptFailure(failure) }
}

/// What the tests' servers encrypt with; nil for cleartext.
private let testCertificates: ServerCertificates? = TestTransport.certificate.flatMap {
    let configuration = TLSConfiguration(
        certificates: [$0], applicationProtocols: TestTransport.applicationProtocols)
    return (try? TLSContext(configuration)).map { ServerCertificates($0) }
}

extension ServerConfiguration {
    /// Settings for a test: a free port, and whatever `change` makes of the rest.
    static func test(_ change: (inout ServerConfiguration) -> Void = { _ in }) -> ServerConfiguration {
        var configuration = ServerConfiguration(port: 0)
        configuration.shutdownDeadline = .seconds(60)
        configuration.tls = testCertificates
        configuration.allowsCleartextHTTP2 = TestTransport.isHTTP2
        change(&configuration)
        return configuration
    }
}

/// A server that listens on a free port, for the length of one test.
struct TestServer: Sendable {
    let server: HTTPServer
    let group: EventLoopGroup
    let address: SocketAddress
    let clock: ManualClock?

    var loop: EventLoop { group.loops[0] }

    /// Moves the server's time on.
    func advance(by duration: Duration) {
        clock?.advance(by: duration, waking: group.loops)
    }

    /// Lets a client's time run out: moves the server's time on by `duration`, and by half of that over HTTP/2, whose streams
    /// are looked at now and then, and each time sees only what was so the last time.
    func pass(_ duration: Duration) async {
        guard TestTransport.isHTTP2 else { return advance(by: duration) }
        for _ in 0..<12 {
            advance(by: duration / 8)
            for _ in 0..<2 { await turn() }
        }
    }

    /// Lets a client's time run out, again where the kernel has taken something meanwhile, until something is the case.
    func pass(_ duration: Duration, until what: Comment, _ condition: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while !condition() {
            try #require(ContinuousClock.now < end, what)
            await pass(duration)
            await turn()
        }
    }

    /// Waits until the loop has taken a turn.
    func turn() async {
        await withCheckedContinuation { turn in loop.execute { turn.resume() } }
    }

    func connect() throws -> TestClient { try TestClient(to: address) }
}

/// Runs `body` with a server that is shut down afterwards, and expects that no connection is left then.
func withServer(
    loops: Int = 1, clock: ManualClock? = nil, acceptor: Acceptor? = nil,
    configuration: ServerConfiguration = .test(),
    application: ClosureApplication = ClosureApplication(echo),
    _ body: (TestServer) async throws -> Void
) async throws {
    var configuration = configuration
    // Deadlines are met by tests that have a clock to turn; a machine that is busy for longer is no client that is slow.
    if clock == nil {
        configuration.headTimeout = .seconds(600)
        configuration.bodyTimeout = .seconds(600)
        configuration.writeStallTimeout = .seconds(600)
    }
    let group =
        try clock.map { try EventLoopGroup(count: loops, clock: $0) } ?? EventLoopGroup(count: loops)
    let server =
        if let acceptor {
            HTTPServer(configuration: configuration, group: group, application: application, accept: acceptor)
        } else {
            HTTPServer(configuration: configuration, group: group, application: application)
        }
    let address = try #require(try await server.start().first)
    do {
        try await body(TestServer(server: server, group: group, address: address, clock: clock))
    } catch {
        Issue.record(error)
    }
    async let isDown = server.shutdown()
    // With a clock that stands still, the deadline of the shutdown has to be helped along.
    if let clock { clock.advance(by: .zero, waking: group.loops) }
    _ = await isDown
    #expect(server.statistics.connectionsOpen == 0)
    #expect(server.statistics.streamsOpen == 0)
    await group.stop()
}

/// Answers with method, target and content, so that a test sees which request an answer belongs to.
@Sendable func echo(_ exchange: Exchange) {
    var body = Array("\(exchange.head.method.rawValue) \(exchange.head.target) ".utf8)
    body += exchange.body
    exchange.respond(Response(status: .ok, fields: [.contentType: "text/plain"], body: .bytes(body)))
}
