/// A run of elements that is to become a part of a list, with what the list knows of it made already.
///
/// The parts of one list can be made in any order, and by several threads at a time; `append(joining:)` puts them
/// together.
@frozen
public struct PersistentListPart<Element: ListItem> {
    /// The elements, labelled as in the whole list.
    @usableFromInline let places: CountedTree<Place<Element>>

    /// Their entries in the order of their labels.
    @usableFromInline let entries: ContiguousArray<IndexEntry>

    /// Makes a part.
    ///
    /// - Parameters:
    ///   - elements: The elements of the part, in order.
    ///   - offset: How many elements there will be between the end of the list and the first of these.
    ///   - end: The end of the list.
    /// - Complexity: O(*m*) in the number of the elements.
    @inlinable
    public init(_ elements: ContiguousArray<Element>, at offset: Int, behind end: PersistentListEnd = .ofEmptyList) {
        precondition(offset >= 0 && offset + elements.count <= end.room, "the part is beyond the longest list")
        let labels = Labels.Run(first: end.label + Int64(offset + 1) * Labels.gap, step: Labels.gap)
        places = CountedTree(count: elements.count) { Place(label: labels[$0], element: elements[$0]) }
        var entries: ContiguousArray<IndexEntry> = []
        entries.reserveCapacity(elements.count)
        for number in elements.indices {
            entries.append(IndexEntry(hash: elements[number].identityHash, label: labels[number]))
        }
        self.entries = entries
    }

    /// The number of elements.
    @inlinable public var count: Int { entries.count }

    /// The elements.
    ///
    /// - Complexity: O(*m*) in their number.
    @inlinable public var elements: [Element] { places.map(\.element) }
}

extension PersistentListPart: Sendable where Element: Sendable {}

/// The end of a list, for the parts that follow.
@frozen
public struct PersistentListEnd: Sendable {
    /// The label of the last place.
    @usableFromInline let label: Int64

    @inlinable
    init(label: Int64) {
        self.label = label
    }

    /// The end of a list without elements.
    public static let ofEmptyList = PersistentListEnd(label: 0)

    /// How many elements parts can add at most: 2^29 to a list that was empty.
    @inlinable public var room: Int { Int((-Labels.lowest - label) / Labels.gap) - 1 }
}

extension PersistentList {
    /// Where the list ends.
    ///
    /// - Complexity: O(1).
    @inlinable public var end: PersistentListEnd {
        places.root.map { PersistentListEnd(label: $0.lastKey) } ?? .ofEmptyList
    }

    /// Makes a list of its parts.
    ///
    /// - Parameter parts: All parts of the list, in order, made for the end of an empty list.
    /// - Complexity: As `append(joining:)`.
    @inlinable
    public init(joining parts: some Collection<PersistentListPart<Element>>) {
        self.init()
        append(joining: parts)
    }

    /// Adds parts at the end.
    ///
    /// - Parameter parts: The parts, in order, all of them made for the end of the list as it is.
    /// - Complexity: O(log *n*) for each part; for the index's entries O(*n*) at most where the hashes are spread
    ///   evenly.
    @inlinable
    public mutating func append(joining parts: some Collection<PersistentListPart<Element>>) {
        var entries: ContiguousArray<IndexEntry> = []
        entries.reserveCapacity(parts.reduce(0) { $0 + $1.count })
        if places.height == 0 {
            places.root?.forEachLeaf { entries.append(contentsOf: $0.lazy.map(\.entry)) }
        }
        var label = end.label
        for part in parts where part.count > 0 {
            precondition(part.places.neighbours(ofGap: 0).after == label + Labels.gap, "a part is missing")
            label += Int64(part.count) * Labels.gap
            places.append(part.places)
            entries.append(contentsOf: part.entries)
        }
        if index.isEmpty {
            if places.height > 0 {
                index = IdentityIndex(entries)
            }
        } else {
            addToIndex(entries)
        }
    }
}
