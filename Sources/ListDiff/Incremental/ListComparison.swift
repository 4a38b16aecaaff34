/// A list before and after: which elements go together without a search, which of them differ, and which are loose.
@usableFromInline
@frozen
struct ListComparison<Element: ListItem> {
    @usableFromInline var source: PersistentList<Element>
    @usableFromInline var target: PersistentList<Element>

    /// The shared part of both lists, with the elements that were paired beside it.
    @usableFromInline var match: TreeMatch<Place<Element>>

    /// The pairs in runs that differ in content, in the order of the source.
    @usableFromInline var changed: [ChangedItem] = []

    /// The elements before that are in no run, in order.
    @usableFromInline var looseSource: [LooseItem] = []

    /// The elements after that are in no run, in order.
    @usableFromInline var looseTarget: [LooseItem] = []

    /// Whether the runs are in the same order on both sides.
    @usableFromInline var isInOrder = true

    /// Compares two lists.
    ///
    /// - Parameter differs: Tells whether an element differs from an earlier one with an equal identifier, which stood at
    ///   a position of the source.
    /// - Complexity: O(*k* log *n*), where *k* leaves are in one list alone.
    // It is inlined with all that it calls, down to where `differs` is called: else each element would be retained for
    // that call.
    @inlinable
    @inline(__always)
    init(
        _ source: PersistentList<Element>,
        _ target: PersistentList<Element>,
        differs: (_ old: Element, _ position: Int, _ new: Element) -> Bool
    ) {
        self.source = source
        self.target = target
        match = TreeMatch(source.places, target.places)
        compareLeaves(differs)
        takeInEnds()
    }

    /// Whether every element has its partner and none moves.
    @inlinable var isSettled: Bool { isInOrder && looseSource.isEmpty && looseTarget.isEmpty }

    /// An element before.
    @inlinable
    func sourceElement(_ item: LooseItem) -> Element {
        item.leaf < 0
            ? source[item.position] : match.source[Int(item.leaf)].node.items[Int(item.offset)].element
    }

    /// An element after.
    @inlinable
    func targetElement(_ item: LooseItem) -> Element {
        item.leaf < 0
            ? target[item.position] : match.target[Int(item.leaf)].node.items[Int(item.offset)].element
    }

    /// Counts runs at the beginning and the end of both lists among what these begin and end with.
    @inlinable
    mutating func takeInEnds() {
        if let first = match.runs.first, first.source == match.prefix, first.target == match.prefix {
            match.prefix += first.count
            match.runs.removeFirst()
        }
        if let last = match.runs.last, last.source + last.count == source.count - match.suffix,
            last.target + last.count == target.count - match.suffix
        {
            match.suffix += last.count
            match.runs.removeLast()
        }
        isInOrder = match.runs.isInOrder
    }
}
