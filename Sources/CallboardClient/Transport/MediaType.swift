/// A media type without its parameters, as `Content-Type` names it (RFC 9110, section 8.3.1).
struct MediaType: Sendable, Equatable, CustomStringConvertible {
    /// Type and subtype in lower case, such as `text/event-stream`; empty where the field has neither.
    let description: String

    /// Reads a field's value; nil, for a field that is missing, is the empty type.
    init(_ field: String?) {
        let type = (field ?? "").prefix { $0 != ";" && $0 != "," }
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        description = String(type.drop(while: isBlank).reversed().drop(while: isBlank).reversed()).lowercased()
    }

    /// The stream of server-sent events.
    static let eventStream = MediaType("text/event-stream")
    /// The server's word about a request that it refused (RFC 9457).
    static let problem = MediaType("application/problem+json")

    /// Whether it is JSON, also under a name of its own (RFC 6839, section 3.1).
    var isJSON: Bool { description == "application/json" || description.hasSuffix("+json") }
}
