import COpenSSL

/// The negotiated parameters of a session and the client's certificate; known once the handshake has ended.
extension TLSSession {
    /// A version of the protocol.
    package enum Version: String, Sendable {
        /// TLS 1.2 (RFC 5246).
        case tls12 = "TLSv1.2"
        /// TLS 1.3 (RFC 8446).
        case tls13 = "TLSv1.3"
    }

    /// Whether the handshake has ended well: before that, nothing is proved.
    private var isComplete: Bool {
        // SAFETY: only looks.
        SSL_is_init_finished(tls) == 1
    }

    /// The version; nil until it is agreed upon.
    package var version: Version? {
        guard isComplete else { return nil }
        // SAFETY: only looks.
        switch SSL_version(tls) {
        case TLS1_2_VERSION: return .tls12
        case TLS1_3_VERSION: return .tls13
        default: return nil
        }
    }

    /// The cipher, as the standards call it, like `TLS_AES_128_GCM_SHA256`.
    package var cipher: String? {
        // SAFETY: static texts of the library.
        SSL_get_current_cipher(tls).flatMap { SSL_CIPHER_standard_name($0) }.map { String(cString: $0) }
    }

    /// The application protocol; nil where the client offered none.
    package var applicationProtocol: String? {
        var bytes: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        // SAFETY: the bytes belong to the session and are copied at once.
        SSL_get0_alpn_selected(tls, &bytes, &count)
        return bytes.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self) }
    }

    /// The name that the client asked for (SNI); nil where it asked for none.
    package var serverName: String? {
        // SAFETY: the text belongs to the session and is copied at once.
        SSL_get_servername(tls, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
    }

    /// Whether an earlier session goes on, by a ticket.
    package var isResumed: Bool {
        // SAFETY: only looks.
        SSL_session_reused(tls) == 1
    }

    /// The certificate that the client has shown and that was accepted; nil where it showed none, and once the session
    /// has failed.
    package var clientCertificate: TLSCertificateInfo? {
        // SAFETY: the certificate belongs to the session, and is copied from at once.
        guard isComplete, SSL_get_verify_result(tls) == X509_V_OK, let certificate = SSL_get0_peer_certificate(tls)
        else {
            return nil
        }
        return TLSCertificateInfo(of: certificate, name: "the client's certificate")
    }
}
