package import HTTPTypes

/// A request's head, checked: what a server needs to route it and to read its content.
package struct RequestHead: Sendable, Hashable {
    /// The method; a token, not necessarily a registered one, and never CONNECT.
    package var method: HTTPRequest.Method

    /// The path and query, or `*` for OPTIONS.
    ///
    /// Begins with `/` otherwise. Percent-encoding is well-formed and left as it came. An absolute
    /// form (`http://host/path`) has been cut down to its path and query.
    package var target: String

    /// The host and port that the request is for, checked, or nil for an HTTP/1.0 request that names none.
    ///
    /// The authority of a target in absolute form, which overrides Host (RFC 9112, section 3.2.2); otherwise the value
    /// of Host, which may be empty. HTTP/2 calls it `:authority`.
    package var authority: String?

    /// 1 for HTTP/1.1 and any later 1.x, 0 for HTTP/1.0.
    package var minorVersion: Int

    /// The field lines in the order they came, without Host, which is ``authority``.
    ///
    /// Names of common fields have their usual capitals, whatever the client wrote.
    package var fields: HTTPFields

    /// Whether the connection stays open after this request's response (RFC 9112, section 9.3).
    package var keepAlive: Bool

    /// Whether the client waits for `100 Continue` before it sends its content.
    ///
    /// Never true for HTTP/1.0 nor where no content follows (RFC 9110, section 10.1.1).
    package var expectsContinue: Bool

    /// How the content that follows is delimited.
    package var bodyFraming: BodyFraming

    /// Creates a head from its parts.
    package init(
        method: HTTPRequest.Method,
        target: String,
        authority: String? = nil,
        minorVersion: Int = 1,
        fields: HTTPFields = HTTPFields(),
        keepAlive: Bool = true,
        expectsContinue: Bool = false,
        bodyFraming: BodyFraming = .none
    ) {
        self.method = method
        self.target = target
        self.authority = authority
        self.minorVersion = minorVersion
        self.fields = fields
        self.keepAlive = keepAlive
        self.expectsContinue = expectsContinue
        self.bodyFraming = bodyFraming
    }
}

/// How the content of a request is delimited (RFC 9112, section 6.3).
package enum BodyFraming: Sendable, Hashable {
    /// There is none.
    case none
    /// It has this many bytes, at least one and at most ``WireLimits/maxBody``.
    case length(Int)
    /// It comes in chunks, and its size is known at its end.
    case chunked
}
