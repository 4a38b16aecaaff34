import HTTPTypes
import Notation

extension Response {
    /// An error as problem details (RFC 9457), with the status's own phrase as its title; a 503 has `Retry-After`.
    ///
    /// - Parameter detail: One sentence of the server's own, for the client's developer.
    package static func problem(
        _ status: HTTPResponse.Status, detail: String, closesConnection: Bool = false
    ) -> Response {
        var body = Array(#"{"type":"about:blank","title":"#.utf8)
        JSONText.appendQuoted(status.reasonPhrase, to: &body)
        body.append(contentsOf: #","status":\#(status.code),"detail":"#.utf8)
        JSONText.appendQuoted(detail, to: &body)
        body.append(UInt8(ascii: "}"))
        var fields: HTTPFields = [.contentType: "application/problem+json", .cacheControl: "no-store"]
        // Whatever the server has too much of, another second may change it.
        if status == .serviceUnavailable { fields[.retryAfter] = "1" }
        return Response(status: status, fields: fields, body: .bytes(body), closesConnection: closesConnection)
    }
}
