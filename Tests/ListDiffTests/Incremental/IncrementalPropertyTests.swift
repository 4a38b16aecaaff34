import ListDiff
import TestSupport
import Testing

@Suite("Any two states of a persistent list")
struct IncrementalPropertyTests {
    static let shards = 8
    static let pairsPerShard = 2_500 * runLength

    @Test(
        "have a changeset that is legal, right, without redundance and with as few moves as in batch",
        arguments: 0..<shards
    )
    func random(shard: Int) {
        var generator = SeededGenerator(seed: runSeed &+ UInt64(shard))
        var (number, pairs) = (0, 0)
        while pairs < Self.pairsPerShard {
            let shelfCase = generator.shelfCase()
            if let violation = shelfCase.violation() {
                let (shrunk, reason) = shelfCase.shrunk(violation)
                Issue.record("CALLBOARD_SEED=\(runSeed) shard \(shard) case \(number): \(reason) in \(shrunk)")
                return
            }
            pairs += shelfCase.pairs
            number += 1
        }
        print("\(pairs) pairs of \(number) lists, shard \(shard) of \(Self.shards): CALLBOARD_SEED=\(runSeed)")
    }
}
