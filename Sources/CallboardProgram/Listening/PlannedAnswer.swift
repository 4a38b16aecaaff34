import CallboardClient
import HTTPServer
import HTTPTypes

/// The listener's answer to one event.
struct PlannedAnswer: Sendable, Equatable {
    /// The status.
    var status: Int
    /// The body; nil for none.
    var body: JSON?
    /// When the server is asked to try again, in seconds.
    var retryAfter: Int?
    /// How long the answer is held back.
    var delay: Duration?
    /// Something that whoever tries a hook should know about this answer.
    var note: String?

    /// The answer as the server sends it.
    var response: Response {
        var response = Response(status: HTTPResponse.Status(code: status))
        if let body {
            response.fields[.contentType] = "application/json"
            response.body = .bytes(body.utf8)
        }
        if let retryAfter { response.fields[.retryAfter] = String(retryAfter) }
        return response
    }
}
