import Foundation
import Testing

@testable import Directors

@Suite("Secrets of hooks")
struct HookSecretTests {
    @Test("a secret is written as it was read", arguments: [24, 25, 26, 32, 63, 64])
    func texts(count: Int) throws {
        let text = "whsec_" + Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }).base64EncodedString()
        let secret = try HookSecret(text)
        #expect(secret.text == text)
        #expect(secret.key.count == count)
    }

    @Test("a key has 24 to 64 bytes", arguments: [0, 1, 23, 65, 128])
    func lengths(count: Int) {
        let text = "whsec_" + Data(repeating: 7, count: count).base64EncodedString()
        #expect(throws: HookSecretFault.length(count)) { try HookSecret(text) }
    }

    @Test(
        "what is not base64 with its padding is refused",
        arguments: [
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa-_",
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n", "whsec_MfKQ 9r8GKYqrTwjUPD8ILPZIo2LaLaS",
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw====", "whsec_=fKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "WHSEC_", "whsec_ä",
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAB==",
        ])
    func encodings(text: String) {
        #expect(throws: HookSecretFault.encoding) { try HookSecret(text) }
    }

    @Test("made secrets have 24 bytes and differ")
    func generated() throws {
        let secrets = Set((0..<100).map { _ in HookSecret.random() })
        #expect(secrets.count == 100)
        for secret in secrets {
            #expect(secret.key.count == 24)
            #expect(try HookSecret(secret.text) == secret)
        }
    }

    @Test("a secret prints its last four characters only")
    func masking() throws {
        let secret = try HookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        #expect("\(secret)" == "whsec_…LaSw")
        #expect(String(reflecting: secret) == "whsec_…LaSw")
        #expect(!String(reflecting: [secret]).contains("MfKQ"))
    }

    @Test("base64 is what Foundation writes and reads, for every length up to three groups and some random ones")
    func base64() {
        for count in Array(0..<10) + [47, 48, 49, 1000] {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max) }
            let text = Data(bytes).base64EncodedString()
            #expect(Base64.encode(bytes) == text)
            #expect(Base64.decode(text) == bytes)
        }
    }
}
