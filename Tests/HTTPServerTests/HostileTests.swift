import HTTPServer
import HTTPTestSupport
import Reactor
import Testing

@Suite("Malformed and hostile requests")
struct HostileTests {
    private static func limit(_ configuration: inout ServerConfiguration) {
        configuration.lingerTimeout = .milliseconds(200)
    }

    @Test(
        "each is answered with its status and closes, and nothing behind it is answered",
        .enabled(if: TestTransport.isHTTP1, "the table is of HTTP/1.1's syntax; RequestCases is run over both"),
        arguments: HostileRequests.all())
    func whole(request: HostileRequest) async throws {
        try await withServer(configuration: .test(Self.limit)) { server in
            try expectRefusal(of: request, cutAt: nil, from: server)
            try expectService(from: server)
        }
    }

    @Test(
        "a third of them, cut in two at every byte, are refused alike",
        .enabled(if: TestTransport.isHTTP1, "the table is of HTTP/1.1's syntax"))
    func cut() async throws {
        try await withServer(configuration: .test(Self.limit)) { server in
            for request in HostileRequests.all() where request.bytes.count < 400 {
                // Cutting at every byte of all would take a minute; every third request is a fair sample. A handshake
                // takes as long as many requests.
                guard request.name.utf8.count % (TestTransport.isEncrypted ? 37 : 3) == 0 else { continue }
                for position in 1..<request.bytes.count {
                    try expectRefusal(of: request, cutAt: position, from: server)
                }
            }
            try expectService(from: server)
        }
    }

    private func expectRefusal(of request: HostileRequest, cutAt position: Int?, from server: TestServer) throws {
        let client = try server.connect()
        if let position {
            client.send(request.bytes[..<position])
            client.send(request.bytes[position...] + HostileRequest.smuggled)
        } else {
            client.send(request.bytes + HostileRequest.smuggled)
        }
        let everything = client.receiveToEnd()
        let comment = Comment(rawValue: "\(request), cut at \(position ?? 0): \(everything.prefix(300))")
        // Good requests may come before the hostile one in an entry; the last answer is the refusal.
        let answers = everything.answers
        #expect(answers.last?.hasPrefix("\(request.status) ") == true, comment)
        #expect(answers.last?.contains("Connection: close\r\n") == true, comment)
        #expect(!everything.contains("/smuggled"), comment)
    }

    private func expectService(from server: TestServer) throws {
        let client = try server.connect()
        client.send("GET /after HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(client.receiveAnswer().body == "GET /after ")
    }
}

extension String {
    /// What follows each `HTTP/1.1 ` that begins a status line; the phrase may occur in an answer's text as well.
    fileprivate var answers: [Substring] {
        var found: [Substring] = []
        var rest = self[...]
        while let range = rest.firstRange(of: "HTTP/1.1 ") {
            rest = rest[range.upperBound...]
            if rest.first?.isNumber == true { found.append(rest) }
        }
        return found
    }
}
