/// A node that has not been found in the other tree, and the position of the first item under it.
@usableFromInline
struct UnmatchedNode<Item: CountedItem> {
    @usableFromInline let node: CountedNode<Item>
    @usableFromInline let start: Int

    @inlinable
    init(node: CountedNode<Item>, start: Int) {
        self.node = node
        self.start = start
    }
}

/// What two trees share, and the leaves that are in one of them alone.
///
/// Both trees are gone down together, level by level, and only under nodes that differ. A node that is the same object in
/// both holds the same items, so all under it are paired without a look at them.
@usableFromInline
struct TreeMatch<Item: CountedItem> {
    /// How many items both trees begin with, as far as that is known.
    @usableFromInline var prefix = 0

    /// How many items both trees end with, as far as that is known.
    @usableFromInline var suffix = 0

    /// The items in between that are paired, in the order of the source.
    @usableFromInline var runs: [PairedRun] = []

    /// The nodes of one level of the source that are left, in order; in the end leaves.
    @usableFromInline var source: ContiguousArray<UnmatchedNode<Item>> = []

    /// The nodes of one level of the target that are left, in order; in the end leaves.
    @usableFromInline var target: ContiguousArray<UnmatchedNode<Item>> = []

    /// Compares two trees.
    ///
    /// - Complexity: O(*k* log *n*) for *k* leaves that are in one tree alone.
    @inlinable
    init(_ source: CountedTree<Item>, _ target: CountedTree<Item>) {
        if source.isIdentical(to: target) {
            prefix = source.count
            return
        }
        guard let before = source.root, let after = target.root else {
            self.source = Self.level(source.root)
            self.target = Self.level(target.root)
            descend()
            return
        }
        narrow(before, after)
        descend()
    }

    @inlinable
    static func level(_ root: CountedNode<Item>?) -> ContiguousArray<UnmatchedNode<Item>> {
        root.map { [UnmatchedNode(node: $0, start: 0)] } ?? []
    }

    /// Goes down as long as one node on each side is all that differs; where one place has changed, that is to the leaf.
    @inlinable
    mutating func narrow(_ before: CountedNode<Item>, _ after: CountedNode<Item>) {
        var (before, after) = (before, after)
        while before.height == after.height, before.height > 0 {
            let shorter = min(before.edges.count, after.edges.count)
            var first = 0
            while first < shorter, before.edges[first].node === after.edges[first].node {
                prefix += before.edges[first].count
                first += 1
            }
            var (last, end) = (before.edges.count, after.edges.count)
            while last > first, end > first, before.edges[last - 1].node === after.edges[end - 1].node {
                suffix += before.edges[last - 1].count
                last -= 1
                end -= 1
            }
            guard last == first + 1, end == first + 1 else {
                source = Self.children(of: before, first..<last, from: prefix)
                target = Self.children(of: after, first..<end, from: prefix)
                return
            }
            (before, after) = (before.edges[first].node, after.edges[first].node)
        }
        source = [UnmatchedNode(node: before, start: prefix)]
        target = [UnmatchedNode(node: after, start: prefix)]
    }

    @inlinable
    static func children(
        of node: CountedNode<Item>,
        _ range: Range<Int>,
        from start: Int
    ) -> ContiguousArray<UnmatchedNode<Item>> {
        var result: ContiguousArray<UnmatchedNode<Item>> = []
        result.reserveCapacity(range.count)
        var start = start
        for index in range {
            result.append(UnmatchedNode(node: node.edges[index].node, start: start))
            start += node.edges[index].count
        }
        return result
    }
}

// MARK: - Level by level

extension TreeMatch {
    /// Goes down to the leaves on both sides, and leaves out on every level what is the same.
    @inlinable
    mutating func descend() {
        while true {
            let heights = (source.first?.node.height ?? 0, target.first?.node.height ?? 0)
            if heights.0 == heights.1, !source.isEmpty, !target.isEmpty {
                matchLevel()
            }
            if heights == (0, 0) {
                break
            }
            if heights.0 >= heights.1 {
                source = Self.children(of: source)
            }
            if heights.1 >= heights.0 {
                target = Self.children(of: target)
            }
        }
    }

    @inlinable
    static func children(of nodes: ContiguousArray<UnmatchedNode<Item>>) -> ContiguousArray<UnmatchedNode<Item>> {
        var result: ContiguousArray<UnmatchedNode<Item>> = []
        result.reserveCapacity(nodes.reduce(0) { $0 + $1.node.edges.count })
        for parent in nodes {
            var start = parent.start
            for edge in parent.node.edges {
                result.append(UnmatchedNode(node: edge.node, start: start))
                start += edge.count
            }
        }
        return result
    }

    /// Pairs the nodes of this level that are the same on both sides, and keeps the others.
    ///
    /// Both sides are walked in step. Where they part, the walk goes on from the nearest nodes that are the same; if there
    /// are none near, what is left is looked up.
    @inlinable
    mutating func matchLevel() {
        if source.count == 1, target.count == 1, source[0].node !== target[0].node {
            return
        }
        var found: [PairedRun] = []
        var (before, after) = (0, 0)
        var (restBefore, restAfter) = (ContiguousArray<UnmatchedNode<Item>>(), ContiguousArray<UnmatchedNode<Item>>())
        while before < source.count, after < target.count {
            if source[before].node === target[after].node {
                found.extend(by: Self.run(source[before], target[after]))
                before += 1
                after += 1
                continue
            }
            guard let (skipped, others) = nextMatch(before, after) else {
                break
            }
            restBefore.append(contentsOf: source[before..<before + skipped])
            restAfter.append(contentsOf: target[after..<after + others])
            before += skipped
            after += others
        }
        restBefore.append(contentsOf: source[before...])
        restAfter.append(contentsOf: target[after...])
        (source, target) = (restBefore, restAfter)
        runs.merge(found)
        runs.merge(matchAnywhere())
    }

    @inlinable
    static func run(_ before: UnmatchedNode<Item>, _ after: UnmatchedNode<Item>) -> PairedRun {
        PairedRun(source: before.start, target: after.start, count: before.node.count)
    }

    /// How many nodes of either side to skip for the nearest ones that are the same.
    @inlinable
    func nextMatch(_ before: Int, _ after: Int) -> (Int, Int)? {
        for distance in 1...Self.reach {
            for skipped in 0...distance where before + skipped < source.count {
                let others = distance - skipped
                if after + others < target.count, source[before + skipped].node === target[after + others].node {
                    return (skipped, others)
                }
            }
        }
        return nil
    }

    /// How many nodes of both sides together the walk looks ahead: an edit makes two of one, or one of two, or, where it
    /// is at the end of one node and the beginning of the next, two of two.
    @inlinable static var reach: Int { 4 }

    /// Pairs what is left and the same, wherever it stands.
    @inlinable
    mutating func matchAnywhere() -> [PairedRun] {
        // One for one is what an edit leaves, and the walk has seen that these differ.
        if source.isEmpty || target.isEmpty || source.count == 1 && target.count == 1 {
            return []
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
            return []
        }
        partners.sort { $0.before < $1.before }
        var found: [PairedRun] = []
        for partner in partners {
            found.extend(by: Self.run(source[partner.before], target[partner.after]))
        }
        source.removeAll(at: partners.map(\.before))
        target.removeAll(at: partners.map(\.after).sorted())
        return found
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
