/// A node of a `CountedTree`: a leaf with items, or an inner node with children of one height.
///
/// A node that more than one tree or parent refers to is not changed, but copied first. All but the root are at least
/// half full. The parent keeps a node's count, last key and sums beside the reference: a descent touches one child on
/// each level.
///
/// Its layout is fixed, so that its initializers can be inlined where the module is built with library evolution.
///
/// Accesses to its properties are not checked for exclusivity while the program runs; checking takes as long as an edit
/// of a list that is not shared.
@usableFromInline
@_fixed_layout
final class CountedNode<Item: CountedItem> {
    /// The number of levels below the node; 0 is a leaf.
    @usableFromInline let height: Int

    /// The number of items under the node.
    // SAFETY: A node is changed by the only list that refers to it, and that list cannot be read in the meantime.
    @exclusivity(unchecked) @usableFromInline var count: Int

    /// What is known of them.
    // SAFETY: A node is changed by the only list that refers to it, and that list cannot be read in the meantime.
    @exclusivity(unchecked) @usableFromInline var summary: Item.Summary

    /// A leaf's items.
    // SAFETY: A node is changed by the only list that refers to it, and that list cannot be read in the meantime.
    @exclusivity(unchecked) @usableFromInline var items: ContiguousArray<Item>

    /// An inner node's children.
    // SAFETY: A node is changed by the only list that refers to it, and that list cannot be read in the meantime.
    @exclusivity(unchecked) @usableFromInline var children: ContiguousArray<CountedNode>

    /// The sums of the children, each at the child's place: they are apart from the children, copied without counting
    /// references and read without touching the children.
    // SAFETY: A node is changed by the only list that refers to it, and that list cannot be read in the meantime.
    @exclusivity(unchecked) @usableFromInline var extents: ContiguousArray<CountedExtent<Item>>

    /// Makes a leaf, and sums up its items.
    @inlinable
    init(items: ContiguousArray<Item>) {
        height = 0
        count = items.count
        summary = Item.Summary(of: items)
        self.items = items
        children = []
        extents = []
    }

    /// Makes an inner node of at least one child, and sums them up.
    @inlinable
    init(
        height: Int,
        children: ContiguousArray<CountedNode>,
        extents: ContiguousArray<CountedExtent<Item>>
    ) {
        self.height = height
        (count, summary) = Self.sum(of: extents)
        items = []
        self.children = children
        self.extents = extents
    }

    @inlinable
    init(copying node: CountedNode) {
        height = node.height
        count = node.count
        summary = node.summary
        items = node.items
        children = node.children
        extents = node.extents
    }

    /// The most items or children of the node.
    @inlinable var maximumFill: Int { height == 0 ? Item.leafSize : Item.fanOut }

    /// The fewest items or children of the node, unless it is the root.
    @inlinable var minimumFill: Int { maximumFill / 2 }

    /// The number of items or children.
    @inlinable var fill: Int { height == 0 ? items.count : children.count }

    /// The last key under the node, which has to hold something.
    @inlinable var lastKey: Item.Key { height == 0 ? items[items.count - 1].key : extents[extents.count - 1].lastKey }

    @inlinable
    static func sum(of extents: ContiguousArray<CountedExtent<Item>>) -> (Int, Item.Summary) {
        var count = extents[0].count
        var summary = extents[0].summary
        for index in 1..<extents.count {
            count += extents[index].count
            summary.append(extents[index].summary, after: extents[index - 1].lastKey)
        }
        return (count, summary)
    }

    /// Sums up the children after one of them has changed.
    @inlinable
    func sumChildren() {
        (count, summary) = Self.sum(of: extents)
    }

    /// A child for changing: a copy of it where others refer to it as well.
    @inlinable
    func uniqueChild(_ index: Int) -> CountedNode {
        Self.makeUnique(&children[index])
        return children[index]
    }

    /// Copies the node behind a reference, unless the reference is the only one.
    @inlinable
    static func makeUnique(_ node: inout CountedNode) {
        if !isKnownUniquelyReferenced(&node) {
            node = CountedNode(copying: node)
        }
    }

    /// Reads again what is known of a child that has changed.
    @inlinable
    func readChild(_ index: Int) {
        extents[index] = CountedExtent(children[index])
    }
}

// SAFETY: A node is only changed through a reference that is known to be the only one; what is shared is never changed.
extension CountedNode: @unchecked Sendable where Item: Sendable {}

/// An inner node's sums of a child.
@usableFromInline
@frozen
struct CountedExtent<Item: CountedItem> {
    /// The number of items under the child.
    @usableFromInline var count: Int

    /// The last key under the child.
    @usableFromInline var lastKey: Item.Key

    /// The further sums over the items under the child.
    @usableFromInline var summary: Item.Summary

    @inlinable
    init(_ node: CountedNode<Item>) {
        count = node.count
        lastKey = node.lastKey
        summary = node.summary
    }
}

extension CountedExtent: Sendable where Item: Sendable {}

/// The children of an inner node, each with what is known of it.
@usableFromInline
@frozen
struct CountedEdges<Item: CountedItem>: RandomAccessCollection {
    @usableFromInline let children: ContiguousArray<CountedNode<Item>>
    @usableFromInline let extents: ContiguousArray<CountedExtent<Item>>

    @inlinable
    init(_ node: CountedNode<Item>) {
        children = node.children
        extents = node.extents
    }

    @inlinable var startIndex: Int { 0 }
    @inlinable var endIndex: Int { children.count }

    @inlinable
    subscript(index: Int) -> (node: CountedNode<Item>, count: Int) {
        (children[index], extents[index].count)
    }
}

extension CountedNode {
    /// Hands over the items of one leaf after the other.
    @inlinable
    func forEachLeaf(_ body: (ContiguousArray<Item>) -> Void) {
        if height == 0 {
            body(items)
        }
        for child in children {
            child.forEachLeaf(body)
        }
    }

    /// The children of the node with the number of items under each.
    @inlinable var edges: CountedEdges<Item> { CountedEdges(self) }
}
