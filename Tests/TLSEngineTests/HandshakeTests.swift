import COpenSSL
import Testing

@testable import TLSEngine

@Suite("The handshake")
struct HandshakeTests {
    @Test("ends with an open session in both versions", arguments: bothVersions)
    func opens(version: TLSSession.Version) throws {
        let (client, server) = try connected(to: Fixtures.context(), Fixtures.options(version))
        #expect(client.isOpen && server.state == .open)
        #expect(server.session.version == version && client.version == version.rawValue)
        #expect(server.session.serverName == "localhost")
        #expect(server.session.applicationProtocol == nil)
        #expect(server.session.clientCertificate == nil)
        let isResumed = server.session.isResumed
        #expect(!isResumed)
        #expect(server.session.cipher?.contains("GCM") == true)
    }

    @Test("takes the first application protocol of the server's that the client offers", arguments: bothVersions)
    func choosesProtocol(version: TLSSession.Version) throws {
        let context = try Fixtures.context(protocols: ["h2", "http/1.1"])
        var options = try Fixtures.options(version)
        for (offered, expected) in [
            (["http/1.1", "h2"], "h2"), (["http/1.1"], "http/1.1"), (["spdy/1", "http/1.1"], "http/1.1"), ([], nil),
        ] as [([String], String?)] {
            options.protocols = offered
            let (client, server) = try connected(to: context, options)
            #expect(client.isOpen && server.state == .open)
            #expect(server.session.applicationProtocol == expected && client.applicationProtocol == expected)
        }
        options.protocols = ["spdy/1"]
        let (client, server) = try connected(to: context, options)
        #expect(server.failure == .noApplicationProtocol && client.failure != nil)
    }

    @Test(
        "chooses the certificate by the name that the client asks for",
        arguments: [
            ("one.example", "CN=one.example"), ("two.example", "CN=two.example"), ("TWO.Example", "CN=two.example"),
            ("a.wild.example", "CN=*.wild.example"), ("a.b.wild.example", "CN=one.example"),
            ("wild.example", "CN=one.example"), ("unknown.example", "CN=one.example"), (nil, "CN=one.example"),
            ("also.example", "CN=two.example"),
        ] as [(String?, String)], bothVersions)
    func choosesCertificate(asked: (name: String?, subject: String), version: TLSSession.Version) throws {
        let authority = try Fixtures.first.get()
        let certificates = [
            try authority.issue("one.example"), try authority.issue("two.example", "also.example"),
            try authority.issue("*.wild.example", "two.example"),
        ]
        let context = try TLSContext(TLSConfiguration(certificates: certificates))
        var options = try Fixtures.options(version, name: asked.name)
        options.authority = []
        let (client, server) = try connected(to: context, options)
        #expect(client.isOpen && server.state == .open)
        #expect(client.serverSubject == asked.subject)
        #expect(server.session.serverName == asked.name)
        #expect(context.certificate(for: asked.name ?? "").subject == asked.subject)
    }

    @Test("refuses TLS 1.0 and 1.1", arguments: [TLS1_VERSION, TLS1_1_VERSION])
    func refusesOldVersions(version: Int32) throws {
        var options = try Fixtures.options()
        (options.lowest, options.highest) = (version, version)
        let (client, server) = try connected(to: Fixtures.context(), options)
        #expect(server.failure == .unsupportedVersion)
        #expect(client.failure?.contains("protocol version") == true)
    }

    @Test(
        "refuses ciphers without authenticated encryption or an ephemeral key",
        arguments: ["AES256-SHA", "AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-SHA256", "DHE-RSA-AES128-GCM-SHA256"])
    func refusesCiphers(cipher: String) throws {
        var options = try Fixtures.options(.tls12)
        options.ciphers = cipher
        let (_, server) = try connected(to: Fixtures.context(), options)
        guard case .nothingShared = server.failure else {
            Issue.record("it came to \(String(describing: server.failure))")
            return
        }
    }

    @Test(
        "tells an http request from other bytes",
        arguments: [
            "GET / HTTP/1.1\r\n\r\n", "POST /v1 HTTP/1.1\r\n", "HEAD / HTTP/1.0\r\n\r\n", "PUT /abc",
            "CONNECT a:1 HTTP/1.1\r\n",
            "DELETE /v1 HTTP/1.1\r\n", "PATCH /v1 HTTP/1.1\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        ])
    func recognisesHTTP(text: String) throws {
        let server = try ServerEnd(Fixtures.context())
        server.receive(Array(text.utf8))
        #expect(server.failure == .httpRequest)
        server.receive([1, 2, 3])
        #expect(server.state == .failed(.httpRequest))
        #expect(throws: TLSError.notOpen) { try server.send([1]) }
    }

    @Test("is the same when every byte comes alone", arguments: bothVersions)
    func takesSingleBytes(version: TLSSession.Version) throws {
        let client = try TestClient(Fixtures.options(version))
        let server = try ServerEnd(Fixtures.context(protocols: ["h2"]))
        connect(client, server, piece: 1)
        #expect(client.isOpen && server.state == .open)
    }

    @Test("that ends at any byte is truncated and asks for nothing", arguments: bothVersions)
    func endsAtEveryByte(version: TLSSession.Version) throws {
        let context = try Fixtures.context()
        var cut = 0
        var isOver = false
        while !isOver {
            let client = try TestClient(Fixtures.options(version))
            let server = try ServerEnd(context)
            var left = cut
            while true {
                let flight = client.step()
                server.receive(Array(flight.prefix(left)))
                left -= flight.count
                if left < 0 || flight.isEmpty { break }
                client.feed(server.takeOutput())
            }
            isOver = server.state == .open
            if !isOver {
                #expect(server.state == .handshaking)
                server.session.receiveEnd()
                #expect(server.state == .truncated)
            }
            cut += 1
        }
        #expect(cut > 200)
    }

    @Test("with any byte changed comes to a typed end", arguments: bothVersions)
    func survivesChangedBytes(version: TLSSession.Version) throws {
        let context = try Fixtures.context(protocols: ["h2"])
        let hello = try TestClient(Fixtures.options(version)).step()
        var failures: Set<TLSError> = []
        for index in hello.indices {
            for bit in [UInt8(1), 0x80] {
                let server = try ServerEnd(context)
                var changed = hello
                changed[index] ^= bit
                server.receive(changed)
                server.session.receiveEnd()
                if let failure = server.failure { failures.insert(failure) }
                #expect(server.state != .open && server.state != .peerClosed)
            }
        }
        #expect(failures.count > 3)
    }

    @Test("ends with the client's alert in words", arguments: bothVersions)
    func reportsAlerts(version: TLSSession.Version) throws {
        var options = try Fixtures.options(version)
        options.authority = try Fixtures.second.get().authority.chain
        let (client, server) = try connected(to: Fixtures.context(), options)
        #expect(client.failure == "certificate verify failed")
        #expect(server.failure == .alert(number: 48, "unknown CA"))
    }

    @Test("leaves no error behind for another session of the thread")
    func leavesNoErrors() throws {
        let context = try Fixtures.context()
        let broken = try ServerEnd(context)
        broken.receive([0x16, 3, 1, 0, 2, 1, 1])
        broken.session.receiveEnd()
        _ = try? TLSContext(TLSConfiguration(certificates: [TLSCertificate(chain: [1], key: [2])]))
        #expect(ERR_peek_error() == 0)
        let (client, server) = try connected(to: context, Fixtures.options())
        #expect(client.isOpen && server.state == .open)
    }
}
