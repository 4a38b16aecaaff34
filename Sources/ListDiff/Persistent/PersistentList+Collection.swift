extension PersistentList: RandomAccessCollection {
    /// The first position: 0.
    @inlinable
    public var startIndex: Int { 0 }

    /// The number of elements.
    ///
    /// - Complexity: O(1).
    @inlinable
    public var endIndex: Int { places.count }

    /// The element at a position.
    ///
    /// - Complexity: O(log *n*). A walk over many elements is faster with `for element in list`, which goes leaf by
    ///   leaf.
    @inlinable
    public subscript(position: Int) -> Element {
        guard position >= 0, position < count, let (leaf, offset) = places.leaf(at: position) else {
            preconditionFailure("the position is not in the list")
        }
        return leaf.items[offset].element
    }

    /// Starts a walk over the elements in order.
    @inlinable
    public func makeIterator() -> Iterator {
        Iterator(places: TreeIterator(places))
    }

    /// Starts a walk over the elements from a position on.
    ///
    /// - Complexity: O(log *n*) for the first element, and O(1) on average for each of the others.
    @inlinable
    public func makeIterator(from position: Int) -> Iterator {
        precondition(position >= 0 && position <= count, "the position is not in the list")
        return Iterator(places: TreeIterator(places, from: position))
    }

    /// A walk over the elements of a list, leaf by leaf.
    @frozen
    public struct Iterator: IteratorProtocol {
        @usableFromInline var places: TreeIterator<Place<Element>>

        @inlinable
        init(places: TreeIterator<Place<Element>>) {
            self.places = places
        }

        /// The next element.
        ///
        /// - Complexity: O(1) on average.
        @inlinable
        @inline(__always)
        public mutating func next() -> Element? {
            places.next()?.element
        }
    }
}

extension PersistentList.Iterator: Sendable where Element: Sendable {}

extension PersistentList: Equatable where Element: Equatable {
    /// Compares the elements; what both lists share is equal without a look at it where it is at the same place in
    /// both.
    ///
    /// - Complexity: O(*n*); O(1) for lists that are one and the same.
    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        guard left.count == right.count else {
            return false
        }
        guard let one = left.places.root, let other = right.places.root else {
            return true
        }
        return one.hasEqualElements(other) ?? left.elementsEqual(right)
    }
}

extension CountedNode {
    /// Whether two nodes hold equal elements, or nil if they are so different in form that this has to be seen
    /// otherwise.
    @inlinable
    func hasEqualElements<Element: Equatable>(_ other: CountedNode) -> Bool? where Item == Place<Element> {
        if self === other {
            return true
        }
        guard height == other.height, fill == other.fill else {
            return nil
        }
        for index in items.indices where items[index].element != other.items[index].element {
            return false
        }
        for index in children.indices {
            guard extents[index].count == other.extents[index].count else {
                return nil
            }
            let isEqual = children[index].hasEqualElements(other.children[index])
            if isEqual != true {
                return isEqual
            }
        }
        return true
    }
}
