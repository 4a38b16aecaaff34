/// A kept section's positions in the list before and in the list after.
@usableFromInline
@frozen
struct SectionPair {
    @usableFromInline let before: Int
    @usableFromInline let after: Int

    @inlinable
    init(before: Int, after: Int) {
        self.before = before
        self.after = after
    }
}

/// The operations on the elements of kept sections, in the stages of a changeset.
@usableFromInline
@frozen
struct ElementStages<Section: DifferentiableSection> where Section.Element: ListItem {
    @usableFromInline typealias Elements = PersistentList<Section.Element>

    /// The sections whose elements differ, in the order of the target.
    @usableFromInline var pairs: [SectionPair] = []
    @usableFromInline var comparisons: ContiguousArray<ListComparison<Section.Element>> = []

    /// For each of them, what is shown, or nil where that is the source.
    @usableFromInline var shown: [ShownElements<Section.Element>?] = []

    /// For each of them, the positions before of the elements whose successors differ from them, but show the same.
    @usableFromInline var unshown: [Set<Int>] = []

    /// The first stage: the elements whose content differs.
    @usableFromInline var updates = Changeset<Section>()

    /// The part of the second stage: the elements that leave kept sections.
    @usableFromInline var deleted: [ElementPath] = []

    /// The fourth stage: the elements that come to kept sections, and those that change places.
    @usableFromInline var insertsAndMoves = Changeset<Section>()

    /// The elements that differ in what they do not show, at their places after the last stage.
    @usableFromInline var replaced: [ElementChange<Section.Element>] = []

    /// Tells whether an element is the same as an earlier one that it continues.
    @usableFromInline typealias Comparison = (Section.Element, Section.Element) -> Bool

    @inlinable
    init() {}

    /// Compares the elements of a section that is kept; sections come in the order of the target.
    ///
    /// - Parameters:
    ///   - isSame: Whether an element is unchanged from its predecessor.
    ///   - looksSame: Whether a changed element has the same content as its predecessor.
    @inlinable
    mutating func compare(
        _ pair: SectionPair,
        _ source: Elements,
        _ target: Elements,
        shown: Elements,
        isSame: Comparison,
        looksSame: Comparison
    ) {
        if source.isIdentical(to: target) {
            return
        }
        precondition(shown.count == source.count, "what is shown has to have the identifiers of the source")
        pairs.append(pair)
        var unshown: Set<Int> = []
        if shown.isIdentical(to: source) {
            comparisons.append(
                ListComparison(source, target) { old, position, new in
                    Self.differs(new, old, position, isSame, looksSame, &unshown)
                })
            self.shown.append(nil)
        } else {
            var reader = ShownElements(shown)
            comparisons.append(
                ListComparison(source, target) { old, position, new in
                    let shown = reader.element(at: position, insteadOf: old)
                    return Self.differs(new, shown, position, isSame, looksSame, &unshown)
                })
            self.shown.append(reader)
        }
        self.unshown.append(unshown)
    }

    /// Whether an element differs from its predecessor, which stood at `position` in the list before. If it differs and
    /// shows the same content, the position is noted.
    @inlinable
    @inline(__always)
    static func differs(
        _ new: Section.Element,
        _ old: Section.Element,
        _ position: Int,
        _ isSame: Comparison,
        _ looksSame: Comparison,
        _ unshown: inout Set<Int>
    ) -> Bool {
        if isSame(new, old) {
            return false
        }
        if looksSame(new, old) {
            unshown.insert(position)
        }
        return true
    }

    /// Finds out what happens to the elements, once all sections have been compared.
    @inlinable
    mutating func finish(isSame: Comparison, looksSame: Comparison) {
        if comparisons.isEmpty {
            return
        }
        var (shown, unshown) = (shown, unshown)
        let elements = Reduction(comparisons) { old, place, new in
            // It may have been paired with another one of its identifier before.
            if !unshown[place.list].isEmpty {
                unshown[place.list].remove(place.position)
            }
            let old = shown[place.list]?.element(at: place.position, insteadOf: old) ?? old
            return Self.differs(new, old, place.position, isSame, looksSame, &unshown[place.list])
        }
        self.unshown = unshown
        addChanges(elements)
        deleted = elements.deleted.map { path($0.position, in: pairs[$0.list].before) }
        if !deleted.isSorted(by: <) {
            deleted.sort()
        }
        insertsAndMoves.elementInserted = elements.inserted.map { inserted in
            ElementChange(
                at: path(inserted.item.position, in: pairs[inserted.list].after),
                element: elements.comparisons[inserted.list].targetElement(inserted.item))
        }
        insertsAndMoves.elementMoved = elements.moved.map { move in
            ElementMove(
                from: path(move.from.position, in: pairs[move.from.list].after),
                to: path(move.to.position, in: pairs[move.to.list].after))
        }
    }

    @inlinable
    mutating func addChanges(_ elements: Reduction<Section.Element>) {
        for list in elements.comparisons.indices {
            for index in elements.comparisons[list].changed.indices {
                let change = elements.comparisons[list].changed[index]
                let source = ListedPosition(list: list, position: change.source)
                addChange(elements, source, ListedItem(list: list, item: change.target))
            }
        }
        for change in elements.changed {
            addChange(elements, change.source, change.target)
        }
        if !updates.elementUpdated.isSorted(by: { $0.at < $1.at }) {
            updates.elementUpdated.sort { $0.at < $1.at }
        }
        if !replaced.isSorted(by: { $0.at < $1.at }) {
            replaced.sort { $0.at < $1.at }
        }
    }

    /// Notes an element that differs from its predecessor: as updated in the first stage if its content differs,
    /// otherwise among the elements that are replaced after the last stage.
    @inlinable
    mutating func addChange(_ elements: Reduction<Section.Element>, _ source: ListedPosition, _ target: ListedItem) {
        let element = elements.comparisons[target.list].targetElement(target.item)
        if !unshown[source.list].isEmpty, unshown[source.list].contains(source.position) {
            let at = path(target.item.position, in: pairs[target.list].after)
            replaced.append(ElementChange(at: at, element: element))
        } else {
            let at = path(source.position, in: pairs[source.list].before)
            updates.elementUpdated.append(ElementChange(at: at, element: element))
        }
    }

    @inlinable
    func path(_ element: Int, in section: Int) -> ElementPath {
        ElementPath(section: section, element: element)
    }
}

extension Array {
    /// Whether the elements are in order, so that sorting them can be spared.
    @inlinable
    func isSorted(by isBefore: (Element, Element) -> Bool) -> Bool {
        for index in indices.dropFirst() where !isBefore(self[index - 1], self[index]) {
            return false
        }
        return true
    }
}
