import DirectorLife
import Directors
import HTTPServer
import HTTPTypes
import HTTPWire

/// A route's answer, before it becomes an HTTP response.
package struct Reply: Sendable {
    /// The status.
    var status = HTTPResponse.Status.ok
    /// The content; empty for none, and where it is a changeset's.
    var body: [UInt8] = []
    /// The changeset that is the content, in the subscribers' form; it may be as long as a list.
    var changeset: EventFrame?
    /// Makes content that takes long, elsewhere than on a loop; nil where the content is there.
    var longContent: (@Sendable () -> [UInt8])?
    /// The content's media type.
    var contentType = "application/json"
    /// The entity tag with its quotes; `nil` for none.
    var etag: String?
    /// The address of the created resource.
    var location: String?
    /// Whether a cache may keep it, to ask before each use whether it is still right (`no-cache`). Otherwise none may:
    /// `no-store`, for secrets and for what holds at this moment only (RFC 9111, section 5.2.2).
    var isStorable = true
    /// The value of `Set-Cookie`; nil for none.
    var cookie: String?

    /// The kind of information in the content. A principal without the right to read it gets the answer without the
    /// content, if the route itself does not require that right.
    var telling = Telling.content
    /// The effects, for an answer that is kept: a repetition needs the same rights.
    var done: Effects = []

    /// The outcome, for the audit, if the request was not refused.
    var outcome = AuditEntry.Outcome.done

    /// The created object, for the audit, if no parameter of the path names it.
    var subject: AuditEntry.Subject?

    /// Fields besides those that the members above become; few answers have any.
    var furtherFields: [HTTPField] = []

    /// Whether there is content.
    var hasContent: Bool {
        changeset != nil || !body.isEmpty || longContent != nil
    }

    /// Content of which this many bytes are written, or read to write it, is not made on a loop.
    static let longWork = 256 << 10

    /// An answer whose content is made at once where that is soon done, and otherwise when it is sent.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - work: About how many bytes are written, or read to write them.
    ///   - location: Where what was created is found.
    ///   - make: Makes the content of what cannot change; called once, on any thread.
    static func content(
        status: HTTPResponse.Status = .ok, work: Int, location: String? = nil, _ make: @escaping @Sendable () -> [UInt8]
    ) -> Reply {
        guard work > longWork else { return Reply(status: status, body: make(), location: location) }
        return Reply(status: status, longContent: make, location: location)
    }

    /// The same answer with content that is there.
    var made: Reply {
        guard let longContent else { return self }
        var reply = self
        reply.body = longContent()
        reply.longContent = nil
        return reply
    }

    /// The content as the server sends it.
    var content: Response.Body {
        if let changeset { return .part(changeset, changeset.data) }
        return body.isEmpty ? .none : .bytes(body)
    }

    /// The content as bytes of the reply's own, for one that is kept to be given again.
    var copied: Reply {
        guard let changeset else { return made }
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
