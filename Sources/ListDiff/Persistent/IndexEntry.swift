/// An element's entry in a list's index: a hash of its identity, and its label.
///
/// Entries ascend by hash and then by label, so that those of one hash stand together in the order of their positions.
@usableFromInline
@frozen
struct IndexEntry: CountedItem, Comparable, Sendable {
    /// The element's identity hash.
    @usableFromInline let hash: UInt

    /// The label of the element's place.
    @usableFromInline var label: Int64

    @inlinable
    init(hash: Int, label: Int64) {
        self.hash = UInt(bitPattern: hash)
        self.label = label
    }

    @inlinable var key: IndexEntry { self }

    @inlinable
    static func < (left: IndexEntry, right: IndexEntry) -> Bool {
        left.hash < right.hash || left.hash == right.hash && left.label < right.label
    }
}

extension IndexEntry {
    /// How often a hash is repeated under a node.
    @usableFromInline
    @frozen
    struct Summary: CountedSummary {
        /// The first entry.
        @usableFromInline var first: IndexEntry

        /// How many entries have the same hash as the one before them.
        @usableFromInline var repeats: Int

        @inlinable
        init(of items: ContiguousArray<IndexEntry>) {
            first = items.first ?? IndexEntry(hash: 0, label: 0)
            repeats = 0
            var last = first.hash
            for item in items.dropFirst() {
                repeats += item.hash == last ? 1 : 0
                last = item.hash
            }
        }

        @inlinable
        mutating func append(_ next: Self, after last: IndexEntry) {
            repeats += next.repeats + (next.first.hash == last.hash ? 1 : 0)
        }

        @inlinable
        mutating func subtract(_ item: IndexEntry) {}

        @inlinable
        mutating func add(_ item: IndexEntry) {}

        @inlinable
        mutating func settle(_ items: ContiguousArray<IndexEntry>) {
            self = Self(of: items)
        }
    }
}
