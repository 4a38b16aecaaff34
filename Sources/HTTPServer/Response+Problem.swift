import HTTPTypes

extension Response {
    /// An error as problem details (RFC 9457), with the status's own phrase as its title; a 503 has `Retry-After`.
    ///
    /// - Parameter detail: One sentence of the server's own, for the client's developer.
    package static func problem(
        _ status: HTTPResponse.Status, detail: String, closesConnection: Bool = false
    ) -> Response {
        var body = Array(#"{"type":"about:blank","title":"#.utf8)
        appendQuoted(status.reasonPhrase, to: &body)
        body.append(contentsOf: #","status":\#(status.code),"detail":"#.utf8)
        appendQuoted(detail, to: &body)
        body.append(UInt8(ascii: "}"))
        var fields: HTTPFields = [.contentType: "application/problem+json"]
        // Whatever the server has too much of, another second may change it.
        if status == .serviceUnavailable { fields[.retryAfter] = "1" }
        return Response(status: status, fields: fields, body: .bytes(body), closesConnection: closesConnection)
    }

    /// Appends a JSON string (RFC 8259, section 7).
    private static func appendQuoted(_ text: String, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                out.append(UInt8(ascii: "\\"))
                out.append(byte)
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                out.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
            default:
                out.append(byte)
            }
        }
        out.append(UInt8(ascii: "\""))
    }
}
