import Dispatch
import Foundation
import Journal
import Notation
import Synchronization

extension SQLiteJournal {
    // MARK: The writing thread

    func start() {
        writer.async { self.run() }
    }

    func run() {
        while true {
            switch queue.take(settings.batch) {
            case .nothing: return
            case .units(let batch): commit(batch)
            case .job(let job): job.run()
            }
            queueUpkeep()
        }
    }

    private func commit(_ batch: [CommitQueue.Waiting]) {
        let start = ContinuousClock.now
        let settled = committer.withLock { $0.commit(batch) }
        // In doubt: the results follow once it is known whether the batch is stored.
        guard let settled else {
            note(.unavailable("a change is in doubt after a failure of the disk"))
            return retry()
        }
        deliver(settled, took: start.duration(to: .now))
    }

    private func deliver(_ settled: [CommitQueue.Outcome], took: Duration) {
        let (stored, due) = committer.withLock { $0.stored(of: settled) }
        shared.withLock { shared in
            shared.metrics.count(settled, stored, took: took)
            guard stored.units > 0 else { return }
            shared.status = .ok
            shared.due.subtract(texts: stored.directors)
            shared.due.formUnion(texts: due)
        }
        if stored.units == 0, let failure = stored.failure { fail(failure) }
        CommitQueue.tell(settled)
    }

    // MARK: Failures

    /// Sets the status to a failure.
    private func note(_ error: JournalError) {
        shared.withLock { shared in
            let failure = JournalStatus.failing(reason: error.description, since: Date())
            if case .ok = shared.status { shared.status = failure }
            // Damage does not go away when storing works again.
            if case .damaged = error, shared.damage == nil { shared.damage = failure }
        }
    }

    /// Sets the status to a failure, and schedules a retry.
    func fail(_ error: JournalError) {
        note(error)
        let mustQueue = shared.withLock { shared in
            defer { shared.isRetryQueued = true }
            return !shared.isRetryQueued
        }
        guard mustQueue else { return }
        let delay = DispatchTimeInterval.nanoseconds(Int(settings.retryDelay / .nanoseconds(1)))
        writer.asyncAfter(deadline: .now() + delay) { [weak self] in self?.retry() }
    }

    /// Settles a batch in doubt, or tries whether storing works again.
    func retry() {
        shared.withLock { $0.isRetryQueued = false }
        guard shared.withLock({ $0.status != .ok }) else { return }
        let start = ContinuousClock.now
        do {
            let settled = try committer.withLock { committer -> (BatchInDoubt, Committer.Verdict)? in
                guard let inDoubt = committer.inDoubt else {
                    try committer.perform(
                        CommitterJob {
                            try $0.probe()
                        } completion: { _ in
                        })
                    return nil
                }
                return (inDoubt, try committer.settle())
            }
            shared.withLock { $0.status = .ok }
            if let (inDoubt, verdict) = settled {
                deliver(inDoubt.settled(verdict), took: start.duration(to: .now))
                shared.withLock { $0.status = .ok }
            }
            queueUpkeep()
        } catch {
            fail(JournalError(error))
        }
    }
}

extension Committer {
    /// The stored part of a batch, and those of its directors of which a snapshot is due.
    func stored(of settled: [CommitQueue.Outcome]) -> (StoredBatch, due: [String]) {
        let stored = StoredBatch(of: settled)
        let due = stored.directors.filter { director in
            rowIndex.lives[director].map { rowIndex.isSnapshotDue($0, threshold: settings.snapshotThreshold) } ?? false
        }
        return (stored, due)
    }
}
