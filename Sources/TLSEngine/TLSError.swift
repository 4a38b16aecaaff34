import COpenSSL

/// Why a session has failed. A failed session takes and gives nothing more.
package enum TLSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The client began with an HTTP request in cleartext.
    case httpRequest
    /// The client offers no version from TLS 1.2 on.
    case unsupportedVersion
    /// The client offers none of the ciphers, groups or signatures of the server.
    case nothingShared(String)
    /// The client offers application protocols, and none of the server's (RFC 7301, section 3.2).
    case noApplicationProtocol
    /// The client has to have a certificate, and sent none.
    case clientCertificateMissing
    /// The client's certificate is not accepted; the text says why.
    case clientCertificate(String)
    /// The client ended the connection with a fatal alert (RFC 8446, section 6.2); the text is its description.
    case alert(number: UInt8, String)
    /// The client sent too many handshake messages after the handshake, such as key updates.
    case tooManyMessages
    /// The client did not keep to the protocol; the text is OpenSSL's reason.
    case violation(String)
    /// Plaintext was to be sent before the handshake had ended, or after the end.
    case notOpen
    /// OpenSSL could not do its work, for want of memory for instance.
    case library(String)

    /// One sentence without a full stop.
    package var description: String {
        switch self {
        case .httpRequest: "the client sent an http request without TLS"
        case .unsupportedVersion: "the client offers no version from TLS 1.2 on"
        case .nothingShared(let reason): "client and server have nothing in common: \(reason)"
        case .noApplicationProtocol: "the client offers no application protocol of the server's"
        case .clientCertificateMissing: "the client sent no certificate"
        case .clientCertificate(let reason): "the client's certificate is not accepted: \(reason)"
        case .alert(let number, let reason): "the client ended the connection with alert \(number): \(reason)"
        case .tooManyMessages: "the client sent too many handshake messages after the handshake"
        case .violation(let reason): "the client broke the TLS protocol: \(reason)"
        case .notOpen: "the session is not open for sending"
        case .library(let reason): "OpenSSL failed: \(reason)"
        }
    }
}

extension TLSError {
    /// The error that OpenSSL has queued on this thread, which is left empty.
    ///
    /// - Parameter verification: The result of checking the client's certificate, `X509_V_OK` where there was none.
    static func taken(verification: Int) -> TLSError {
        let error = OpenSSLErrors.take()
        if error.isInternal { return .library(error.text) }
        guard error.library == ERR_LIB_SSL else { return .violation(error.text) }
        // Alerts are queued as errors, counted from here.
        if error.reason >= SSL_AD_REASON_OFFSET, error.reason < SSL_AD_REASON_OFFSET + 256 {
            let number = error.reason - SSL_AD_REASON_OFFSET
            // SAFETY: the library's own static text.
            let words = SSL_alert_desc_string_long(number).map { String(cString: $0) }
            return .alert(number: UInt8(number), words ?? "unknown")
        }
        switch error.reason {
        case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST: return .httpRequest
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_VERSION_TOO_LOW: return .unsupportedVersion
        case SSL_R_NO_SHARED_CIPHER, SSL_R_NO_SUITABLE_KEY_SHARE, SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS,
            SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM, SSL_R_NO_SHARED_GROUPS:
            return .nothingShared(error.text)
        case SSL_R_NO_APPLICATION_PROTOCOL: return .noApplicationProtocol
        case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE: return .clientCertificateMissing
        case SSL_R_CERTIFICATE_VERIFY_FAILED:
            // SAFETY: the library's own static text.
            return .clientCertificate(String(cString: X509_verify_cert_error_string(verification)))
        default: return .violation(error.text)
        }
    }
}
