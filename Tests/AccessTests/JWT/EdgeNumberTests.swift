import JSONValues
import TestSupport
import Testing

@testable import Access

@Suite("Times of tokens at every edge")
struct TokenTimeEdgeTests {
    @Test("a token's times are checked or refused, whatever numbers they are")
    func times() throws {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("times of tokens"))
        var taken = 0
        for _ in 0..<EdgeNumbers.cases(percent: 2) {
            let times = (0..<3).map { _ in EdgeNumbers.json(depth: generator.chance(8) ? 1 : 0, using: &generator) }
            let text = #"{"exp":\#(times[0]),"nbf":\#(times[1]),"iat":\#(times[2])}"#
            let root = try JSONDocument(text).root
            for skew in [0, 60, 600] {
                if let end = try? TokenClaims(node: root).checkTimes(now: Issuance.now, skew: skew) {
                    taken += 1
                    #expect(end > Issuance.now && end <= TokenClaims.lastTime + skew)
                }
            }
        }
        print("\(taken) were taken")
    }

    @Test(
        "when a token was last used is compared with the clock, whatever was stored", arguments: [Int.min, -1, 0, .max])
    func lastUse(stored: Int) throws {
        var book = TokenBook()
        let token = StaticToken.random()
        var entry = TokenEntry(name: "t", digest: token.digest, grants: .nothing, createdAt: 0, expiresAt: nil)
        entry.lastUsedAt = stored
        book.insert(entry)
        let isNoted = book.noteUse(id: entry.id, at: Issuance.now, interval: 60)
        #expect(isNoted)
    }
}
