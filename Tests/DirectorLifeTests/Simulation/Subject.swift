import HTTPWire

@testable import DirectorLife
@testable import Directors

/// A life under test; a fault can be planted around it.
struct Subject {
    /// The life.
    var life: DirectorLife
    /// What is wrong with it.
    let fault: Fault?

    /// Takes a life that a node creates.
    init(_ life: DirectorLife, _ fault: Fault?) {
        self.life = life
        self.fault = fault
    }

    /// Takes a life that a node has read.
    init(recovered state: LifeState, answers: [StoredAnswer], _ fault: Fault?) {
        var state = state
        if fault == .causesLostByRestart { state.director.working.causes = CauseList() }
        life = DirectorLife(recovered: state, answers: fault == .answersLostByRestart ? [] : answers)
        self.fault = fault
    }

    /// Performs a command on a draft; where it is refused, the draft is dropped.
    mutating func perform(_ command: Command, number: Int, on draft: inout LifeDraft) throws(DirectorError) {
        do {
            try draft.perform(command, number: number)
        } catch {
            if fault == .causeOfRefusedCommand { life.working.note(cause: "refused") }
            if fault == .halfBatch, (try? draft.perform(.set, number: number)) != nil { life.working = draft.director }
            throw error
        }
    }

    /// Accepts a command.
    mutating func commit(
        _ draft: LifeDraft, answer: StoredAnswer?, into actions: inout [LifeAction]
    ) -> CommandID {
        let id = life.commit(draft, answer: answer, into: &actions)
        switch fault {
        case .publishedBeforeStored:
            for case .published(let version, _, _) in draft.effects.changes {
                actions.append(.publish(.published(version)))
            }
        case .causesShownAgain:
            for case .published(let version, _, _) in draft.effects.changes {
                for cause in version.change.causes.names { life.working.note(cause: cause) }
            }
        case .answeredBeforeStored where draft.isChange: actions.append(.answer(id, nil))
        case .answerKeptAtCommit: if let answer { life.answers.remember(answer) }
        case .hooksToldBeforeStored: if let hooks = draft.effects.hooks { actions.append(.hooksChanged(hooks)) }
        default: break
        }
        return id
    }

    /// Says that the oldest record in flight is stored.
    mutating func stored(isSnapshotDue: Bool, into actions: inout [LifeAction]) {
        life.stored(isSnapshotDue: isSnapshotDue, into: &actions)
        switch fault {
        case .snapshotOfWorkingState:
            actions = actions.map { action in
                guard case .snapshot(var state) = action else { return action }
                state.director = life.working
                return .snapshot(state)
            }
        case .definitionVersionForgotten: life.stored.definitionVersion = nil
        case .answersReversed: reverseAnswers(&actions)
        case .endNotTold: actions.removeAll { if case .publish(.ended) = $0 { true } else { false } }
        case .publishedTwice:
            actions = actions.flatMap { if case .publish(.published) = $0 { [$0, $0] } else { [$0] } }
        default: break
        }
    }

    /// Says that the oldest record in flight is lost.
    mutating func lost(_ error: StorageError, into actions: inout [LifeAction]) {
        let before = life
        life.lost(error, into: &actions)
        let first = before.inFlight.first
        switch fault {
        case .workingStateKeptAfterLoss: life.working = before.working
        case .causeKeptAfterLoss: life.working.working.causes = before.working.working.causes
        case .numberKeptAfterLoss: life.lastNumber = before.lastNumber
        case .keyKeptAfterLoss:
            if let answer = first?.answer { life.begin(CommandKey(answer.key, fingerprint: answer.fingerprint)) }
        case .lostDeletionRefuses where before.phase == .deleting: life.phase = .deleting
        case .lostCreationKept where before.phase == .creating:
            life.phase = .living
            actions.removeAll { if case .forget = $0 { true } else { false } }
        case .laterRecordAcknowledged where first?.loss != nil: acknowledge(&actions)
        case .lostAnswerTakesChanges where first?.loss == nil && first?.number == nil:
            for index in life.inFlight.indices { life.inFlight[index].loss = error }
            life.working = life.stored.director
            life.lastNumber = life.stored.number
        default: break
        }
    }

    /// Performs a record of another node.
    mutating func follow(_ record: LifeRecord, into actions: inout [LifeAction]) throws {
        let before = life
        var record = record
        if fault == .followerLearnsNoCauses {
            record = LifeRecord(
                director: record.director, epoch: record.epoch, number: record.number,
                entries: record.entries.filter { if case .caused = $0 { false } else { true } }, answer: record.answer)
        }
        if fault == .followsNothing, !record.entries.isEmpty {
            life.stored.number = record.number
            return
        }
        try life.follow(record, into: &actions)
        if fault == .followerKeepsNoAnswers { life.answers = before.answers }
        guard fault == .followsTwice else { return }
        for case .performed(let operations, _) in record.entries {
            try life.stored.director.perform(operations)
            life.working = life.stored.director
        }
    }

    /// The changesets that a client missed.
    func changesets(after version: Int) -> [EventFrame]? {
        let frames = life.stored.versions.changesets(after: version)
        return fault == .changesetLeftOut ? frames.map { Array($0.dropFirst()) } : frames
    }

    /// The names of the commands that a client missed.
    func causes(after version: Int) -> [String] {
        let versions = life.stored.versions
        let names = versions.causes(after: version, through: versions.newest.version).names
        return fault == .causeLeftOut ? names.dropLast() : names
    }

    private func acknowledge(_ actions: inout [LifeAction]) {
        actions = actions.map { if case .answer(let id, _) = $0 { .answer(id, nil) } else { $0 } }
    }

    private func reverseAnswers(_ actions: inout [LifeAction]) {
        let answers = actions.filter { if case .answer = $0 { true } else { false } }
        actions.removeAll { if case .answer = $0 { true } else { false } }
        actions += answers.reversed()
    }
}
