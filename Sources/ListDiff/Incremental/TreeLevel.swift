/// One level of two trees on the way down: what is the same on both sides, and the nodes that are left.
@usableFromInline
struct TreeLevel<Item: CountedItem> {
    @usableFromInline typealias Nodes = ContiguousArray<UnmatchedNode<Item>>

    /// The items under the nodes that are the same, in the order of the source.
    @usableFromInline var runs: [PairedRun] = []
    @usableFromInline var source: Nodes = []
    @usableFromInline var target: Nodes = []
    @usableFromInline var gaps: ContiguousArray<NodeGap> = []

    /// Whether nodes were left that may be the same as others farther away.
    @usableFromInline var isIrregular = false

    @inlinable
    init() {}

    /// Compares the children of two nodes that differ.
    @inlinable
    mutating func addChildren(of before: UnmatchedNode<Item>, _ after: UnmatchedNode<Item>) {
        let (old, new) = (before.node.children, after.node.children)
        var (index, other) = (0, 0)
        var (start, otherStart) = (before.start, after.start)
        while index < old.count, other < new.count {
            let limit = min(old.count - index, new.count - other)
            let same = old.sameCount(from: index, as: new, from: other, atMost: limit)
            if same > 0 {
                let count = before.node.count(of: index..<index + same)
                runs.extend(by: PairedRun(source: start, target: otherStart, count: count))
                (index, other) = (index + same, other + same)
                (start, otherStart) = (start + count, otherStart + count)
                continue
            }
            let (skipped, others) = Self.nextMatch(old[index...], new[other...])
            add(before.node, index..<index + skipped, &start, to: &source)
            add(after.node, other..<other + others, &otherStart, to: &target)
            closeGap(skipped, others)
            (index, other) = (index + skipped, other + others)
        }
        if index < old.count || other < new.count {
            add(before.node, index..<old.count, &start, to: &source)
            add(after.node, other..<new.count, &otherStart, to: &target)
            closeGap(old.count - index, new.count - other)
        }
    }

    @inlinable
    func add(_ parent: CountedNode<Item>, _ range: Range<Int>, _ start: inout Int, to nodes: inout Nodes) {
        for index in range {
            nodes.append(UnmatchedNode(node: parent.children[index], start: start))
            start += parent.extents[index].count
        }
    }

    @inlinable
    mutating func closeGap(_ before: Int, _ after: Int) {
        gaps.append(NodeGap(sourceEnd: source.count, targetEnd: target.count))
        // One for one is what most edits leave, or two for two, and these have been seen to differ.
        isIrregular = isIrregular || before != after || before > 2
    }

    /// How many nodes of either side to skip for the nearest ones that are the same; all if there are none near.
    @inlinable
    static func nextMatch(
        _ old: ContiguousArray<CountedNode<Item>>.SubSequence,
        _ new: ContiguousArray<CountedNode<Item>>.SubSequence
    ) -> (Int, Int) {
        for distance in 1...reach {
            for skipped in 0...distance where skipped < old.count && distance - skipped < new.count {
                if old[old.startIndex + skipped] === new[new.startIndex + distance - skipped] {
                    return (skipped, distance - skipped)
                }
            }
        }
        return (old.count, new.count)
    }

    /// How many nodes of both sides together the walk looks ahead: an edit makes two of one, or one of two, or, where it
    /// is at the end of one node and the beginning of the next, two of two.
    @inlinable static var reach: Int { 4 }
}

// MARK: - Several nodes

extension TreeLevel {
    /// Compares neighbouring nodes of both sides.
    ///
    /// Both are walked in step. Where they part, the walk goes on from the nearest nodes that are the same.
    @inlinable
    mutating func add(_ before: Nodes.SubSequence, _ after: Nodes.SubSequence) {
        var (before, after) = (before, after)
        var tail: [PairedRun] = []
        while let one = before.last, let other = after.last, one.node === other.node {
            tail.append(PairedRun(source: one.start, target: other.start, count: one.node.count))
            before.removeLast()
            after.removeLast()
        }
        while !before.isEmpty || !after.isEmpty {
            while let one = before.first, let other = after.first, one.node === other.node {
                runs.extend(by: PairedRun(source: one.start, target: other.start, count: one.node.count))
                before.removeFirst()
                after.removeFirst()
            }
            if before.isEmpty && after.isEmpty {
                break
            }
            let (skipped, others) = Self.nextMatch(before, after)
            source.append(contentsOf: before.prefix(skipped))
            target.append(contentsOf: after.prefix(others))
            closeGap(skipped, others)
            before.removeFirst(skipped)
            after.removeFirst(others)
        }
        for run in tail.reversed() {
            runs.extend(by: run)
        }
    }

    @inlinable
    static func nextMatch(_ old: Nodes.SubSequence, _ new: Nodes.SubSequence) -> (Int, Int) {
        for distance in 1...reach {
            for skipped in 0...distance where skipped < old.count && distance - skipped < new.count {
                if old[old.startIndex + skipped].node === new[new.startIndex + distance - skipped].node {
                    return (skipped, distance - skipped)
                }
            }
        }
        return (old.count, new.count)
    }

    /// Pairs the nodes that are left and the same, wherever they stand: a part of a list that was taken out and put in
    /// elsewhere keeps its nodes.
    @inlinable
    mutating func matchAnywhere() {
        if !isIrregular || source.isEmpty || target.isEmpty {
            return
        }
        var places: [ObjectIdentifier: Int] = [:]
        places.reserveCapacity(source.count)
        for (index, unmatched) in source.enumerated() {
            places[ObjectIdentifier(unmatched.node)] = index
        }
        var partners: [(before: Int, after: Int)] = []
        for (index, unmatched) in target.enumerated() {
            if let partner = places.removeValue(forKey: ObjectIdentifier(unmatched.node)) {
                partners.append((partner, index))
            }
        }
        if partners.isEmpty {
            return
        }
        partners.sort { $0.before < $1.before }
        var found: [PairedRun] = []
        for partner in partners {
            let (before, after) = (source[partner.before], target[partner.after])
            found.extend(by: PairedRun(source: before.start, target: after.start, count: before.node.count))
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

extension ContiguousArray {
    /// Removes what stands at some indices, which ascend.
    @inlinable
    mutating func removeAll(at indices: [Int]) {
        var (kept, next) = (0, 0)
        for index in self.indices {
            if next < indices.count, indices[next] == index {
                next += 1
            } else {
                swapAt(kept, index)
                kept += 1
            }
        }
        removeSubrange(kept...)
    }
}
