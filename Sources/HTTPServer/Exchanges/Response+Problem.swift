import HTTPTypes
import Notation

extension Response {
    /// A refusal by the HTTP layer, as problem details (RFC 9457) of the server's own kinds; a 503 has `Retry-After`.
    ///
    /// - Parameter detail: One sentence of the server's own, for the client's developer.
    static func refusal(_ status: HTTPResponse.Status, detail: String, closesConnection: Bool = false) -> Response {
        let kind = ProblemKind(ofRefusal: status)
        return problem(
            status, type: kind.type, title: kind.title, detail: detail, closesConnection: closesConnection)
    }

    /// An error of a server that is no Callboard server, as problem details with the status's own phrase as its title.
    package static func problem(
        _ status: HTTPResponse.Status, detail: String, closesConnection: Bool = false
    ) -> Response {
        problem(
            status, type: "about:blank", title: status.reasonPhrase, detail: detail, closesConnection: closesConnection)
    }

    private static func problem(
        _ status: HTTPResponse.Status, type: String, title: String, detail: String, closesConnection: Bool
    ) -> Response {
        var body = Array(#"{"type":"\#(type)","title":"#.utf8)
        JSONText.appendQuoted(title, to: &body)
        body.append(contentsOf: #","status":\#(status.code),"detail":"#.utf8)
        JSONText.appendQuoted(detail, to: &body)
        body.append(UInt8(ascii: "}"))
        var fields: HTTPFields = [.contentType: "application/problem+json", .cacheControl: "no-store"]
        // Whatever the server has too much of, another second may change it.
        if status == .serviceUnavailable { fields[.retryAfter] = "1" }
        return Response(status: status, fields: fields, body: .bytes(body), closesConnection: closesConnection)
    }
}
