import Access

extension OpenAPISchemas {
    /// The credentials that requests present.
    static let securitySchemes = """
        {"bearer": {"type": "http", "scheme": "bearer", "description": "A static token (cbt_...) or a JSON Web Token. \
        The roles of an operation are the rights that its director is asked for. Where the server asks nobody, or allows \
        something to everybody, none is needed."},
        "session": {"type": "apiKey", "in": "cookie", "name": "\(SessionCookie.name)", "description": "A browser's \
        session, which POST /v1/session begins."},
        "ticket": {"type": "apiKey", "in": "query", "name": "\(QueryParameter.ticket.name)", "description": "A ticket \
        of POST /v1/stream-tickets, for event streams."}}
        """

    /// Tokens and grants.
    static let access = """
        "Grant": {"type": "object", "required": ["actions"], "properties": {
            "actions": {"type": "array", "minItems": 1, "items": {"enum": [\(rights)]}},
            "directors": {"type": "array", "maxItems": \(Grant.patternLimit),
              "description": "Names, or prefixes with a * behind; a grant of nothing but operate needs none.",
              "items": {"type": "string", "minLength": 1, "maxLength": \(DirectorPattern.lengthLimit)}}},
          "additionalProperties": false},
        "TokenInput": {"type": "object", "required": ["name", "grants"], "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": \(TokenEntry.nameLimit)},
            "grants": {"type": "array", "minItems": 1, "maxItems": \(Grants.limit),
              "items": {"$ref": "#/components/schemas/Grant"}},
            "expiresAt": {"type": ["string", "null"], "format": "date-time"}}, "additionalProperties": false},
        "StreamTicketInput": {"type": "object", "required": ["directors"], "properties": {
            "directors": {"type": "array", "minItems": 1, "items": {"type": "string", "minLength": 1, "maxLength": 256}}},
          "additionalProperties": false}
        """

    private static let rights = Right.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
}
