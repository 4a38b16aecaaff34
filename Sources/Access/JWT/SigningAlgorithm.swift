import COpenSSL

/// How a token may be signed (RFC 7518, section 3.1; RFC 8037, section 3.1).
///
/// There is no case for `none`, so that no setting can allow it.
package enum SigningAlgorithm: String, CaseIterable, Hashable, Sendable {
    /// HMAC with SHA-256: whoever can verify a token can make one.
    case hs256 = "HS256"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// RSASSA-PSS with SHA-256, MGF1 with SHA-256 and a salt of 32 bytes.
    case ps256 = "PS256"
    /// ECDSA on the curve P-256 with SHA-256.
    case es256 = "ES256"
    /// Ed25519; Ed448 goes by this name too, and is not supported.
    case edDSA = "EdDSA"

    /// Whether issuer and verifier share one secret.
    package var isSymmetric: Bool { keyKind == .secret }

    /// The only kind of key that the algorithm is used with.
    var keyKind: KeyKind {
        switch self {
        case .hs256: .secret
        case .rs256, .ps256: .rsa
        case .es256: .p256
        case .edDSA: .ed25519
        }
    }

    /// The name that the C functions have for it; nil for a code that is no signature.
    var scheme: copenssl_signature? {
        switch self {
        case .hs256: nil
        case .rs256: COPENSSL_RS256
        case .ps256: COPENSSL_PS256
        case .es256: COPENSSL_ES256
        case .edDSA: COPENSSL_EDDSA
        }
    }
}

/// The kinds of keys that there is an algorithm for.
enum KeyKind: Hashable, Sendable {
    /// `oct`: a shared secret.
    case secret
    /// `RSA`.
    case rsa
    /// `EC` with the curve P-256.
    case p256
    /// `OKP` with the curve Ed25519.
    case ed25519

    /// The algorithms that a key of this kind can be used for.
    var algorithms: Set<SigningAlgorithm> {
        Set(SigningAlgorithm.allCases.filter { $0.keyKind == self })
    }
}
