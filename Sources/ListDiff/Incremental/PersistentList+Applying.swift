extension PersistentList where Element: PersistentSection {
    /// Replays a changeset, one stage of a difference, on a copy of the list.
    ///
    /// An operation that an array refuses is refused here, too, for the same reason. Any changeset is either replayed
    /// whole or refused; the list itself does not change.
    ///
    /// - Complexity: O(*k* log *n*) for *k* operations.
    /// - Throws: An operation that does not fit, as stage 0.
    @inlinable
    public func applying(_ changeset: Changeset<Element>) throws(ChangesetError) -> Self {
        try StageReplay<Element, PersistentEdit<Element.Element>>.run(changeset, stage: 0, on: self)
    }

    /// Replays the stages of a difference one after the other on a copy of the list, and puts in what is replaced.
    ///
    /// - Complexity: O(*k* log *n*) for *k* operations in all.
    /// - Throws: An operation that does not fit the list as the stages before have left it.
    @inlinable
    public func applying(_ changeset: StagedChangeset<Element>) throws(ChangesetError) -> Self {
        var list = self
        for (number, stage) in changeset.stages.enumerated() {
            list = try StageReplay<Element, PersistentEdit<Element.Element>>.run(stage, stage: number, on: list)
        }
        return try list.replacing(changeset.replaced)
    }

    /// Puts the elements that a difference replaces into a copy of the list, as it is after the last stage.
    ///
    /// - Complexity: O(*k* log *n*) for *k* elements.
    /// - Throws: An element that does not fit the list.
    @inlinable
    public func replacing(_ replaced: [ElementChange<Element.Element>]) throws(ChangesetError) -> Self {
        replaced.isEmpty
            ? self
            : try StageReplay<Element, PersistentEdit<Element.Element>>.run(
                Changeset(elementUpdated: replaced), stage: nil, on: self)
    }
}

extension PersistentList {
    /// Replays the difference of two plain lists on a copy of the list.
    ///
    /// - Parameters:
    ///   - changeset: What to replay.
    ///   - section: The section that the changeset speaks of, as it was given when the difference was found.
    /// - Complexity: O(*k* log *n*) for *k* operations.
    /// - Throws: An operation that does not fit; one on another section is out of range, one on sections is refused.
    @inlinable
    public func applying(
        _ changeset: StagedChangeset<LinearSection<Element>>,
        section: Int = 0
    ) throws(ChangesetError) -> Self {
        var list = self
        for (number, stage) in changeset.stages.enumerated() {
            if let operation = stage.firstSectionOperation {
                throw ChangesetError(stage: number, operation: operation, index: 0, reason: .noSections)
            }
            let before = list
            var replay = StageReplay<_, PersistentEdit<Element>>(
                stage, stage: number, count: 1, firstSection: section
            ) { _ in before }
            list = try replay.changedContents().first?.elements ?? list
        }
        if !changeset.replaced.isEmpty {
            let (before, last) = (list, Changeset<LinearSection<Element>>(elementUpdated: changeset.replaced))
            var replay = StageReplay<_, PersistentEdit<Element>>(
                last, stage: nil, count: 1, firstSection: section
            ) { _ in before }
            list = try replay.changedContents().first?.elements ?? list
        }
        return list
    }
}
