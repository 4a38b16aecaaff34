package import HTTPTypes

/// A response's status and the fields its author sets.
///
/// `Date`, `Connection`, `Content-Length` and `Transfer-Encoding` are the writer's: it leaves out
/// any of them found in `fields`.
package struct ResponseHead: Sendable, Hashable {
    /// The status; its reason phrase goes out if it has one.
    package var status: HTTPResponse.Status

    /// The fields in the order they are to be sent.
    package var fields: HTTPFields

    /// Whether `X-Content-Type-Options: nosniff` goes out (WHATWG Fetch, section 3.6): a browser takes the content for what
    /// `Content-Type` says, and for nothing else. It is written from a constant, and costs less than a field.
    package var forbidsSniffing: Bool

    /// Creates a head.
    package init(status: HTTPResponse.Status, fields: HTTPFields = HTTPFields(), forbidsSniffing: Bool = false) {
        self.status = status
        self.fields = fields
        self.forbidsSniffing = forbidsSniffing
    }
}

/// How the content of a response is delimited (RFC 9112, section 6.3).
package enum ResponseFraming: Sendable, Hashable {
    /// None is sent: the request was HEAD, or the status (1xx, 204, 304) never has any.
    case none
    /// Exactly this many bytes follow the head.
    case length(Int)
    /// Chunks follow, and ``ResponseWriter/lastChunk`` at the end.
    case chunked
    /// Bytes follow until the connection closes: a stream to an HTTP/1.0 client.
    case untilClose
}
