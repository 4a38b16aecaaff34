/// The certificates that a server's certificate is checked against.
enum CurlTrust {
    /// The certificates that libcurl takes by itself.
    case library
    /// The certificates of a PEM text alone.
    case authority([UInt8])
    /// The certificates that a hook gives each new TLS context.
    case hook(TLSContextHook)
    /// The certificate is not checked; the hook may look at it.
    case nobody(TLSContextHook)
}

/// Prepares the TLS context of each connection before its handshake, on the thread that connects.
///
/// libcurl hands over its TLS library's own context. It is OpenSSL's (`SSL_CTX`): whoever takes a hook has checked that with
/// `CurlLibrary.prepareForOpenSSL()`.
package final class TLSContextHook: Sendable {
    let prepare: @Sendable (UnsafeMutableRawPointer) -> Void

    /// Makes a hook; the closure gets an `SSL_CTX`, valid during the call.
    package init(_ prepare: @escaping @Sendable (UnsafeMutableRawPointer) -> Void) {
        self.prepare = prepare
    }
}
