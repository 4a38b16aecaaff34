import Testing

@testable import Access

@Suite("Cache of verified tokens")
struct VerifiedTokenCacheTests {
    private func verified(_ subject: String, expiresAt: Int = Issuance.now + 100) throws -> VerifiedToken {
        let key = try #require(Issuance.publicKeys.keys.first)
        return VerifiedToken(
            issuer: "i", subject: subject, id: nil, grants: .everything, expiresAt: expiresAt, algorithm: .es256,
            keyID: nil, key: key.thumbprint)
    }

    private func found(_ cache: inout VerifiedTokenCache, _ text: String, now: Int = Issuance.now) -> String? {
        cache.token(for: text.utf8, now: now)?.subject
    }

    @Test("a token is found by its bytes until it ends, and is dropped then")
    func ending() throws {
        var cache = VerifiedTokenCache(byteLimit: 100_000)
        cache.insert(try verified("a"), for: "token a".utf8, now: Issuance.now)
        cache.insert(try verified("b", expiresAt: Issuance.now), for: "token b".utf8, now: Issuance.now)
        #expect(found(&cache, "token a") == "a" && found(&cache, "token b") == nil && found(&cache, "token") == nil)
        #expect(cache.token(for: Array("token a".utf8)[...], now: Issuance.now)?.subject == "a")
        #expect(cache.token(for: "token a".utf8.map { $0 }.lazy.map { $0 }, now: Issuance.now)?.subject == "a")
        #expect(found(&cache, "token a", now: Issuance.now + 99) == "a" && cache.count == 1)
        #expect(found(&cache, "token a", now: Issuance.now + 100) == nil && cache.count == 0 && cache.bytes == 0)
    }

    @Test("the bytes are bounded, and the latest tokens stay")
    func bound() throws {
        var cache = VerifiedTokenCache(byteLimit: 100_000)
        var most = 0
        for index in 0..<2_000 {
            cache.insert(try verified("\(index)"), for: "token \(index)".utf8, now: Issuance.now)
            #expect(cache.bytes <= 100_000)
            most = max(most, cache.count)
            for earlier in max(0, index - 10)...index {
                #expect(found(&cache, "token \(earlier)") == "\(earlier)")
            }
        }
        #expect(found(&cache, "token 0") == nil && most > 30 && most < 1_000)
        cache.removeAll()
        #expect(cache.count == 0 && cache.bytes == 0 && found(&cache, "token 1999") == nil)
    }

    @Test("a token counts once, and one that is too large is not kept")
    func counting() throws {
        var cache = VerifiedTokenCache(byteLimit: 100_000)
        cache.insert(try verified("a"), for: "token".utf8, now: Issuance.now)
        let bytes = cache.bytes
        cache.insert(try verified("b"), for: "token".utf8, now: Issuance.now)
        #expect(cache.bytes == bytes && cache.count == 1 && found(&cache, "token") == "b")
        cache.insert(try verified("c"), for: String(repeating: "c", count: 50_001).utf8, now: Issuance.now)
        #expect(cache.count == 1)
        var none = VerifiedTokenCache(byteLimit: 0)
        none.insert(try verified("a"), for: "token".utf8, now: Issuance.now)
        #expect(none.count == 0 && none.bytes == 0)
    }

    @Test("more directors cost more bytes")
    func estimate() throws {
        let few = try Grants([Grant([.read], on: [DirectorPattern("a")])])
        let many = try Grants([Grant([.read], on: (0..<200).map { try DirectorPattern("director-\($0)") })])
        let token = { (grants: Grants) in
            VerifiedToken(
                issuer: "i", subject: nil, id: nil, grants: grants, expiresAt: 1, algorithm: .es256, keyID: nil,
                key: KeyThumbprint(members: []))
        }
        #expect(token(many).estimatedBytes - token(few).estimatedBytes > 200 * 40)
    }
}
