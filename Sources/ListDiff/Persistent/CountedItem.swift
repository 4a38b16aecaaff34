/// An item of a `CountedTree`, which holds its items in the ascending order of a key.
@usableFromInline
protocol CountedItem {
    /// The key by which the items of a tree ascend; no two items have the same.
    associatedtype Key: Comparable, Sendable

    /// A node's sums over its items besides their number and their last key.
    associatedtype Summary: CountedSummary where Summary.Item == Self

    /// How many items a leaf holds at most: an even number, at least 4.
    static var leafSize: Int { get }

    /// How many children an inner node has at most: an even number, at least 4.
    static var fanOut: Int { get }

    /// The key of the item.
    var key: Key { get }
}

extension CountedItem {
    /// 32: larger leaves take less memory for an item, smaller ones are copied sooner.
    @inlinable
    static var leafSize: Int { 32 }

    /// 16: where a node is copied its children's references are counted, each in memory of its own, so that a path of
    /// more and smaller nodes is copied sooner.
    @inlinable
    static var fanOut: Int { 16 }
}

/// The sums of a `CountedTree`'s node over its items.
@usableFromInline
protocol CountedSummary: Equatable, Sendable {
    /// What is summed up.
    associatedtype Item: CountedItem

    /// Sums up the items of a leaf.
    init(of items: ContiguousArray<Item>)

    /// Adds what stands behind all that is summed up so far.
    ///
    /// - Parameters:
    ///   - next: What is added.
    ///   - last: The last key that is summed up so far.
    mutating func append(_ next: Self, after last: Item.Key)

    /// Takes away the share of an item that leaves a leaf or is about to change in it; `settle` follows.
    mutating func subtract(_ item: Item)

    /// Adds the share of an item that comes to a leaf or has changed in it; `settle` follows.
    mutating func add(_ item: Item)

    /// Brings up to date what is not the sum of the items' shares, once the items of a leaf are as they will be.
    mutating func settle(_ items: ContiguousArray<Item>)
}
