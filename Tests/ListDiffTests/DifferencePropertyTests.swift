import ListDiff
import TestSupport
import Testing

@testable import ListDiffTesting

@Suite("Any two lists")
struct DifferencePropertyTests {
    static let shards = 8
    static let pairsPerShard = 2_500 * runLength

    @Test(
        "every stage is legal, the last one leaves the target, and nothing in them is redundant",
        arguments: 0..<shards
    )
    func random(shard: Int) {
        let seed = runSeed &+ UInt64(shard)
        var generator = SeededGenerator(seed: seed)
        for number in 0..<Self.pairsPerShard {
            let pair = generator.pair()
            if let violation = Judge(pair).violation() {
                let (shrunk, reason) = shrink(pair, violation)
                Issue.record("CALLBOARD_SEED=\(runSeed) shard \(shard) pair \(number): \(reason) in \(shrunk)")
                return
            }
        }
        print("\(Self.pairsPerShard) pairs, shard \(shard) of \(Self.shards): CALLBOARD_SEED=\(runSeed)")
    }
}

/// Makes a failing pair as small as it gets by leaving out sections and elements as long as it fails.
func shrink(_ pair: Pair, _ violation: Violation) -> (Pair, Violation) {
    var best = (pair, violation)
    var isShrinking = true
    while isShrinking {
        isShrinking = false
        for candidate in smaller(than: best.0) {
            if let violation = Judge(candidate).violation() {
                best = (candidate, violation)
                isShrinking = true
                break
            }
        }
    }
    return best
}

private func smaller(than pair: Pair) -> [Pair] {
    smaller(than: pair.source).map { Pair(source: $0, target: pair.target) }
        + smaller(than: pair.target).map { Pair(source: pair.source, target: $0) }
}

private func smaller(than list: [Group]) -> [[Group]] {
    var result: [[Group]] = []
    for section in list.indices {
        var shorter = list
        shorter.remove(at: section)
        result.append(shorter)
    }
    for section in list.indices {
        if list[section].content != 0 {
            var plainer = list
            plainer[section].content = 0
            result.append(plainer)
        }
        for element in list[section].elements.indices {
            var shorter = list
            shorter[section].elements.remove(at: element)
            result.append(shorter)
            if list[section].elements[element].content != 0 {
                var plainer = list
                plainer[section].elements[element].content = 0
                result.append(plainer)
            }
        }
    }
    return result
}
