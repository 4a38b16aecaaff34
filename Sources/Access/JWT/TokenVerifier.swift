import JSONValues

/// Verifies JSON Web Tokens (RFC 7519) that issuers have signed (RFC 7515).
///
/// Algorithms come from the setting and never from the token alone, each key belongs to its issuer, and no claim but
/// `iss` is looked at before the signature is verified (RFC 8725, section 3).
package struct TokenVerifier: Sendable {
    /// The most bytes of a token.
    package static let lengthLimit = 16 * 1024
    /// The most issuers.
    package static let issuerLimit = 32
    /// The most keys that are tried for a token that does not name its key: each costs one operation.
    package static let trialLimit = 8
    /// A header is flat, apart from keys that are ignored.
    private static let headerDepth = 8
    /// A grant's actions are on the fourth level; claims of others may be deeper.
    private static let payloadDepth = 16

    private struct Entry {
        let issuer: TokenIssuer
        var keys: KeySet?
    }

    private var entries: [Entry] = []

    /// Verifies the tokens of these issuers; one without keys has its tokens refused by ``TokenFault/noKeys(issuer:)``.
    ///
    /// - Throws: ``TokenIssuerError`` where there are too many issuers, or two of one name.
    package init(issuers: [(issuer: TokenIssuer, keys: KeySet?)]) throws(TokenIssuerError) {
        guard issuers.count <= Self.issuerLimit else { throw .tooMany }
        for (issuer, keys) in issuers {
            guard index(of: issuer.issuer) == nil else { throw .duplicate(issuer.issuer) }
            entries.append(Entry(issuer: issuer, keys: keys))
        }
    }

    /// The keys of an issuer; nil for one without keys, and for one that is not known.
    package func keys(of issuer: String) -> KeySet? {
        index(of: issuer).flatMap { entries[$0].keys }
    }

    /// Gives an issuer other keys.
    ///
    /// - Returns: Whether they differ from those before: tokens that were verified are to be verified again.
    @discardableResult
    package mutating func setKeys(_ keys: KeySet?, of issuer: String) -> Bool {
        guard let index = index(of: issuer), entries[index].keys != keys else { return false }
        entries[index].keys = keys
        return true
    }

    /// Names are compared byte by byte: two spellings of a letter are two issuers.
    private func index(of issuer: String) -> Int? {
        entries.firstIndex { $0.issuer.issuer.utf8.elementsEqual(issuer.utf8) }
    }

    /// Verifies a token in the compact serialization (RFC 7515, section 7.1).
    ///
    /// - Parameters:
    ///   - token: The token's text.
    ///   - now: The time in seconds since 1970.
    /// - Complexity: O(bytes), at most ``lengthLimit``, and one operation with the key; up to ``trialLimit`` operations
    ///   for a token that does not name its key.
    /// - Throws: The first ``TokenFault`` in the order: length, form, header, issuer, algorithm, key, signature, times,
    ///   audience, subject and identifier, grants.
    package func verify(_ token: some StringProtocol, now: Int) throws(TokenFault) -> VerifiedToken {
        try verify(token.utf8, now: now)
    }

    /// Verifies a token as ``verify(_:now:)`` does, given its bytes.
    package func verify(_ token: some Collection<UInt8>, now: Int) throws(TokenFault) -> VerifiedToken {
        guard token.count <= Self.lengthLimit else { throw .tooLong(token.count) }
        let parts = try TokenParts(Array(token))
        let header = try TokenHeader(Self.object(parts.header, in: "header", maximumDepth: Self.headerDepth))
        let claims = TokenClaims(
            node: try Self.object(parts.payload, in: "payload", maximumDepth: Self.payloadDepth))
        let name = try claims.issuer()
        guard let index = index(of: name) else { throw .issuer(name) }
        let issuer = entries[index].issuer
        guard issuer.algorithms.contains(header.algorithm) else { throw .algorithm(header.algorithm.rawValue) }
        guard let keys = entries[index].keys else { throw .noKeys(issuer: issuer.issuer) }
        let key = try Self.key(of: parts, header: header, issuer: issuer.issuer, keys: keys)

        // The signature is right from here on.
        let end = try claims.checkTimes(now: now, skew: issuer.clockSkew)
        try claims.checkAudience(issuer.audiences)
        return VerifiedToken(
            issuer: issuer.issuer, subject: try claims.text("sub"), id: try claims.text("jti"),
            claims: parts.payload, grants: try claims.grants(), expiresAt: end, algorithm: header.algorithm,
            keyID: header.keyID,
            key: key.thumbprint)
    }

    /// The key that has made the signature.
    private static func key(
        of parts: TokenParts, header: TokenHeader, issuer: String, keys: KeySet
    ) throws(TokenFault) -> VerificationKey {
        let candidates = keys.candidates(for: header.algorithm, named: header.keyID)
        guard !candidates.isEmpty else { throw .unknownKey(issuer: issuer, keyID: header.keyID) }
        guard candidates.count <= trialLimit else { throw .noKeyID(issuer: issuer) }
        for key in candidates where key.verifies(parts.signature, of: parts.signed, by: header.algorithm) {
            return key
        }
        throw .signature
    }

    private static func object(
        _ bytes: [UInt8], in part: String, maximumDepth: Int
    ) throws(TokenFault) -> JSONNode {
        let root: JSONNode
        do throws(JSONError) {
            root = try JSONDocument(bytes, maximumDepth: maximumDepth).root
        } catch {
            if case .duplicateName(let name) = error.reason { throw .duplicate(name) }
            throw .malformed("has a \(part) that is \(error)")
        }
        guard root.kind == .object else { throw .malformed("has a \(part) that is no JSON object") }
        return root
    }
}
