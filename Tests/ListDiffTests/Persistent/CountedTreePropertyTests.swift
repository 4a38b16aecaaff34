import TestSupport
import Testing

@testable import ListDiff

/// An item of trees with so few items and children to a node that short ones have many levels.
struct Mark: CountedItem, Equatable {
    var key: Double
    var value: Int

    static var leafSize: Int { 4 }
    static var fanOut: Int { 4 }

    /// The sum of the values, by the differences that edits make.
    struct Summary: CountedSummary {
        var sum: Int

        init(of items: ContiguousArray<Mark>) {
            sum = items.reduce(0) { $0 + $1.value }
        }

        mutating func append(_ next: Self, after last: Double) {
            sum += next.sum
        }

        mutating func subtract(_ item: Mark) {
            sum -= item.value
        }

        mutating func add(_ item: Mark) {
            sum += item.value
        }

        mutating func settle(_ items: ContiguousArray<Mark>) {}
    }
}

@Suite("Any operations on a counted tree")
struct CountedTreePropertyTests {
    /// A tree, and the marks that it should hold.
    struct Version {
        var tree: CountedTree<Mark>
        var marks: [Mark]

        init(count: Int) {
            let marks = (0..<count).map { Mark(key: Double($0), value: $0 % 7) }
            self.marks = marks
            tree = CountedTree(count: count) { marks[$0] }
        }

        init(tree: CountedTree<Mark>, marks: [Mark]) {
            self.tree = tree
            self.marks = marks
        }

        var violation: String? {
            if let broken = tree.brokenInvariants().first {
                return broken
            }
            return Array(tree) == marks ? nil : "\(Array(tree)) is not \(marks)"
        }
    }

    @Test("keep its invariants at every height, and leave other versions alone", arguments: 0..<8)
    func random(shard: Int) {
        var generator = SeededGenerator(seed: runSeed &+ UInt64(shard))
        for number in 0..<400 {
            var version = Version(count: generator.below(generator.below(10) == 0 ? 400 : 40))
            var older = version
            for _ in 0..<12 {
                if generator.below(4) == 0 {
                    older = version
                }
                take(&version, &generator)
                if let violation = version.violation ?? older.violation {
                    Issue.record("CALLBOARD_SEED=\(runSeed) shard \(shard) case \(number): \(violation)")
                    return
                }
            }
        }
    }

    private func take(_ version: inout Version, _ generator: inout SeededGenerator) {
        let gap = generator.below(version.marks.count + 1)
        let position = generator.below(max(version.marks.count, 1))
        switch generator.below(6) {
        case 0, 1:
            insert(&version, gap)
        case 2 where !version.marks.isEmpty:
            #expect(version.tree.remove(at: PositionSearch(position)) == version.marks.remove(at: position))
        case 3 where !version.marks.isEmpty:
            _ = version.tree.update(at: KeySearch(version.marks[position].key)) { $0.value += 5 }
            version.marks[position].value += 5
        case 4:
            split(&version, gap)
        case 5:
            let end = min(version.marks.count, gap + 20)
            version.tree.updateAll(gap..<end) { $1.value += $0 }
            for position in gap..<end {
                version.marks[position].value += position
            }
        default:
            insert(&version, gap)
        }
    }

    private func insert(_ version: inout Version, _ gap: Int) {
        let before = gap > 0 ? version.marks[gap - 1].key : nil
        let after = gap < version.marks.count ? version.marks[gap].key : nil
        #expect(version.tree.neighbours(ofGap: gap) == (before, after))
        let key = ((before ?? (after ?? 0) - 2) + (after ?? (before ?? 0) + 2)) / 2
        version.tree.insert(Mark(key: key, value: gap), at: GapSearch(gap))
        version.marks.insert(Mark(key: key, value: gap), at: gap)
    }

    /// Splits off a part, and puts it or another tree that is higher or lower at the end.
    private func split(_ version: inout Version, _ gap: Int) {
        let (head, tail) = version.tree.split(at: gap)
        let first = Version(tree: head, marks: Array(version.marks[..<gap]))
        let second = Version(tree: tail, marks: Array(version.marks[gap...]))
        #expect(first.violation == nil && second.violation == nil)
        let shift = (first.marks.last?.key ?? 0) + 1
        let other = second.marks.enumerated().map { Mark(key: Double($0.offset) + shift, value: $0.element.value) }
        version = first
        version.tree.append(CountedTree(count: other.count) { other[$0] })
        version.marks += other
    }
}
