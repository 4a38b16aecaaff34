import Dispatch
import Journal
import Synchronization

extension SQLiteJournal {
    // MARK: The writing thread

    package func commit(_ batch: [CommitQueue.Waiting]) {
        let start = ContinuousClock.now
        let settled = thread.committer.withLock { $0.commit(batch) }
        // In doubt: the results follow once it is known whether the batch is stored.
        guard let settled else {
            thread.state.withLock { $0.fail(.unavailable("a change is in doubt after a failure of the disk")) }
            return retry()
        }
        deliver(settled, took: start.duration(to: .now))
    }

    private func deliver(_ settled: [CommitQueue.Outcome], took: Duration) {
        let stored = StoredBatch(of: settled)
        let due = thread.committer.withLock {
            $0.due(of: stored.directors, threshold: settings.snapshotThreshold)
        }
        note(settled, stored, due: due, took: took)
        CommitQueue.tell(settled)
    }

    // MARK: Failures

    /// Sets the status to a failure, and schedules a retry.
    package func fail(_ error: JournalError) {
        thread.state.withLock { $0.fail(error) }
        guard !isRetryQueued.exchange(true, ordering: .relaxed) else { return }
        let delay = DispatchTimeInterval.nanoseconds(Int(settings.retryDelay / .nanoseconds(1)))
        thread.writer.asyncAfter(deadline: .now() + delay) { [weak self] in self?.retry() }
    }

    /// Settles a batch in doubt, or tries whether storing works again.
    func retry() {
        isRetryQueued.store(false, ordering: .relaxed)
        guard thread.state.withLock({ $0.status != .ok }) else { return }
        let start = ContinuousClock.now
        do {
            let settled = try thread.committer.withLock { committer -> (BatchInDoubt, Committer.Verdict)? in
                guard let inDoubt = committer.inDoubt else {
                    try committer.perform { try $0.probe() }
                    return nil
                }
                return (inDoubt, try committer.settle())
            }
            thread.state.withLock { $0.recover() }
            if let (inDoubt, verdict) = settled {
                deliver(inDoubt.settled(verdict), took: start.duration(to: .now))
                thread.state.withLock { $0.recover() }
            }
            queueUpkeep()
        } catch {
            fail(JournalError(error))
        }
    }
}
