import CallboardClient
import Foundation
import Glibc
import HTTPServer
import HTTPTypes
import Synchronization
import TLSEngine
import Testing

@testable import CallboardProgram

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An authority in a file, and what a server of its has.
private struct TestAuthority {
    let folder: DataFolderFixture
    let maker: CertificateMaker

    init() throws {
        folder = try DataFolderFixture()
        let now = Int(Date().timeIntervalSince1970)
        maker = try CertificateMaker(authority: "Tests", validity: now - 60...now + 86_400)
        try folder.write(String(decoding: maker.authority.chain, as: UTF8.self), to: "authority.pem")
    }

    var path: String { folder.file("authority.pem") }

    var transport: URLSessionTransport {
        get throws { URLSessionTransport(trusting: try CertificateAuthority(file: path)) }
    }

    /// What a server with a certificate for 127.0.0.1, or for another name, is encrypted with.
    func certificates(
        _ protocols: [String] = ["h2", "http/1.1"], name: String = "127.0.0.1"
    ) throws -> ServerCertificates {
        let now = Int(Date().timeIntervalSince1970)
        let names = [try #require(TLSName(host: name))]
        let pair = try maker.issue(names: names, validity: now - 60...now + 86_400)
        return ServerCertificates(
            try TLSContext(TLSConfiguration(certificates: [pair], applicationProtocols: protocols)))
    }
}

@Suite("Authorities on the wire", .timeLimit(.minutes(1)))
struct TrustEndToEndTests {
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority() }

    private static let stream = Response(
        status: .ok, fields: [.contentType: "text/event-stream"],
        body: .bytes(Array("event: heartbeat\nid: e-1\ndata: {\"version\":1}\n\n".utf8)))

    @Test("calls and streams go over the protocol that the server has", arguments: [["http/1.1"], ["h2"]])
    func protocols(offered: [String]) async throws {
        let requests = try await AnswerServer { request in
            request.target.hasSuffix("changesets") ? Self.stream : .noDirectors
        }.run(tls: try authority.certificates(offered)) { address, _ in
            let configuration = Callboard.Configuration(credential: try .token("hush"))
            let callboard = try Callboard(
                server: address, transport: try authority.transport, configuration: configuration)
            _ = try await callboard.directors()
            for try await event in callboard.director("d").events() {
                guard case .heartbeat(let heartbeat) = event else { continue }
                #expect(heartbeat.version == 1)
                break
            }
            try await callboard.director("d").addElements([ElementDraft("x", model: "M")], in: "s")
        }
        #expect(requests.map(\.method) == ["GET", "GET", "POST"])
        #expect(requests.allSatisfy { $0.authorization == "Bearer hush" })
    }

    @Test("a certificate of another authority, or for another name, is an error of its own, also of a stream")
    func untrusted() async throws {
        for (transport, name) in [
            (URLSessionTransport(), "127.0.0.1"), (try TestAuthority().transport, "127.0.0.1"),
            (try authority.transport, "other.example"),
        ] {
            let certificates = try authority.certificates(name: name)
            let requests = try await AnswerServer { _ in .noDirectors }.run(tls: certificates) { address, _ in
                let callboard = try Callboard(server: address, transport: transport)
                let calls: [() async throws -> Void] = [
                    { _ = try await callboard.directors() },
                    { for try await _ in callboard.director("d").events() {} },
                ]
                for call in calls {
                    let error = await #expect(throws: ClientError.self) { try await call() }
                    guard case .untrusted = error else {
                        Issue.record("\(String(describing: error))")
                        continue
                    }
                    let text = ProgramError(try #require(error), server: address).description
                    let advice = name == "127.0.0.1" ? "--ca or CALLBOARD_CA" : "\"callboard certificate 127.0.0.1\""
                    #expect(text.contains(advice) && text.contains("callboard certificate"), "\(text)")
                }
            }
            #expect(requests == [])
        }
    }

    @Test("a redirect within the server has the token, and one to another origin has not")
    func redirects() async throws {
        try await AnswerServer { _ in .noDirectors }.run(tls: try authority.certificates()) { other, otherServer in
            let requests = try await AnswerServer { request in
                request.target == "/here" ? .redirect(to: "\(other)/there") : .redirect(to: "/here")
            }.run(tls: try authority.certificates()) { address, _ in
                let configuration = Callboard.Configuration(credential: try .token("hush"))
                _ = try await Callboard(
                    server: address, transport: try authority.transport, configuration: configuration
                ).directors()
            }
            #expect(requests.map(\.authorization) == ["Bearer hush", "Bearer hush"])
            #expect(otherServer.requests == [.init(method: "GET", target: "/there", authorization: nil)])
        }
    }

    @Test("a body that is read slowly holds the server back", arguments: [["http/1.1"], ["h2"]])
    func heldBack(offered: [String]) async throws {
        let long = Array(repeating: UInt8(ascii: "x"), count: 24 << 20)
        try await AnswerServer { request in
            request.target == "/long" ? Response(status: .ok, body: .bytes(long)) : .noDirectors
        }.run(tls: try authority.certificates(offered)) { address, _ in
            let transport = try authority.transport
            let url = try #require(URL(string: address + "/long"))
            let body = try await transport.open(URLRequest(url: url), bufferLimit: 1 << 20).body
            // Time enough for the whole body to come, if it were let. And others are not held up.
            let callboard = try Callboard(server: address, transport: transport)
            for _ in 0..<100 { _ = try await callboard.directors() }
            var count = 0
            while let piece = try await body.next() { count += piece.count }
            #expect(count == long.count)
        }
    }

    @Test("a request that is not answered ends when its task is cancelled")
    func cancelled() async throws {
        let silent = try SilentServer()
        let url = try #require(URL(string: "https://127.0.0.1:\(silent.port)/"))
        let transport = try authority.transport
        let call = Task { try await transport.open(URLRequest(url: url), bufferLimit: 1024).status }
        try await silent.waitForClient()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        try await silent.waitForEnd()
    }

    @Test("a connection ends when its body is let go of")
    func released() async throws {
        let silent = try SilentServer()
        let url = try #require(URL(string: "http://127.0.0.1:\(silent.port)/"))
        let transport = try authority.transport
        let call = Task { try await transport.open(URLRequest(url: url), bufferLimit: 1024).body.next() }
        try await silent.waitForClient()
        silent.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nab")
        #expect(try await call.value == Array("ab".utf8))
        try await silent.waitForEnd()
    }
}

@Suite("Authorities of commands", .timeLimit(.minutes(1)))
struct TrustOptionsTests {
    private static func options(_ arguments: [String]) throws -> TrustOptions {
        try DirectorsCommand.parse(arguments).server.trust
    }

