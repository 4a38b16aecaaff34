/// Where a kept section stands in the list before, and where in the list after.
@usableFromInline
struct SectionPair {
    @usableFromInline let before: Int
    @usableFromInline let after: Int

    @inlinable
    init(before: Int, after: Int) {
        self.before = before
        self.after = after
    }
}

/// What happens to the elements of kept sections, in the stages of a changeset.
@usableFromInline
struct ElementStages<Section: DifferentiableSection> where Section.Element: ListItem {
    @usableFromInline typealias Elements = PersistentList<Section.Element>

    /// The sections whose elements differ, in the order of the target.
    @usableFromInline var pairs: [SectionPair] = []
    @usableFromInline var comparisons: ContiguousArray<ListComparison<Section.Element>> = []

    /// For each of them, what is shown, or nil where that is the source.
    @usableFromInline var shown: [ShownElements<Section.Element>?] = []

    /// The first stage: the elements whose content differs.
    @usableFromInline var updates = Changeset<Section>()

    /// The part of the second stage: the elements that leave kept sections.
    @usableFromInline var deleted: [ElementPath] = []

    /// The fourth stage: the elements that come to kept sections, and those that change places.
    @usableFromInline var insertsAndMoves = Changeset<Section>()

    @inlinable
    init() {}

    /// Compares the elements of a section that is kept; sections come in the order of the target.
    @inlinable
    mutating func compare(
        _ pair: SectionPair,
        _ source: Elements,
        _ target: Elements,
        shown: Elements,
        isSame: (Section.Element, Section.Element) -> Bool
    ) {
        if source.isIdentical(to: target) {
            return
        }
        precondition(shown.count == source.count, "what is shown has to have the identifiers of the source")
        pairs.append(pair)
        if shown.isIdentical(to: source) {
            comparisons.append(ListComparison(source, target) { old, _, new in !isSame(new, old) })
            self.shown.append(nil)
        } else {
            var reader = ShownElements(shown)
            comparisons.append(ListComparison(source, target) { !isSame($2, reader.element(at: $1, insteadOf: $0)) })
            self.shown.append(reader)
        }
    }

    /// Finds out what happens to the elements, once all sections have been compared.
    @inlinable
    mutating func finish(isSame: (Section.Element, Section.Element) -> Bool) {
        if comparisons.isEmpty {
            return
        }
        var shown = shown
        let elements = Reduction(comparisons) { old, place, new in
            !isSame(new, shown[place.list]?.element(at: place.position, insteadOf: old) ?? old)
        }
        addUpdates(elements)
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
    mutating func addUpdates(_ elements: Reduction<Section.Element>) {
        for list in elements.comparisons.indices {
            for index in elements.comparisons[list].changed.indices {
                let change = elements.comparisons[list].changed[index]
                let at = path(change.source, in: pairs[list].before)
                let element = elements.comparisons[list].targetElement(change.target)
                updates.elementUpdated.append(ElementChange(at: at, element: element))
            }
        }
        for change in elements.changed {
            let at = path(change.source.position, in: pairs[change.source.list].before)
            let element = elements.comparisons[change.target.list].targetElement(change.target.item)
            updates.elementUpdated.append(ElementChange(at: at, element: element))
        }
        if !updates.elementUpdated.isSorted(by: { $0.at < $1.at }) {
            updates.elementUpdated.sort { $0.at < $1.at }
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
