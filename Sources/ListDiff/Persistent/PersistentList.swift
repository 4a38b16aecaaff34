/// A list whose copies share what they have in common, and which finds its elements by position and by identity.
///
/// A copy is a reference. A change copies what lies on its way through a tree, a few kilobytes however long the list
/// is, and nothing where no copy was kept. So every version of a list can be retained, and two versions can be compared
/// by looking only at what they do not share. See <doc:ThePersistentList>.
///
/// Identifiers need not be unique. Positions count from 0; one that is out of range ends the program, as with an array.
/// In what is said of costs, *n* is the number of elements; an element's hash and measure are read for each element
/// that is touched, and for up to 32 others where nodes divide or merge.
@frozen
public struct PersistentList<Element: ListItem> {
    /// The elements in order, with labels that ascend.
    @usableFromInline var places: CountedTree<Place<Element>>

    /// The labels by the identity hashes of the elements; empty while all elements are in one leaf.
    @usableFromInline var index: IdentityIndex

    @inlinable
    init(places: CountedTree<Place<Element>>, index: IdentityIndex) {
        self.places = places
        self.index = index
    }

    /// Makes an empty list.
    @inlinable
    public init() {
        self.init(places: CountedTree(), index: IdentityIndex())
    }

    /// Makes a list of the elements of a sequence, in their order.
    ///
    /// - Complexity: O(*n*) where the hashes are spread evenly; O(*n* log *n*) at most.
    @inlinable
    public init(_ elements: some Sequence<Element>) {
        self.init()
        if let list = elements as? Self {
            self = list
        } else if let array = elements as? [Element] {
            insertPlaces(array, at: 0)
        } else {
            insertPlaces(ContiguousArray(elements), at: 0)
        }
        settleIndex()
    }

    /// What the elements measure together.
    ///
    /// - Complexity: O(1).
    @inlinable
    public var measure: Element.Measure {
        places.root?.summary.measure ?? Element.Measure()
    }

    /// The measure of the elements before a position.
    ///
    /// - Complexity: O(log *n*).
    @inlinable
    public func measure(before position: Int) -> Element.Measure {
        precondition(position >= 0 && position <= count, "the position is not in the list")
        var sum = Element.Measure()
        guard var node = places.root, position < count else {
            return measure
        }
        var rest = position
        while node.height > 0 {
            var index = 0
            while rest >= node.extents[index].count {
                rest -= node.extents[index].count
                sum += node.extents[index].summary.measure
                index += 1
            }
            node = node.children[index]
        }
        for offset in 0..<rest {
            sum += node.items[offset].element.measure
        }
        return sum
    }

    /// The first position at which the measure of all elements up to and including it meets a condition.
    ///
    /// - Parameter isReached: The condition; it has to hold for every larger prefix once it holds for one.
    /// - Returns: The position, or the number of elements if the condition never holds.
    /// - Complexity: O(log *n*).
    @inlinable
    public func firstPosition(reaching isReached: (Element.Measure) -> Bool) -> Int {
        firstElement(reaching: isReached)?.position ?? count
    }

    /// The first element at which the measure of all elements up to and including it meets a condition.
    ///
    /// - Parameter isReached: The condition; it has to hold for every larger prefix once it holds for one.
    /// - Returns: The element, its position, and the measure of the elements before it; nil if the condition never holds.
    /// - Complexity: O(log *n*).
    @inlinable
    public func firstElement(
        reaching isReached: (Element.Measure) -> Bool
    ) -> (element: Element, position: Int, before: Element.Measure)? {
        guard isReached(measure), var node = places.root else { return nil }
        var (sum, position) = (Element.Measure(), 0)
        while node.height > 0 {
            var index = 0
            while index < node.children.count - 1 {
                var next = sum
                next += node.extents[index].summary.measure
                if isReached(next) {
                    break
                }
                sum = next
                position += node.extents[index].count
                index += 1
            }
            node = node.children[index]
        }
        for place in node.items {
            var next = sum
            next += place.element.measure
            if isReached(next) {
                return (place.element, position, sum)
            }
            sum = next
            position += 1
        }
        return nil
    }

    /// Whether two lists are one and the same: copies of one list, neither of which has been changed since.
    ///
    /// - Complexity: O(1).
    @inlinable
    public func isIdentical(to other: Self) -> Bool {
        places.isIdentical(to: other.places)
    }
}

extension PersistentList: Sendable where Element: Sendable {}

extension PersistentList: ExpressibleByArrayLiteral {
    /// Makes a list of the elements written down.
    @inlinable
    public init(arrayLiteral elements: Element...) {
        self.init(elements)
    }
}
