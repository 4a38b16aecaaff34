import HTTPTestSupport
import HTTPTypes
import Reactor
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Problems of the HTTP layer")
struct ProblemTests {
    private static let both: [(String, ProblemKind)] = [
        ("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n", .contentTooLarge),
        ("GET / HTTP/1.1\r\nHost: x\r\n\(String(repeating: "A: a\r\n", count: 101))\r\n", .fieldsTooLarge),
        ("GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1\r\nHost: x\r\n\r\n", .targetTooLong),
        ("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: more\r\n\r\nabc", .expectationFailed),
    ]
    private static let older: [(String, ProblemKind)] = [
        ("GET / HTTP/1.1\r\n\r\n", .badRequest),
        ("GET / HTTP/1.1\r\nHost: x\r\nA b\r\n\r\n", .badRequest),
        ("\(String(repeating: "A", count: 100)) / HTTP/1.1\r\nHost: x\r\n\r\n", .notImplemented),
        ("CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n", .notImplemented),
        ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .notImplemented),
        ("GET / HTTP/3.0\r\nHost: x\r\n\r\n", .versionNotSupported),
    ]

    @Test(
        "every refusal has a type of the server's own, by which clients know that no one between has answered",
        arguments: TestTransport.isHTTP1 ? both + older : both)
    func refusals(request: String, kind: ProblemKind) async throws {
        try await withServer(configuration: .test { $0.limits.maxBody = 1000 }) { server in
            let client = try server.connect()
            client.send(request)
            Self.check(client.receiveAnswer(), kind)
            #expect(server.server.statistics.requestsRefused == 1)
        }
    }

    @Test("a request that comes too slowly, and one that is let go of, have types too")
    func lateAndLost() async throws {
        try await withServer(clock: ManualClock(), application: ClosureApplication { _ in }) { server in
            let client = try server.connect()
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            Self.check(client.receiveAnswer(), .internal)
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc")
            try await eventually("the bytes arrive") { server.server.statistics.bytesReceived == client.sentCount }
            await server.pass(.seconds(31))
            Self.check(client.receiveAnswer(), .requestTimeout)
        }
    }

    @Test("each kind has a type and a title of its own, is found by its type, and has a status of an error")
    func table() {
        let kinds = ProblemKind.allCases
        #expect(Set(kinds.map(\.title)).count == kinds.count)
        for kind in kinds {
            #expect(ProblemKind(type: kind.type) == kind && (400..<600).contains(kind.status.code))
        }
        for type in ["about:blank", "not-found", "urn:callboard:problem:", "urn:callboard:problem:none"] {
            #expect(ProblemKind(type: type) == nil)
        }
    }

    /// Clients wait for a status, and know by the type alone whose answer it is: neither may contradict the other.
    private static func check(_ answer: TestClient.Answer, _ kind: ProblemKind) {
        #expect(answer.status == kind.status.code, "\(answer)")
        #expect(answer.fields["content-type"] == "application/problem+json" && answer.fields["date"] != nil)
        #expect(answer.fields["cache-control"] == "no-store")
        let head = #"{"type":"\#(kind.type)","title":"\#(kind.title)","status":\#(kind.status.code),"detail":""#
        #expect(answer.body.hasPrefix(head), "\(answer.body)")
    }
}
