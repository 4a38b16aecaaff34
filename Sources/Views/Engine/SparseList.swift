import ListDiff

/// The entries that some elements of a list have, with the elements' positions.
///
/// An entry is kept with the number of elements since the entry before it, so that elements which come and go move the
/// positions of all later entries by one change. The memory is that of the entries, whatever the length of the list.
struct SparseList<Entry: NumberedEntry>: Sendable {
    private(set) var items: PersistentList<Item> = []

    /// An entry and the number of elements without one in front of it.
    struct Item: ListItem {
        let entry: Entry
        var gap: Int

        var differenceIdentifier: Int { entry.serial }
        var identityHash: Int { hash(ofSerial: entry.serial) }
        var measure: Span { Span(elements: gap + 1) }
        func isContentEqual(to source: Item) -> Bool { entry === source.entry && gap == source.gap }
    }

    /// A number of elements.
    struct Span: ListMeasure {
        var elements = 0

        static func += (left: inout Span, right: Span) { left.elements += right.elements }
        static func -= (left: inout Span, right: Span) { left.elements -= right.elements }
    }

    /// How many entries there are.
    var count: Int { items.count }

    /// The entry at an index among the entries.
    subscript(index: Int) -> Entry { items[index].entry }

    /// The index of an entry; nil if it is not in the list.
    ///
    /// - Complexity: O(log *n*).
    func index(ofSerial serial: Int) -> Int? {
        items.position(hash: hash(ofSerial: serial)) { $0.entry.serial == serial }
    }

    /// The indexes of the entries that elements in a range have.
    ///
    /// - Complexity: O(log *n*).
    func indexes(in range: Range<Int>) -> Range<Int> {
        guard let first = items.firstElement(reaching: { $0.elements > range.lowerBound }) else {
            return items.count..<items.count
        }
        let lower = first.position
        if range.count == 1 {
            let isThere = first.before.elements + first.element.gap == range.lowerBound
            return lower..<(isThere ? lower + 1 : lower)
        }
        return range.isEmpty ? lower..<lower : lower..<items.firstPosition(reaching: { $0.elements > range.upperBound })
    }

    /// The position of the element that has an entry.
    ///
    /// - Complexity: O(log *n*).
    func position(at index: Int) -> Int {
        items.measure(before: index).elements + items[index].gap
    }

    /// Puts a number of elements in the place of those in a range.
    ///
    /// - Parameters:
    ///   - range: The positions of the elements that go.
    ///   - indexes: The indexes of their entries.
    ///   - count: How many elements come.
    ///   - entries: The entries of these, each with its element's position among them, ascending.
    /// - Complexity: O(*m* log *n*) for *m* entries that come and go.
    mutating func replace(
        _ range: Range<Int>, _ indexes: Range<Int>, count: Int, with entries: [(offset: Int, entry: Entry)]
    ) {
        if indexes.count == 1, entries.count == 1, range.count == count,
            count == 1 || position(at: indexes.lowerBound) == range.lowerBound + entries[0].offset
        {
            items.update(at: indexes.lowerBound) { $0 = Item(entry: entries[0].entry, gap: $0.gap) }
            return
        }
        let shift = count - range.count
        if indexes.isEmpty, entries.isEmpty, shift == 0 { return }
        var next: (index: Int, position: Int)?
        if indexes.upperBound < items.count { next = (indexes.upperBound, position(at: indexes.upperBound)) }
        var end = items.measure(before: indexes.lowerBound).elements
        var new: [Item] = []
        new.reserveCapacity(entries.count)
        for (offset, entry) in entries {
            let position = range.lowerBound + offset
            new.append(Item(entry: entry, gap: position - end))
            end = position + 1
        }
        if let next {
            let gap = next.position + shift - end
            if items[next.index].gap != gap { items.update(at: next.index) { $0.gap = gap } }
        }
        if !indexes.isEmpty || !new.isEmpty { items.replaceSubrange(indexes, with: new) }
    }
}
