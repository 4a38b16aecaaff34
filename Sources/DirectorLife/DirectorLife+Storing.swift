import Directors

extension DirectorLife {
    /// Takes note that the oldest record in flight is stored: what it stands for is seen now.
    ///
    /// - Parameters:
    ///   - isSnapshotDue: Whether the journal wants a snapshot since its log is long; asked after a record that has changed
    ///     something. One is made as well where the log costs much to perform again.
    ///   - actions: Where the actions are appended.
    package mutating func stored(isSnapshotDue: @autoclosure () -> Bool, into actions: inout [LifeAction]) {
        guard !isOfDropped() else { return }
        guard let first = inFlight.popFirst() else { return }
        if let loss = first.loss {
            lose(first, loss, into: &actions)
        } else {
            accept(first, into: &actions)
            if first.number != nil, phase != .over, isSnapshotDue() || stored.isReplayDear {
                stored.noteSnapshot()
                actions.append(.snapshot(stored))
            }
        }
        settleFollowers(into: &actions)
    }

    /// Takes note that the oldest record in flight is not stored, and why.
    ///
    /// A command after a lost change was based on it, and is lost too. Nothing stands on an answer: what was done after
    /// that is stored or not by itself.
    package mutating func lost(_ error: StorageError, into actions: inout [LifeAction]) {
        guard !isOfDropped() else { return }
        guard let first = inFlight.popFirst() else { return }
        if first.loss == nil, first.number != nil { goBack(error, into: &actions) }
        lose(first, first.loss ?? error, into: &actions)
        settleFollowers(into: &actions)
    }

    /// Whether a result that has come is of a record that was dropped: those come before all others.
    private mutating func isOfDropped() -> Bool {
        guard dropped > 0 else { return false }
        dropped -= 1
        return true
    }

    /// Answers commands that only waited for those before them.
    private mutating func settleFollowers(into actions: inout [LifeAction]) {
        while let next = inFlight.first, !next.isHandedOver {
            inFlight.removeFirst()
            actions.append(.answer(next.id, next.loss))
        }
    }

    private mutating func accept(_ command: InFlight, into actions: inout [LifeAction]) {
        if let director = command.director, let number = command.number {
            stored.advance(to: director, number: number, tag: command.tag)
            if phase == .creating { phase = .living }
        }
        if let answer = command.answer { answers.remember(answer) }
        apply(command.effects, into: &actions)
        actions.append(.answer(command.id, nil))
        if let hooks = command.effects.hooks { actions.append(.hooksChanged(hooks)) }
    }

    /// Shows what is stored now to subscribers, in order.
    private mutating func apply(_ effects: LifeEffects, into actions: inout [LifeAction]) {
        if let version = effects.definitionVersion { stored.definitionVersion = version }
        var isOutdated = effects.hooks != nil
        for change in effects.changes {
            isOutdated = true
            switch change {
            case .published(let version, let state, let adapters, let variables):
                let published = stored.publish(version, state, adapters, variables, tellingViews: hasViews)
                actions.append(.publish(.published(published)))
                if !published.dropped.isEmpty { actions.append(.release(published.dropped)) }
            case .defined(let frame, let version): actions.append(.publish(.defined(frame, version: version)))
            case .ended: end(into: &actions)
            }
        }
        if isOutdated { actions.append(.outdateAnswers) }
    }

    /// Ends the life and lets go of what it held.
    private mutating func end(into actions: inout [LifeAction]) {
        actions.append(.publish(.ended(version: stored.versions.newest.version)))
        actions.append(.forget)
        let empty = Director(name: name, epoch: epoch, properties: working.properties)
        if stored.director.memory > VersionHistory.longRelease { actions.append(.releaseAll(stored)) }
        phase = .over
        working = empty
        stored = LifeState(new: empty, retention: stored.versions.retention)
        answers = AnswerStore()
    }

    /// Ends a life that no command has ended here, for the reason in ``ending``.
    mutating func endUnseen(into actions: inout [LifeAction]) {
        end(into: &actions)
        actions.append(.outdateAnswers)
        if ending == .over { actions.append(.hooksChanged(.over)) }
    }

    /// Goes back to what is stored: the oldest record in flight was not, and what was done after it stood on it.
    private mutating func goBack(_ error: StorageError, into actions: inout [LifeAction]) {
        for index in inFlight.indices where inFlight[index].loss == nil { inFlight[index].loss = error }
        goBackWhole(into: &actions)
    }

    /// Goes back to what is stored, with nothing in flight any more that counts.
    mutating func goBackWhole(into actions: inout [LifeAction]) {
        working = stored.director
        lastNumber = stored.number
        switch phase {
        case .creating:
            phase = .over
            actions.append(.forget)
        case .deleting: phase = .living
        case .living, .over: break
        }
    }

    mutating func lose(_ command: InFlight, _ error: StorageError, into actions: inout [LifeAction]) {
        if let answer = command.answer { answers.abandon(answer.key) }
        actions.append(.answer(command.id, error))
    }

    // MARK: Following another node

    /// Performs a record that another writer has stored.
    ///
    /// A node that follows has nothing in flight: a record of its own in the same place was lost to this one before.
    ///
    /// - Throws: The record is not the life's next one, or leads to another state than it did there.
    package mutating func follow(_ record: LifeRecord, into actions: inout [LifeAction]) throws {
        guard record.epoch == epoch, !hasInFlight else {
            throw FollowError("the record is of another life, or this node writes records itself")
        }
        if record.entries.isEmpty {
            guard record.number == stored.number else { throw FollowError("the answer is not the next one") }
        } else {
            guard record.number == stored.number + 1 else {
                throw FollowError("the record has number \(record.number), and \(stored.number + 1) comes next")
            }
            var next = stored
            var effects: [StreamChange] = []
            for entry in record.entries {
                if let change = try next.perform(entry, tellingViews: hasViews) { effects.append(change) }
            }
            show(effects, next, number: record.number, into: &actions)
        }
        if phase != .over, let answer = record.answer { answers.remember(answer) }
    }

    private mutating func show(
        _ changes: [StreamChange], _ state: LifeState, number: Int, into actions: inout [LifeAction]
    ) {
        var hooks = HookChanges(from: stored.director.hooks, to: state.director)
        stored = state
        stored.advance(to: state.director, number: number, tag: nil)
        working = state.director
        lastNumber = number
        if phase == .creating { phase = .living }
        for change in changes {
            if case .ended = change {
                end(into: &actions)
                hooks = .over
            } else {
                actions.append(.publish(change))
                if case .published(let version) = change, !version.dropped.isEmpty {
                    actions.append(.release(version.dropped))
                }
            }
        }
        if !changes.isEmpty || hooks != nil { actions.append(.outdateAnswers) }
        if let hooks { actions.append(.hooksChanged(hooks)) }
    }
}
