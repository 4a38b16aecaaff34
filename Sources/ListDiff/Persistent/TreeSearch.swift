/// The way from the root of a `CountedTree` to a place in a leaf.
@usableFromInline
protocol TreeSearch<Item> {
    /// What the tree holds.
    associatedtype Item: CountedItem

    /// Chooses the child to go on with.
    mutating func child(in extents: ContiguousArray<CountedExtent<Item>>) -> Int

    /// The place in the leaf that was reached.
    func offset(in items: ContiguousArray<Item>) -> Int
}

/// The way to the item at a position that is in the tree.
@usableFromInline
@frozen
struct PositionSearch<Item: CountedItem>: TreeSearch {
    /// The position, counted from the beginning of the node that was reached.
    @usableFromInline var position: Int

    @inlinable
    init(_ position: Int) {
        self.position = position
    }

    @inlinable
    mutating func child(in extents: ContiguousArray<CountedExtent<Item>>) -> Int {
        var index = 0
        while position >= extents[index].count {
            position -= extents[index].count
            index += 1
        }
        return index
    }

    @inlinable
    func offset(in items: ContiguousArray<Item>) -> Int {
        position
    }
}

/// The way to the gap in front of a position, or behind the last item; of two leaves it takes the first.
@usableFromInline
@frozen
struct GapSearch<Item: CountedItem>: TreeSearch {
    /// The way to the item in front of the gap; where there is none, to the first leaf.
    @usableFromInline var previous: PositionSearch<Item>

    @inlinable
    init(_ position: Int) {
        previous = PositionSearch(position - 1)
    }

    @inlinable
    mutating func child(in extents: ContiguousArray<CountedExtent<Item>>) -> Int {
        previous.child(in: extents)
    }

    @inlinable
    func offset(in items: ContiguousArray<Item>) -> Int {
        previous.position + 1
    }
}

/// The way to the first item whose key is not below a key, or behind the last item.
@usableFromInline
@frozen
struct KeySearch<Item: CountedItem>: TreeSearch {
    /// The key.
    @usableFromInline let key: Item.Key

    /// How many items of the tree stand in front of the node that was reached.
    @usableFromInline var start = 0

    @inlinable
    init(_ key: Item.Key) {
        self.key = key
    }

    @inlinable
    mutating func child(in extents: ContiguousArray<CountedExtent<Item>>) -> Int {
        let last = extents.count - 1
        var index = 0
        while index < last, extents[index].lastKey < key {
            start += extents[index].count
            index += 1
        }
        return index
    }

    @inlinable
    func offset(in items: ContiguousArray<Item>) -> Int {
        var low = 0
        var high = items.count
        while low < high {
            let middle = (low + high) / 2
            if items[middle].key < key {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
