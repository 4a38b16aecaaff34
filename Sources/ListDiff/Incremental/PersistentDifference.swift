/// The making of a staged changeset between two persistent lists: first their sections are compared, then the elements of
/// those that are kept and differ.
@usableFromInline
@frozen
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
        // The closures take what they need of this: a copy of all three lists is dear.
        let shown = shown.isIdentical(to: source) ? nil : shown
        let comparison = ListComparison(source, target) { Self.differs($0, $1, $2, shown) }
        let sections = Reduction([comparison]) { Self.differs($0, $1.position, $2, shown) }
        var elements = ElementStages<Section>()
        let pairs = Self.changedPairs(sections)
        var updates = Changeset<Section>()
        for pair in pairs {
            let before = self.shown[pair.before]
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
        var stages: [Changeset<Section>] = []
        // One by one: an array of all would be copied to leave the empty ones out.
        if !elements.updates.isEmpty { stages.append(elements.updates) }
        if !deletes.isEmpty { stages.append(deletes) }
        if !insertsAndMoves.isEmpty { stages.append(insertsAndMoves) }
        if !elements.insertsAndMoves.isEmpty { stages.append(elements.insertsAndMoves) }
        if !updates.isEmpty { stages.append(updates) }
        return StagedChangeset(stages: stages, replaced: elements.replaced)
    }

    /// Whether a section, or what it shows, is another than before.
    ///
    /// - Parameter shown: The list that is shown; nil where it is the source.
    @inlinable
    static func differs(_ old: Section, _ position: Int, _ new: Section, _ shown: PersistentList<Section>?) -> Bool {
        if !old.content.isIdentical(to: new.content) {
            return true
        }
        return !new.isContentEqual(to: shown?[position] ?? old)
    }

    /// The sections that are kept and differ, in the order of the target.
    @inlinable
    static func changedPairs(_ sections: Reduction<Section>) -> [(before: Int, after: Int, section: Section)] {
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
