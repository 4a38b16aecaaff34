import DirectorLife
import HTTPServer
import HTTPTypes
import HTTPWire

/// What a route answers, before it becomes an HTTP response.
struct Reply: Sendable {
    /// The status.
    var status = HTTPResponse.Status.ok
    /// The content; empty for none, and where it is a changeset's.
    var body: [UInt8] = []
    /// The changeset that is the content, as subscribers get it: it may be as long as a list.
    var changeset: EventFrame?
    /// The content's media type.
    var contentType = "application/json"
    /// The entity tag with its quotes; `nil` for none.
    var etag: String?
    /// Where what was created is found.
    var location: String?

    /// Whether there is content.
    var hasContent: Bool {
        changeset != nil || !body.isEmpty
    }

    /// The content as the server sends it.
    var content: Response.Body {
        if let changeset { return .part(changeset, changeset.data) }
        return body.isEmpty ? .none : .bytes(body)
    }

    /// The content as bytes of the reply's own, for one that is kept to be given again.
    var copied: Reply {
        guard let changeset else { return self }
        var reply = self
        reply.body = Array(changeset.json)
        reply.changeset = nil
        return reply
    }

    /// An answer without content.
    static func noContent(etag: String?) -> Reply {
        Reply(status: .noContent, etag: etag)
    }
}
