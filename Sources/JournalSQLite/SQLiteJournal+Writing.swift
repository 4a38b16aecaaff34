import Dispatch
import Foundation
import Journal
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
            case .job(let job): perform(job)
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
        var failure: JournalError?
        for outcome in settled {
            if case .failure(let error) = outcome.result, error.isOfTheMedium { failure = error }
        }
        shared.withLock { shared in
            shared.metrics.failures += settled.count - stored.units
            guard stored.units > 0 else { return }
            shared.status = .ok
            shared.metrics.commits += 1
            shared.metrics.records += stored.records
            shared.metrics.recordBytes += stored.bytes
            shared.metrics.batchSize.record(settled.count)
            shared.metrics.commitMicroseconds.record(Int(took / .microseconds(1)))
            shared.due.subtract(stored.directors)
            shared.due.formUnion(due)
        }
        if stored.units == 0, let failure { fail(failure) }
        tell(settled)
    }

    /// Calls the completions, once for neighbouring units of one append.
    private func tell(_ settled: [CommitQueue.Outcome]) {
        var next = 0
        while next < settled.count {
            let (append, first) = (settled[next].waiting.append, settled[next].waiting.index)
            var results: [Result<Void, JournalError>] = []
            while next < settled.count, settled[next].waiting.append === append,
                settled[next].waiting.index == first + results.count
            {
                results.append(settled[next].result)
                next += 1
            }
            append.completion(first, results)
        }
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
                        CommitQueue.Job {
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
    /// What is stored of a batch, and those of its directors of which a snapshot is due.
    func stored(of settled: [CommitQueue.Outcome]) -> (StoredBatch, due: [String]) {
        var stored = StoredBatch()
        for outcome in settled { stored.add(outcome) }
        let due = stored.directors.filter { director in
            rowIndex.lives[director].map { rowIndex.isSnapshotDue($0, threshold: settings.snapshotThreshold) } ?? false
        }
        return (stored, due)
    }
}

/// What is stored of a batch.
struct StoredBatch {
    private(set) var units = 0
    private(set) var records = 0
    private(set) var bytes = 0
    /// The directors that have stored a record; one whose records alternate with others' is there more than once.
    private(set) var directors: [String] = []

    fileprivate mutating func add(_ outcome: CommitQueue.Outcome) {
        guard case .success = outcome.result else { return }
        units += 1
        guard let record = outcome.waiting.unit?.logged else { return }
        records += 1
        bytes += record.payload.count
        if directors.last != outcome.waiting.director { directors.append(outcome.waiting.director) }
    }
}

extension JournalError {
    /// Whether it is a failure of the disk rather than of the request.
    var isOfTheMedium: Bool {
        switch self {
        case .full, .unavailable, .damaged: true
        case .superseded, .refused: false
        }
    }
}
