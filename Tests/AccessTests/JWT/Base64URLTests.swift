import Notation
import Testing

@Suite("Base64url")
struct Base64URLTests {
    @Test(
        "the published examples",
        arguments: [
            // RFC 4648, section 10, without padding; RFC 7515, appendix C.
            ([], ""), (Array("f".utf8), "Zg"), (Array("fo".utf8), "Zm8"), (Array("foo".utf8), "Zm9v"),
            (Array("foob".utf8), "Zm9vYg"), (Array("fooba".utf8), "Zm9vYmE"), (Array("foobar".utf8), "Zm9vYmFy"),
            ([3, 236, 255, 224, 193], "A-z_4ME"),
        ])
    func examples(bytes: [UInt8], text: String) {
        #expect(Base64URL.encode(bytes) == text && Base64URL.decode(text.utf8) == bytes)
    }

    @Test(
        "other spellings are refused",
        arguments: ["Zg==", "Zh", "Zm9", "Z", "Zm9v\n", " Zm9v", "A+z/4ME", "Zm9vZ", "Zm8=", "Zm\u{0}v", "Zmév"])
    func refusals(text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }

    @Test("every text of two characters is refused, or what its bytes are written as")
    func spellings() {
        var read = 0
        for first in UInt8.min ... .max {
            for second in UInt8.min ... .max {
                guard let bytes = Base64URL.decode([first, second]) else { continue }
                read += 1
                #expect(Array(Base64URL.encode(bytes).utf8) == [first, second])
            }
        }
        #expect(read == 256)
    }
}
