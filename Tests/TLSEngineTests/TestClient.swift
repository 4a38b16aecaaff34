import COpenSSL
import Testing

/// The client's end of a connection, on OpenSSL with streams in memory.
final class TestClient {
    struct Options {
        var lowest = TLS1_2_VERSION
        var highest = TLS1_3_VERSION
        var protocols: [String] = []
        var serverName: String?
        /// PEM; the server's certificate is checked against it.
        var authority: [UInt8] = []
        /// PEM, chain and key.
        var certificate: (chain: [UInt8], key: [UInt8])?
        var session: TestSession?
        var ciphers: String?
        /// The key exchange groups; the client sends a share for the first one only.
        var groups: String?
        /// What is sent as early data, where the session allows it.
        var earlyData: [UInt8] = []
    }

    private let context: OpaquePointer
    let tls: OpaquePointer
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    private(set) var received: [UInt8] = []
    /// The last failure's reason, nil where everything went well.
    private(set) var failure: String?
    private(set) var sawClose = false

    private var earlyData: [UInt8]

    init(_ options: Options = Options()) throws {
        earlyData = options.earlyData
        // SAFETY: everything is freed in deinit, the streams with the connection.
        context = try #require(SSL_CTX_new(TLS_client_method()))
        tls = try Self.makeConnection(context, options)
        incoming = try #require(BIO_new(BIO_s_mem()))
        outgoing = try #require(BIO_new(BIO_s_mem()))
        SSL_set_bio(tls, incoming, outgoing)
        SSL_set_connect_state(tls)
    }

    deinit {
        // SAFETY: made in init.
        SSL_free(tls)
        SSL_CTX_free(context)
        ERR_clear_error()
    }

