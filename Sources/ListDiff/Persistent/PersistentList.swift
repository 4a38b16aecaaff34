/// A list whose copies share what they have in common, and which finds its elements by position and by identity.
public struct PersistentList<Element: ListItem> {
    @usableFromInline var storage: ContiguousArray<Element>

    /// Makes an empty list.
    @inlinable
    public init() {
        storage = []
    }

    /// Makes a list of the elements of a sequence, in their order.
    @inlinable
    public init(_ elements: some Sequence<Element>) {
        storage = ContiguousArray(elements)
    }

    /// What the elements measure together.
    @inlinable
    public var measure: Element.Measure {
        measure(before: count)
    }

    /// What the elements in front of a position measure together.
    @inlinable
    public func measure(before position: Int) -> Element.Measure {
        var sum = Element.Measure()
        for element in storage[..<position] {
            sum += element.measure
        }
        return sum
    }

    /// Whether two lists are one and the same: a copy of which neither has been changed.
    @inlinable
    public func isIdentical(to other: Self) -> Bool {
        storage.isEmpty && other.storage.isEmpty
            || storage.count == other.storage.count
                && storage.withUnsafeBufferPointer { $0.baseAddress }
                    == other.storage.withUnsafeBufferPointer { $0.baseAddress }
    }
}

extension PersistentList: Sendable where Element: Sendable {}

extension PersistentList: Equatable where Element: Equatable {
    /// Compares the elements; lists that are one and the same are equal without a look at them.
    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        left.isIdentical(to: right) || left.storage == right.storage
    }
}

extension PersistentList: ExpressibleByArrayLiteral {
    /// Makes a list of the elements written down.
    @inlinable
    public init(arrayLiteral elements: Element...) {
        self.init(elements)
    }
}

extension PersistentList: RandomAccessCollection {
    /// The first position.
    @inlinable
    public var startIndex: Int { 0 }

    /// The number of elements.
    @inlinable
    public var endIndex: Int { storage.count }

    /// The element at a position.
    @inlinable
    public subscript(position: Int) -> Element {
        storage[position]
    }
}
