import COpenSSL
import TestSupport
import Testing

@testable import TLSEngine

@Suite("Records")
struct RecordTests {
    static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }

    /// How many bytes a record has beyond its plaintext, without its header: a tag, and a type (TLS 1.3) or a nonce.
    static func overhead(_ version: TLSSession.Version) -> Int { version == .tls13 ? 17 : 24 }

    @Test("are the same however the bytes are cut", arguments: bothVersions)
    func cutAtEveryByte(version: TLSSession.Version) throws {
        let context = try Fixtures.context()
        let (client, server) = try connected(to: context, Fixtures.options(version))
        let length = client.write(Self.bytes(20)).count + client.write(Self.bytes(70)).count
        _ = server
        for cut in 0...length {
            let (client, server) = try connected(to: context, Fixtures.options(version))
            let sent = client.write(Self.bytes(20)) + client.write(Self.bytes(70))
            server.receive(Array(sent[..<cut]))
            let early = server.received.count
            #expect(early == 0 || early == 20 || early == 90)
            server.receive(Array(sent[cut...]))
            #expect(server.received == Self.bytes(20) + Self.bytes(70))
            #expect(server.output.isEmpty && server.state == .open)
        }
    }

    @Test("carry large data both ways", arguments: bothVersions)
    func carriesLargeData(version: TLSSession.Version) throws {
        let (client, server) = try connected(to: Fixtures.context(), Fixtures.options(version))
        let large = Self.bytes(3_000_001)
        try server.send(large)
        #expect(recordLengths(server.output).count == (large.count + 16_383) / 16_384)
        client.feed(server.takeOutput())
        #expect(client.step().isEmpty)
        #expect(client.received == large)
        let sent = client.write(large)
        for start in stride(from: 0, to: sent.count, by: 65_536) {
            server.receive(Array(sent[start...].prefix(65_536)))
        }
        #expect(server.received == large && server.state == .open)
    }

    @Test("gather short pieces", arguments: bothVersions)
    func gatherPieces(version: TLSSession.Version) throws {
        let (client, server) = try connected(to: Fixtures.context(), Fixtures.options(version))
        let overhead = Self.overhead(version)
        var expected: [UInt8] = []
        for sizes in [
            [1, 2, 3], [0, 7, 0], [16_383, 1], [16_383, 2], [40_000, 5], [5, 40_000], [16_384, 16_384], [],
        ] {
            let pieces = sizes.map(Self.bytes)
            let plain = Array(pieces.joined())
            try server.session.send(pieces: pieces.map { $0[...] }, to: &server.output)
            let lengths = recordLengths(server.output).map { $0 - overhead }
            #expect(lengths.reduce(0, +) == plain.count)
            #expect(lengths.count == (plain.count + 16_383) / 16_384, "\(sizes) became \(lengths)")
            if pieces.count == 2 {
                let (first, second) = (pieces[0], pieces[1])
                client.feed(server.takeOutput())
                try server.session.send(first.span.bytes, then: second.span.bytes, to: &server.output)
                #expect(recordLengths(server.output).map { $0 - overhead } == lengths)
                expected += plain
            }
            client.feed(server.takeOutput())
            expected += plain
        }
        _ = client.step()
        #expect(client.received == expected)
    }

    @Test("of no plaintext are not sent")
    func sendNothing() throws {
        let (_, server) = try connected(to: Fixtures.context(), Fixtures.options())
        try server.send([])
        server.receive([])
        #expect(server.output.isEmpty)
    }

    @Test("cannot be sent before the handshake has ended")
    func cannotBeSentEarly() throws {
        let server = try ServerEnd(Fixtures.context())
        #expect(throws: TLSError.notOpen) { try server.send([1]) }
        #expect(throws: TLSError.notOpen) { try server.session.send(pieces: [[1]], to: &server.output) }
        server.close()
        #expect(server.output.isEmpty && server.state == .handshaking)
        let client = try TestClient(Fixtures.options())
        connect(client, server)
        #expect(server.state == .open)
    }

    @Test("get a new key before the old one has sealed too many")
    func updateKeys() throws {
        let (client, server) = try connected(to: Fixtures.context(), Fixtures.options(.tls13))
        server.session.recordsPerKey = 3
        for index in 1...10 {
            try server.send([UInt8(index)])
            let expected = index > 1 && index % 3 == 1 ? 2 : 1
            #expect(recordLengths(server.output).count == expected, "record \(index)")
            client.feed(server.takeOutput())
        }
        #expect(client.step().isEmpty && client.received == Array(1...10))
    }
}

