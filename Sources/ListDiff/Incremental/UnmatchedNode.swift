/// A node that has not been found in the other tree, and the position of the first item under it.
@usableFromInline
@frozen
struct UnmatchedNode<Item: CountedItem> {
    @usableFromInline let node: CountedNode<Item>
    @usableFromInline let start: Int

    /// The node's identity, so that nodes are compared without counting references.
    @usableFromInline let identity: ObjectIdentifier

    @inlinable
    init(node: CountedNode<Item>, start: Int) {
        self.node = node
        self.start = start
        identity = ObjectIdentifier(node)
    }
}

/// Neighbouring unmatched nodes of both sides that stand between the same matched ones: where they end.
@usableFromInline
@frozen
struct NodeGap {
    @usableFromInline let sourceEnd: Int
    @usableFromInline let targetEnd: Int

    @inlinable
    init(sourceEnd: Int, targetEnd: Int) {
        self.sourceEnd = sourceEnd
        self.targetEnd = targetEnd
    }
}

extension ContiguousArray {
    /// Unmatched nodes in place of their parents.
    @inlinable
    func children<Item>(_ range: Range<Int>) -> Self where Element == UnmatchedNode<Item> {
        var result: Self = []
        var count = 0
        for index in range {
            count += self[index].node.children.count
        }
        result.reserveCapacity(count)
        for index in range {
            var start = self[index].start
            result.append(contentsOf: self[index].node, 0..<self[index].node.children.count, &start)
        }
        return result
    }

    /// Adds some of a node's children, the first of which starts at a position.
    @inlinable
    mutating func append<Item>(
        contentsOf parent: CountedNode<Item>,
        _ range: Range<Int>,
        _ start: inout Int
    ) where Element == UnmatchedNode<Item> {
        for index in range {
            append(UnmatchedNode(node: parent.children[index], start: start))
            start += parent.extents[index].count
        }
    }

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
