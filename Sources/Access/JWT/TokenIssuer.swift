import JSONValues

/// An issuer whose tokens are accepted: one entry of the setting `auth.issuers`.
package struct TokenIssuer: Hashable, Sendable {
    /// The most bytes of an issuer's or audience's name.
    package static let nameLimit = 1_024
    /// The most audiences of one issuer.
    package static let audienceLimit = 32
    /// The largest difference of clocks that can be set, in seconds.
    package static let clockSkewLimit = 600

    /// The `iss` of its tokens, byte for byte.
    package let issuer: String
    /// The accepted values of `aud`, byte for byte.
    package let audiences: [String]
    /// The algorithms that the issuer signs with; a token by another one is refused (RFC 8725, section 3.1).
    package let algorithms: Set<SigningAlgorithm>
    /// How many seconds the issuer's clock may differ from this one's.
    package let clockSkew: Int

    /// Makes an issuer.
    ///
    /// HS256 stands alone: where it is allowed beside an algorithm with public keys, one mistake in choosing keys would
    /// let anybody sign.
    ///
    /// - Throws: ``TokenIssuerError``.
    package init(
        issuer: String, audiences: [String], algorithms: Set<SigningAlgorithm>, clockSkew: Int = 60
    ) throws(TokenIssuerError) {
        guard (1...Self.nameLimit).contains(issuer.utf8.count) else { throw .issuer }
        guard (1...Self.audienceLimit).contains(audiences.count),
            audiences.allSatisfy({ (1...Self.nameLimit).contains($0.utf8.count) })
        else { throw .audiences }
        guard !algorithms.isEmpty else { throw .noAlgorithm }
        guard Set(algorithms.map(\.isSymmetric)).count == 1 else { throw .mixedAlgorithms }
        guard (0...Self.clockSkewLimit).contains(clockSkew) else { throw .clockSkew }
        self.issuer = issuer
        self.audiences = audiences
        self.algorithms = algorithms
        self.clockSkew = clockSkew
    }
}

/// Why something is no issuer, or no list of issuers.
package enum TokenIssuerError: Error, Hashable, Sendable {
    /// The issuer's name is empty or too long.
    case issuer
    /// There is no audience, there are too many, or one is empty or too long.
    case audiences
    /// There is no algorithm.
    case noAlgorithm
    /// HS256 is allowed together with an algorithm that has public keys.
    case mixedAlgorithms
    /// The clocks may differ by less than nothing, or by too much.
    case clockSkew
    /// There are too many issuers.
    case tooMany
    /// Two issuers have one name.
    case duplicate(String)
}

extension TokenIssuerError: CustomStringConvertible {
    /// The fault and its remedy.
    package var description: String {
        switch self {
        case .issuer: "the issuer: expected 1 to \(TokenIssuer.nameLimit) bytes"
        case .audiences:
            "the audiences: expected 1 to \(TokenIssuer.audienceLimit), each of 1 to \(TokenIssuer.nameLimit) bytes"
        case .noAlgorithm:
            "the algorithms: expected at least one of "
                + SigningAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
        case .mixedAlgorithms: "the algorithms: HS256 cannot be allowed together with an algorithm that has public keys"
        case .clockSkew: "the clock skew: expected 0 to \(TokenIssuer.clockSkewLimit) seconds"
        case .tooMany: "the issuers: expected at most \(TokenVerifier.issuerLimit)"
        case .duplicate(let name): "the issuers: two of them are \(name.quoted)"
        }
    }
}
