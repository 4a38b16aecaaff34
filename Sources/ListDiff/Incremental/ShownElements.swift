/// The elements that are shown where they may lag behind the list that is compared, read mostly in order.
@usableFromInline
struct ShownElements<Element: ListItem> {
    /// The list that is shown, or nil if it is the one that is compared.
    @usableFromInline let list: PersistentList<Element>?

    /// The leaf that was read last, and the position of its first element.
    @usableFromInline var leaf: CountedNode<Place<Element>>?
    @usableFromInline var start = 0

    @inlinable
    init(_ shown: PersistentList<Element>, insteadOf source: PersistentList<Element>) {
        precondition(shown.count == source.count, "what is shown has to have the identifiers of the source")
        list = shown.isIdentical(to: source) ? nil : shown
    }

    /// The element that is shown at a position, or nil if the source's is.
    @inlinable
    mutating func element(at position: Int) -> Element? {
        guard let list else {
            return nil
        }
        if let leaf, position >= start, position < start + leaf.count {
            return leaf.items[position - start].element
        }
        guard let (leaf, offset) = list.places.leaf(at: position) else {
            return nil
        }
        self.leaf = leaf
        start = position - offset
        return leaf.items[offset].element
    }
}
