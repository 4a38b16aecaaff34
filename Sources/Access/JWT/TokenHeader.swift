import JSONValues

/// The members of a token's header (RFC 7515, section 4) that decide how the token is verified.
///
/// Nothing of it is to be trusted. Keys and places of keys (`jwk`, `jku`, `x5u`, `x5c`) are never looked at.
struct TokenHeader {
    /// The algorithm, which the issuer has to be set up for.
    let algorithm: SigningAlgorithm
    /// The name of the key.
    let keyID: String?

    /// Reads a header.
    ///
    /// - Throws: The first fault. An algorithm that does not exist here is refused at once, and so is `none`.
    init(_ node: JSONNode) throws(TokenFault) {
        guard let name = node["alg"]?.string else { throw .malformed("has no algorithm (alg)") }
        // Case matters in the name of an algorithm (RFC 7515, section 4.1.1).
        guard let algorithm = SigningAlgorithm(rawValue: name) else { throw .algorithm(name) }
        try Self.checkType(node["typ"])
        guard node["crit"] == nil else { throw .critical }
        for name in ["b64", "zip"] where node[name] != nil { throw .unsupported(name) }
        if let id = node["kid"] {
            guard let text = id.string, text.utf8.count <= JSONWebKey.nameLimit else {
                throw .malformed("has a kid that is no string of at most \(JSONWebKey.nameLimit) bytes")
            }
            keyID = text
        } else {
            keyID = nil
        }
        self.algorithm = algorithm
    }

    /// A token of another type, such as a security event (RFC 8417), can have all claims of an access token.
    private static func checkType(_ node: JSONNode?) throws(TokenFault) {
        guard let node else { return }
        guard let text = node.string else { throw .malformed("has a typ that is no string") }
        // Case does not matter in a media type, and "application/" may be left out (RFC 7515, section 4.1.9).
        let type = text.lowercased()
        let prefix = "application/"
        let name = type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : type
        guard ["jwt", "at+jwt"].contains(name) else { throw .type(text) }
    }
}
