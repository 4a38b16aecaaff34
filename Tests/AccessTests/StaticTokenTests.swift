import Access
import Testing

@Suite("Static tokens")
struct StaticTokenTests {
    /// Made beside this program: the checksum is Python's `zlib.crc32` of what stands before it, in base 62.
    private let known = "cbt_0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT2RN3MI"

    @Test("a token has the documented shape, and no two are the same")
    func shape() throws {
        let tokens = (0..<1_000).map { _ in StaticToken.random() }
        #expect(Set(tokens).count == tokens.count && Set(tokens.map(\.digest)).count == tokens.count)
        for token in tokens {
            #expect(token.text.utf8.count == 40 && token.text.hasPrefix("cbt_"))
            #expect(try StaticToken(token.text) == token)
        }
    }

    @Test("a checksum that was made elsewhere is right")
    func checksum() throws {
        #expect(try StaticToken(known).text == known)
    }

    @Test("any single wrong character is found")
    func mistyped() throws {
        let text = Array(StaticToken.random().text.utf8)
        for index in 4..<text.count {
            var wrong = text
            wrong[index] = wrong[index] == UInt8(ascii: "a") ? UInt8(ascii: "b") : UInt8(ascii: "a")
            #expect(throws: StaticTokenError.checksum) { try StaticToken(String(decoding: wrong, as: UTF8.self)) }
        }
    }

    @Test("what has not the shape is refused with the reason")
    func refusals() throws {
        let token = StaticToken.random().text
        #expect(throws: StaticTokenError.prefix) { try StaticToken("cbx_" + token.dropFirst(4)) }
        #expect(throws: StaticTokenError.prefix) { try StaticToken("") }
        #expect(throws: StaticTokenError.length(39)) { try StaticToken(token.dropLast()) }
        #expect(throws: StaticTokenError.length(41)) { try StaticToken(token + "a") }
        #expect(throws: StaticTokenError.character) { try StaticToken(token.dropLast() + "-") }
    }

    @Test("what looks like a token is taken out of a text, wherever it stands; other words stay")
    func redaction() {
        let token = StaticToken.random().text
        #expect(
            "no token \"\(token)\" here, nor \(token.dropLast(9))".withoutTokens == "no token \"cbt_…\" here, nor cbt_…"
        )
        #expect("\(token)".withoutTokens == "cbt_…" && "x\(token)\(token)é".withoutTokens == "xcbt_…é")
        for text in ["", "cbt", "cbt_", "cbt_short and é", "/v1/tokens/tok_0"] { #expect(text.withoutTokens == text) }
    }

    @Test("a digest is SHA-256 of the text")
    func digest() {
        // FIPS 180-4's example.
        let digest = TokenDigest(of: "abc")
        #expect(digest.bytes.prefix(4) == [0xBA, 0x78, 0x16, 0xBF] && digest.bytes.count == 32)
        #expect(TokenDigest(bytes: digest.bytes) == digest && TokenDigest(bytes: []) == nil)
        #expect(TokenDigest(of: "abd") != digest)
    }

    @Test("a book finds tokens by digest and by identifier until they are removed")
    func book() {
        let tokens = (0..<3).map { _ in StaticToken.random() }
        let entries = tokens.enumerated().map {
            TokenEntry(name: "token \($0)", digest: $1.digest, grants: .nothing, createdAt: 3 - $0)
        }
        var book = TokenBook(entries)
        #expect(book.sorted.map(\.name) == ["token 2", "token 1", "token 0"])
        #expect(book[tokens[1].digest] == entries[1] && book[id: entries[1].id] == entries[1])
        #expect(book.remove(id: entries[1].id) == entries[1] && book.remove(id: entries[1].id) == nil)
        #expect(book[tokens[1].digest] == nil && book[id: entries[1].id] == nil && book.count == 2)
    }
}
