/// One level of two trees on the way down: what is the same on both sides, and the nodes that are left.
@usableFromInline
@frozen
struct TreeLevel<Item: CountedItem> {
    @usableFromInline typealias Nodes = ContiguousArray<UnmatchedNode<Item>>

    /// The items under the nodes that are the same, in the order of the source.
    @usableFromInline var runs: [PairedRun] = []
    @usableFromInline var source: Nodes = []
    @usableFromInline var target: Nodes = []
    @usableFromInline var gaps: ContiguousArray<NodeGap> = []

    /// Whether what comes next belongs to the last gap, as nothing has been matched since.
    @usableFromInline var isGapOpen = false

    /// Whether nodes were left that may be the same as others farther away.
    @usableFromInline var isIrregular = false

    @inlinable
    init() {}

    /// Adds what is left of both sides to the last gap, or to a new one.
    @inlinable
    mutating func addGap(_ before: Int, _ after: Int) {
        if isGapOpen {
            gaps.removeLast()
        }
        gaps.append(NodeGap(sourceEnd: source.count, targetEnd: target.count))
        isGapOpen = true
        // One for one is what most edits leave, or two for two, and these have been seen to differ.
        isIrregular = isIrregular || before != after || before > 2
    }

    @inlinable
    mutating func add(_ run: PairedRun) {
        runs.extend(by: run)
        isGapOpen = false
    }

    /// How many nodes of both sides together the walk looks ahead: an edit makes two of one, or one of two, or, where it
    /// is at the end of one node and the beginning of the next, two of two.
    @inlinable static var reach: Int { 4 }

    /// The numbers of nodes of either side to skip for the nearest ones that are the same; all if there are none near.
    @inlinable
    @inline(__always)
    static func nextMatch(_ count: Int, _ others: Int, isSame: (Int, Int) -> Bool) -> (Int, Int) {
        for distance in 1...reach {
            for skipped in 0...distance where skipped < count && distance - skipped < others {
                if isSame(skipped, distance - skipped) {
                    return (skipped, distance - skipped)
                }
            }
        }
        return (count, others)
    }
}

// MARK: - One for one

extension TreeLevel {
    /// Compares the children of two nodes that differ.
    @inlinable
    mutating func addChildren(of before: UnmatchedNode<Item>, _ after: UnmatchedNode<Item>) {
        let (old, new) = (before.node.children, after.node.children)
        let tail = old.sameCount(
            backFrom: old.count, as: new, backFrom: new.count, atMost: min(old.count, new.count))
        let (end, otherEnd) = (old.count - tail, new.count - tail)
        var (index, other) = (0, 0)
        var (start, otherStart) = (before.start, after.start)
        while index < end || other < otherEnd {
            let limit = min(end - index, otherEnd - other)
            let same = old.sameCount(from: index, as: new, from: other, atMost: limit)
            if same > 0 {
                let count = before.node.count(of: index..<index + same)
                add(PairedRun(source: start, target: otherStart, count: count))
                (index, other) = (index + same, other + same)
                (start, otherStart) = (start + count, otherStart + count)
                continue
            }
            let (skipped, others) = Self.nextMatch(end - index, otherEnd - other) {
                old.sameCount(from: index + $0, as: new, from: other + $1, atMost: 1) == 1
            }
            source.append(contentsOf: before.node, index..<index + skipped, &start)
            target.append(contentsOf: after.node, other..<other + others, &otherStart)
            addGap(skipped, others)
            (index, other) = (index + skipped, other + others)
        }
        if tail > 0 {
            let count = before.node.count(of: end..<old.count)
            add(PairedRun(source: start, target: otherStart, count: count))
        }
    }
}

// MARK: - Several nodes

extension TreeLevel {
    /// Compares neighbouring nodes of both sides.
    ///
    /// Both are walked in step. At a difference, the walk goes on from the nearest place where both have the same node.
    @inlinable
    mutating func add(_ old: Nodes, _ new: Nodes) {
        var (end, otherEnd) = (old.count, new.count)
        while end > 0, otherEnd > 0, old[end - 1].identity == new[otherEnd - 1].identity {
            end -= 1
            otherEnd -= 1
        }
        var (index, other) = (0, 0)
        while index < end || other < otherEnd {
            if index < end, other < otherEnd, old[index].identity == new[other].identity {
                add(run(old, index, new, other))
                index += 1
                other += 1
                continue
            }
            let (skipped, others) = Self.nextMatch(end - index, otherEnd - other) {
                old[index + $0].identity == new[other + $1].identity
            }
            source.append(contentsOf: old[index..<index + skipped])
            target.append(contentsOf: new[other..<other + others])
            addGap(skipped, others)
            (index, other) = (index + skipped, other + others)
        }
        while index < old.count {
            add(run(old, index, new, other))
            index += 1
            other += 1
        }
    }

    @inlinable
    func run(_ old: Nodes, _ index: Int, _ new: Nodes, _ other: Int) -> PairedRun {
        PairedRun(source: old[index].start, target: new[other].start, count: old[index].node.count)
    }

    /// Pairs the nodes that are left and the same, wherever they stand: a part of a list that was taken out and put in
    /// elsewhere keeps its nodes.
    @inlinable
    mutating func matchAnywhere() {
        if !isIrregular || source.isEmpty || target.isEmpty {
            return
        }
        var table = NodeTable(capacity: source.count)
        for index in source.indices {
            table.add(source[index].identity)
        }
        var partners: [(before: Int, after: Int)] = []
        for index in target.indices {
            if let partner = table.take(target[index].identity) {
                partners.append((partner, index))
            }
        }
        if partners.isEmpty {
            return
        }
        partners.sort { $0.before < $1.before }
        var found: [PairedRun] = []
        for partner in partners {
            found.extend(by: run(source, partner.before, target, partner.after))
        }
        runs.merge(found)
        remove(partners.map(\.before), partners.map(\.after).sorted())
    }

    /// Takes nodes away, by their indices, which ascend.
    @inlinable
    mutating func remove(_ before: [Int], _ after: [Int]) {
        var (gone, others) = (0, 0)
        for index in gaps.indices {
            while gone < before.count, before[gone] < gaps[index].sourceEnd {
                gone += 1
            }
            while others < after.count, after[others] < gaps[index].targetEnd {
                others += 1
            }
            gaps[index] = NodeGap(
                sourceEnd: gaps[index].sourceEnd - gone, targetEnd: gaps[index].targetEnd - others)
        }
        source.removeAll(at: before)
        target.removeAll(at: after)
    }
}
