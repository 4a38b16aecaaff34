/// A walk over the items of a tree from some place on, leaf by leaf.
@usableFromInline
struct TreeIterator<Item: CountedItem>: IteratorProtocol {
    @usableFromInline let tree: CountedTree<Item>

    /// The items of the leaf that was reached.
    @usableFromInline var items: ContiguousArray<Item> = []

    /// The next item, in the leaf.
    @usableFromInline var offset = 0

    /// The position of the first item of the next leaf.
    @usableFromInline var nextLeaf = 0

    /// Starts at a position.
    @inlinable
    init(_ tree: CountedTree<Item>, from position: Int = 0) {
        self.tree = tree
        nextLeaf = position
        if position < tree.count {
            enterLeaf()
        }
    }

    /// Starts at the first item whose key is not below a key.
    @inlinable
    init(_ tree: CountedTree<Item>, from key: Item.Key) {
        self.tree = tree
        if let (leaf, start) = tree.leaf(with: key) {
            items = leaf.items
            offset = KeySearch<Item>(key).offset(in: leaf.items)
            nextLeaf = start + leaf.count
        }
    }

    @inlinable
    mutating func next() -> Item? {
        if offset == items.count {
            guard nextLeaf < tree.count else {
                return nil
            }
            enterLeaf()
        }
        defer { offset += 1 }
        return items[offset]
    }

    @inlinable
    mutating func enterLeaf() {
        if let (leaf, offset) = tree.leaf(at: nextLeaf) {
            items = leaf.items
            self.offset = offset
            nextLeaf += leaf.count - offset
        }
    }
}

extension TreeIterator: Sendable where Item: Sendable {}
