import HTTPTypes

/// What a route answers, before it becomes an HTTP response.
struct Reply: Sendable {
    /// The status.
    var status = HTTPResponse.Status.ok
    /// The content; empty for none.
    var body: [UInt8] = []
    /// The content's media type.
    var contentType = "application/json"
    /// The entity tag with its quotes; `nil` for none.
    var etag: String?
    /// Where what was created is found.
    var location: String?

    /// An answer without content.
    static func noContent(etag: String?) -> Reply {
        Reply(status: .noContent, etag: etag)
    }
}
