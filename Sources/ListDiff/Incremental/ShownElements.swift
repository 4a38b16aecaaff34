/// The elements that are shown where they may lag behind the list that is compared, read mostly in order.
@usableFromInline
@frozen
struct ShownElements<Element: ListItem> {
    @usableFromInline let list: PersistentList<Element>

    /// The leaf that was read last, and the position of its first element.
    @usableFromInline var leaf: CountedNode<Place<Element>>?
    @usableFromInline var start = 0

    @inlinable
    init(_ list: PersistentList<Element>) {
        self.list = list
    }

    /// The element that is shown at a position.
    @inlinable
    mutating func element(at position: Int, insteadOf source: Element) -> Element {
        if let leaf, position >= start, position < start + leaf.count {
            return leaf.items[position - start].element
        }
        guard let (leaf, offset) = list.places.leaf(at: position) else {
            return source
        }
        self.leaf = leaf
        start = position - offset
        return leaf.items[offset].element
    }
}
