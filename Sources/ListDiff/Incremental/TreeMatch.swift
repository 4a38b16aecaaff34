/// The shared part of two trees, and the leaves of only one of them.
///
/// Both trees are gone down together, level by level, and only under nodes that differ. A node that is the same object in
/// both holds the same items, so all under it are paired without a look at them.
@usableFromInline
@frozen
struct TreeMatch<Item: CountedItem> {
    @usableFromInline typealias Nodes = ContiguousArray<UnmatchedNode<Item>>

    /// How many items both trees begin with, as far as that is known.
    @usableFromInline var prefix = 0

    /// How many items both trees end with, as far as that is known.
    @usableFromInline var suffix = 0

    /// The items in between that are paired, in the order of the source.
    @usableFromInline var runs: [PairedRun] = []

    /// The nodes of one level of the source that are left, in order; in the end leaves.
    @usableFromInline var source: Nodes = []

    /// The nodes of one level of the target that are left, in order; in the end leaves.
    @usableFromInline var target: Nodes = []

    /// Which of those stand between the same matched ones, in order.
    @usableFromInline var gaps: ContiguousArray<NodeGap> = []

    /// How many nodes above the leaves are in the source alone.
    @usableFromInline var innerCount = 0

    /// Compares two trees.
    ///
    /// - Complexity: O(*k* log *n*) for *k* leaves that are in one tree alone.
    @inlinable
    init(_ source: CountedTree<Item>, _ target: CountedTree<Item>) {
        if source.isIdentical(to: target) {
            prefix = source.count
        } else if let before = source.root, let after = target.root, before.height == after.height {
            descend(narrow(before, after))
        } else {
            var (before, after) = (Self.level(source.root), Self.level(target.root))
            while let height = before.first?.node.height, height > after.first?.node.height ?? 0 {
                innerCount += before.count
                before = before.children(before.indices)
            }
            while let height = after.first?.node.height, height > before.first?.node.height ?? 0 {
                after = after.children(after.indices)
            }
            var level = TreeLevel<Item>()
            level.add(before, after)
            take(&level)
            descend(before.first?.node.height ?? 0)
        }
    }

    @inlinable
    static func level(_ root: CountedNode<Item>?) -> Nodes {
        root.map { [UnmatchedNode(node: $0, start: 0)] } ?? []
    }

    /// Descends as long as exactly one node on each side differs; after a change in one place, down to the leaf.
    ///
    /// - Returns: The height of the nodes that were reached.
    @inlinable
    mutating func narrow(_ before: CountedNode<Item>, _ after: CountedNode<Item>) -> Int {
        var (before, after) = (before, after)
        while before.height > 0 {
            innerCount += 1
            let (old, new) = (before.children, after.children)
            let shorter = min(old.count, new.count)
            let first = old.sameCount(from: 0, as: new, from: 0, atMost: shorter)
            let rest = shorter - first
            let last = old.sameCount(backFrom: old.count, as: new, backFrom: new.count, atMost: rest)
            guard old.count == new.count, first + last == old.count - 1 else {
                innerCount -= 1
                break
            }
            prefix += before.count(of: 0..<first)
            suffix += before.count(of: first + 1..<old.count)
            (before, after) = (old[first], new[first])
        }
        source.append(UnmatchedNode(node: before, start: prefix))
        target.append(UnmatchedNode(node: after, start: prefix))
        gaps.append(NodeGap(sourceEnd: 1, targetEnd: 1))
        return before.height
    }

    /// Goes down from a height to the leaves, and leaves out on every level what is the same.
    @inlinable
    mutating func descend(_ height: Int) {
        var height = height
        while height > 0 {
            innerCount += source.count
            var level = TreeLevel<Item>()
            var (before, after) = (0, 0)
            for gap in gaps {
                addChildren(before..<gap.sourceEnd, after..<gap.targetEnd, to: &level)
                (before, after) = (gap.sourceEnd, gap.targetEnd)
            }
            take(&level)
            height -= 1
        }
    }

    /// Compares what is under the nodes of a gap.
    @inlinable
    func addChildren(_ before: Range<Int>, _ after: Range<Int>, to level: inout TreeLevel<Item>) {
        level.isGapOpen = false
        if before.count == after.count {
            // Most often each of them continues one: an edit changes nodes, and seldom makes them more or fewer.
            for (index, other) in zip(before, after) {
                level.addChildren(of: source[index], target[other])
            }
        } else {
            level.add(source.children(before), target.children(after))
        }
    }

    @inlinable
    mutating func take(_ level: inout TreeLevel<Item>) {
        level.matchAnywhere()
        runs.merge(level.runs)
        swap(&source, &level.source)
        swap(&target, &level.target)
        swap(&gaps, &level.gaps)
    }
}

extension CountedNode {
    /// The number of items under some of the children.
    @inlinable
    func count(of range: Range<Int>) -> Int {
        var count = 0
        for index in range {
            count += extents[index].count
        }
        return count
    }
}
