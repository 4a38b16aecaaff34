// Faults reach into a life, which only a debug build allows: a release plays histories without any.
#if DEBUG
    import HTTPWire

    @testable import DirectorLife
    @testable import Directors

    extension Fault {
        /// Plants what a restart gets wrong.
        func plant(in state: inout LifeState, _ answers: inout [StoredAnswer]) {
            if self == .causesLostByRestart { state.director.working.causes = CauseList() }
            if self == .answersLostByRestart { answers = [] }
        }

        /// Plants what the refusal of a command leaves behind.
        func plant(afterRefusalOf draft: LifeDraft, number: Int, in life: inout DirectorLife) {
            var draft = draft
            if self == .causeOfRefusedCommand { life.working.note(cause: "refused") }
            if self == .halfBatch, (try? draft.perform(.set, number: number)) != nil { life.working = draft.director }
        }

        /// Plants what a commit does too early.
        func plant(
            afterCommitOf draft: LifeDraft, _ id: CommandID, _ answer: StoredAnswer?, in life: inout DirectorLife,
            _ actions: inout [LifeAction]
        ) {
            switch self {
            case .publishedBeforeStored:
                for case .published(let version, _, _, _) in draft.effects.changes {
                    actions.append(.publish(.published(version)))
                }
            case .causesShownAgain:
                for case .published(let version, _, _, _) in draft.effects.changes {
                    for cause in version.change.causes.names { life.working.note(cause: cause) }
                }
            case .answeredBeforeStored where draft.isChange: actions.append(.answer(id, nil))
            case .answerKeptAtCommit: if let answer { life.answers.remember(answer) }
            case .hooksToldBeforeStored: if let hooks = draft.effects.hooks { actions.append(.hooksChanged(hooks)) }
            default: break
            }
        }

        /// Plants what is made of a record that was stored.
        func plant(afterStoringIn life: inout DirectorLife, _ actions: inout [LifeAction]) {
            switch self {
            case .snapshotOfWorkingState:
                actions = actions.map { action in
                    guard case .snapshot(var state) = action else { return action }
                    state.director = life.working
                    return .snapshot(state)
                }
            case .definitionVersionForgotten: life.stored.definitionVersion = nil
            case .answersReversed:
                let answers = actions.filter(\.isAnswer)
                actions.removeAll(where: \.isAnswer)
                actions += answers.reversed()
            case .endNotTold: actions.removeAll { if case .publish(.ended) = $0 { true } else { false } }
            case .publishedTwice:
                actions = actions.flatMap { if case .publish(.published) = $0 { [$0, $0] } else { [$0] } }
            default: break
            }
        }

        /// Plants what a loss leaves behind.
        func plant(
            afterLoss error: StorageError, since before: DirectorLife, in life: inout DirectorLife,
            _ actions: inout [LifeAction]
        ) {
            let first = before.inFlight.first
            switch self {
            case .workingStateKeptAfterLoss: life.working = before.working
            case .causeKeptAfterLoss: life.working.working.causes = before.working.working.causes
            case .numberKeptAfterLoss: life.lastNumber = before.lastNumber
            case .keyKeptAfterLoss:
                if let answer = first?.answer { life.begin(CommandKey(answer.key, fingerprint: answer.fingerprint)) }
            case .lostDeletionRefuses where before.phase == .deleting: life.phase = .deleting
            case .lostCreationKept where before.phase == .creating:
                life.phase = .living
                actions.removeAll { if case .forget = $0 { true } else { false } }
            case .laterRecordAcknowledged where first?.loss != nil:
                actions = actions.map { if case .answer(let id, _) = $0 { .answer(id, nil) } else { $0 } }
            case .lostAnswerTakesChanges where first?.loss == nil && first?.number == nil:
                for index in life.inFlight.indices { life.inFlight[index].loss = error }
                life.working = life.stored.director
                life.lastNumber = life.stored.number
            default: break
            }
        }

        /// Plants what a follower makes of a record before it performs it.
        ///
        /// - Returns: Whether the record is not performed.
        func plant(before record: inout LifeRecord, in life: inout DirectorLife) -> Bool {
            if self == .followerLearnsNoCauses {
                record = LifeRecord(
                    director: record.director, epoch: record.epoch, number: record.number,
                    entries: record.entries.filter { if case .caused = $0 { false } else { true } },
                    answer: record.answer)
            }
            guard self == .followsNothing, !record.entries.isEmpty else { return false }
            life.stored.number = record.number
            return true
        }

        /// Plants what a follower does once it has performed a record.
        func plant(after record: LifeRecord, since before: DirectorLife, in life: inout DirectorLife) throws {
            if self == .followerKeepsNoAnswers { life.answers = before.answers }
            guard self == .followsTwice else { return }
            for case .performed(let operations, _) in record.entries {
                try life.stored.director.perform(operations)
                life.working = life.stored.director
            }
        }
    }

    extension LifeAction {
        fileprivate var isAnswer: Bool { if case .answer = self { true } else { false } }
    }
#else
    import DirectorLife
    import HTTPWire

    extension Fault {
        func plant(in state: inout LifeState, _ answers: inout [StoredAnswer]) {}
        func plant(afterRefusalOf draft: LifeDraft, number: Int, in life: inout DirectorLife) {}
        func plant(
            afterCommitOf draft: LifeDraft, _ id: CommandID, _ answer: StoredAnswer?, in life: inout DirectorLife,
            _ actions: inout [LifeAction]
        ) {}
        func plant(afterStoringIn life: inout DirectorLife, _ actions: inout [LifeAction]) {}
        func plant(
            afterLoss error: StorageError, since before: DirectorLife, in life: inout DirectorLife,
            _ actions: inout [LifeAction]
        ) {}
        func plant(before record: inout LifeRecord, in life: inout DirectorLife) -> Bool { false }
        func plant(after record: LifeRecord, since before: DirectorLife, in life: inout DirectorLife) throws {}
    }
#endif