    @Test("--ca comes before the variable, and without them the system's authorities count")
    func precedence() throws {
        let (authority, other) = (try TestAuthority(), try TestAuthority())
        let variable = [TrustOptions.variable: other.path]
        let option = try Self.options(["--ca", authority.path])
        #expect(try option.authority(environment: variable) == CertificateAuthority(file: authority.path))
        #expect(try Self.options([]).authority(environment: variable) == CertificateAuthority(file: other.path))
        #expect(try Self.options([]).authority(environment: [:]) == nil)
        #expect(try Self.options([]).authority(environment: [TrustOptions.variable: ""]) == nil)
    }

    @Test("each command that talks to a server takes an authority")
    func commands() throws {
        #expect(try LoadCommand.parse(["f.csv", "--ca", "f"]).server.trust.path == "f")
        #expect(try WatchCommand.parse(["d", "--ca", "f"]).server.trust.path == "f")
        #expect(try DirectorsCommand.parse(["--ca", "f"]).server.trust.path == "f")
        #expect(throws: (any Error).self) { try DirectorsCommand.parse(["--ca", ""]) }
        let help = CallboardCommand.helpMessage(for: DirectorsCommand.self, columns: 200)
        #expect(help.contains("--ca <FILE>") && help.contains(TrustOptions.variable))
    }

    @Test("a file of no use is a wrong setting, and the error says where it was named and what to do")
    func faults() throws {
        let folder = try DataFolderFixture()
        try folder.write("nonsense", to: "nonsense.pem")
        for path in [folder.file("nonsense.pem"), folder.file("missing.pem"), folder.path] {
            let origins: [(String, [String], [String: String])] = [
                ("--ca: ", ["--ca", path], [:]), ("CALLBOARD_CA: ", [], [TrustOptions.variable: path]),
            ]
            for (origin, arguments, environment) in origins {
                let error = #expect(throws: ProgramError.self) {
                    try Self.options(arguments).authority(environment: environment)
                }
                #expect(error?.status == .configuration)
                #expect(error?.message.hasPrefix(origin) == true && error?.message.contains(path) == true)
                #expect(error?.advice?.contains("callboard certificate") == true)
            }
        }
    }
}

/// A port whose connections are taken by the kernel, and never answered.
private final class SilentServer: Sendable {
    private let listener: Int32
    private let client = Mutex<Int32>(-1)
    let port: UInt16

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = listener
        let isReady = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, length) == 0 && listen(number, 1) == 0 && getsockname(number, $0, &length) == 0
            }
        }
        try #require(isReady)
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(listener) }

    /// Waits until a client has connected.
    func waitForClient() async throws {
        while client.withLock({ $0 }) < 0 {
            try await Task.sleep(for: .milliseconds(5))
            let accepted = accept(listener, nil, nil)
            if accepted >= 0 { client.withLock { $0 = accepted } }
        }
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(client.withLock { $0 }, bytes, bytes.count, 0)
    }

    /// Waits until the client has closed the connection, and closes this side of it.
    func waitForEnd() async throws {
        let number = client.withLock { $0 }
        defer { close(number) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(number, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            guard count > 0 || count < 0 && errno == EAGAIN else { return }
            if count < 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
    }
}
