/// The items of neighbouring unmatched leaves that have not been paired yet: from a place in one to a place in another.
@usableFromInline
@frozen
struct LeafWindow {
    /// The leaf with the first item, among the unmatched ones.
    @usableFromInline var leaf: Int

    /// The place of the first item in its leaf.
    @usableFromInline var offset = 0

    /// The leaf behind the one with the last item.
    @usableFromInline var lastLeaf: Int

    /// How many items of the last leaf have been taken away from its end.
    @usableFromInline var taken = 0

    /// The number of items.
    @usableFromInline var count = 0

    /// All items of a range of leaves.
    @inlinable
    init<Item>(_ leaves: ContiguousArray<UnmatchedNode<Item>>, _ range: Range<Int>) {
        leaf = range.lowerBound
        lastLeaf = range.upperBound
        for index in range {
            count += leaves[index].node.count
        }
    }

    /// Takes away items of the first leaf, as many as are left in it at most.
    @inlinable
    mutating func removeFirst(_ number: Int, of fill: Int) {
        offset += number
        count -= number
        if offset == fill {
            leaf += 1
            offset = 0
        }
    }

    /// Takes away items of the last leaf, as many as are left in it at most.
    @inlinable
    mutating func removeLast(_ number: Int, of fill: Int) {
        taken += number
        count -= number
        if taken == fill {
            lastLeaf -= 1
            taken = 0
        }
    }

    /// The items, each with its position.
    @inlinable
    func looseItems<Item>(_ leaves: ContiguousArray<UnmatchedNode<Item>>) -> [LooseItem] {
        var result: [LooseItem] = []
        if count == 0 {
            return result
        }
        result.reserveCapacity(count)
        var first = offset
        for index in leaf..<lastLeaf {
            let end = leaves[index].node.count - (index == lastLeaf - 1 ? taken : 0)
            for place in first..<end {
                result.append(LooseItem(position: leaves[index].start + place, leaf: index, offset: place))
            }
            first = 0
        }
        return result
    }
}
