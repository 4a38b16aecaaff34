extension Array where Element: DifferentiableSection {
    /// Replays a changeset, one stage of a difference, on a copy of the list.
    ///
    /// Whatever the changeset holds, it is either replayed whole or refused: nothing in it is trusted, and the list
    /// itself does not change. It fits when every place is in range, no two operations have the same source or the same
    /// target, none reaches into a section that the changeset deletes or inserts, and every update has the identifier of
    /// what it replaces.
    ///
    /// - Complexity: O(*s* + *e* + *k* log *k*) for *s* sections, *e* elements in the sections that *k* operations touch.
    /// - Throws: An operation that does not fit, as stage 0.
    @inlinable
    public func applying(_ changeset: Changeset<Element>) throws(ChangesetError) -> [Element] {
        var replay = Replay(list: self, changeset: changeset, stage: 0)
        return try replay.run()
    }

    /// Replays the stages of a difference one after the other on a copy of the list, and puts in what is replaced.
    ///
    /// - Complexity: The sum over the stages.
    /// - Throws: An operation that does not fit the list after the stages before it.
    @inlinable
    public func applying(_ changeset: StagedChangeset<Element>) throws(ChangesetError) -> [Element] {
        var list = self
        for (number, stage) in changeset.stages.enumerated() {
            var replay = Replay(list: list, changeset: stage, stage: number)
            list = try replay.run()
        }
        return try list.replacing(changeset.replaced)
    }

    /// Puts the elements that a difference replaces into a copy of the list, as it is after the last stage.
    ///
    /// It is for callers that apply the stages one by one, for example to animate each. The `replaced` elements come
    /// after the last stage.
    ///
    /// - Complexity: The cost of replaying one stage; O(1) if nothing is replaced.
    /// - Throws: An element that does not fit the list.
    @inlinable
    public func replacing(_ replaced: [ElementChange<Element.Element>]) throws(ChangesetError) -> [Element] {
        if replaced.isEmpty {
            return self
        }
        var replay = Replay(list: self, changeset: Changeset(elementUpdated: replaced), stage: nil)
        return try replay.run()
    }
}

extension Array where Element: Differentiable {
    /// Replays the difference of two plain lists on a copy of the list.
    ///
    /// - Parameters:
    ///   - changeset: The changeset to replay.
    ///   - section: The changeset's section, as given to the difference.
    /// - Complexity: The sum over the stages, on one section.
    /// - Throws: An operation that does not fit. An operation on another section is out of range, and an operation on
    ///   sections is refused.
    @inlinable
    public func applying(
        _ changeset: StagedChangeset<LinearSection<Element>>,
        section: Int = 0
    ) throws(ChangesetError) -> [Element] {
        var list = [LinearSection(elements: self)]
        for (number, stage) in changeset.stages.enumerated() {
            if let operation = stage.firstSectionOperation {
                throw ChangesetError(stage: number, operation: operation, index: 0, reason: .noSections)
            }
            var replay = Replay(list: list, changeset: stage, stage: number, firstSection: section)
            list = try replay.run()
        }
        if !changeset.replaced.isEmpty {
            let last = Changeset<LinearSection<Element>>(elementUpdated: changeset.replaced)
            var replay = Replay(list: list, changeset: last, stage: nil, firstSection: section)
            list = try replay.run()
        }
        return list.first?.elements ?? []
    }
}
