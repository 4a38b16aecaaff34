/// The content of a token whose signature and claims are valid; only a ``TokenVerifier`` makes one.
package struct VerifiedToken: Hashable, Sendable {
    /// Who has issued it (`iss`).
    package let issuer: String
    /// Whom it is about (`sub`), at most 256 bytes.
    package let subject: String?
    /// The issuer's identifier of the token (`jti`), at most 256 bytes.
    package let id: String?
    /// All its claims, a JSON object as the token has it.
    package let claims: [UInt8]
    /// What it allows.
    package let grants: Grants
    /// The first second since 1970 at which it is accepted no more: `exp`, rounded up, and the clock skew that its
    /// issuer is allowed.
    package let expiresAt: Int
    /// The algorithm it was signed by.
    package let algorithm: SigningAlgorithm
    /// The key that the token names (`kid`).
    package let keyID: String?
    /// The key that the signature was verified with.
    package let key: KeyThumbprint
}