    private static func makeConnection(_ context: OpaquePointer, _ options: Options) throws -> OpaquePointer {
        // SAFETY: the context belongs to the caller; the library copies what it is given.
        if options.lowest < TLS1_2_VERSION { SSL_CTX_set_security_level(context, 0) }
        try #require(copenssl_set_versions(context, options.lowest, options.highest) == 1)
        if let groups = options.groups { try #require(copenssl_set_groups(context, groups) == 1) }
        if let ciphers = options.ciphers { try #require(SSL_CTX_set_cipher_list(context, ciphers) == 1) }
        if options.lowest < TLS1_2_VERSION { SSL_CTX_set_cipher_list(context, "ALL:@SECLEVEL=0") }
        if !options.authority.isEmpty {
            let authority = try certificate(options.authority)
            X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority)
            X509_free(authority)
            SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        }
        if let pair = options.certificate {
            let certificate = try certificate(pair.chain)
            try #require(SSL_CTX_use_certificate(context, certificate) == 1)
            X509_free(certificate)
            let stream = try stream(pair.key)
            let key = try #require(PEM_read_bio_PrivateKey(stream, nil, nil, nil))
            try #require(SSL_CTX_use_PrivateKey(context, key) == 1)
            EVP_PKEY_free(key)
            BIO_free(stream)
        }
        let tls = try #require(SSL_new(context))
        if let name = options.serverName {
            try #require(copenssl_ask_for_name(tls, name) == 1)
            SSL_set1_host(tls, name)
        }
        let list = options.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !list.isEmpty { SSL_set_alpn_protos(tls, list, UInt32(list.count)) }
        if let session = options.session { SSL_set_session(tls, session.pointer) }
        return tls
    }

    static func stream(_ bytes: [UInt8]) throws -> OpaquePointer {
        // SAFETY: the library copies the bytes; the caller frees the stream.
        let stream = try #require(BIO_new(BIO_s_mem()))
        BIO_write(stream, bytes, Int32(bytes.count))
        return stream
    }

    static func certificate(_ pem: [UInt8]) throws -> OpaquePointer {
        // SAFETY: the caller frees the certificate.
        let stream = try stream(pem)
        defer { BIO_free(stream) }
        return try #require(PEM_read_bio_X509(stream, nil, nil, nil))
    }

    // MARK: Bytes

    /// Goes on with the handshake, reads what there is, and returns what is to be sent.
    func step() -> [UInt8] {
        ERR_clear_error()
        // SAFETY: the connection belongs to this object; the buffer is as long as it says.
        if !earlyData.isEmpty {
            var count = 0
            note(SSL_write_early_data(tls, earlyData, earlyData.count, &count))
            #expect(count == earlyData.count)
            earlyData = []
            return takeOutput()
        }
        if SSL_is_init_finished(tls) == 0 { note(SSL_do_handshake(tls)) }
        if SSL_is_init_finished(tls) == 1 {
            var buffer = [UInt8](repeating: 0, count: 16_384)
            var count = SSL_read(tls, &buffer, Int32(buffer.count))
            while count > 0 {
                received += buffer[..<Int(count)]
                count = SSL_read(tls, &buffer, Int32(buffer.count))
            }
            note(count)
        }
        return takeOutput()
    }

    func feed(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        // SAFETY: the library copies the bytes.
        if !bytes.isEmpty { BIO_write(incoming, bytes, Int32(bytes.count)) }
    }

    /// Seals bytes, one record for each 16 kB.
    func write(_ bytes: [UInt8]) -> [UInt8] {
        // SAFETY: the library reads within the count.
        note(SSL_write(tls, bytes, Int32(bytes.count)))
        return takeOutput()
    }

    func close() -> [UInt8] {
        // SAFETY: the connection belongs to this object.
        SSL_shutdown(tls)
        return takeOutput()
    }

    func takeOutput() -> [UInt8] {
        let count = BIO_ctrl_pending(outgoing)
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        // SAFETY: the library fills in at most as many bytes as the array has.
        BIO_read(outgoing, &bytes, Int32(count))
        return bytes
    }

    private func note(_ result: Int32) {
        guard result <= 0 else { return }
        switch SSL_get_error(tls, result) {
        case SSL_ERROR_WANT_READ: break
        case SSL_ERROR_ZERO_RETURN: sawClose = true
        default:
            let error = ERR_get_error()
            guard failure == nil else { break }
            failure = ERR_reason_error_string(error).map { String(cString: $0) } ?? "unknown"
        }
        ERR_clear_error()
    }

    // MARK: What was agreed upon

    var isOpen: Bool { SSL_is_init_finished(tls) == 1 && failure == nil }

    var version: String { String(cString: SSL_get_version(tls)) }

    var isResumed: Bool { SSL_session_reused(tls) == 1 }

    var applicationProtocol: String? {
        var bytes: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        // SAFETY: copied at once.
        SSL_get0_alpn_selected(tls, &bytes, &count)
        return bytes.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self) }
    }

    /// The common name of the server's certificate.
    var serverSubject: String {
        guard let certificate = SSL_get0_peer_certificate(tls), let stream = BIO_new(BIO_s_mem()) else { return "" }
        // SAFETY: the certificate belongs to the connection.
        defer { BIO_free(stream) }
        copenssl_print_subject(stream, certificate)
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(stream))
        BIO_read(stream, &bytes, Int32(bytes.count))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the server has taken the early data.
    var isEarlyDataAccepted: Bool { SSL_get_early_data_status(tls) == SSL_EARLY_DATA_ACCEPTED }

    /// A copy of the session, to be resumed by another client. The original is lost with a connection that is not closed.
    func session() throws -> TestSession { TestSession(owning: try #require(SSL_SESSION_dup(SSL_get_session(tls)))) }
}

/// A client's session, freed with this object.
final class TestSession {
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// Has the client take it for one whose server allows so many bytes of early data.
    func allowEarlyData(_ count: UInt32) {
        SSL_SESSION_set_max_early_data(pointer, count)
    }

    /// The session's ticket.
    var ticket: [UInt8] {
        var (bytes, count): (UnsafePointer<UInt8>?, Int) = (nil, 0)
        // SAFETY: copied at once; the session owns it.
        SSL_SESSION_get0_ticket(pointer, &bytes, &count)
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    deinit {
        // SAFETY: this object owns one reference.
        SSL_SESSION_free(pointer)
    }
}
