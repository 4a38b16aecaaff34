import ListDiff

extension Director {
    /// Publishes the working state (FlowKit's `reload()`).
    ///
    /// An element with equal content, by its adapter's pointers, is not updated; if its value differs elsewhere, it is
    /// replaced. So the published state equals the visible part of the working state, and equals the list of every
    /// client that has applied the change.
    ///
    /// - Complexity: O(*k* log *n*) for *k* sections and elements that operations have touched since the last reload, out
    ///   of *n*; nothing else is looked at, and neither is what collapsed sections hide. A section that is shown or hidden
    ///   touches all its elements, and so does a cell adapter that is replaced.
    ///   Of rows, only what can have changed is evaluated; see `Visibility`.
    ///
    /// The change names the mutations since the last one. If there is nothing to publish, their names wait for the next
    /// reload.
    ///
    /// - Parameters:
    ///   - animations: The animations that the caller asks for.
    ///   - cause: The name of the reload itself; nil where it has none.
    /// - Returns: The change, with a version one above the last; nil where there is nothing to publish.
    /// - Throws: A row that cannot be published, since an expression of it has no value; nothing has changed then.
    package mutating func reload(
        animations: Animations? = nil, cause: String? = nil
    ) throws(DirectorError) -> PublishedChange? {
        try checkOwnContent()
        let (changeset, target) = try differenceToPublish()
        guard !changeset.isEmpty else { return nil }
        if let cause { note(cause: cause) }
        return publish(changeset, target, animations)
    }

    /// Publishes the working state as a reload has done before, from which another director was restored.
    ///
    /// If a list has duplicates, its history decides which of them are paired, and a list that was stored and read
    /// again has another history. So this may find nothing to publish where the original reload found a move of
    /// duplicates past each other. It counts as a new version all the same.
    ///
    /// - Parameter form: The form of that reload's publication.
    /// - Returns: The change, with a version one above the last; it may be without stages.
    /// - Throws: A row that cannot be published now, but could be then: something stored is wrong.
    package mutating func reloadAgain(
        animations: Animations? = nil, form: PublicationForm = .whole
    ) throws(DirectorError) -> PublishedChange {
        if form == .contentOnly {
            let (changeset, target) = try differenceToPublish()
            let content = StagedChangeset(stages: changeset.stages)
            return publish(content, lagging(content, behind: target), animations)
        }
        // What a reload of the other form has left behind is compared again.
        reloaded = published.list
        let (changeset, target) = try differenceToPublish()
        return publish(changeset, target, animations)
    }

    private mutating func differenceToPublish() throws(DirectorError) -> (
        changeset: StagedChangeset<Section>, target: ListState
    ) {
        let target = try listToPublish()
        let shown = abs(target.elementCount - published.list.elementCount)
        try checkTurn(before: BatchWork.shownElement * shown)
        let changeset = published.list.difference(to: target, since: reloaded)
        // Also where nothing is published: what has been compared once is not compared again.
        reloaded = target
        work += BatchWork.shownElement * (shown + changeset.operationCount + changeset.replaced.count)
        return (changeset, target)
    }

    /// The working state as subscribers are to see it: its rows evaluated, without what is hidden.
    private mutating func listToPublish() throws(DirectorError) -> ListState {
        let content = working.list.content
        guard content.measure.rowSections > 0 || visibility != nil else { return working.list.projected }
        // A restart knows what is published, and not what was evaluated: it is evaluated again, and compared.
        let (bound, twice) = (limits.evaluationSteps, limits.evaluationStepsOfAll)
        var next = try evaluated(since: visibility, stepLimit: isRestored ? twice : bound)
        if next.steps > twice, visibility != nil {
            // What several reloads have evaluated has to fit into one, since a restart evaluates it in one. The sum still
            // holds the steps of elements that were replaced since; counted anew, it is at most half of what leads here.
            next = try evaluated(since: nil, stepLimit: bound)
        }
        work += BatchWork.step * max(0, next.stepsTaken - (visibility?.stepsTaken ?? 0))
        isRestored = false
        visibility = content.measure.rowSections > 0 ? next : nil
        changedVariables = []
        return ListState(content: next.shown).projected
    }

    /// The sections of the working state, evaluated.
    ///
    /// - Parameters:
    ///   - earlier: What was evaluated last; nil to evaluate every row.
    ///   - stepLimit: How many steps that may take.
    private func evaluated(since earlier: Visibility?, stepLimit: Int) throws(DirectorError) -> Visibility {
        var next = earlier ?? Visibility(showing: reloaded.content)
        try next.update(
            to: working.list.content, variables: working.variables, changed: changedVariables,
            stepLimit: stepLimit, turn: turnBound < .max ? (turnBound - work) / BatchWork.step : .max)
        return next
    }

    private mutating func publish(
        _ changeset: StagedChangeset<Section>, _ list: ListState, _ animations: Animations?
    ) -> PublishedChange {
        let next = PublishedState(version: published.version + 1, list: list)
        let change = PublishedChange(
            director: name, epoch: epoch, from: published.version, version: next.version, animations: animations,
            causes: working.causes, changeset: changeset, counts: next.list.counts)
        published = next
        if !working.causes.isEmpty { working.causes = CauseList() }
        return change
    }

    /// The change that performing some operations and reloading would publish; nothing changes (FlowKit's
    /// `changeSetAfterPerformingOperation`).
    ///
    /// - Complexity: The complexity of the operations and of the reload; the copy that they are tried on costs
    ///   nothing.
    /// - Returns: The change; nil where there would be nothing to publish.
    /// - Throws: As performing them as a batch would.
    package func dryRun(
        _ operations: [Operation], animations: Animations? = nil
    ) throws(DirectorError) -> PublishedChange? {
        var copy = self
        try copy.perform(batch: operations)
        return try copy.reload(animations: animations)
    }

    /// The list of a client after a changeset without replacements: the target, except for values that differ outside
    /// of the adapters' pointers.
    private func lagging(_ changeset: StagedChangeset<Section>, behind target: ListState) -> ListState {
        guard adapters.looksAtParts else { return target }
        do {
            return try published.list.applying(changeset)
        } catch {
            // The difference of two lists fits the first of them by construction. Were that ever not so, the target is
            // what was asked for, and a client finds out by `counts`; there is no reason to take every list down.
            return target
        }
    }
}

/// The part of an element that a reload publishes if its content is equal and its value is not.
package enum PublicationForm: Sendable {
    /// The value, without drawing the element anew.
    case whole
    /// Nothing: clients keep the value from before. Earlier programs did so, and what they have stored leads to the same
    /// versions again.
    case contentOnly
}

extension ListState {
    /// The difference from this state, as it is shown, to a later one.
    ///
    /// - Parameters:
    ///   - target: The later state.
    ///   - reference: A state with the sections and elements of this one at the same places, with which the later one
    ///     has as much in common as can be: only what differs from it is compared with this state.
    fileprivate func difference(to target: ListState, since reference: ListState) -> StagedChangeset<Section> {
        isIdentical(to: reference)
            ? StagedChangeset(from: content, to: target.content)
            : StagedChangeset(from: reference.content, to: target.content, shown: content)
    }

    /// The state after a changeset, which shows what subscribers show.
    ///
    /// - Complexity: O(*k* log *n*) for *k* operations.
    func applying(_ changeset: StagedChangeset<Section>) throws(ChangesetError) -> ListState {
        ListState(content: try content.applying(changeset)).projected
    }
}
