/// A walk over the items of a tree from some place on, leaf by leaf.
@usableFromInline
@frozen
struct TreeIterator<Item: CountedItem>: IteratorProtocol {
    @usableFromInline let tree: CountedTree<Item>

    /// The items of the leaf that was reached.
    @usableFromInline var items: ContiguousArray<Item> = []

    /// The next item, in the leaf.
    @usableFromInline var offset = 0

    /// The leaves under one node, which are gone through without going down from the root.
    @usableFromInline var leaves: ContiguousArray<CountedNode<Item>> = []

    /// The next one of them.
    @usableFromInline var nextLeaf = 0

    /// The position of the first item that follows all of them.
    @usableFromInline var position: Int

    /// Starts at a position.
    @inlinable
    init(_ tree: CountedTree<Item>, from position: Int = 0) {
        self.tree = tree
        self.position = position
        if position < tree.count {
            (leaves, nextLeaf, offset, self.position) = Self.leaves(of: tree, at: position)
            items = leaves[nextLeaf].items
            nextLeaf += 1
        }
    }

    /// Starts at the first item whose key is not below a key.
    @inlinable
    init(_ tree: CountedTree<Item>, from key: Item.Key) {
        self.tree = tree
        position = 0
        if let (leaf, start) = tree.leaf(with: key) {
            items = leaf.items
            offset = KeySearch<Item>(key).offset(in: leaf.items)
            position = start + leaf.count
        }
    }

    @inlinable
    @inline(__always)
    mutating func next() -> Item? {
        if offset == items.count {
            if nextLeaf == leaves.count {
                guard position < tree.count else {
                    return nil
                }
                (leaves, nextLeaf, offset, position) = Self.leaves(of: tree, at: position)
            }
            items = leaves[nextLeaf].items
            nextLeaf += 1
            offset = 0
        }
        let item = items[offset]
        offset += 1
        return item
    }

    /// The leaves under one node, the one of them with a position, the place in it, and the position of what follows
    /// them.
    ///
    /// It does not change the iterator, so that a loop can keep one in registers.
    @inlinable
    @inline(never)
    static func leaves(
        of tree: CountedTree<Item>,
        at position: Int
    ) -> (leaves: ContiguousArray<CountedNode<Item>>, leaf: Int, offset: Int, end: Int) {
        guard var node = tree.root else {
            return ([], 0, 0, position)
        }
        if node.height == 0 {
            return ([node], 0, position, node.count)
        }
        var search = PositionSearch<Item>(position)
        while node.height > 1 {
            node = node.children[search.child(in: node.extents)]
        }
        let end = position - search.position + node.count
        let leaf = search.child(in: node.extents)
        return (node.children, leaf, search.position, end)
    }
}

extension TreeIterator: Sendable where Item: Sendable {}
