import TestSupport
import Testing

@Suite("Any operations on a persistent list")
struct PersistentListPropertyTests {
    static let shards = 8
    static let casesPerShard = 2_500 * runLength

    @Test("leave it equal to an array, with its invariants, and leave what was retained alone", arguments: 0..<shards)
    func random(shard: Int) {
        let seed = runSeed &+ UInt64(shard)
        var generator = SeededGenerator(seed: seed)
        for number in 0..<Self.casesPerShard {
            let listCase = generator.listCase()
            if let violation = ListJudge.violation(listCase) {
                let (shrunk, reason) = shrink(listCase, violation)
                Issue.record("CALLBOARD_SEED=\(runSeed) shard \(shard) case \(number): \(reason) in \(shrunk)")
                return
            }
        }
        print("\(Self.casesPerShard) sequences, shard \(shard) of \(Self.shards): CALLBOARD_SEED=\(runSeed)")
    }
}

/// Makes a failing case as small as it gets by leaving out steps and elements as long as it fails.
func shrink(
    _ listCase: ListCase,
    _ violation: String,
    judge: (ListCase) -> String? = { ListJudge.violation($0) }
) -> (ListCase, String) {
    var best = (listCase, violation)
    var size = max(listCase.cards.count, listCase.steps.count)
    while size > 0 {
        var isSmaller = false
        for candidate in smaller(than: best.0, by: size) {
            if let violation = judge(candidate) {
                best = (candidate, violation)
                isSmaller = true
                break
            }
        }
        if !isSmaller {
            size /= 2
        }
    }
    return best
}

private func smaller(than listCase: ListCase, by size: Int) -> [ListCase] {
    let fewerSteps = stride(from: 0, to: listCase.steps.count, by: size).map { start in
        var candidate = listCase
        candidate.steps.removeSubrange(start..<min(start + size, listCase.steps.count))
        return candidate
    }
    let fewerCards = stride(from: 0, to: listCase.cards.count, by: size).map { start in
        var candidate = listCase
        candidate.cards.removeSubrange(start..<min(start + size, listCase.cards.count))
        return candidate
    }
    return fewerSteps + fewerCards
}
