import CCurl

/// libcurl as a whole: initialised once, and checked for what the transport stands on.
enum CurlLibrary {
    private static let isReady = ccurl_global_init() == CURLE_OK

    /// Initialises the library on the first call; from any thread.
    static func prepare() throws(TransportError) {
        guard isReady else { throw .library("it does not initialise") }
        // SAFETY: the library's own static data, texts included.
        guard let info = ccurl_version() else { throw .library("it does not tell its version") }
        let tls = info.pointee.ssl_version.map { String(cString: $0) } ?? "no TLS"
        // The trust store is OpenSSL's; handing it to another library would corrupt memory. Other libraries that are
        // compiled in stand in parentheses.
        guard tls.hasPrefix("OpenSSL/") else { throw .library("it stands on \(tls) and not on OpenSSL") }
    }
}
