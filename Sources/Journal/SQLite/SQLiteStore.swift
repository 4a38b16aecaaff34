import Dispatch
import Foundation
import Synchronization

/// A store in an SQLite database: one file with a write-ahead log.
///
/// One thread writes. What gathers while a commit runs goes into the next one, so that appenders share the cost of a
/// sync; work that can wait, such as the chunks of a snapshot, comes between two commits, one short transaction at a
/// time. After a failure the transaction is rolled back, all of its units fail, and the next append tries again.
package final class SQLiteStore: RecordStore {
    let committer: Mutex<Committer>
    let shared = Mutex(Shared())
    let signal = CommitSignal()
    let settings: StoreSettings
    let file: DatabaseFile
    private let inbox: Inbox
    private let writer = DispatchQueue(label: "callboard.journal.writer", qos: .userInitiated)
    private let encoder = DispatchQueue(label: "callboard.journal.snapshots", qos: .utility)

    /// What other threads read.
    struct Shared {
        var status = JournalStatus.ok
        var metrics = JournalMetrics()
        var latest = JournalSequence(0)
        var due: Set<String> = []
        var underWay: Set<String> = []
        var isUpkeepQueued = false
        var isRetryQueued = false
    }

    /// Opens a database, or makes it.
    ///
    /// - Parameters:
    ///   - path: The file; its folder has to be there. ``DataFolder`` sees to that, and that nobody else has it open.
    ///   - settings: How it works.
    ///   - vfs: The SQLite VFS that reads and writes the files; nil for the system's.
    ///   - clock: The time in seconds since 1970, for answers that expire.
    /// - Complexity: One pass over the log.
    /// - Throws: That the file cannot be opened, is something else, of a newer schema, or damaged.
    package init(
        path: String, settings: StoreSettings = StoreSettings(), vfs: String? = nil,
        clock: @escaping @Sendable () -> Int = StoreClock.now
    ) throws(StoreError) {
        self.settings = settings
        inbox = Inbox(bound: settings.queue)
        file = DatabaseFile(path: path, vfs: vfs)
        do {
            committer = Mutex(try Committer(file: file, settings: settings, clock: clock))
        } catch {
            throw StoreError(error)
        }
        let (latest, due, hasUpkeep) = committer.withLock { committer in
            let due = committer.ledger.lives.values.filter {
                committer.ledger.isSnapshotDue($0, threshold: settings.snapshotThreshold)
            }
            return (committer.ledger.counters.latest, Set(due.map(\.director)), committer.hasUpkeep)
        }
        shared.withLock { shared in
            shared.latest = JournalSequence(UInt64(latest))
            shared.due = due
        }
        signal.reached(JournalSequence(UInt64(latest)))
        if hasUpkeep { queueUpkeep() }
    }

    package func append(
        _ unit: StoredUnit, completion: @escaping @Sendable (Result<JournalSequence, StoreError>) -> Void
    ) {
        do throws(StoreError) {
            guard unit.size <= StoreSettings.maximumRecord else {
                throw .full("a change of \(unit.size) bytes; one may have \(StoreSettings.maximumRecord)")
            }
            if try inbox.put(Inbox.Waiting(unit: unit, completion: completion)) { start() }
        } catch {
            shared.withLock { $0.metrics.failures += 1 }
            completion(.failure(error))
        }
    }

    package func write(
        _ head: SnapshotHead, from source: some SnapshotSource,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        shared.withLock { shared in
            shared.due.remove(head.director)
            shared.underWay.insert(head.director)
        }
        encoder.async {
            let result = self.store(head, source)
            self.shared.withLock { shared in
                shared.underWay.remove(head.director)
                if case .success = result { shared.metrics.snapshots += 1 }
            }
            completion(result)
        }
    }

    package func isSnapshotDue(for director: String) -> Bool {
        shared.withLock { $0.due.contains(director) && !$0.underWay.contains(director) }
    }

    package var latest: JournalSequence { shared.withLock { $0.latest } }

    package func waitForRecord(after sequence: JournalSequence) async -> Bool {
        await signal.wait(after: sequence)
    }

    package var status: JournalStatus { shared.withLock { $0.status } }

    package var metrics: JournalMetrics {
        var metrics = shared.withLock { $0.metrics }
        metrics.waiting = inbox.count
        metrics.bytesOnDisk = file.bytesOnDisk
        return metrics
    }

    /// Stores what was appended before, takes the log over into the database and closes it.
    ///
    /// Not to be called in a completion. Where a failure has left a batch in doubt and that cannot be settled now, its
    /// completions never run: nobody is told that something has not happened which a restart may find.
    package func close() {
        let jobs = inbox.close()
        for job in jobs { job.completion(.failure(.closed)) }
        encoder.sync {}
        writer.sync { run() }
        if committer.withLock({ $0.suspense != nil }) { writer.sync { retry() } }
        committer.withLock { committer in
            try? committer.database?.close()
            committer.database = nil
        }
        signal.close()
    }

    // MARK: The writer's thread

    private func start() {
        writer.async { self.run() }
    }

    private func run() {
        while true {
            switch inbox.take(settings.batch) {
            case .nothing: return
            case .units(let batch): commit(batch)
            case .job(let job): perform(job)
            }
            if committer.withLock({ $0.hasUpkeep }) { queueUpkeep() }
        }
    }

    private func commit(_ batch: [Inbox.Waiting]) {
        let start = ContinuousClock.now
        let (results, due) = committer.withLock { committer in
            let results = committer.commit(batch)
            return (results, committer.due(among: batch))
        }
        // In doubt: those who wait are told when it is settled.
        guard let results else { return fail(.unavailable("a change is in doubt after a failure of the disk")) }
        let elapsed = start.duration(to: .now)
        deliver(batch, results, due: due, took: elapsed)
    }

    private func deliver(
        _ batch: [Inbox.Waiting], _ results: [Result<JournalSequence, StoreError>], due: Set<String>, took: Duration
    ) {
        var reached: JournalSequence?
        var failure: StoreError?
        shared.withLock { shared in
            for (waiting, result) in zip(batch, results) {
                switch result {
                case .success(let sequence):
                    reached = sequence
                    guard let record = waiting.unit.record else { continue }
                    shared.metrics.records += 1
                    shared.metrics.recordBytes += record.payload.count
                    if !due.contains(waiting.unit.director) { shared.due.remove(waiting.unit.director) }
                case .failure(let error):
                    shared.metrics.failures += 1
                    failure = error
                }
            }
            if let reached {
                shared.latest = max(shared.latest, reached)
                shared.status = .ok
                shared.metrics.commits += 1
                shared.metrics.batchSize.record(batch.count)
                shared.metrics.commitMicroseconds.record(Int(took / .microseconds(1)))
            }
            shared.due.formUnion(due)
        }
        if let reached { signal.reached(reached) } else if let failure, failure.isOfTheDisk { fail(failure) }
        for (waiting, result) in zip(batch, results) { waiting.completion(result) }
    }

    private func perform(_ job: Inbox.Job) {
        do {
            try committer.withLock { committer in
                do {
                    try job.work(&committer)
                } catch let doubt as Doubt {
                    committer.suspect(doubt)
                    throw doubt.cause
                }
            }
            job.completion(.success(()))
        } catch {
            let error = StoreError(error)
            if error.isOfTheDisk { fail(error) }
            job.completion(.failure(error))
        }
    }

    // MARK: Failures

    /// Notes that storing fails, and sees to it that it is tried again.
    private func fail(_ error: StoreError) {
        let mustQueue = shared.withLock { shared in
            if case .ok = shared.status { shared.status = .failing(reason: error.description, since: Date()) }
            defer { shared.isRetryQueued = true }
            return !shared.isRetryQueued
        }
        guard mustQueue else { return }
        let delay = DispatchTimeInterval.nanoseconds(Int(settings.retryDelay / .nanoseconds(1)))
        writer.asyncAfter(deadline: .now() + delay) { [weak self] in self?.retry() }
    }

    /// Settles what is in doubt, or tries whether storing works again.
    private func retry() {
        shared.withLock { $0.isRetryQueued = false }
        guard status != .ok else { return }
        let clock = ContinuousClock.now
        do {
            let settled = try committer.withLock { committer -> (Suspense, Committer.Verdict)? in
                guard let suspense = committer.suspense else {
                    do {
                        try committer.probe()
                    } catch let doubt as Doubt {
                        committer.suspect(doubt)
                        throw doubt.cause
                    }
                    return nil
                }
                return (suspense, try committer.settle())
            }
            shared.withLock { $0.status = .ok }
            guard let (suspense, verdict) = settled else { return }
            let results =
                verdict == .stored ? suspense.results : suspense.batch.map { _ in .failure(suspense.cause) }
            deliver(suspense.batch, results, due: [], took: clock.duration(to: .now))
            shared.withLock { $0.status = .ok }
        } catch {
            fail(StoreError(error))
        }
    }

    // MARK: Work that can wait

    private func queueUpkeep() {
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

    private func store(_ head: SnapshotHead, _ source: some SnapshotSource) -> Result<Void, StoreError> {
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
    /// The directors of a batch whose next record should come with a snapshot.
    func due(among batch: [Inbox.Waiting]) -> Set<String> {
        var due: Set<String> = []
        for waiting in batch where waiting.unit.record != nil {
            guard let life = ledger.lives[waiting.unit.director] else { continue }
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
