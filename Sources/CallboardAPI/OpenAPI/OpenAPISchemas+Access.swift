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
        "Token": {"type": "object", "required": ["id", "name", "grants", "createdAt", "expiresAt", "lastUsedAt"],
          "properties": {\(tokenMembers)}, "additionalProperties": false},
        "NewToken": {"type": "object",
          "required": ["id", "name", "token", "grants", "createdAt", "expiresAt", "lastUsedAt"],
          "properties": {\(tokenMembers), "token": {"type": "string", "description": "The secret; shown here only."}},
          "additionalProperties": false},
        "Session": {"type": "object", "required": ["principal", "grants", "expiresAt"], "properties": {
            "principal": {"type": "string", "description": "The name in logs."},
            "grants": {"type": "array", "items": {"$ref": "#/components/schemas/Grant"}},
            "expiresAt": {"type": ["string", "null"], "format": "date-time"}}, "additionalProperties": false},
        "StreamTicketInput": {"type": "object", "required": ["directors"], "properties": {
            "directors": {"type": "array", "minItems": 1, "items": {"type": "string", "minLength": 1, "maxLength": 256}}},
          "additionalProperties": false},
        "StreamTicket": {"type": "object", "required": ["ticket", "expiresAt"], "properties": {
            "ticket": {"type": "string"}, "expiresAt": {"type": "string", "format": "date-time"}},
          "additionalProperties": false},
        "IssuerList": {"type": "object", "required": ["issuers"], "properties": {
            "issuers": {"type": "array", "items": {"type": "object",
              "required": ["issuer", "audience", "algorithms", "keys", "fetchedAt", "lastError"], "properties": {
                "issuer": {"type": "string"}, "audience": {"type": "array", "items": {"type": "string"}},
                "algorithms": {"type": "array", "items": {"type": "string"}},
                "keysFile": {"type": "string"}, "jwksURL": {"type": "string"},
                "keys": {"type": ["integer", "null"], "description": "How many keys are there; null before the first."},
                "fetchedAt": {"type": ["string", "null"], "format": "date-time"},
                "lastError": {"type": ["string", "null"],
                  "description": "Why the newest fetch has brought no keys; those before are kept."}},
              "additionalProperties": false}}},
          "additionalProperties": false},
        "NodeList": {"type": "object", "required": ["nodes"], "properties": {
            "nodes": {"type": "array", "items": {"type": "object",
              "required": ["node", "name", "url", "state", "self", "expiresAt", "directors"], "properties": {
                "node": {"type": "integer"}, "name": {"type": "string"},
                "url": {"type": "string", "description": "Where the other nodes reach it."},
                "state": {"enum": ["joining", "serving", "leaving"]},
                "self": {"type": "boolean", "description": "Whether it is the node that answers."},
                "expiresAt": {"type": "string", "format": "date-time", "description": "When its lease ends."},
                "directors": {"type": "integer", "description": "How many it owns."}},
              "additionalProperties": false}}},
          "additionalProperties": false},
        "TokenList": {"type": "object", "required": ["tokens", "offset", "limit", "total"], "properties": {
            "tokens": {"type": "array", "items": {"$ref": "#/components/schemas/Token"}},
            "offset": {"type": "integer"}, "limit": {"type": "integer"}, "total": {"type": "integer"}},
          "additionalProperties": false}
        """

    private static let rights = Right.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")

    private static let tokenMembers = """
        "id": {"type": "string"}, "name": {"type": "string"},
        "grants": {"type": "array", "items": {"$ref": "#/components/schemas/Grant"}},
        "createdAt": {"type": "string", "format": "date-time"},
        "expiresAt": {"type": ["string", "null"], "format": "date-time"},
        "lastUsedAt": {"type": ["string", "null"], "format": "date-time", "description": "About when, to the hour."}
        """
}
