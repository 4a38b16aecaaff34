import ListDiff
import TestSupport
import Testing

@testable import ListDiffTesting

@Suite("The oracle")
struct OracleFaultTests {
    /// The kinds of fault that have to come up, so that none of them is left out unnoticed.
    static let kinds: Set<String> = [
        "drop elementUpdated", "drop sectionDeleted", "drop elementDeleted", "drop sectionInserted",
        "drop sectionMoved", "drop elementInserted", "drop elementMoved", "drop sectionUpdated",
        "repeat elementUpdated", "repeat sectionDeleted", "repeat elementDeleted", "repeat sectionInserted",
        "repeat sectionMoved", "repeat elementInserted", "repeat elementMoved", "repeat sectionUpdated",
        "raise elementUpdated", "raise sectionDeleted", "raise elementDeleted", "raise sectionInserted",
        "raise sectionMoved", "raise elementInserted", "raise elementMoved", "raise sectionUpdated",
        "lower elementUpdated", "lower sectionDeleted", "lower elementDeleted", "lower sectionInserted",
        "lower sectionMoved", "lower elementInserted", "lower elementMoved", "lower sectionUpdated",
        "spoil elementUpdated", "spoil elementInserted", "spoil sectionInserted", "spoil sectionUpdated",
        "empty stage", "reversed stages", "missing stage", "moves among deletes", "redundant element move",
        "redundant section move", "redundant element update", "redundant section update",
        "delete in a deleted section", "insert in an inserted section",
        "drop replaced", "repeat replaced", "raise replaced", "lower replaced", "spoil replaced", "redundant replaced",
    ]

    @Test("catches every fault that is planted in a right changeset")
    func catchesFaults() {
        var generator = SeededGenerator(seed: runSeed)
        var planted: [String: Int] = [:]
        for _ in 0..<400 {
            let pair = generator.distinctPair()
            let judge = Judge(pair)
            #expect(judge.violation() == nil)
            for fault in FaultPlanter(pair).faults() {
                planted[fault.name, default: 0] += 1
                if judge.violation(of: fault.changeset) == nil {
                    Issue.record(
                        "CALLBOARD_SEED=\(runSeed): \(fault.name) was not caught in \(pair): \(fault.changeset)")
                    return
                }
            }
        }
        #expect(Set(planted.keys) == Self.kinds)
        print("\(planted.values.reduce(0, +)) faults caught: CALLBOARD_SEED=\(runSeed)")
    }

    @Test("counts moves as an exhaustive search over all pairings does")
    func countsMovesExactly() {
        var generator = SeededGenerator(seed: runSeed)
        for _ in 0..<1_000 {
            let alphabet = 1 + generator.below(4)
            let before = (0..<generator.below(6)).map { _ in generator.below(alphabet) }
            let after = (0..<generator.below(6)).map { _ in generator.below(alphabet) }
            let moves = keptCount(before, after) - commonLength(before, after)
            #expect(moves == fewestMoves(before, after), "\(before) -> \(after), CALLBOARD_SEED=\(runSeed)")
        }
    }

    @Test("sees all that can happen to a list in the random pairs")
    func randomPairsAreVaried() {
        var generator = SeededGenerator(seed: runSeed)
        var counts: [String: Int] = [:]
        for _ in 0..<2_000 {
            let pair = generator.pair()
            let staged = StagedChangeset(from: pair.source, to: pair.target)
            counts["replaced", default: 0] += staged.replaced.isEmpty ? 0 : 1
            let moved = staged.stages.flatMap(\.elementMoved).map(\.to)
            counts["replaced and moved", default: 0] += staged.replaced.contains { moved.contains($0.at) } ? 1 : 0
            for stage in staged.stages {
                for kind in stage.kinds {
                    counts[kind.rawValue, default: 0] += 1
                }
                if stage.elementMoved.contains(where: { $0.from.section == $0.to.section }) {
                    counts["move in a section", default: 0] += 1
                }
                if stage.elementMoved.contains(where: { $0.from.section != $0.to.section }) {
                    counts["move across sections", default: 0] += 1
                }
            }
            if Set(pair.source.map(\.id)).count < pair.source.count {
                counts["duplicate section", default: 0] += 1
            }
            if pair.source.contains(where: { Set($0.elements.map(\.id)).count < $0.elements.count }) {
                counts["duplicate element", default: 0] += 1
            }
        }
        for name in ChangesetOperation.allCases.map(\.rawValue) + [
            "move in a section", "move across sections", "duplicate section", "duplicate element", "replaced",
            "replaced and moved",
        ] {
            #expect(counts[name, default: 0] > 100, "\(name): \(counts[name, default: 0])")
        }
    }
}

/// The fewest moves that any pairing of all that two lists have in common leaves, by trying them all.
private func fewestMoves(_ before: [Int], _ after: [Int]) -> Int {
    var best = before.count
    let kept = keptCount(before, after)
    var partners: [Int] = []
    func pair(_ index: Int) {
        guard index < before.count else {
            if partners.count(where: { $0 >= 0 }) == kept {
                best = min(best, kept - longestRun(partners.filter { $0 >= 0 }))
            }
            return
        }
        for partner in after.indices where after[partner] == before[index] && !partners.contains(partner) {
            partners.append(partner)
            pair(index + 1)
            partners.removeLast()
        }
        partners.append(-1)
        pair(index + 1)
        partners.removeLast()
    }
    pair(0)
    return best
}

/// The length of the longest increasing run of a short list, by trying every subset.
private func longestRun(_ values: [Int]) -> Int {
    var best = 0
    for subset in 0..<(1 << values.count) {
        let run = values.indices.filter { subset & (1 << $0) != 0 }.map { values[$0] }
        if zip(run, run.dropFirst()).allSatisfy(<) {
            best = max(best, run.count)
        }
    }
    return best
}
