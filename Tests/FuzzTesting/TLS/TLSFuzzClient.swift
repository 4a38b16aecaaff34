import COpenSSL

/// The client's end of a TLS connection, on OpenSSL with streams in memory.
final class TLSFuzzClient {
    private let context: OpaquePointer
    private let tls: OpaquePointer
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    /// What the server sent.
    private(set) var received: [UInt8] = []

    /// Makes a client of one version; nil where the library has no memory.
    ///
    /// - Parameter protocols: Application protocols as they travel, each with its length before it.
    init?(isTLS12: Bool, protocols: [UInt8]) {
        // SAFETY: everything is freed in deinit, the streams with the connection.
        guard let context = SSL_CTX_new(TLS_client_method()), let tls = SSL_new(context) else { return nil }
        guard let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem()) else { return nil }
        (self.context, self.tls, self.incoming, self.outgoing) = (context, tls, incoming, outgoing)
        SSL_set_bio(tls, incoming, outgoing)
        SSL_set_connect_state(tls)
        if isTLS12 { _ = SSL_ctrl(tls, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(TLS1_2_VERSION), nil) }
        _ = copenssl_ask_for_name(tls, "localhost")
        if !protocols.isEmpty { SSL_set_alpn_protos(tls, protocols, UInt32(protocols.count)) }
    }

    deinit {
        // SAFETY: made in init.
        SSL_free(tls)
        SSL_CTX_free(context)
        ERR_clear_error()
    }

    /// Whether the handshake is done, as the client sees it.
    var isOpen: Bool { SSL_is_init_finished(tls) == 1 }

    /// Takes the server's bytes in, goes on with the handshake, and returns what is to be sent.
    func step(_ bytes: [UInt8]) -> [UInt8] {
        ERR_clear_error()
        // SAFETY: the library copies the bytes, and writes within the buffer.
        if !bytes.isEmpty { BIO_write(incoming, bytes, Int32(bytes.count)) }
        if !isOpen { SSL_do_handshake(tls) }
        if isOpen {
            var buffer = [UInt8](repeating: 0, count: 16_384)
            while case let count = SSL_read(tls, &buffer, Int32(buffer.count)), count > 0 {
                received += buffer[..<Int(count)]
            }
        }
        ERR_clear_error()
        return takeOutput()
    }

    /// Seals bytes; nothing where the handshake is not done.
    func write(_ bytes: [UInt8]) -> [UInt8] {
        guard isOpen, !bytes.isEmpty else { return [] }
        // SAFETY: the library reads within the count.
        SSL_write(tls, bytes, Int32(bytes.count))
        ERR_clear_error()
        return takeOutput()
    }

    /// Asks for new keys, or begins to close.
    func send(keyUpdate: Bool) -> [UInt8] {
        guard isOpen else { return [] }
        // SAFETY: the connection is this object's. TLS 1.2 has no such message and refuses.
        if keyUpdate {
            SSL_key_update(tls, SSL_KEY_UPDATE_REQUESTED)
            SSL_do_handshake(tls)
        } else {
            SSL_shutdown(tls)
        }
        ERR_clear_error()
        return takeOutput()
    }

    private func takeOutput() -> [UInt8] {
        let count = BIO_ctrl_pending(outgoing)
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        // SAFETY: the library fills in at most as many bytes as the array has.
        BIO_read(outgoing, &bytes, Int32(count))
        return bytes
    }
}
