/// An element that is in no run: its position in its list, and the unmatched leaf that it was found in.
@usableFromInline
@frozen
struct LooseItem {
    @usableFromInline let position: Int

    /// The unmatched leaf, or -1 for an element that is looked up in the list.
    @usableFromInline let leaf: Int32

    /// The element's place in the leaf.
    @usableFromInline let offset: Int32

    @inlinable
    init(position: Int, leaf: Int, offset: Int) {
        self.position = position
        self.leaf = Int32(truncatingIfNeeded: leaf)
        self.offset = Int32(truncatingIfNeeded: offset)
    }

    /// An element that is looked up by its position.
    @inlinable
    init(position: Int) {
        self.init(position: position, leaf: -1, offset: 0)
    }
}

/// An element that differs in content from the one before that it continues.
@usableFromInline
@frozen
struct ChangedItem {
    /// The position before.
    @usableFromInline let source: Int

    /// The element after.
    @usableFromInline let target: LooseItem

    @inlinable
    init(source: Int, target: LooseItem) {
        self.source = source
        self.target = target
    }
}
