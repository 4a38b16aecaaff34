import HTTPServer
import HTTPTestSupport
import HTTPTypes
import Reactor
import TestSupport
import Testing

/// The deadlines of connections that speak HTTP/2, in frames that the tests write by themselves.
@Suite("Deadlines of HTTP/2", .enabled(if: TestTransport.current == .http1, "the frames go over bare sockets"))
struct HTTP2DeadlineTests {
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    /// GET, http, / and the authority "x", without a dynamic table (RFC 7541, appendix A).
    private static let fields: [UInt8] = [0x82, 0x86, 0x84, 0x01, 1, 120]

    private static func frame(_ kind: UInt8, _ flags: UInt8, _ stream: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
        [0, UInt8(payload.count >> 8), UInt8(payload.count & 255), kind, flags, 0, 0, 0, stream] + payload
    }

    /// A client that has begun with SETTINGS, which hold `settings`.
    private func begin(_ server: TestServer, settings: [UInt8] = []) async throws -> TestClient {
        let client = try server.connect()
        try await send(Self.preface + Self.frame(4, 0, 0, settings), from: client, to: server)
        return client
    }

    /// Sends and waits until the server has it all, and the turn that it came in is over.
    private func send(_ bytes: [UInt8], from client: TestClient, to server: TestServer) async throws {
        let before = server.server.statistics.bytesReceived
        client.send(bytes)
        try await eventually("the bytes arrive") {
            server.server.statistics.bytesReceived == before + bytes.count
        }
        server.advance(by: .zero)
        await withCheckedContinuation { turn in server.loop.execute { turn.resume() } }
    }

    /// Has time pass until something is the case.
    private func pass(_ what: String, on server: TestServer, until condition: () -> Bool) async throws {
        try await eventually(what) {
            server.advance(by: .milliseconds(100))
            return condition()
        }
    }

    private func withHTTP2(
        application: ClosureApplication = ClosureApplication(echo), _ body: (TestServer) async throws -> Void
    ) async throws {
        try await withServer(
            clock: ManualClock(), configuration: .test { $0.allowsCleartextHTTP2 = true }, application: application,
            body)
    }

    @Test("the keep-alive time begins anew with each request, also where it is answered at once")
    func keepAlive() async throws {
        try await withHTTP2 { server in
            let client = try await begin(server)
            for number: UInt8 in 0..<3 {
                try await send(Self.frame(1, 5, 2 * number + 1, Self.fields), from: client, to: server)
                server.advance(by: .seconds(70))
                #expect(server.server.statistics.requests == Int(number) + 1)
                #expect(server.server.statistics.connectionsOpen == 1)
            }
            try await pass("it is closed", on: server) { server.server.statistics.connectionsOpen == 0 }
            #expect(server.server.statistics.connectionsTimedOut == 0)
        }
    }

    @Test(
        "fields that do not end are cut off, be it the first request's or a later one's", arguments: [1, 3] as [UInt8],
        [0, 5])
    func slowHead(stream: UInt8, missing: Int) async throws {
        try await withHTTP2 { server in
            let client = try await begin(server)
            if stream > 1 { try await send(Self.frame(1, 5, 1, Self.fields), from: client, to: server) }
            // Either CONTINUATION is missing, or the end of the only frame.
            let head = Self.frame(1, missing == 0 ? 1 : 5, stream, Self.fields)
            try await send(head.dropLast(missing), from: client, to: server)
            for _ in 0..<3 { server.advance(by: .seconds(3)) }
            #expect(server.server.statistics.connectionsOpen == 1)
            try await pass("it is closed", on: server) { server.server.statistics.connectionsOpen == 0 }
            #expect(server.server.statistics.connectionsTimedOut == 1)
            #expect(server.server.statistics.requests == (stream > 1 ? 1 : 0))
        }
    }

    @Test("an answer that waits for the connection's window is reset")
    func connectionWindow() async throws {
        let large = SharedBytes(Array(repeating: 120, count: 100_000))
        let application = ClosureApplication { $0.respond(Response(status: .ok, body: .shared(large))) }
        try await withHTTP2(application: application) { server in
            // SETTINGS_INITIAL_WINDOW_SIZE opens the streams' windows; the connection's stays as it is.
            let client = try await begin(server, settings: [0, 4, 0x7f, 0xff, 0xff, 0xff])
            try await send(Self.frame(1, 5, 1, Self.fields), from: client, to: server)
            try await eventually("the window is used up") { server.server.statistics.bytesSent > 65_535 }
            try await pass("it is reset", on: server) { server.server.statistics.connectionsTimedOut == 1 }
            try await eventually("its memory is given back") { server.server.statistics.bytesBuffered == 0 }
        }
    }
}
