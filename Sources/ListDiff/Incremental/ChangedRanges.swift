/// A part of a list that gave way to another part.
@frozen
public struct ChangedRange: Hashable, Sendable {
    /// The positions of what goes, in the earlier list; empty where something was only inserted.
    public let old: Range<Int>

    /// The positions of what comes, in the later list; empty where something was only removed.
    public let new: Range<Int>

    /// Pairs two parts.
    @inlinable
    public init(old: Range<Int>, new: Range<Int>) {
        self.old = old
        self.new = new
    }
}

extension PersistentList {
    /// The parts in which this list differs from an earlier one.
    ///
    /// Between the parts, both lists hold elements of the same identities in the same order, of which none differs. So
    /// data that are derived from a list element by element can be updated from one version to the next. A moved
    /// element is in two ranges: its earlier place and its later one.
    ///
    /// - Parameters:
    ///   - earlier: The list before, most useful where this one was made by changing a copy of it.
    ///   - differs: Tells whether an element differs from one of the same identity that may be kept. Of elements
    ///     that both lists share it has to say no, where it is asked of them.
    /// - Returns: The parts, ascending and disjoint in both lists.
    /// - Complexity: O(*k* log *n*) for *k* leaves that are in one of the lists alone.
    @inlinable
    public func changedRanges(
        since earlier: Self, differs: (_ old: Element, _ new: Element) -> Bool
    ) -> [ChangedRange] {
        if isIdentical(to: earlier) {
            return []
        }
        if count == earlier.count, count <= ChangedRange.few, let ranges = changesInPlace(since: earlier, differs) {
            return ranges
        }
        let comparison = ListComparison(earlier, self) { old, _, new in differs(old, new) }
        let match = comparison.match
        if match.runs.isEmpty, comparison.looseSource.isEmpty, comparison.looseTarget.isEmpty,
            let change = comparison.changed.first, comparison.changed.count == 1
        {
            let (old, new) = (change.source, change.target.position)
            return [ChangedRange(old: old..<(old + 1), new: new..<(new + 1))]
        }
        var kept = [PairedRun(source: 0, target: 0, count: match.prefix)]
        kept += comparison.isInOrder ? match.runs : PairedRun.heaviestInOrder(match.runs)
        let ends = (earlier.count - match.suffix, count - match.suffix)
        kept.append(PairedRun(source: ends.0, target: ends.1, count: match.suffix))
        return ChangedRange.between(kept, changed: comparison.changed.map { ($0.source, $0.target.position) })
    }
}

extension PersistentList {
    /// The parts in which a list differs from an earlier one of as many elements; nil where another element stands at
    /// some place.
    @inlinable
    func changesInPlace(
        since earlier: Self, _ differs: (_ old: Element, _ new: Element) -> Bool
    ) -> [ChangedRange]? {
        var ranges: [ChangedRange] = []
        for position in 0..<count {
            let (old, new) = (earlier[position], self[position])
            guard old.differenceIdentifier == new.differenceIdentifier else { return nil }
            guard differs(old, new) else { continue }
            let last = ranges.last?.old.upperBound == position ? ranges.popLast() : nil
            let part = (last?.old.lowerBound ?? position)..<(position + 1)
            ranges.append(ChangedRange(old: part, new: part))
        }
        return ranges
    }
}

extension ChangedRange {
    /// Lists of so few elements are compared place by place first.
    @usableFromInline static let few = 4

    /// The gaps between kept runs, and the differences inside these.
    ///
    /// - Parameters:
    ///   - runs: The runs, ascending on both sides; the first begins both lists and the last ends them.
    ///   - changed: The positions of pairs that differ; those outside of all runs are left aside.
    /// - Complexity: O(*k* log *k*) for *k* runs and pairs.
    @usableFromInline
    static func between(_ runs: [PairedRun], changed: [(source: Int, target: Int)]) -> [ChangedRange] {
        var ranges: [ChangedRange] = []
        let changed = changed.sorted { $0.source < $1.source }
        var next = 0
        var (before, after) = (0, 0)
        for run in runs {
            add(before..<run.source, after..<run.target, to: &ranges)
            while next < changed.count, changed[next].source < run.source { next += 1 }
            while next < changed.count, changed[next].source < run.source + run.count {
                let (source, target) = changed[next]
                next += 1
                guard target - source == run.target - run.source else { continue }
                add(source..<(source + 1), target..<(target + 1), to: &ranges)
            }
            (before, after) = (run.source + run.count, run.target + run.count)
        }
        return ranges
    }

    /// Adds a range; adjacent ranges become one.
    private static func add(_ old: Range<Int>, _ new: Range<Int>, to ranges: inout [ChangedRange]) {
        if old.isEmpty && new.isEmpty { return }
        if let last = ranges.last, last.old.upperBound == old.lowerBound, last.new.upperBound == new.lowerBound {
            ranges[ranges.count - 1] = ChangedRange(
                old: last.old.lowerBound..<old.upperBound, new: last.new.lowerBound..<new.upperBound)
        } else {
            ranges.append(ChangedRange(old: old, new: new))
        }
    }
}

extension PairedRun {
    /// The runs that are in one order on both sides and have the most elements together.
    ///
    /// - Complexity: O(*r* log *r*) for *r* runs.
    @usableFromInline
    static func heaviestInOrder(_ runs: [PairedRun]) -> [PairedRun] {
        var ranks = Array(repeating: Int32(0), count: runs.count)
        for (rank, index) in runs.indices.sorted(by: { runs[$0].target < runs[$1].target }).enumerated() {
            ranks[index] = Int32(truncatingIfNeeded: rank)
        }
        var tails = HeaviestTails(ends: runs.count)
        var previous = Array(repeating: Int32(-1), count: runs.count)
        for index in runs.indices {
            let member = Int32(truncatingIfNeeded: index)
            let weight = Int32(clamping: runs[index].count)
            if let before = tails.extend(to: ranks[index], by: member, weighing: weight) { previous[index] = before }
        }
        var kept: [PairedRun] = []
        var member = Int(tails.last)
        while member >= 0 {
            kept.append(runs[member])
            member = Int(previous[member])
        }
        return kept.reversed()
    }
}
