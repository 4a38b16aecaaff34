extension StagedChangeset where Section: PersistentSection {
    /// Finds the difference between two persistent lists with sections, in a time that follows what has changed.
    ///
    /// It is for lists one of which was made by changing a copy of the other, or both of a third: what they share is
    /// passed over. Lists that share nothing are better compared as arrays, unless they are lists anyway. See
    /// <doc:TheChangesetBetweenTwoVersions>.
    ///
    /// It promises what the initialiser for arrays promises: the same stages in the same order, as many of each
    /// identifier kept as both sides have, and no operation that could be left out. The moves are equally few, with and
    /// without duplicates, within the same bounds; of several shortest ways it may choose another. It may thus pair
    /// other sections of a shared identifier than the array's way does, and their elements move accordingly. It differs
    /// in one point: an inserted section brings its visible content,
    /// `Section(copying: section, content: section.content)`.
    ///
    /// Elements and sections that both lists share are not compared: a value is taken to be equal in content to itself. So
    /// are elements whose values are the same in memory.
    ///
    /// - Parameters:
    ///   - source: The list as it is shown, or, with `shown`, a list that shows the same by way of content equality.
    ///   - target: The list as it is to be shown.
    ///   - shown: A list with the identifiers of the source at the same places, whose elements and sections are compared
    ///     in place of the source's: for what is shown where that may lag behind the source.
    /// - Precondition: `shown` has as many sections as the source, and each that differs as many elements. Each side has
    ///   fewer than 2³¹ - 1 elements.
    /// - Complexity: O(*k* log *n*) nodes visited for *k* changes in lists of *n* elements, and O(*k* log *k*) where
    ///   something moves; where it does in a section with *d* elements that share their identity with others,
    ///   O(*d* log *n*) more, at most what the section costs as an array.
    @inlinable
    public init(
        from source: PersistentList<Section>,
        to target: PersistentList<Section>,
        shown: PersistentList<Section>? = nil
    ) {
        let difference = PersistentDifference(from: source, to: target, shown: shown ?? source)
        self = difference.changeset(isSame: { $0.isValueEqual(to: $1) }, looksSame: { $0.isContentEqual(to: $1) })
    }

    /// Finds the difference between two persistent lists with sections, comparing elements in a way of the caller's.
    ///
    /// For who draws other parts of the elements than what `isContentEqual(to:)` looks at. An element that differs is
    /// updated; nothing is `replaced`.
    ///
    /// - Parameters:
    ///   - source: The list as it is shown.
    ///   - target: The list as it is to be shown.
    ///   - isSame: Whether an element needs no update from its predecessor. It has to be true of an element and
    ///     itself: shared parts of the lists are not compared.
    /// - Complexity: That of `init(from:to:shown:)`.
    @inlinable
    public init(
        from source: PersistentList<Section>,
        to target: PersistentList<Section>,
        comparing isSame: (_ element: Section.Element, _ source: Section.Element) -> Bool
    ) {
        let difference = PersistentDifference(from: source, to: target, shown: source)
        self = difference.changeset(isSame: isSame, looksSame: { _, _ in false })
    }
}

extension StagedChangeset {
    /// Finds the difference between two plain persistent lists, with what `init(from:to:shown:)` promises for the elements
    /// of a section.
    ///
    /// - Parameters:
    ///   - source: The list as it is shown.
    ///   - target: The list as it is to be shown.
    ///   - shown: A list with the source's identifiers at the same places; its contents are compared instead of the
    ///     source's.
    ///   - section: The section that the paths name, for a list that is one section of a longer one.
    /// - Complexity: That of one section.
    @inlinable
    public init<Element: ListItem>(
        from source: PersistentList<Element>,
        to target: PersistentList<Element>,
        shown: PersistentList<Element>? = nil,
        section: Int = 0
    ) where Section == LinearSection<Element> {
        var elements = ElementStages<Section>()
        let pair = SectionPair(before: section, after: section)
        let isSame: ElementStages<Section>.Comparison = { $0.isValueEqual(to: $1) }
        let looksSame: ElementStages<Section>.Comparison = { $0.isContentEqual(to: $1) }
        elements.compare(pair, source, target, shown: shown ?? source, isSame: isSame, looksSame: looksSame)
        elements.finish(isSame: isSame, looksSame: looksSame)
        let deletes = Changeset<Section>(elementDeleted: elements.deleted)
        self.init(
            stages: [elements.updates, deletes, elements.insertsAndMoves].filter { !$0.isEmpty },
            replaced: elements.replaced)
    }
}
