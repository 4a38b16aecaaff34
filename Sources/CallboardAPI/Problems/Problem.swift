import Access
import HTTPServer
import HTTPTypes
import JSONValues

/// An answer that says what went wrong, as problem details (RFC 9457).
///
/// Errors of the layers below become one of these in `Problem+Directors.swift`, and nowhere else.
package struct Problem: Error, Sendable {
    /// A fault at one place of the request's body.
    package struct Fault: Sendable, Hashable {
        /// JSON pointer into the body (RFC 6901), at most 1,000 bytes: a longer one is cut to an enclosing value's.
        package let pointer: String
        /// The fault at that place and its remedy.
        package let detail: String

        package init(pointer: String, detail: String) {
            self.pointer = JSONPointer.bounded(pointer)
            self.detail = detail
        }
    }

    /// The kind of problem, which decides the status and the title.
    package let kind: ProblemKind
    /// The fault of this request, its place and its remedy.
    package var detail: String
    /// Faults of the body, each with its place.
    package var faults: [Fault] = []
    /// The methods the resource has, for a 405.
    package var allowed: [HTTPRequest.Method] = []
    /// The seconds after which asking again makes sense, where there is a reason to say so (RFC 9110, section 10.2.3).
    package var retryAfter: Int?

    /// The content codings that are taken, where the one that was sent is not (RFC 7694, section 3).
    package var acceptEncoding: String?

    /// Whether a 404 stands for a right that is missing; for the audit log, never for the client.
    var isHidden = false

    /// Whether nothing is wrong with the request, which is to be carried out elsewhere than on a loop; never sent.
    var isLongerThanTurn = false

    /// Whether the detail or a fault tells something of what a director holds, which is told to its readers alone.
    var tellsContent = false

    /// Whether the browser is to forget its session's token, which is not good.
    var endsSession = false

    /// The value of `WWW-Authenticate` for a missing or refused credential (RFC 6750, section 3).
    package var challenge: String?

    /// The HTTP status.
    package var status: HTTPResponse.Status { kind.status }

    package init(_ kind: ProblemKind, _ detail: String, faults: [Fault] = []) {
        self.kind = kind
        self.detail = detail
        self.faults = faults
    }

    /// 400: the request itself cannot be understood.
    static func badRequest(_ detail: String) -> Problem {
        Problem(.badRequest, detail)
    }

    /// 404: what the address names is not there.
    static func notFound(_ detail: String) -> Problem {
        Problem(.notFound, detail)
    }

    /// 409: the address is ambiguous, or the state does not allow the change.
    static func conflict(_ detail: String) -> Problem {
        Problem(.conflict, detail)
    }

    /// 410: a version that was there and is no longer retained.
    static func gone(_ detail: String) -> Problem {
        Problem(.versionGone, detail)
    }

    /// 422: the body is well-formed and does not make sense.
    static func unprocessable(_ detail: String, faults: [Fault] = []) -> Problem {
        Problem(.invalidContent, detail, faults: faults)
    }

    /// 503, or 409 for a key in use: for a reason that is over soon; to be asked again after a second.
    static func unavailable(_ kind: ProblemKind, _ detail: String) -> Problem {
        var problem = Problem(kind, detail)
        problem.retryAfter = 1
        return problem
    }

    /// 503: the bound of answers that wait to be made and may be as long as a list is reached.
    static var tooManyLongAnswers: Problem {
        .unavailable(
            .tooManyLongAnswers, "Ask again in a while, or for a page with `limit`.")
    }

    /// 429: more is asked for than can be taken at this moment.
    static func tooMany(_ detail: String, retryAfter seconds: Int) -> Problem {
        var problem = Problem(
            .tooMany, detail)
        problem.retryAfter = max(1, seconds)
        return problem
    }

    /// 507: a bound of this server would be passed.
    static func overBound(_ detail: String) -> Problem {
        Problem(.overBound, detail)
    }

    /// The body: one JSON object on one line.
    ///
    /// - Parameter instance: the request's path, so that a log line and an answer can be matched.
    package func body(instance: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("type", kind.type)
        writer.member("title", kind.title)
        writer.member("status", status.code)
        writer.member("detail", detail.withoutTokens)
        writer.member("instance", instance.partShownInLogs)
        if !faults.isEmpty {
            writer.key("errors")
            writer.beginArray()
            for fault in faults {
                writer.beginObject()
                writer.member("pointer", fault.pointer.withoutTokens)
                writer.member("detail", fault.detail.withoutTokens)
                writer.endObject()
            }
            writer.endArray()
        }
        writer.endObject()
        return writer.bytes
    }
}
