import CCurl

/// libcurl as a whole: initialised once, and checked for what the engine stands on.
enum CurlLibrary {
    private static let isReady = ccurl_global_init() == CURLE_OK

    /// Initialises the library on the first call; from any thread.
    static func prepare() throws(HTTPClientError) {
        guard isReady else { throw HTTPClientError("it does not initialise") }
    }

    /// Initialises the library, and checks that its TLS contexts are OpenSSL's: a hook for another library's would corrupt
    /// memory.
    static func prepareForOpenSSL() throws(HTTPClientError) {
        try prepare()
        // SAFETY: the library's own static data, texts included.
        guard let info = ccurl_version() else { throw HTTPClientError("it does not tell its version") }
        let tls = info.pointee.ssl_version.map { String(cString: $0) } ?? "no TLS"
        // Other libraries that are compiled in stand in parentheses.
        guard tls.hasPrefix("OpenSSL/") else { throw HTTPClientError("it stands on \(tls) and not on OpenSSL") }
    }
}

/// libcurl is not what is needed here.
package struct HTTPClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault.
    package let description: String

    init(_ reason: String) {
        description = "libcurl cannot be used: \(reason)"
    }
}
