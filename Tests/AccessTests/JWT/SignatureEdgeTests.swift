import COpenSSL
import Notation
import Testing

@testable import Access

// Facts that public vectors of JWS try (Wycheproof's json_web_signature and those of the algorithms below it), made anew with
// keys of the tests' own.

@Suite("Signatures at their edges")
struct SignatureEdgeTests {
    private static let message = Array("message".utf8)

    private static func verifies(_ signature: [UInt8], by algorithm: SigningAlgorithm) throws -> Bool {
        let key = try #require(Issuance.publicKeys.keys.first { $0.id == Issuance.keyID(for: algorithm) })
        return key.verifies(signature, of: message[...], by: algorithm)
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
    }

    /// Adds two numbers of the same length; nil where the sum is longer. `isLittle` has the lowest byte first.
    private static func sum(_ one: [UInt8], _ other: [UInt8], isLittle: Bool = false) -> [UInt8]? {
        var (carry, sum) = (0, one)
        for index in isLittle ? Array(one.indices) : one.indices.reversed() {
            carry += Int(one[index]) + Int(other[index])
            sum[index] = UInt8(carry & 0xFF)
            carry >>= 8
        }
        return carry == 0 ? sum : nil
    }

    /// The order of P-256, and the order of the field below it.
    private static let order = bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
    private static let field = bytes("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")

    @Test("no number of an ECDSA signature is 0, or the order or more, whatever the other one is")
    func ecdsaRange() throws {
        let good = SigningKey.p256.sign(Self.message, by: .es256)
        #expect(try Self.verifies(good, by: .es256))
        let (r, s) = (Array(good[..<32]), Array(good[32...]))
        let zero = [UInt8](repeating: 0, count: 32)
        let one = Array(zero.dropLast()) + [1]
        let more = try #require(Self.sum(Self.order, one))
        var edges = [
            zero, Self.order, more, Self.field, [UInt8](repeating: 0xFF, count: 32), one,
            Array(Self.order.dropLast()) + [0x50],
        ]
        edges += [r, s].compactMap { Self.sum($0, Self.order) }
        for edge in edges {
            for signature in [edge + s, r + edge, edge + edge] {
                #expect(try !Self.verifies(signature, by: .es256), "\(edge)")
            }
        }
        #expect(try !Self.verifies(s + r, by: .es256))
        for length in [0, 1, 31, 32, 62, 63, 65, 66, 96, 128] {
            let cut = Array((good + good).prefix(length))
            #expect(try !Self.verifies(cut, by: .es256), "\(length) bytes")
        }
        #expect(try !Self.verifies([0] + r + [0] + s, by: .es256))
        #expect(try !Self.verifies(SigningKey.p256.sign(Self.message, by: .es256, asDER: true), by: .es256))
    }

