/// An element of a list, and the label by which the list's index knows where it is.
@usableFromInline
@frozen
struct Place<Element: ListItem>: CountedItem {
    /// A number that ascends with the position, and stays when the position changes.
    @usableFromInline var label: Int64

    /// The element.
    @usableFromInline var element: Element

    @inlinable
    init(label: Int64, element: Element) {
        self.label = label
        self.element = element
    }

    @inlinable static var leafSize: Int { Element.leafSize }

    @inlinable var key: Int64 { label }

    /// How the index knows the element.
    @inlinable var entry: IndexEntry { IndexEntry(hash: element.identityHash, label: label) }
}

extension Place: Sendable where Element: Sendable {}

extension Place {
    /// The measure of the elements under a node.
    @usableFromInline
    @frozen
    struct Summary: CountedSummary {
        /// The sum.
        @usableFromInline var measure: Element.Measure

        @inlinable
        init(of items: ContiguousArray<Place>) {
            measure = Element.Measure()
            for item in items {
                measure += item.element.measure
            }
            settle(items)
        }

        @inlinable
        mutating func append(_ next: Self, after last: Int64) {
            measure += next.measure
        }

        @inlinable
        mutating func subtract(_ item: Place) {
            measure -= item.element.measure
        }

        @inlinable
        mutating func add(_ item: Place) {
            measure += item.element.measure
        }

        @inlinable
        mutating func settle(_ items: ContiguousArray<Place>) {
            Element.settle(&measure, first: items.first?.element)
        }
    }
}
