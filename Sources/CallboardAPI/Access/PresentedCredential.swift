import HTTPServer
import HTTPTypes
import HTTPWire

/// A request's credential, as it was sent.
enum PresentedCredential: Sendable {
    /// The value of the Authorization field.
    case field(String)
    /// A stream ticket in the query.
    case ticket(Substring)
    /// The token in a browser's session cookie.
    case session(String)

    /// Finds the credential of a request: the Authorization field, else the ticket in a GET's query, else the cookie, which
    /// a browser adds unasked.
    ///
    /// - Complexity: O(fields) where there is an Authorization field; the target and the fields again where there is none.
    /// - Throws: 400 for several fields or several session cookies.
    init?(of head: RequestHead) throws(Problem) {
        if let field = try Self.authorization(of: head) {
            self = .field(field)
        } else if head.method == .get || head.method == .head, let ticket = Self.ticket(in: head.target) {
            self = .ticket(ticket)
        } else if let token = try SessionCookie.token(in: head.fields) {
            self = .session(token)
        } else {
            return nil
        }
    }

    /// The value of the one Authorization field that a request may have.
    private static func authorization(of head: RequestHead) throws(Problem) -> String? {
        var found: String?
        for field in head.fields where field.name == .authorization {
            guard found == nil else {
                throw .credentialMalformed("The request has several Authorization fields; send one.")
            }
            found = field.value
        }
        return found
    }

    /// The bearer token in an Authorization field (RFC 6750, section 2.1).
    ///
    /// - Throws: 400 where the field is of another form.
    static func token(in field: String) throws(Problem) -> String {
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw .credentialMalformed("Authorization has to be: Bearer TOKEN.")
        }
        return String(parts[1])
    }

    /// The query's ticket; its letters need no percent-encoding.
    private static func ticket(in target: String) -> Substring? {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        let name = QueryParameter.ticket.name + "="
        return target[target.utf8.index(after: mark)...].split(separator: "&").first { $0.hasPrefix(name) }
            .map { $0.dropFirst(name.count) }
    }
}