    @Test(
        "Ed25519 takes a number below the order alone (RFC 8032, section 5.1.7), and no point that is written otherwise"
    )
    func ed25519() throws {
        let good = SigningKey.ed25519.sign(Self.message, by: .edDSA)
        #expect(try Self.verifies(good, by: .edDSA))
        let (r, s) = (Array(good[..<32]), Array(good[32...]))
        let order = Self.bytes("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
        let zero = [UInt8](repeating: 0, count: 32)
        var other = s
        while let next = Self.sum(other, order, isLittle: true) {
            other = next
            #expect(try !Self.verifies(r + other, by: .edDSA))
        }
        for edge in [zero, order, [UInt8](repeating: 0xFF, count: 32)] {
            for signature in [r + edge, edge + s, edge + edge] { #expect(try !Self.verifies(signature, by: .edDSA)) }
        }
        // The neutral point, in its one way and in two others; and the prime, which stands for 0.
        let points = [
            "01" + String(repeating: "00", count: 31), "01" + String(repeating: "00", count: 30) + "80",
            "ee" + String(repeating: "ff", count: 30) + "7f", "ed" + String(repeating: "ff", count: 30) + "7f",
        ]
        for point in points {
            for number in [s, zero, order] { #expect(try !Self.verifies(Self.bytes(point) + number, by: .edDSA)) }
        }
        for length in [0, 1, 32, 63, 65, 128] {
            #expect(try !Self.verifies(Array((good + good).prefix(length)), by: .edDSA), "\(length) bytes")
        }
        #expect(try !Self.verifies(s + r, by: .edDSA))
    }

    @Test("an RSA signature is as long as the modulus and less than it", arguments: [SigningAlgorithm.rs256, .ps256])
    func rsa(algorithm: SigningAlgorithm) throws {
        let text = try #require(SigningKey.rsa.members.split(separator: "\"").first { $0.utf8.count > 300 })
        let modulus = try #require(Base64URL.decode(text.utf8))
        let key = try #require(Issuance.publicKeys.keys.first { $0.id == "rsa" })
        var beginsWithZero = 0
        for round in 0..<2_000 where beginsWithZero < 1 {
            let message = Array("message \(round)".utf8)
            let good = SigningKey.rsa.sign(message, by: algorithm)
            func verifies(_ signature: [UInt8]) -> Bool { key.verifies(signature, of: message[...], by: algorithm) }
            if round == 0 {
                #expect(verifies(good))
                let zero = [UInt8](repeating: 0, count: 256)
                for other in [
                    [0] + good, [0, 0] + good, good + [0], Array(good.dropLast()), Array(good.dropFirst()), [], [0],
                    [1],
                    zero, Array(zero.dropLast()) + [1], Array(zero.dropLast()) + [2], modulus,
                    Array(modulus.dropLast()) + [modulus[255] - 1],
                    [UInt8](repeating: 0xFF, count: 256), good + good, Array(good.reversed()),
                ] {
                    #expect(!verifies(other), "\(other.count) bytes")
                }
            }
            // The same number modulo the modulus, where there is room for it.
            if let sum = Self.sum(good, modulus) { #expect(!verifies(sum)) }
            guard good[0] == 0 else { continue }
            beginsWithZero += 1
            #expect(verifies(good) && !verifies(Array(good.drop { $0 == 0 })))
        }
        #expect(beginsWithZero == 1)
    }

    @Test("an RSA signature with another hash, or another hash of the mask, is none")
    func hashes() throws {
        for hash in [EVP_sha1(), EVP_sha224(), EVP_sha384(), EVP_sha512(), EVP_sha3_256(), EVP_sha512_256()] {
            for algorithm in [SigningAlgorithm.rs256, .ps256] {
                let signature = SigningKey.rsa.sign(Self.message, by: algorithm, hash: hash)
                #expect(try !Self.verifies(signature, by: algorithm))
            }
            let masked = SigningKey.rsa.sign(Self.message, by: .ps256, mask: hash)
            #expect(try !Self.verifies(masked, by: .ps256))
        }
    }
}

@Suite("Tokens at their edges")
struct TokenEdgeTests {
    @Test("no spelling of none is an algorithm, with a signature or without")
    func none() {
        var names = ["", " none", "none ", "none\\u0000", "nonE\\n", "noné", "NULL", "null", "HS256none"]
        for bits in 0..<16 {
            names.append(
                String("none".enumerated().map { bits >> $0 & 1 == 0 ? $1 : Character($1.uppercased()) }))
        }
        for name in names {
            let header = Issuance.encode(#"{"alg":"\#(name)","kid":"p256"}"#)
            for signature in ["", "AA", String(Issuance.token(.es256).split(separator: ".")[2])] {
                let token = "\(header).\(Issuance.encode(Issuance.payload())).\(signature)"
                switch Issuance.fault(token) {
                case .algorithm?, .malformed?: continue
                case let fault: Issue.record("\(name): \(String(describing: fault))")
                }
            }
        }
    }

    @Test(
        "a public key is no shared secret in any of its forms, wherever the issuer's settings are wrong as well",
        arguments: [SigningAlgorithm.rs256, .es256, .edDSA])
    func confusion(algorithm: SigningAlgorithm) throws {
        let key = SigningKey.key(for: algorithm)
        let issuer = try TokenIssuer(issuer: Issuance.publicIssuer, audiences: ["callboard"], algorithms: [.hs256])
        let wrong = try TokenVerifier(issuers: [(issuer, Issuance.publicKeys)])
        let pem = key.publicPEM
        let forms = [
            Array(pem.utf8), Array(pem.dropLast().utf8), Array(pem.replacing("\n", with: "\r\n").utf8),
            Array(pem.split(separator: "\n").dropFirst().dropLast().joined().utf8), key.publicDER,
            Array("{\(key.members)}".utf8), [], [0], [UInt8](repeating: 0, count: 32),
        ]
        for secret in forms {
            for kid in [#","kid":"\#(Issuance.keyID(for: algorithm))""#, ""] {
                let token = Issuance.token(
                    .hs256, header: #"{"alg":"HS256"\#(kid)}"#, payload: Issuance.payload(), key: .makeSecret(secret))
                #expect(Issuance.fault(token) == .algorithm("HS256"))
                guard case .unknownKey? = Issuance.fault(token, verifier: wrong) else {
                    Issue.record("a public key was tried as a secret")
                    return
                }
            }
        }
        for empty in ["", "AA", Base64URL.encode([UInt8](repeating: 7, count: 31))] {
            #expect(throws: KeySetError.self) { try Issuance.parse([#"{"kty":"oct","k":"\#(empty)"}"#]) }
        }
    }

    @Test("a part that is signed in another spelling is refused, though its signature is right")
    func spellings() throws {
        // Its length is not one of three bytes, so that its last character has bits to spare.
        let (header, payload) = (Issuance.header(.hs256, " "), Issuance.payload(issuer: Issuance.secretIssuer) + " ")
        let parts = [header, payload].map { text in
            Issuance.encode(text.utf8.count % 3 == 0 ? text + " " : text)
        }
        func fault(_ header: String, _ payload: String) -> TokenFault? {
            let code = SigningKey.hmac.sign(Array("\(header).\(payload)".utf8), by: .hs256)
            return Issuance.fault("\(header).\(payload).\(Base64URL.encode(code))")
        }
        #expect(fault(parts[0], parts[1]) == nil)
        for (index, name) in ["header", "payload"].enumerated() {
            let part = parts[index]
            let last = try #require(part.last)
            let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
            let next = try #require(alphabet.firstIndex(of: last).map { alphabet[alphabet.index(after: $0)] })
            let padded = part + String(repeating: "=", count: (4 - part.count % 4) % 4)
            let (start, rest) = (part.prefix(4), part.dropFirst(4))
            let spellings: [String] = [
                "\(part.dropLast())\(next)", padded, "\(padded)=", "\(part)=", " \(part)", "\(part) ", "\(part)\n",
                "\(part)\r\n", "\t\(part)", "\(start)\n\(rest)", "\(part)A", "\(part)\u{0}", "\(start)+/\(rest)",
                "\(part)%3D",
            ]
            for spelt in spellings {
                let fault = index == 0 ? fault(spelt, parts[1]) : fault(parts[0], spelt)
                guard case .malformed(let why)? = fault, why.hasPrefix("has a \(name) ") else {
                    Issue.record("\(name) \(spelt): \(String(describing: fault))")
                    continue
                }
            }
        }
    }

    @Test("other serializations, tokens in tokens and parts that are no JSON objects are refused")
    func forms() throws {
        let token = Issuance.token(.es256)
        let parts = token.split(separator: ".").map(String.init)
        let json = #"{"payload":"\#(parts[1])","protected":"\#(parts[0])","signature":"\#(parts[2])"}"#
        let general =
            #"{"payload":"\#(parts[1])","signatures":[{"protected":"\#(parts[0])","signature":"\#(parts[2])"}]}"#
        let header = Issuance.header(.es256)
        for other in [
            json, general, Issuance.encode(json), "[\(token)]", "\"\(token)\"", "\(token),\(token)",
            "\(token).\(token)",
            parts.reversed().joined(separator: "."), "." + token, "..\(parts[2])", token.replacing(".", with: ".."),
            Issuance.token(.es256, payload: token), Issuance.token(.es256, payload: "\"\(token)\""),
            Issuance.token(.es256, header: Issuance.header(.es256, #","cty":"JWT""#), payload: token),
            Issuance.token(.es256, payload: ""), Issuance.token(.es256, payload: "null"),
            Issuance.token(.es256, payload: "[\(Issuance.payload())]"),
            Issuance.token(.es256, payload: Issuance.payload() + "{}"),
            Issuance.token(.es256, header: "\u{feff}" + header),
            Issuance.token(.es256, header: "\(header) \(header)"), Issuance.token(.es256, header: "null"),
        ] {
            guard case .malformed? = Issuance.fault(other) else {
                Issue.record("\(other): \(String(describing: Issuance.fault(other)))")
                continue
            }
        }
        // White space between the members is JSON's own matter.
        let spaced = Issuance.token(.es256, header: " \n\(header)\t", payload: " \r\n\(Issuance.payload()) ")
        #expect(Issuance.fault(spaced) == nil)
    }

    @Test(
        "a key's name is a name, whatever else it could be",
        arguments: [
            "' OR '1'='1", "p256' --", "../../dev/null", "/dev/null", "file:///dev/null", "https://evil.example/keys",
            "p256\\u0000", "\\u0000", "p256 ", " p256", "P256", "p256\\n", "|id", "$(id)", "*", "p256,rsa", "%70256",
            "",
            "ｐ256",
        ])
    func keyNames(name: String) {
        let header = #"{"alg":"ES256","kid":"\#(name)"}"#
        for key in [SigningKey.p256, .otherP256] {
            guard
                case .unknownKey(Issuance.publicIssuer, _)? = Issuance.fault(
                    Issuance.token(.es256, header: header, key: key))
            else {
                Issue.record("\(name) has led to a key")
                return
            }
        }
    }

    @Test(
        "keys in a header change nothing: a good token stays good, another's does not become it",
        arguments: ["jwk", "jku", "x5u", "x5c", "x5t", "x5t#S256"])
    func keysInside(member: String) {
        for value in [
            Issuance.key(.otherP256, kid: "p256"), "\"https://evil.example/keys\"", #"["AA"]"#, "null", "7", "{}",
        ] {
            let header = Issuance.header(.es256, ",\"\(member)\":\(value)")
            #expect(Issuance.fault(Issuance.token(.es256, header: header)) == nil)
            #expect(Issuance.fault(Issuance.token(.es256, header: header, key: .otherP256)) == .signature)
        }
    }

    @Test("members that change how a token is read are refused, whatever they say")
    func critical() {
        for value in ["[]", #"["b64"]"#, #"["exp"]"#, #"[""]"#, #"["alg"]"#, #""b64""#, "null", "true", "{}"] {
            let header = Issuance.header(.es256, ",\"crit\":\(value)")
            #expect(Issuance.fault(Issuance.token(.es256, header: header)) == .critical)
        }
        for value in ["false", "true", "null", "\"false\""] {
            #expect(
                Issuance.fault(Issuance.token(.es256, header: Issuance.header(.es256, ",\"b64\":\(value)")))
                    == .unsupported("b64"))
        }
        let header = Issuance.encode(Issuance.header(.es256, #","b64":false,"crit":["b64"]"#))
        let signed = Array((header + "." + Issuance.payload()).utf8)
        let signature = Base64URL.encode(SigningKey.p256.sign(signed, by: .es256))
        #expect(Issuance.fault("\(header).\(Issuance.payload()).\(signature)") != nil)
    }

    @Test("no member of a header or a claim is there twice", arguments: ["alg", "kid", "typ", "x"])
    func duplicates(name: String) {
        let values = ["alg": #""ES256""#, "kid": #""p256""#, "typ": #""JWT""#, "x": "1"]
        let value = values[name] ?? ""
        let header = #"{"alg":"ES256","kid":"p256","typ":"JWT","x":1,"\#(name)":\#(value)}"#
        #expect(Issuance.fault(Issuance.token(.es256, header: header)) == .duplicate(name))
        for claim in ["iss", "aud", "exp", "sub", "authorization_details"] {
            let payload = Issuance.payload()
            for twice in [#"{"\#(claim)":1,\#(payload.dropFirst())"#, #"\#(payload.dropLast()),"\#(claim)":1}"#] {
                #expect(Issuance.fault(Issuance.token(.es256, payload: twice)) == .duplicate(claim))
            }
        }
    }

    @Test("a header as long as a token may be is read, and a longer one is not")
    func hugeHeader() {
        func token(_ count: Int) -> String {
            Issuance.token(
                .es256, header: Issuance.header(.es256, ",\"x\":\"\(String(repeating: "x", count: count))\""))
        }
        let fits = token(11_000)
        #expect(fits.utf8.count <= TokenVerifier.lengthLimit && Issuance.fault(fits) == nil)
        let long = token(13_000)
        #expect(Issuance.fault(long) == .tooLong(long.utf8.count))
    }

    @Test("a token ends with the second that it names, and a fraction counts as begun")
    func expiry() {
        let now = Issuance.now
        for (exp, last) in [
            ("\(now)", now + 59), ("\(now).0", now + 59), ("\(now).5", now + 60), ("\(now).000001", now + 60),
            ("18e8", now + 59),
        ] {
            let token = Issuance.token(.es256, payload: Issuance.payload(["exp": exp]))
            #expect(Issuance.fault(token, now: last) == nil, "\(exp)")
            guard case .expired? = Issuance.fault(token, now: last + 1) else {
                Issue.record("\(exp) is accepted at \(last + 1)")
                continue
            }
        }
    }
}
