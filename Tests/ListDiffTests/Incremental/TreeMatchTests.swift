import TestSupport
import Testing

@testable import ListDiff
@testable import ListDiffTesting

@Suite("What two trees share")
struct TreeMatchTests {
    static func tree(_ count: Int) -> CountedTree<Mark> {
        CountedTree(count: count) { Mark(key: Double($0), value: $0) }
    }

    @Test("is found at every height, and with what is left it is all that there is", arguments: 0..<8)
    func random(shard: Int) {
        var generator = SeededGenerator(seed: runSeed &+ UInt64(shard))
        for number in 0..<500 {
            let source = Self.tree(generator.below(generator.below(10) == 0 ? 600 : 60))
            var target = source
            let edits = generator.below(6)
            for _ in 0..<edits {
                generator.edit(&target)
            }
            if let violation = violation(source, target) {
                Issue.record("CALLBOARD_SEED=\(runSeed) shard \(shard) case \(number): \(violation)")
                return
            }
        }
    }

    @Test("is all but a few nodes where little has changed", arguments: [1, 3, 10])
    func localEdits(edits: Int) {
        var generator = SeededGenerator(seed: runSeed)
        let source = Self.tree(20_000)
        var target = source
        for _ in 0..<edits {
            generator.editOnePlace(&target)
        }
        let match = TreeMatch(source, target)
        #expect(match.source.count <= 3 * edits, "CALLBOARD_SEED=\(runSeed)")
        #expect(match.target.count <= 4 * edits, "CALLBOARD_SEED=\(runSeed)")
        #expect(match.innerCount <= 3 * edits * (source.height + 1), "CALLBOARD_SEED=\(runSeed)")
    }

    @Test("is found where a part has been put in elsewhere", arguments: [(0, 9_000, 20_000), (5_000, 11_000, 13_000)])
    func movedParts(first: Int, second: Int, third: Int) {
        let source = Self.tree(20_000)
        let (start, rest) = source.split(at: first)
        let (one, others) = rest.split(at: second - first)
        let (other, end) = others.split(at: third - second)
        var target = start
        for part in [other, one, end] {
            target.append(part)
        }
        let match = TreeMatch(source, target)
        #expect(violation(source, target) == nil)
        // At each of the places that were cut and joined, a few nodes on each level.
        #expect(match.source.count < 40 && match.target.count < 40, "\(match.source.count), \(match.target.count)")
    }

    @Test("is not asked of more leaves than the elements between are in, where all of those are aligned")
    func windows() {
        let list = PersistentList((0..<10_000).map { Item(id: $0) })
        let leaves = ListComparison<Item>.leaves(of: list, 4_990..<5_010)
        #expect(leaves.count <= 3)
        let items = ListComparison<Item>.items(of: leaves, 4_990..<5_010)
        #expect(items.map(\.position) == Array(4_990..<5_010))
        #expect(items.allSatisfy { leaves[Int($0.leaf)].node.items[Int($0.offset)].element.id == $0.position })
        #expect(ListComparison<Item>.leaves(of: list, 7..<7).isEmpty)
    }

    /// What is wrong with the match of two trees, or nil.
    private func violation(_ source: CountedTree<Mark>, _ target: CountedTree<Mark>) -> String? {
        let match = TreeMatch(source, target)
        let (before, after) = (Array(source), Array(target))
        var runs = match.runs
        runs.append(PairedRun(source: 0, target: 0, count: match.prefix))
        let ends = (before.count - match.suffix, after.count - match.suffix)
        runs.append(PairedRun(source: ends.0, target: ends.1, count: match.suffix))
        for run in runs
        where before[run.source..<run.source + run.count] != after[run.target..<run.target + run.count] {
            return "\(run) pairs what is not equal"
        }
        let leaves = match.source.map { $0.start..<$0.start + $0.node.count }
        let others = match.target.map { $0.start..<$0.start + $0.node.count }
        guard covers(runs.map { $0.source..<$0.source + $0.count } + leaves, before.count) else {
            return "the source is \(before.count) long, not \(runs) and \(leaves)"
        }
        guard covers(runs.map { $0.target..<$0.target + $0.count } + others, after.count) else {
            return "the target is \(after.count) long, not \(runs) and \(others)"
        }
        for (leaf, range) in zip(match.source, leaves) where Array(leaf.node.items) != Array(before[range]) {
            return "the leaf at \(range) holds \(leaf.node.items)"
        }
        let last = match.gaps.last
        let isWhole = last?.sourceEnd ?? 0 == leaves.count && last?.targetEnd ?? 0 == others.count
        return isWhole ? nil : "the gaps \(match.gaps) leave out leaves"
    }

    /// Whether ranges cover so many positions, each once.
    private func covers(_ ranges: [Range<Int>], _ count: Int) -> Bool {
        let sorted = ranges.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
        var end = 0
        for range in sorted {
            guard range.lowerBound == end else {
                return false
            }
            end = range.upperBound
        }
        return end == count
    }
}

extension SeededGenerator {
    /// Changes, inserts, removes or moves items; what is inserted is like no other.
    fileprivate mutating func edit(_ tree: inout CountedTree<Mark>) {
        switch below(6) {
        case 0 where tree.count > 0:
            let (head, rest) = tree.split(at: below(tree.count))
            let (part, tail) = rest.split(at: 1 + below(rest.count))
            tree = head
            tree.append(tail)
            tree.append(part)
        case 1 where tree.count > 0:
            let (head, rest) = tree.split(at: below(tree.count))
            tree = head
            tree.append(rest.split(at: below(rest.count + 1)).tail)
        default:
            editOnePlace(&tree)
        }
    }

    fileprivate mutating func editOnePlace(_ tree: inout CountedTree<Mark>) {
        let mark = Mark(key: 0, value: Int(next() >> 16) + 1_000_000)
        switch below(3) {
        case 0 where tree.count > 0: tree.remove(at: PositionSearch(below(tree.count)))
        case 1 where tree.count > 0: _ = tree.update(at: PositionSearch(below(tree.count))) { $0.value = mark.value }
        default: tree.insert(mark, at: GapSearch(below(tree.count + 1)))
        }
    }
}
