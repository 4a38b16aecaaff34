/// The options of one transfer, as libcurl takes them.
struct CurlOptions {
    /// The address. libcurl reads it, unless `addresses` say where it leads.
    var url: String
    /// The method.
    var method = "GET"
    /// The content; empty for none, but for a POST, which always has one.
    var body: [UInt8] = []
    /// Content in place of `body`.
    var longContent: LongContent?
    /// The header fields that are sent, besides those that libcurl adds by itself.
    var fields: [HeaderField] = []
    /// Names of fields of libcurl's own that are left out.
    var omittedFields: [String] = []
    /// Redirects that are followed. libcurl keeps `Authorization` and `Cookie` to the origin of the request.
    var redirects = 0
    /// Whether the environment names proxies, and the URL may have user information.
    var usesEnvironment = false
    /// The addresses of the URL's host; nil has libcurl look it up.
    var addresses: (host: String, port: UInt16, all: [IPAddress])?
    /// How long a connection may take to be made; nil for libcurl's own limit.
    var connectTimeout: Duration?
    /// How long the whole may take; nil for ever.
    var timeout: Duration?
    /// For how long a connection is kept that nothing uses; nil for libcurl's own limit.
    var idleLifetime: Duration?
    /// Who vouches for the server.
    var trust = CurlTrust.library
    /// Whether a connection may go on with an earlier one's TLS session.
    var resumesSessions = true
}
