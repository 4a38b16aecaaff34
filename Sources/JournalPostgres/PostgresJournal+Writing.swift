import Journal
import Notation
import Synchronization

extension PostgresJournal {
    // MARK: The writing thread

    package func turnBegins() { takeChanges() }

    package func turnEnds() { noteHandovers() }

    /// Commits a batch, and waits for a database that is away as long as ``PostgresSettings/patience``.
    package func commit(_ batch: [CommitQueue.Waiting]) {
        var left = batch[...]
        while !left.isEmpty {
            let start = ContinuousClock.now
            do {
                noteBeginning(left)
                let settled = try thread.committer.withLock { committer in
                    _ = try committer.connect()
                    return try committer.commit(left)
                }
                left = left.dropFirst(settled.count)
                deliver(settled, took: start.duration(to: .now))
                if thread.committer.withLock({ $0.machine.isTaken }) { noteTaken() }
            } catch let doubt as InDoubt {
                noteDoubt()
                left = left.dropFirst(doubt.units)
                fail(doubt.cause)
                settle(&left, since: start)
            } catch {
                let error = JournalError(error)
                fail(error)
                guard mayWait, !error.isFinal else {
                    deliver(left.map { $0.failed(error) }, took: .zero)
                    return
                }
                pause()
            }
        }
    }

    /// Waits until it is known what became of a transaction.
    ///
    /// If that takes longer than changes wait, others are refused meanwhile. Units of the same directors are held back:
    /// their results have to come later.
    ///
    /// - Parameter left: Units of the same batch behind it; empty where they were refused.
    private func settle(_ left: inout ArraySlice<CommitQueue.Waiting>, since start: ContinuousClock.Instant) {
        var directors = thread.committer.withLock { $0.machine.inDoubt?.directors ?? [] }
        var heldBack: [CommitQueue.Outcome] = []
        while true {
            do {
                let settled = try thread.committer.withLock { try $0.connect() }
                thread.state.withLock { $0.recover() }
                return deliver(settled + heldBack, took: start.duration(to: .now))
            } catch {
                fail(JournalError(error))
            }
            guard mayWait else {
                let error = JournalError.unavailable(
                    "an earlier change is in doubt since the connection to the database was lost")
                refuse(left.map { $0.failed(error) }, heldBack: &heldBack, &directors)
                left = []
                while case .units(let batch)? = nextIfAny() {
                    refuse(batch.map { $0.failed(error) }, heldBack: &heldBack, &directors)
                }
                // Nobody is told what is not known.
                if isClosing.load(ordering: .relaxed) { return }
                pause()
                continue
            }
            pause()
        }
    }

    private func nextIfAny() -> CommitQueue.Turn? {
        switch nextTurn() {
        case .nothing: return nil
        case .job(let job):
            job.refuse(.unavailable("a change is in doubt"))
            return nextIfAny()
        case .units(let batch): return .units(batch)
        }
    }

    private func refuse(
        _ outcomes: [CommitQueue.Outcome], heldBack: inout [CommitQueue.Outcome], _ directors: inout Set<Name>
    ) {
        var told: [CommitQueue.Outcome] = []
        for outcome in outcomes {
            if outcome.waiting.belongs(to: directors) {
                directors.formUnion(directorsOf: outcome.waiting)
                heldBack.append(outcome)
            } else {
                told.append(outcome)
            }
        }
        deliver(told, took: .zero)
    }

    // MARK: Failures

    /// Whether changes still wait for a database that is away.
    private var mayWait: Bool {
        guard !isClosing.load(ordering: .relaxed) else { return false }
        let since = thread.state.withLock { $0.failingSince }
        return since.map { $0.duration(to: .now) < settings.patience } ?? true
    }

    private func pause() { wake.wait(until: .now + settings.retryDelay) }
}

extension JournalError {
    /// Whether waiting for the database changes nothing.
    fileprivate var isFinal: Bool {
        switch self {
        case .unavailable: false
        case .full, .superseded, .inDoubt, .damaged, .refused: true
        }
    }
}
