/// The making of a staged changeset between two persistent lists: first their sections are compared, then the elements of
/// those that are kept and differ.
@usableFromInline
struct PersistentDifference<Section: PersistentSection> {
    @usableFromInline let source: PersistentList<Section>
    @usableFromInline let target: PersistentList<Section>
    @usableFromInline let shown: PersistentList<Section>

    @inlinable
    init(from source: PersistentList<Section>, to target: PersistentList<Section>, shown: PersistentList<Section>) {
        self.source = source
        self.target = target
        self.shown = shown
    }

    /// Finds the five stages, without those that are empty, and what is replaced after the last.
    ///
    /// - Parameters:
    ///   - isSame: Whether an element is unchanged from its predecessor.
    ///   - looksSame: Whether a changed element has the same content as its predecessor.
    @inlinable
    func changeset(
        isSame: (_ element: Section.Element, _ shown: Section.Element) -> Bool,
        looksSame: (_ element: Section.Element, _ shown: Section.Element) -> Bool
    ) -> StagedChangeset<Section> {
        if source.isIdentical(to: target) {
            return StagedChangeset(stages: [])
        }
        let comparison = ListComparison(source, target) { differs($0, $1, $2) }
        let sections = Reduction([comparison]) { differs($0, $1.position, $2) }
        var elements = ElementStages<Section>()
        let pairs = changedPairs(sections)
        var updates = Changeset<Section>()
        for pair in pairs {
            let before = shown[pair.before]
            if !pair.section.isContentEqual(to: before) {
                let section = Section(copying: pair.section, content: [])
                updates.sectionUpdated.append(SectionChange(at: pair.after, section: section))
            }
            elements.compare(
                SectionPair(before: pair.before, after: pair.after),
                source[pair.before].content, pair.section.content, shown: before.content,
                isSame: isSame, looksSame: looksSame)
        }
        elements.finish(isSame: isSame, looksSame: looksSame)
        var deletes = Changeset<Section>(elementDeleted: elements.deleted)
        deletes.sectionDeleted = sections.deleted.map(\.position)
        let insertsAndMoves = Changeset<Section>(
            sectionInserted: sections.inserted.map { inserted in
                let section = sections.comparisons[0].targetElement(inserted.item)
                let copy = Section(copying: section, content: section.content)
                return SectionChange(at: inserted.item.position, section: copy)
            },
            sectionMoved: sections.moved.map { SectionMove(from: $0.from.position, to: $0.to.position) }
        )
        let stages = [elements.updates, deletes, insertsAndMoves, elements.insertsAndMoves, updates]
        return StagedChangeset(stages: stages.filter { !$0.isEmpty }, replaced: elements.replaced)
    }

    /// Whether a section, or what it shows, is another than before.
    @inlinable
    func differs(_ old: Section, _ position: Int, _ new: Section) -> Bool {
        if !old.content.isIdentical(to: new.content) {
            return true
        }
        return !new.isContentEqual(to: shown.isIdentical(to: source) ? old : shown[position])
    }

    /// The sections that are kept and differ, in the order of the target.
    @inlinable
    func changedPairs(_ sections: Reduction<Section>) -> [(before: Int, after: Int, section: Section)] {
        let comparison = sections.comparisons[0]
        var pairs = comparison.changed.map { change in
            (before: change.source, after: change.target.position, section: comparison.targetElement(change.target))
        }
        for change in sections.changed {
            let item = change.target.item
            pairs.append((change.source.position, item.position, comparison.targetElement(item)))
        }
        if pairs.indices.dropFirst().contains(where: { pairs[$0].after < pairs[$0 - 1].after }) {
            pairs.sort { $0.after < $1.after }
        }
        return pairs
    }
}