@Suite("The end")
struct EndTests {
    @Test("is said by the client, and the server may go on", arguments: bothVersions)
    func clientCloses(version: TLSSession.Version) throws {
        let (client, server) = try connected(to: Fixtures.context(), Fixtures.options(version))
        server.receive(client.write([1, 2]) + client.close() + [9, 9, 9])
        #expect(server.state == .peerClosed && server.received == [1, 2])
        server.session.receiveEnd()
        server.receive([0])
        #expect(server.state == .peerClosed && server.session.canSend)
        try server.send([3])
        server.close()
        client.feed(server.takeOutput())
        _ = client.step()
        #expect(client.received == [3] && client.sawClose && client.failure == nil)
        #expect(throws: TLSError.notOpen) { try server.send([4]) }
    }

    @Test("is said by the server, and the client may go on", arguments: bothVersions)
    func serverCloses(version: TLSSession.Version) throws {
        let (client, server) = try connected(to: Fixtures.context(), Fixtures.options(version))
        try server.send([1])
        server.close()
        server.close()
        #expect(recordLengths(server.output).count == 2)
        #expect(server.session.isClosed && server.state == .open)
        #expect(throws: TLSError.notOpen) { try server.send([2]) }
        client.feed(server.takeOutput())
        let last = client.write([5])
        _ = client.step()
        #expect(client.received == [1] && client.sawClose)
        server.receive(last + client.close())
        #expect(server.received == [5] && server.state == .peerClosed && server.output.isEmpty)
    }

    @Test("may be said before the handshake has ended, and nothing is sent then", arguments: bothVersions)
    func clientClosesEarly(version: TLSSession.Version) throws {
        let closeNotify: [UInt8] = [21, 3, 3, 0, 2, 1, 0]
        for hello in [[], try TestClient(Fixtures.options(version)).step()] {
            let server = try ServerEnd(Fixtures.context())
            server.receive(hello + closeNotify)
            #expect(server.state == .peerClosed || server.failure != nil)
            let canSend = server.session.canSend
            #expect(!canSend)
            server.output = []
            server.close()
            #expect(server.output.isEmpty)
        }
    }

    @Test("that nobody has said is a truncation", arguments: bothVersions)
    func isTruncated(version: TLSSession.Version) throws {
        let (client, server) = try connected(to: Fixtures.context(), Fixtures.options(version))
        server.receive(Array(client.write([1, 2]).dropLast()))
        server.session.receiveEnd()
        #expect(server.state == .truncated && server.received.isEmpty)
        #expect(throws: TLSError.notOpen) { try server.send([1]) }
        server.close()
        #expect(server.output.isEmpty)
    }
}

@Suite("Messages after the handshake")
struct PostHandshakeTests {
    @Test("cannot begin another handshake")
    func refuseRenegotiation() throws {
        let (client, server) = try connected(to: Fixtures.context(), Fixtures.options(.tls12))
        // SAFETY: an open connection of the test's own.
        #expect(SSL_renegotiate(client.tls) == 1)
        SSL_do_handshake(client.tls)
        server.receive(client.takeOutput())
        #expect(server.state == .open && recordLengths(server.output).count == 1)
        client.feed(server.takeOutput())
        SSL_do_handshake(client.tls)
        #expect(copenssl_reason(ERR_peek_error()) == SSL_R_NO_RENEGOTIATION)
        ERR_clear_error()
        // Nothing else may follow from a client that has given up.
        #expect(server.received.isEmpty)
    }

    @Test("are bounded", arguments: [SSL_KEY_UPDATE_REQUESTED, SSL_KEY_UPDATE_NOT_REQUESTED])
    func areBounded(kind: Int32) throws {
        let (client, server) = try connected(to: Fixtures.context(), Fixtures.options(.tls13))
        var count = 0
        while server.state == .open, count < 1000 {
            // SAFETY: an open connection of the test's own.
            SSL_key_update(client.tls, kind)
            SSL_do_handshake(client.tls)
            server.receive(client.takeOutput() + client.write([7]))
            client.feed(server.takeOutput())
            _ = client.step()
            count += 1
        }
        #expect(server.failure == .tooManyMessages)
        #expect((10...40).contains(count), "\(count) were taken")
    }
}
