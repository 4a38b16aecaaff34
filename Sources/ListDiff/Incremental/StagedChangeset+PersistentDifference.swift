extension StagedChangeset where Section: PersistentSection {
    /// Finds the difference between two persistent lists with sections.
    ///
    /// - Parameters:
    ///   - source: The list as it is shown.
    ///   - target: The list as it is to be shown.
    ///   - shown: A list with the identifiers of the source at the same places, whose contents are compared in place of
    ///     the source's.
    @inlinable
    public init(
        from source: PersistentList<Section>,
        to target: PersistentList<Section>,
        shown: PersistentList<Section>? = nil
    ) {
        let difference = PersistentDifference(from: source, to: target, shown: shown ?? source)
        self.init(stages: difference.stages { $0.isContentEqual(to: $1) })
    }

    /// Finds the difference between two persistent lists with sections, comparing elements in a way of the caller's.
    ///
    /// For who has to know of more than what `isContentEqual(to:)` of the elements looks at, such as a client that goes
    /// from one state to another over states that it has not seen.
    ///
    /// - Parameters:
    ///   - source: The list as it is shown.
    ///   - target: The list as it is to be shown.
    ///   - isSame: Tells whether an element needs no update where it continues another; it has to say so of an element
    ///     and itself, since what the lists share is not compared.
    @inlinable
    public init(
        from source: PersistentList<Section>,
        to target: PersistentList<Section>,
        comparing isSame: (_ element: Section.Element, _ source: Section.Element) -> Bool
    ) {
        let difference = PersistentDifference(from: source, to: target, shown: source)
        self.init(stages: difference.stages(isSame: isSame))
    }
}

extension StagedChangeset {
    /// Finds the difference between two plain persistent lists.
    ///
    /// - Parameters:
    ///   - source: The list as it is shown.
    ///   - target: The list as it is to be shown.
    ///   - shown: A list with the identifiers of the source at the same places, whose contents are compared in place of
    ///     the source's.
    ///   - section: The section that the paths name, for a list that is one section of a longer one.
    @inlinable
    public init<Element: ListItem>(
        from source: PersistentList<Element>,
        to target: PersistentList<Element>,
        shown: PersistentList<Element>? = nil,
        section: Int = 0
    ) where Section == LinearSection<Element> {
        var elements = ElementStages<Section>()
        let pair = SectionPair(before: section, after: section)
        elements.compare(pair, source, target, shown: shown ?? source) { $0.isContentEqual(to: $1) }
        elements.finish { $0.isContentEqual(to: $1) }
        let deletes = Changeset<Section>(elementDeleted: elements.deleted)
        self.init(stages: [elements.updates, deletes, elements.insertsAndMoves].filter { !$0.isEmpty })
    }
}
