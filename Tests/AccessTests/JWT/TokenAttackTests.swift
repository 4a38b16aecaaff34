import Notation
import TestSupport
import Testing

@testable import Access

@Suite("Attacks on tokens")
struct TokenAttackTests {
    private static let payload = Issuance.payload()
    private static let good = Issuance.token(.es256)

    private static func parts(_ token: String = good) -> [String] {
        token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    /// A token whose header names another algorithm than the one that it is signed by.
    private static func named(_ algorithm: String, kid: String = "p256", signature: [UInt8] = [0]) -> String {
        let header = #"{"alg":"\#(algorithm)","kid":"\#(kid)"}"#
        return [Issuance.encode(header), Issuance.encode(payload), Base64URL.encode(signature)].joined(separator: ".")
    }

    /// A token that is signed with a text that everybody knows as the secret.
    private static func confused(_ secret: [UInt8], header: String) -> String {
        Issuance.token(.hs256, header: header, payload: payload, key: .makeSecret(secret))
    }

    private static let rsaJWK = Issuance.key(.rsa, kid: "rsa")
    private static let unknown = TokenFault.unknownKey(issuer: Issuance.publicIssuer, keyID: "other-p256")

    /// What is tried, the token, and why it is refused; a malformed one for any of the reasons.
    static let attacks: [(String, String, TokenFault)] = [
        ("no algorithm", named("none"), .algorithm("none")),
        ("no algorithm, in another case", named("None"), .algorithm("None")),
        ("no algorithm, in a third case", named("nOnE"), .algorithm("nOnE")),
        (
            "no algorithm and no signature",
            named("none", signature: []), .malformed("has not three parts with dots in between")
        ),
        ("a larger hash", named("RS512"), .algorithm("RS512")),
        ("an algorithm in another case", named("es256"), .algorithm("es256")),
        (
            "the RSA key's text as a shared secret",
            confused(Array(rsaJWK.utf8), header: #"{"alg":"HS256","kid":"rsa"}"#), .algorithm("HS256")
        ),
        (
            "a shared secret at an issuer with public keys",
            Issuance.token(.hs256, payload: payload), .algorithm("HS256")
        ),
        (
            "an RSA key at an issuer with a shared secret",
            Issuance.token(.rs256, payload: Issuance.payload(issuer: Issuance.secretIssuer)), .algorithm("RS256")
        ),
        ("an ECDSA signature of zeros", named("ES256", signature: .init(repeating: 0, count: 64)), .signature),
        ("an ECDSA signature of ones", named("ES256", signature: .init(repeating: 0xFF, count: 64)), .signature),
        ("an ECDSA signature in DER", Issuance.token(.es256, asDER: true), .signature),
        ("an ECDSA signature of 63 bytes", named("ES256", signature: .init(repeating: 1, count: 63)), .signature),
        ("a key of another curve", Issuance.token(.es256, key: .p384), .signature),
        (
            "an Ed25519 signature of zeros", named("EdDSA", kid: "ed25519", signature: .init(repeating: 0, count: 64)),
            .signature
        ),
        ("RS256 called PS256", Issuance.token(.rs256, header: Issuance.header(.ps256)), .signature),
        ("PS256 called RS256", Issuance.token(.ps256, header: Issuance.header(.rs256)), .signature),
        ("a short RSA key", Issuance.token(.rs256, key: .shortRSA), .signature),
        ("another key under a name that is ours", Issuance.token(.es256, key: .otherP256), .signature),
        (
            "another issuer's key under its own name",
            Issuance.token(.es256, header: #"{"alg":"ES256","kid":"other-p256"}"#, key: .otherP256), unknown
        ),
        (
            "another issuer's key without a name",
            Issuance.token(.es256, header: #"{"alg":"ES256"}"#, key: .otherP256), .signature
        ),
        (
            "a key of another kind",
            Issuance.token(.es256, header: #"{"alg":"ES256","kid":"rsa"}"#),
            .unknownKey(issuer: Issuance.publicIssuer, keyID: "rsa")
        ),
        (
            "a path as the key's name",
            Issuance.token(.es256, header: #"{"alg":"ES256","kid":"../../dev/null"}"#),
            .unknownKey(issuer: Issuance.publicIssuer, keyID: "../../dev/null")
        ),
        (
            "a key inside of the token",
            Issuance.token(
                .es256, header: Issuance.header(.es256, ",\"jwk\":\(Issuance.key(.otherP256, kid: "p256"))"),
                key: .otherP256), .signature
        ),
        (
            "a place to fetch keys from",
            Issuance.token(
                .es256, header: Issuance.header(.es256, #","jku":"https://evil.example","x5u":"https://evil.example""#),
                key: .otherP256), .signature
        ),
        (
            "a certificate inside of the token",
            Issuance.token(.es256, header: Issuance.header(.es256, #","x5c":["AA"]"#), key: .otherP256), .signature
        ),
        (
            "a critical extension",
            Issuance.token(.es256, header: Issuance.header(.es256, #","crit":["exp"],"exp":1"#)), .critical
        ),
        ("no critical extension", Issuance.token(.es256, header: Issuance.header(.es256, #","crit":[]"#)), .critical),
        ("critical null", Issuance.token(.es256, header: Issuance.header(.es256, #","crit":null"#)), .critical),
        (
            "a payload that is not encoded",
            Issuance.token(.es256, header: Issuance.header(.es256, #","b64":false"#)), .unsupported("b64")
        ),
        (
            "a compressed payload",
            Issuance.token(.es256, header: Issuance.header(.es256, #","zip":"DEF""#)), .unsupported("zip")
        ),
        (
            "two algorithms",
            Issuance.token(.es256, header: Issuance.header(.es256, #","alg":"none""#)), .duplicate("alg")
        ),
        (
            "two algorithms, one with an escape",
            Issuance.token(.es256, header: Issuance.header(.es256, #","\u0061lg":"none""#)), .duplicate("alg")
        ),
        (
            "two audiences",
            Issuance.token(.es256, payload: #"{"aud":"x","aud":"callboard","iss":"https://id.example"}"#),
            .duplicate("aud")
        ),
        (
            "two members deep inside",
            Issuance.token(.es256, payload: Issuance.payload(["x": #"[{"a":1,"a":2}]"#])), .duplicate("a")
        ),
        ("a token of 64 kB", good + String(repeating: "A", count: 65_536 - good.utf8.count), .tooLong(65_536)),
        ("nothing", "", .malformed("has not three parts with dots in between")),
        ("dots", "..", .malformed("has not three parts with dots in between")),
        ("two parts", parts()[..<2].joined(separator: "."), .malformed("has not three parts with dots in between")),
        ("four parts", good + ".AA", .malformed("has not three parts with dots in between")),
        ("a fourth empty part", good + ".", .malformed("has not three parts with dots in between")),
        (
            "an empty header", "." + parts()[1...].joined(separator: "."),
            .malformed("has not three parts with dots in between")
        ),
        ("an empty payload", parts()[0] + ".." + parts()[2], .malformed("has not three parts with dots in between")),
        (
            "an empty signature", parts()[0] + "." + parts()[1] + ".",
            .malformed("has not three parts with dots in between")
        ),
        ("padding", good + "==", .malformed("has a signature that is not base64url without padding")),
        ("white space", good + "\n", .malformed("has a signature that is not base64url without padding")),
        ("the word Bearer", "Bearer " + good, .malformed("has a header that is not base64url without padding")),
        (
            "other characters", "é." + parts()[1] + ".AA",
            .malformed("has a header that is not base64url without padding")
        ),
    ]

    @Test("every attack is refused with its reason", arguments: attacks)
    func attack(name: String, token: String, fault: TokenFault) {
        #expect(Issuance.fault(token) == fault, "\(name)")
    }

    @Test("an RSA key is no shared secret, even for an issuer that is set up for one")
    func confusion() throws {
        let issuer = try TokenIssuer(issuer: Issuance.publicIssuer, audiences: ["callboard"], algorithms: [.hs256])
        let verifier = try TokenVerifier(issuers: [(issuer, Issuance.publicKeys)])
        let modulus = try #require(SigningKey.rsa.members.split(separator: "\"").first { $0.utf8.count > 300 })
        for secret in [Array(Self.rsaJWK.utf8), Array(modulus.utf8), try #require(Base64URL.decode(modulus.utf8))] {
            let token = Self.confused(secret, header: #"{"alg":"HS256","kid":"rsa"}"#)
            #expect(
                Issuance.fault(token, verifier: verifier)
                    == .unknownKey(issuer: Issuance.publicIssuer, keyID: "rsa"))
            let parts = try TokenParts(Array(token.utf8))
            for key in Issuance.publicKeys.keys {
                #expect(!key.verifies(parts.signature, of: parts.signed, by: .hs256))
            }
        }
    }

    @Test("a PS256 signature has a salt as long as the hash (RFC 7518, section 3.5)", arguments: [0, 20, 31, 33, 64])
    func salt(bytes: Int32) throws {
        let key = try #require(Issuance.publicKeys.keys.first { $0.id == "rsa" })
        let message = Array("message".utf8)
        #expect(key.verifies(SigningKey.rsa.sign(message, by: .ps256), of: message[...], by: .ps256))
        let signature = SigningKey.rsa.sign(message, by: .ps256, saltBytes: bytes)
        #expect(!key.verifies(signature, of: message[...], by: .ps256))
    }

    @Test("the longest token that is allowed is looked at")
    func length() {
        let padding = { (count: Int) in
            Issuance.token(.es256, payload: Issuance.payload(["x": "\"\(String(repeating: "x", count: count))\""]))
        }
        #expect(Issuance.fault(padding(11_000)) == nil && padding(11_000).utf8.count <= TokenVerifier.lengthLimit)
        let long = padding(12_400)
        #expect(Issuance.fault(long) == .tooLong(long.utf8.count))
    }

    @Test("the same signature has no second spelling", arguments: SigningAlgorithm.allCases)
    func spelling(algorithm: SigningAlgorithm) throws {
        let token = Issuance.token(algorithm)
        let last = try #require(token.utf8.last)
        var accepted = 0
        for character in UInt8.min ... .max {
            let changed = Array(token.utf8.dropLast()) + [character]
            if (try? Issuance.verifier.verify(changed, now: Issuance.now)) != nil {
                accepted += 1
                #expect(character == last)
            }
        }
        #expect(accepted == 1)
    }

    @Test("any bit of a signature that differs is found", arguments: SigningAlgorithm.allCases)
    func bits(algorithm: SigningAlgorithm) throws {
        let parts = Self.parts(Issuance.token(algorithm))
        let signature = try #require(Base64URL.decode(parts[2].utf8))
        for bit in 0..<signature.count * 8 {
            var changed = signature
            changed[bit / 8] ^= 1 << (bit % 8)
            let token = [parts[0], parts[1], Base64URL.encode(changed)].joined(separator: ".")
            #expect(Issuance.fault(token) == .signature)
        }
        for changed in [signature + [0], signature.dropLast(), [0] + signature, signature + signature] {
            let token = [parts[0], parts[1], Base64URL.encode(changed)].joined(separator: ".")
            #expect(Issuance.fault(token) == .signature)
        }
    }

    @Test("random changes of good tokens are never accepted", arguments: SigningAlgorithm.allCases)
    func mutations(algorithm: SigningAlgorithm) {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("changes of \(algorithm.rawValue) tokens"))
        let good = Array(Issuance.token(algorithm).utf8)
        // Random numbers sign too: another valid token is no change of this one, and shares parts with it.
        let other = Array(
            Issuance.token(
                algorithm, payload: Issuance.payload(issuer: Issuance.issuer(for: algorithm), ["sub": #""bob""#])
            ).utf8)
        for round in 0..<2_000 {
            var token = good
            for _ in 0...generator.below(3) { mutate(&token, with: other, &generator) }
            guard token != good, token != other else { continue }
            let verified = try? Issuance.verifier.verify(token, now: Issuance.now)
            #expect(verified == nil, "round \(round): \(String(decoding: token, as: UTF8.self))")
        }
    }

    private func mutate(_ token: inout [UInt8], with other: [UInt8], _ generator: inout SeededGenerator) {
        guard !token.isEmpty else { return }
        let position = generator.below(token.count)
        switch generator.below(6) {
        case 0: token[position] ^= 1 << UInt8(generator.below(8))
        case 1: token[position] = UInt8(generator.below(256))
        case 2: token = Array(token[..<position])
        case 3: token.remove(at: position)
        case 4: token.insert(token[generator.below(token.count)], at: position)
        default:
            let start = generator.below(other.count)
            let end = min(token.count, position + generator.below(40))
            token.replaceSubrange(position..<end, with: other[start..<min(other.count, start + generator.below(40))])
        }
    }

    @Test("random bytes are never accepted as JSON parts, and never trap")
    func noise() {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("noise in tokens"))
        let texts = [#"{"alg":"ES256"}"#, Self.payload].map { Array($0.utf8) }
        for _ in 0..<2_000 {
            let parts = texts.map { text in
                var text = text
                for _ in 0..<generator.below(4) { text[generator.below(text.count)] = UInt8(generator.below(256)) }
                return Base64URL.encode(text)
            }
            let signature = Base64URL.encode((0..<64).map { _ in UInt8(generator.below(256)) })
            #expect(Issuance.fault("\(parts[0]).\(parts[1]).\(signature)") != nil)
        }
    }
}
