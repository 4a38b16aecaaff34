import JSONValues
import Notation
import Testing

@testable import Access

@Suite("Key sets")
struct KeySetTests {
    /// RFC 7517, appendix A.1: a key for encryption and one for signatures.
    static let published = #"""
        {"keys":
          [
            {"kty":"EC",
             "crv":"P-256",
             "x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
             "y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
             "use":"enc",
             "kid":"1"},

            {"kty":"RSA",
             "n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx\#
        4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMs\#
        tn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2\#
        QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbI\#
        SD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqb\#
        w0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw",
             "e":"AQAB",
             "alg":"RS256",
             "kid":"2011-04-29"}
          ]
        }
        """#

    @Test("the published set is read, and the thumbprint of its key is the published one")
    func publishedSet() throws {
        let set = try KeySet(parsing: Array(Self.published.utf8))
        #expect(set.keys.map(\.id) == ["2011-04-29"] && set.skipped == 1)
        #expect(set.keys.first?.algorithms == [.rs256])
        // RFC 7638, section 3.1.
        #expect(set.keys.first?.thumbprint.description == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
        let ed25519 = try Issuance.parse([
            #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#
        ])
        // RFC 8037, appendix A.3.
        #expect(ed25519.keys.first?.thumbprint.description == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    }

    @Test(
        "a key knows what it can be used for",
        arguments: [
            (.rsa, "", [.rs256, .ps256]), (.rsa, #","alg":"PS256""#, [.ps256]),
            (.p256, "", [.es256]), (.ed25519, "", [.edDSA]), (.hmac, "", [.hs256]),
            (.rsa, #","use":"sig","key_ops":["verify","sign"],"x5c":["AA"],"unknown":[{}]"#, [.rs256, .ps256]),
        ] as [(SigningKey, String, Set<SigningAlgorithm>)])
    func uses(key: SigningKey, more: String, algorithms: Set<SigningAlgorithm>) throws {
        let set = try Issuance.parse([Issuance.key(key, kid: "k", more)])
        #expect(set.keys.map(\.algorithms) == [algorithms] && set.skipped == 0)
    }

    @Test(
        "a key for something else is skipped and counted",
        arguments: [
            Issuance.key(.rsa, #","use":"enc""#), Issuance.key(.p256, #","key_ops":["sign"]"#),
            Issuance.key(.rsa, #","alg":"RS512""#), Issuance.key(.rsa, #","alg":"none""#),
            Issuance.key(.rsa, #","alg":"RSA-OAEP""#), Issuance.key(.p384), #"{"kty":"AKP"}"#,
            #"{"kty":"EC","crv":"secp256k1","x":"?","y":"?"}"#, #"{"kty":"OKP","crv":"X25519","x":"AA"}"#,
            #"{"kty":"OKP","crv":"Ed448","x":"AA"}"#, #"{"kty":"rsa"}"#,
        ])
    func skipped(key: String) throws {
        let set = try Issuance.parse([key, Issuance.key(.p256)])
        #expect(set.keys.count == 1 && set.skipped == 1)
        let error = #expect(throws: KeySetError.self) { try Issuance.parse([key]) }
        #expect(error?.pointer == "/keys" && error?.detail.contains("no key can be used") == true)
    }

    private static let zeros = Base64URL.encode([UInt8](repeating: 0, count: 32))
    private static let x = #""x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4""#
    private static let y = #""y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM""#

    private static func rsa(bytes: Int, first: UInt8 = 0xFF, last: UInt8 = 1, e: String = "AQAB") -> String {
        let n = [first] + [UInt8](repeating: 0x55, count: bytes - 2) + [last]
        return #"{"kty":"RSA","n":"\#(Base64URL.encode(n))","e":"\#(e)"}"#
    }

    @Test(
        "a malformed key is refused with its place",
        arguments: [
            ("1", "", "object"), ("{}", "", "kty is missing"), (#"{"kty":1}"#, "/kty", "string"),
            (#"{"kty":"RSA","e":"AQAB"}"#, "", "n is missing"), (#"{"kty":"RSA","n":1,"e":"AQAB"}"#, "/n", "base64url"),
            (#"{"kty":"RSA","n":"AA==","e":"AQAB"}"#, "/n", "base64url"),
            (Issuance.key(.shortRSA), "/n", "2048 to 8192 bits, and it has 1024"),
            (rsa(bytes: 256, first: 0x7F), "/n", "it has 2047"), (rsa(bytes: 1025, first: 1), "/n", "it has 8193"),
            (rsa(bytes: 257, first: 0), "/n", "zero byte"), (rsa(bytes: 256, last: 2), "/n", "odd modulus"),
            (rsa(bytes: 256, e: "AQ"), "/e", "at least 3"), (rsa(bytes: 256, e: "Ag"), "/e", "odd exponent"),
            (rsa(bytes: 256, e: "AAEAAQ"), "/e", "zero byte"), (rsa(bytes: 256, e: ""), "/e", "zero byte"),
            (rsa(bytes: 256, e: "AQAAAAAAAAAB"), "/e", "64 bits"),
            (#"{"kty":"EC",\#(x),\#(y)}"#, "", "crv is missing"), (#"{"kty":"OKP",\#(x)}"#, "", "crv is missing"),
            (#"{"kty":"EC","crv":"P-256",\#(x)}"#, "", "y is missing"),
            (#"{"kty":"EC","crv":"P-256",\#(x),"y":"AA"}"#, "/y", "expected 32 bytes, and there are 1"),
            (#"{"kty":"EC","crv":"P-256",\#(x),"y":"\#(zeros)"}"#, "/x", "no point of the curve"),
            (#"{"kty":"EC","crv":"P-256","x":"\#(zeros)","y":"\#(zeros)"}"#, "/x", "no point of the curve"),
            (#"{"kty":"OKP","crv":"Ed25519","x":"AAAA"}"#, "/x", "expected 32 bytes"),
            (#"{"kty":"oct","k":"AAAA"}"#, "/k", "at least 32 bytes"), (#"{"kty":"oct"}"#, "", "k is missing"),
            (Issuance.key(.rsa, #","alg":"ES256""#), "/alg", "not for a key of this kind"),
            (Issuance.key(.rsa, #","alg":"HS256""#), "/alg", "not for a key of this kind"),
            (Issuance.key(.hmac, #","alg":"RS256""#), "/alg", "not for a key of this kind"),
            (Issuance.key(.rsa, #","alg":7"#), "/alg", "string"), (Issuance.key(.rsa, #","use":7"#), "/use", "string"),
            (Issuance.key(.rsa, #","key_ops":"verify""#), "/key_ops", "array of strings"),
            (Issuance.key(.rsa, #","key_ops":["verify",1]"#), "/key_ops", "array of strings"),
            (Issuance.key(.rsa, #","kid":7"#), "/kid", "string"),
            (Issuance.key(.rsa, kid: String(repeating: "k", count: 257)), "/kid", "256 bytes"),
            (Issuance.key(.rsa, #","d":"AQAB""#), "/d", "private key"),
            (Issuance.key(.p256, #","d":"AQAB""#), "/d", "private key"),
            (Issuance.key(.ed25519, #","d":"AQAB""#), "/d", "private key"),
            (Issuance.key(.rsa, #","use":"enc","qi":"AQAB""#), "/qi", "private key"),
            (Issuance.key(.p384, #","d":"AQAB""#), "/d", "private key"),
        ])
    func malformed(key: String, pointer: String, detail: String) {
        let error = #expect(throws: KeySetError.self) { try Issuance.parse([Issuance.key(.p256), key]) }
        #expect(error?.pointer == "/keys/1" + pointer, "\(String(describing: error))")
        #expect(error?.detail.contains(detail) == true, "\(String(describing: error))")
    }

    @Test(
        "a text that is no set is refused",
        arguments: [
            ("", "", "there is no value"), ("[]", "", "member keys"), ("{}", "", "keys is missing"),
            (#"{"keys":{}}"#, "/keys", "array"), (#"{"keys":[]}"#, "/keys", "no key can be used"),
            (#"{"keys":[],"keys":[]}"#, "", "two members"),
            (#"{"keys":[[[[[[[[[]]]]]]]]]}"#, "", "deeper"),
        ])
    func noSet(text: String, pointer: String, detail: String) {
        let error = #expect(throws: KeySetError.self) { try KeySet(parsing: Array(text.utf8)) }
        #expect(error?.pointer == pointer && error?.detail.contains(detail) == true, "\(String(describing: error))")
        #expect(error?.description.hasPrefix("the key set") == true)
    }

    @Test("a key verifies by its own algorithms only, whoever asks")
    func ownAlgorithms() throws {
        let message = Array("message".utf8)
        let signature = SigningKey.rsa.sign(message, by: .ps256)
        let any = try #require(try Issuance.parse([Issuance.key(.rsa)]).keys.first)
        #expect(any.verifies(signature, of: message[...], by: .ps256))
        let other = try #require(try Issuance.parse([Issuance.key(.rsa, #","alg":"RS256""#)]).keys.first)
        #expect(!other.verifies(signature, of: message[...], by: .ps256))
    }

    @Test("one name leads to one key of an algorithm")
    func names() throws {
        let (one, other) = (Issuance.key(.rsa, kid: "k"), Issuance.key(.otherRSA, kid: "k", #","alg":"PS256""#))
        let error = #expect(throws: KeySetError.self) { try Issuance.parse([one, other]) }
        #expect(error?.pointer == "/keys/1/kid")
        let split = try Issuance.parse([
            Issuance.key(.rsa, kid: "k", #","alg":"RS256""#), other, Issuance.key(.p256, kid: "k"),
        ])
        #expect(split.candidates(for: .ps256, named: "k").count == 1)
        // Composed and decomposed are two names, and keys without a name are not in each other's way.
        let spelt = try Issuance.parse([
            Issuance.key(.rsa, kid: "caf\u{e9}"), Issuance.key(.otherRSA, kid: "cafe\u{301}"),
            Issuance.key(.rsa), Issuance.key(.rsa),
        ])
        #expect(spelt.keys.count == 4 && spelt.candidates(for: .rs256, named: "caf\u{e9}").count == 1)
    }

    @Test("texts and keys are bounded")
    func bounds() throws {
        let keys = { (count: Int) in (0..<count).map { Issuance.key(.ed25519, kid: "\($0)") } }
        #expect(try Issuance.parse(keys(100)).keys.count == 100)
        #expect(throws: KeySetError.self) { try Issuance.parse(keys(101)) }
        let text = "{\"keys\":[\(Issuance.key(.ed25519))]}"
        let padded = { (count: Int) in
            Array(text.utf8) + Array(repeating: UInt8(ascii: " "), count: count - text.utf8.count)
        }
        #expect(try KeySet(parsing: padded(KeySet.byteLimit)).keys.count == 1)
        #expect(throws: KeySetError.self) { try KeySet(parsing: padded(KeySet.byteLimit + 1)) }
    }

    @Test("sets are equal where keys, names and uses are, in any order")
    func equality() throws {
        let (rsa, p256) = (Issuance.key(.rsa, kid: "a"), Issuance.key(.p256, kid: "b"))
        let set = try Issuance.parse([rsa, p256])
        #expect(try set == Issuance.parse([p256, Issuance.key(.p384), rsa]))
        for other in [
            [rsa], [p256], [Issuance.key(.rsa, kid: "a2"), p256], [Issuance.key(.rsa), p256],
            [Issuance.key(.otherRSA, kid: "a"), p256], [Issuance.key(.rsa, kid: "a", #","alg":"RS256""#), p256],
        ] {
            #expect(try set != Issuance.parse(other))
        }
    }
}
