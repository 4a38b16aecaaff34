/// A node of a `CountedTree`: a leaf with items, or an inner node with children of one height.
///
/// A node that more than one tree or parent refers to is not changed, but copied first. All but the root are at least
/// half full. A node knows what is under it; its parent keeps that beside its reference, so that a descent touches one
/// child on each level.
@usableFromInline
final class CountedNode<Item: CountedItem> {
    /// The number of levels below the node; 0 is a leaf.
    @usableFromInline let height: Int

    /// The number of items under the node.
    @usableFromInline var count: Int

    /// What is known of them.
    @usableFromInline var summary: Item.Summary

    /// A leaf's items.
    @usableFromInline var items: ContiguousArray<Item>

    /// An inner node's children.
    @usableFromInline var edges: ContiguousArray<CountedEdge<Item>>

    /// Makes a leaf, and sums up its items.
    @inlinable
    init(items: ContiguousArray<Item>) {
        height = 0
        count = items.count
        summary = Item.Summary(of: items)
        self.items = items
        edges = []
    }

    /// Makes an inner node of at least one child, and sums them up.
    @inlinable
    init(height: Int, edges: ContiguousArray<CountedEdge<Item>>) {
        self.height = height
        (count, summary) = Self.sum(of: edges)
        items = []
        self.edges = edges
    }

    @inlinable
    init(copying node: CountedNode) {
        height = node.height
        count = node.count
        summary = node.summary
        items = node.items
        edges = node.edges
    }

    /// The fewest items or children of a node that is not the root.
    @inlinable static var minimumFill: Int { Item.fanOut / 2 }

    /// The number of items or children.
    @inlinable var fill: Int { height == 0 ? items.count : edges.count }

    /// The last key under the node, which has to hold something.
    @inlinable var lastKey: Item.Key { height == 0 ? items[items.count - 1].key : edges[edges.count - 1].lastKey }

    @inlinable
    static func sum(of edges: ContiguousArray<CountedEdge<Item>>) -> (Int, Item.Summary) {
        var count = edges[0].count
        var summary = edges[0].summary
        for index in 1..<edges.count {
            count += edges[index].count
            summary.append(edges[index].summary, after: edges[index - 1].lastKey)
        }
        return (count, summary)
    }

    /// Sums up the children after one of them has changed.
    @inlinable
    func sumEdges() {
        (count, summary) = Self.sum(of: edges)
    }
}

// SAFETY: A node is only changed through a reference that is known to be the only one; what is shared is never changed.
extension CountedNode: @unchecked Sendable where Item: Sendable {}

/// An inner node's reference to a child, with what is known of the items under it.
@usableFromInline
struct CountedEdge<Item: CountedItem> {
    /// The child.
    @usableFromInline var node: CountedNode<Item>

    /// The number of items under the child.
    @usableFromInline var count: Int

    /// The last key under the child.
    @usableFromInline var lastKey: Item.Key

    /// What else is known of the items under the child.
    @usableFromInline var summary: Item.Summary

    @inlinable
    init(_ node: CountedNode<Item>) {
        self.node = node
        count = node.count
        lastKey = node.lastKey
        summary = node.summary
    }
}

extension CountedNode {
    /// A child for changing: a copy of it where others refer to it as well.
    @inlinable
    func uniqueChild(_ index: Int) -> CountedNode {
        Self.makeUnique(&edges[index].node)
        return edges[index].node
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
    func readEdge(_ index: Int) {
        let node = edges[index].node
        edges[index].count = node.count
        edges[index].lastKey = node.lastKey
        edges[index].summary = node.summary
    }
}
