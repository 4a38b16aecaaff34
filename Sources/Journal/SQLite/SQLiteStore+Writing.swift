import Dispatch
import Foundation
import Synchronization

extension SQLiteStore {
    // MARK: The writer's thread

    func start() {
        writer.async { self.run() }
    }

    func run() {
        while true {
            switch inbox.take(settings.batch) {
            case .nothing: return
            case .units(let batch): commit(batch)
            case .job(let job): perform(job)
            }
            queueUpkeep()
        }
    }

    private func commit(_ batch: [Inbox.Waiting]) {
        let start = ContinuousClock.now
        let settled = committer.withLock { $0.commit(batch) }
        // In doubt: those who wait are told when it is settled.
        guard let settled else {
            note(.unavailable("a change is in doubt after a failure of the disk"))
            return retry()
        }
        deliver(settled, took: start.duration(to: .now))
    }

    private func deliver(_ settled: [Inbox.Settlement], took: Duration) {
        let due = committer.withLock { $0.due(among: settled) }
        var reached: JournalSequence?
        var failure: StoreError?
        shared.withLock { shared in
            for settlement in settled {
                guard case .success(let sequence) = settlement.result else {
                    shared.metrics.failures += 1
                    continue
                }
                reached = sequence
                guard let record = settlement.waiting.unit?.record else { continue }
                shared.metrics.records += 1
                shared.metrics.recordBytes += record.payload.count
                if !due.contains(settlement.waiting.director) { shared.due.remove(settlement.waiting.director) }
            }
            if let reached {
                shared.latest = max(shared.latest, reached)
                shared.status = .ok
                shared.metrics.commits += 1
                shared.metrics.batchSize.record(settled.count)
                shared.metrics.commitMicroseconds.record(Int(took / .microseconds(1)))
            }
            shared.due.formUnion(due)
        }
        for case .failure(let error) in settled.map(\.result) where error.isOfTheDisk { failure = error }
        if let reached { signal.reached(reached) } else if let failure { fail(failure) }
        for settlement in settled { settlement.waiting.completion(settlement.result) }
    }

    private func perform(_ job: Inbox.Job) {
        do {
            try committer.withLock { try $0.perform(job) }
            job.completion(.success(()))
        } catch {
            let error = StoreError(error)
            if error.isOfTheDisk { fail(error) }
            job.completion(.failure(error))
        }
    }

    // MARK: Failures

    /// Notes that storing fails.
    private func note(_ error: StoreError) {
        shared.withLock { shared in
            let failure = JournalStatus.failing(reason: error.description, since: Date())
            if case .ok = shared.status { shared.status = failure }
            // Nothing that is stored later mends what was found damaged.
            if case .damaged = error, shared.damage == nil { shared.damage = failure }
        }
    }

    /// Notes that storing fails, and sees to it that it is tried again.
    private func fail(_ error: StoreError) {
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
                        Inbox.Job {
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
            fail(StoreError(error))
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
        let job = Inbox.Job { committer in
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
        queue(job)
    }

    private func queue(_ job: Inbox.Job) {
        do throws(StoreError) {
            if try inbox.put(job) { start() }
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
        let job = Inbox.Job { committer in
            let value = try work(&committer)
            answer.value.withLock { $0 = .success(value) }
        } completion: { result in
            if case .failure(let error) = result { answer.value.withLock { $0 = .failure(error) } }
            done.signal()
        }
        queue(job)
        done.wait()
        return try answer.value.withLock { $0 ?? .failure(.closed) }.get()
    }

    private final class Answer<Value: Sendable>: Sendable {
        let value = Mutex<Result<Value, StoreError>?>(nil)
    }

    func store(_ head: SnapshotHead, _ source: some SnapshotSource) -> Result<Void, StoreError> {
        do {
            var draft = try wait { try $0.beginSnapshot(head) }
            do {
                try source.forEachChunk { chunk in
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
            return .failure(StoreError(error))
        }
    }
}

extension Committer {
    /// Does a job; after a failure that leaves doubt, the connection is opened again before anything else.
    mutating func perform(_ job: Inbox.Job) throws {
        do {
            try job.work(&self)
        } catch let doubt as Doubt {
            suspect(doubt)
            throw doubt.cause
        }
    }

    /// The directors whose next record should come with a snapshot, of those that have just stored one.
    func due(among settled: [Inbox.Settlement]) -> Set<String> {
        var due: Set<String> = []
        for settlement in settled {
            guard case .success = settlement.result, settlement.waiting.unit?.record != nil,
                let life = ledger.lives[settlement.waiting.director]
            else { continue }
            if ledger.isSnapshotDue(life, threshold: settings.snapshotThreshold) { due.insert(life.director) }
        }
        return due
    }
}

extension StoreError {
    /// Whether it says something of the disk rather than of the one who asked.
    var isOfTheDisk: Bool {
        switch self {
        case .full, .unavailable, .damaged: true
        case .conflict, .pruned, .refused: false
        }
    }
}
