/// A target's answer, of any status: redirects and errors are answers too.
package struct ClientResponse: Sendable {
    /// The status, from 200 to 599 in practice.
    package var status: Int
    /// The content, within the client's limit.
    package var body: [UInt8]
    /// Why the content is not there, though the status is; nil where it is whole.
    package var contentFailure: ClientFailure?
    /// The `Content-Type` field, where there is one.
    package var contentType: String?
    /// The `Retry-After` field, where there is one that can be read.
    package var retryAfter: RetryAfter?
    /// All fields in order, names in lower case.
    package var fields: [HeaderField] = []
    /// Whether it came over HTTP/2.
    package var isHTTP2: Bool
    /// Whether the connection had been used before.
    package var isConnectionReused: Bool

    /// Makes an answer.
    package init(
        status: Int, body: [UInt8] = [], contentType: String? = nil, retryAfter: RetryAfter? = nil,
        fields: [HeaderField] = [], isHTTP2: Bool = false,
        isConnectionReused: Bool = false
    ) {
        self.status = status
        self.body = body
        self.contentType = contentType
        self.retryAfter = retryAfter
        self.fields = fields
        self.isHTTP2 = isHTTP2
        self.isConnectionReused = isConnectionReused
    }

    /// Whether the target took the request: 200 to 299.
    package var isSuccess: Bool { (200..<300).contains(status) }
}
