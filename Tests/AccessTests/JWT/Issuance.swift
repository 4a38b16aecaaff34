import Notation

@testable import Access

/// The issuers of the tests, and tokens as they make them.
enum Issuance {
    static let now = 1_800_000_000
    /// Signs with public keys.
    static let publicIssuer = "https://id.example"
    /// Signs with a shared secret.
    static let secretIssuer = "https://internal.example"
    /// Another issuer with public keys.
    static let otherIssuer = "https://other.example"

    static let publicAlgorithms: Set<SigningAlgorithm> = [.rs256, .ps256, .es256, .edDSA]
    static let publicKeys = set([
        key(.rsa, kid: "rsa"), key(.p256, kid: "p256"), key(.ed25519, kid: "ed25519"),
    ])
    static let otherKeys = set([
        key(.otherRSA, kid: "other-rsa"), key(.otherP256, kid: "other-p256"),
        key(.otherEd25519, kid: "other-ed25519"),
    ])
    static let secretKeys = set([key(.hmac, kid: "hmac")])

    static func key(_ key: SigningKey, kid: String? = nil, _ more: String = "") -> String {
        let name = kid.map { #","kid":"\#($0)""# } ?? ""
        return "{\(key.members)\(name)\(more)}"
    }

    static func parse(_ keys: [String]) throws(KeySetError) -> KeySet {
        try KeySet(parsing: Array("{\"keys\":[\(keys.joined(separator: ","))]}".utf8))
    }

    private static func set(_ keys: [String]) -> KeySet {
        do { return try parse(keys) } catch { fatalError("\(error)") }
    }

    static let verifier = makeVerifier()

    static func makeVerifier(publicKeys: KeySet? = publicKeys, skew: Int = 60) -> TokenVerifier {
        do {
            return try TokenVerifier(issuers: [
                (
                    TokenIssuer(
                        issuer: publicIssuer, audiences: ["callboard", "https://board.example"],
                        algorithms: publicAlgorithms, clockSkew: skew), publicKeys
                ),
                (
                    TokenIssuer(issuer: secretIssuer, audiences: ["callboard"], algorithms: [.hs256]),
                    secretKeys
                ),
                (
                    TokenIssuer(issuer: otherIssuer, audiences: ["callboard"], algorithms: publicAlgorithms),
                    otherKeys
                ),
            ])
        } catch {
            fatalError("\(error)")
        }
    }

    static func issuer(for algorithm: SigningAlgorithm) -> String {
        algorithm == .hs256 ? secretIssuer : publicIssuer
    }

    static func keyID(for algorithm: SigningAlgorithm) -> String {
        switch algorithm {
        case .hs256: "hmac"
        case .rs256, .ps256: "rsa"
        case .es256: "p256"
        case .edDSA: "ed25519"
        }
    }

    /// A payload; `claims` are put in place of the usual ones, and nil removes one.
    static func payload(issuer: String = publicIssuer, _ claims: [String: String?] = [:]) -> String {
        var members: [String: String?] = [
            "iss": "\"\(issuer)\"", "aud": #""callboard""#, "exp": "\(now + 600)", "sub": #""alice""#,
            "jti": #""t-1""#, "iat": "\(now - 10)",
            "authorization_details":
                #"[{"type":"urn:callboard:grant","actions":["read"],"directors":["shop-*"]}]"#,
        ]
        for (name, value) in claims { members[name] = value }
        let list = members.sorted { $0.key < $1.key }.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }
        return "{\(list.joined(separator: ","))}"
    }

    /// A header; `more` are further members, with a leading comma.
    static func header(_ algorithm: SigningAlgorithm, _ more: String = "") -> String {
        #"{"alg":"\#(algorithm.rawValue)","kid":"\#(keyID(for: algorithm))"\#(more)}"#
    }

    static func encode(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }

    /// A token with this header and payload, signed whatever they say.
    static func token(
        _ algorithm: SigningAlgorithm, header: String? = nil, payload: String? = nil, key: SigningKey? = nil,
        asDER: Bool = false
    ) -> String {
        let payload = payload ?? self.payload(issuer: issuer(for: algorithm))
        let signed = encode(header ?? self.header(algorithm)) + "." + encode(payload)
        let signature = (key ?? .key(for: algorithm)).sign(Array(signed.utf8), by: algorithm, asDER: asDER)
        return signed + "." + Base64URL.encode(signature)
    }

    /// What the verifier says: nil where the token is accepted.
    static func fault(_ token: String, verifier: TokenVerifier = verifier, now: Int = now) -> TokenFault? {
        do throws(TokenFault) {
            _ = try verifier.verify(token, now: now)
            return nil
        } catch {
            return error
        }
    }
}
