/// A persistent counted B-tree: items in the order of their keys, found by key and by position.
///
/// All items are in leaves, all leaves on one level (a B+ tree; Bayer and McCreight, 1972). A copy of a tree is a
/// reference to its root. A change copies the shared nodes on its way down and changes the others in place: a tree and
/// its changed copy share every node without a change (Driscoll, Sarnak, Sleator and Tarjan, 1989).
@usableFromInline
@frozen
struct CountedTree<Item: CountedItem> {
    /// The topmost node, or nil where there are no items.
    @usableFromInline var root: CountedNode<Item>?

    @inlinable
    init(root: CountedNode<Item>? = nil) {
        self.root = root
    }

    /// The number of items.
    @inlinable var count: Int { root?.count ?? 0 }

    /// Whether there are no items.
    @inlinable var isEmpty: Bool { root == nil }

    /// The number of levels, less the leaves'.
    @inlinable var height: Int { root?.height ?? 0 }

    /// Whether both are one tree.
    @inlinable
    func isIdentical(to other: Self) -> Bool {
        root === other.root
    }
}

extension CountedTree: Sendable where Item: Sendable {}

extension CountedTree: Sequence {
    @inlinable
    func makeIterator() -> TreeIterator<Item> {
        TreeIterator(self)
    }
}

// MARK: - Looking

extension CountedTree {
    /// The leaf with a position that is in the tree, and the position counted from its beginning.
    ///
    /// - Complexity: O(log *n*).
    @inlinable
    func leaf(at position: Int) -> (leaf: CountedNode<Item>, offset: Int)? {
        guard var node = root else {
            return nil
        }
        var search = PositionSearch<Item>(position)
        while node.height > 0 {
            node = node.children[search.child(in: node.extents)]
        }
        return (node, search.position)
    }

    /// The leaf with the first key that is not below a key, or the last leaf, and the number of items in front of it.
    ///
    /// - Complexity: O(log *n*).
    @inlinable
    func leaf(with key: Item.Key) -> (leaf: CountedNode<Item>, start: Int)? {
        guard var node = root else {
            return nil
        }
        var search = KeySearch<Item>(key)
        while node.height > 0 {
            node = node.children[search.child(in: node.extents)]
        }
        return (node, search.start)
    }

    /// The number of items whose keys are below a key.
    ///
    /// - Complexity: O(log *n*).
    @inlinable
    func rank(of key: Item.Key) -> Int {
        guard let (leaf, start) = leaf(with: key) else {
            return 0
        }
        return start + KeySearch(key).offset(in: leaf.items)
    }

    /// The keys in front of a gap and behind it.
    ///
    /// - Complexity: O(log *n*).
    @inlinable
    func neighbours(ofGap position: Int) -> (before: Item.Key?, after: Item.Key?) {
        guard var node = root else {
            return (nil, nil)
        }
        if position == node.count {
            return (node.lastKey, nil)
        }
        var search = PositionSearch<Item>(position)
        var before: Item.Key?
        while node.height > 0 {
            let index = search.child(in: node.extents)
            if index > 0 {
                before = node.extents[index - 1].lastKey
            }
            node = node.children[index]
        }
        if search.position > 0 {
            before = node.items[search.position - 1].key
        }
        return (before, node.items[search.position].key)
    }
}

// MARK: - Changing

extension CountedTree {
    /// Changes an item that is in the tree; its key has to stay between its neighbours' keys.
    ///
    /// - Complexity: O(log *n*).
    @inlinable
    mutating func update<Search: TreeSearch<Item>, Output, Failure: Error>(
        at search: Search,
        _ change: (inout Item) throws(Failure) -> Output
    ) -> Result<Output, Failure>? {
        var search = search
        return withUniqueRoot { $0.update(at: &search, change) }
    }

    /// Changes the items of a range of positions; keys have to ascend as before once all are changed.
    ///
    /// - Complexity: O(log *n* + *m*) for *m* positions.
    @inlinable
    mutating func updateAll(_ positions: Range<Int>, _ change: (Int, inout Item) -> Void) {
        withUniqueRoot { $0.updateAll(positions, change) }
    }

    /// Inserts an item whose key fits where it is put.
    ///
    /// - Complexity: O(log *n*).
    @inlinable
    mutating func insert<Search: TreeSearch<Item>>(_ item: Item, at search: Search) {
        var search = search
        let half = withUniqueRoot { $0.insert(item, at: &search) }
        guard let half else {
            root = CountedNode(items: [item])
            return
        }
        root = root?.withSibling(half)
    }

    /// Removes an item that is in the tree.
    ///
    /// - Complexity: O(log *n*).
    @inlinable
    @discardableResult
    mutating func remove<Search: TreeSearch<Item>>(at search: Search) -> Item? {
        var search = search
        let item = withUniqueRoot { $0.remove(at: &search) }
        if let top = root, top.fill < 2 {
            if top.height > 0 {
                root = top.children[0]
            } else if top.count == 0 {
                root = nil
            }
        }
        return item
    }

    /// Adds a tree whose keys follow.
    ///
    /// - Complexity: O(1 + difference in height).
    @inlinable
    mutating func append(_ other: Self) {
        root = CountedNode.join(root, other.root)
    }

    /// The items in front of a position, and those from there on.
    ///
    /// - Complexity: O(log *n*).
    @inlinable
    func split(at position: Int) -> (head: Self, tail: Self) {
        guard let (head, tail) = root?.split(at: position) else {
            return (self, self)
        }
        return (Self(root: head), Self(root: tail))
    }

    @inlinable
    mutating func withUniqueRoot<Output>(_ body: (CountedNode<Item>) -> Output) -> Output? {
        guard var node = root.take() else {
            return nil
        }
        CountedNode.makeUnique(&node)
        root = node
        return body(node)
    }
}
