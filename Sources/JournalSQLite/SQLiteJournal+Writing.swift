import Dispatch
import Foundation
import Journal
import Synchronization

extension SQLiteJournal {
    // MARK: The writer's thread

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
        // In doubt: those who wait are told when it is settled.
        guard let settled else {
            note(.unavailable("a change is in doubt after a failure of the disk"))
            return retry()
        }
        deliver(settled, took: start.duration(to: .now))
    }

    private func deliver(_ settled: [CommitQueue.Settlement], took: Duration) {
        let (stored, due) = committer.withLock { $0.stored(of: settled) }
        var failure: JournalError?
        for settlement in settled {
            if case .failure(let error) = settlement.result, error.isOfTheDisk { failure = error }
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

    /// Tells those who wait, of units that came together and stand together at once.
    private func tell(_ settled: [CommitQueue.Settlement]) {
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

    private func perform(_ job: CommitQueue.Job) {
        do {
            try committer.withLock { try $0.perform(job) }
            job.completion(.success(()))
        } catch {
            let error = JournalError(error)
            if error.isOfTheDisk { fail(error) }
            job.completion(.failure(error))
        }
    }

    // MARK: Failures

    /// Notes that storing fails.
    private func note(_ error: JournalError) {
        shared.withLock { shared in
            let failure = JournalStatus.failing(reason: error.description, since: Date())
            if case .ok = shared.status { shared.status = failure }
            // Nothing that is stored later mends what was found damaged.
            if case .damaged = error, shared.damage == nil { shared.damage = failure }
        }
    }

    /// Notes that storing fails, and sees to it that it is tried again.
    private func fail(_ error: JournalError) {
        note(error)
        let mustQueue = shared.withLock { shared in
            defer { shared.isRetryQueued = true }
            return !shared.isRetryQueued
        }
        guard mustQueue else { return }
        let delay = DispatchTimeInterval.nanoseconds(Int(settings.retryDelay / .nanoseconds(1)))
        writer.asyncAfter(deadline: .now() + delay) { [weak self] in self?.retry() }
    }

    /// Settles what is in doubt, or tries whether storing works again.
    func retry() {
        shared.withLock { $0.isRetryQueued = false }
        guard shared.withLock({ $0.status != .ok }) else { return }
        let start = ContinuousClock.now
        do {
            let settled = try committer.withLock { committer -> (Suspense, Committer.Verdict)? in
                guard let suspense = committer.suspense else {
                    try committer.perform(
                        CommitQueue.Job {
                            try $0.probe()
                        } completion: { _ in
                        })
                    return nil
                }
                return (suspense, try committer.settle())
            }
            shared.withLock { $0.status = .ok }
            if let (suspense, verdict) = settled {
                deliver(suspense.settled(verdict), took: start.duration(to: .now))
                shared.withLock { $0.status = .ok }
            }
            queueUpkeep()
        } catch {
            fail(JournalError(error))
        }
    }

    // MARK: Work that can wait

    /// Queues the next piece of what waits, unless storing fails: what can wait is not what tries the disk.
    func queueUpkeep() {
        guard committer.withLock({ $0.hasUpkeep }), status == .ok else { return }
        let mustQueue = shared.withLock { shared in
            defer { shared.isUpkeepQueued = true }
            return !shared.isUpkeepQueued
        }
        guard mustQueue else { return }
        let job = CommitQueue.Job { committer in
            let before = committer.prunedRecords
            defer {
                let pruned = committer.prunedRecords - before
                self.shared.withLock { shared in
                    shared.isUpkeepQueued = false
                    shared.metrics.prunedRecords += pruned
                }
            }
            try committer.doUpkeep()
        } completion: { _ in
        }
        enqueue(job)
    }

    private func enqueue(_ job: CommitQueue.Job) {
        do throws(JournalError) {
            if try queue.put(job) { start() }
        } catch {
            job.completion(.failure(error))
        }
    }

    /// Does something on the writer's thread and waits for it; for the snapshots' thread.
    func wait<Value: Sendable>(
        for work: @escaping @Sendable (inout Committer) throws -> Value
    ) throws -> Value {
        let done = DispatchSemaphore(value: 0)
        let answer = Answer<Value>()
        let job = CommitQueue.Job { committer in
            let value = try work(&committer)
            answer.value.withLock { $0 = .success(value) }
        } completion: { result in
            if case .failure(let error) = result { answer.value.withLock { $0 = .failure(error) } }
            done.signal()
        }
        enqueue(job)
        done.wait()
        return try answer.value.withLock { $0 ?? .failure(.closed) }.get()
    }

    private final class Answer<Value: Sendable>: Sendable {
        let value = Mutex<Result<Value, JournalError>?>(nil)
    }

    func store(_ head: SnapshotHead, _ chunks: SnapshotChunks) -> Result<Void, JournalError> {
        do {
            var draft = try wait { try $0.beginSnapshot(head) }
            do {
                try chunks { chunk in
                    let last = draft
                    draft = try wait { try $0.append(chunk, to: last) }
                }
                let whole = draft
                try wait { try $0.finish(whole) }
            } catch {
                let given = draft
                try? wait { $0.abandon(given) }
                throw error
            }
            return .success(())
        } catch {
            return .failure(JournalError(error))
        }
    }
}

extension Committer {
    /// Does a job; after a failure that leaves doubt, the connection is opened again before anything else.
    mutating func perform(_ job: CommitQueue.Job) throws {
        do {
            try job.work(&self)
        } catch let doubt as Doubt {
            suspect(doubt)
            throw doubt.cause
        }
    }

    /// What is stored of a batch, and the directors whose next record should come with a snapshot, of those that have
    /// just stored one.
    func stored(of settled: [CommitQueue.Settlement]) -> (StoredBatch, due: [String]) {
        var stored = StoredBatch()
        for settlement in settled { stored.add(settlement) }
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
    /// Those that have stored a record; one that takes turns with others is there more than once.
    private(set) var directors: [String] = []

    fileprivate mutating func add(_ settlement: CommitQueue.Settlement) {
        guard case .success = settlement.result else { return }
        units += 1
        guard let record = settlement.waiting.unit?.logged else { return }
        records += 1
        bytes += record.payload.count
        if directors.last != settlement.waiting.director { directors.append(settlement.waiting.director) }
    }
}

extension JournalError {
    /// Whether it says something of the disk rather than of the one who asked.
    var isOfTheDisk: Bool {
        switch self {
        case .full, .unavailable, .damaged: true
        case .superseded, .refused: false
        }
    }
}
