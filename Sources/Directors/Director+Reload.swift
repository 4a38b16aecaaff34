import ListDiff

extension Director {
    /// Publishes the working state (FlowKit's `reload()`).
    ///
    /// What becomes published is what a client holds that has applied the changeset: an element whose content is equal,
    /// as its adapter sees it, is not updated, and stays as it was published.
    ///
    /// - Complexity: At most O(*n*) in the number of sections and elements of the working and the published state.
    /// - Returns: The change, with a version one above the last; nil where there is nothing to publish.
    package mutating func reload(animations: Animations? = nil) -> PublishedChange? {
        let target = working.list.projected
        guard let changeset = published.list.difference(to: target) else { return nil }
        let next = PublishedState(version: published.version + 1, list: shown(changeset, target: target))
        let change = PublishedChange(
            director: name, epoch: epoch, from: published.version, version: next.version, animations: animations,
            changeset: changeset, counts: next.list.counts)
        published = next
        return change
    }

    /// The change that performing some operations and reloading would publish; nothing changes (FlowKit's
    /// `changeSetAfterPerformingOperation`).
    ///
    /// - Returns: The change; nil where there would be nothing to publish.
    /// - Throws: As performing them as a batch would.
    package func dryRun(
        _ operations: [Operation], animations: Animations? = nil
    ) throws(DirectorError) -> PublishedChange? {
        var copy = self
        try copy.perform(batch: operations)
        return copy.reload(animations: animations)
    }

    /// What a client shows after the changeset: the target, but for values that differ where no adapter looks.
    private func shown(_ changeset: StagedChangeset<Section>, target: ListState) -> ListState {
        guard adapters.cells.values.contains(where: { $0.content != nil }) else { return target }
        do {
            return ListState(sections: try published.list.sections.applying(changeset))
        } catch {
            // The difference of two lists fits the first of them by construction. Were that ever not so, the target is
            // what was asked for, and a client finds out by `counts`; there is no reason to take every list down.
            return target
        }
    }
}

extension ListState {
    /// The difference to a later state, nil where there is none.
    func difference(to target: ListState) -> StagedChangeset<Section>? {
        let changeset = StagedChangeset(from: sections, to: target.sections)
        return changeset.isEmpty ? nil : changeset
    }
}
