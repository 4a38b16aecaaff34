import CTLSReceiver
import Foundation
import TLSEngine
import Testing

@testable import HTTPClient

/// A receiver over TLS, and the certificate of the authority that it made for itself.
private final class SecureReceiver: Sendable {
    // SAFETY: the receiver locks nothing, since what is asked of it are atomic counters and constants.
    private nonisolated(unsafe) let receiver: OpaquePointer
    let authority: String

    private init(host: String?, speaksHTTP2: Bool, isExpired: Bool) throws {
        func start(_ host: UnsafePointer<CChar>?) -> OpaquePointer? {
            tls_receiver_start(
                tls_receiver_options(host: host, speaks_http2: speaksHTTP2 ? 1 : 0, is_expired: isExpired ? 1 : 0))
        }
        receiver = try #require(host.map { $0.withCString { start($0) } } ?? start(nil))
        authority = NSTemporaryDirectory() + "callboard-\(UUID().uuidString).pem"
        try #require(tls_receiver_write_authority(receiver, authority) != 0)
    }

    var port: UInt16 { UInt16(tls_receiver_port(receiver)) }
    var connections: Int { Int(tls_receiver_connections(receiver)) }
    var requests: Int { Int(tls_receiver_requests(receiver)) }

    func url(host: String = "127.0.0.1") throws -> HTTPURL { try HTTPURL("https://\(host):\(port)/hook") }

    /// What trusts the receiver's authority.
    var trust: TLSContextHook {
        get throws { TLSContextHook(try TrustStore(addingFile: authority).use) }
    }

    static func run(
        host: String? = nil, speaksHTTP2: Bool = true, isExpired: Bool = false,
        _ body: (SecureReceiver) async throws -> Void
    ) async throws {
        let receiver = try SecureReceiver(host: host, speaksHTTP2: speaksHTTP2, isExpired: isExpired)
        do {
            try await body(receiver)
        } catch {
            Issue.record(error)
        }
        #expect(openSockets(to: receiver.port) == 0)
        tls_receiver_stop(receiver.receiver)
        try FileManager.default.removeItem(atPath: receiver.authority)
    }
}

@Suite("Webhooks over TLS")
struct SecureTests {
    @Test("a target that speaks HTTP/2 gets it, many requests at once on one connection")
    func http2() async throws {
        try await SecureReceiver.run { receiver in
            try await withTransport {
                $0.trust = try receiver.trust
            } _: { fixture in
                let url = try receiver.url()
                let first = try (await fixture.send(url)).get()
                #expect(first.isHTTP2 && !first.isConnectionReused)
                #expect(String(decoding: first.body, as: UTF8.self) == "HTTP/2")
                let others = await withTaskGroup(of: ClientResponse?.self) { group in
                    for _ in 0..<100 { group.addTask { await fixture.send(url, urgency: .question).value } }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(others.count == 100)
                #expect(
                    others.allSatisfy { $0?.isHTTP2 == true && $0?.isConnectionReused == true && $0?.status == 200 })
                #expect(receiver.connections == 1 && receiver.requests == 101)
            }
        }
    }

    @Test("a target that does not speak HTTP/2 gets HTTP/1.1, on connections that are kept")
    func http1() async throws {
        try await SecureReceiver.run(speaksHTTP2: false) { receiver in
            try await withTransport {
                $0.trust = try receiver.trust
            } _: { fixture in
                for _ in 0..<5 {
                    let response = try (await fixture.send(try receiver.url())).get()
                    #expect(!response.isHTTP2)
                    #expect(String(decoding: response.body, as: UTF8.self) == "HTTP/1.1")
                }
                #expect(receiver.connections == 1 && receiver.requests == 5)
            }
        }
    }

    @Test("a certificate is for the name that was called, whatever its address")
    func names() async throws {
        let resolver = try ScriptedResolver(["hook.example": [["127.0.0.1"]], "other.example": [["127.0.0.1"]]])
        try await SecureReceiver.run(host: "hook.example") { receiver in
            try await withTransport(resolver: resolver) {
                $0.trust = try receiver.trust
            } _: { fixture in
                #expect(await fixture.send(try receiver.url(host: "hook.example")).value?.status == 200)
                for host in ["other.example", "127.0.0.1"] {
                    guard case .notSecure(_, let reason)? = await fixture.failure(try receiver.url(host: host)) else {
                        Issue.record("\(host) was taken for hook.example")
                        continue
                    }
                    #expect(reason.contains("does not match") || reason.contains("no alternative certificate"))
                }
                #expect(receiver.requests == 1)
            }
        }
    }

    @Test("a certificate of an authority that is not trusted is refused, and so is one whose time is over")
    func distrust() async throws {
        try await SecureReceiver.run { receiver in
            try await withTransport { fixture in
                let failure = await fixture.failure(try receiver.url())
                #expect(failure?.description.contains("no secure connection to https://127.0.0.1:") == true)
                #expect(failure?.description.contains("certificate") == true)
            }
            #expect(receiver.requests == 0)
        }
        try await SecureReceiver.run(isExpired: true) { receiver in
            try await withTransport {
                $0.trust = try receiver.trust
            } _: { fixture in
                let failure = await fixture.failure(try receiver.url())
                #expect(failure?.description.contains("expired") == true)
            }
        }
    }

    @Test("what speaks no TLS is no secure target, and a secure one does not answer in plain HTTP")
    func mixedUp() async throws {
        try await HTTPReceiver.run { receiver in
            try await withTransport { fixture in
                guard case .notSecure? = await fixture.failure(try HTTPURL("https://127.0.0.1:\(receiver.port)/"))
                else {
                    Issue.record("took plain HTTP for TLS")
                    return
                }
            }
            #expect(receiver.received.isEmpty)
        }
        try await SecureReceiver.run { receiver in
            try await withTransport { fixture in
                let failure = await fixture.failure(try HTTPURL("http://127.0.0.1:\(receiver.port)/"))
                #expect(failure != nil)
            }
        }
    }

    @Test(
        "a file without a certificate is an error that names it",
        arguments: ["/nowhere/ca.pem", "/dev/null", "/etc/passwd"])
    func badFiles(path: String) throws {
        let error = #expect(throws: TrustStoreError.self) { try TrustStore(addingFile: path) }
        #expect(error == .file(path))
        #expect(error?.description.hasPrefix(path) == true)
    }
}
