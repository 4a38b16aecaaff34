import DirectorLife
import Dispatch
import Journal
import Notation
import Synchronization

/// A piece of work with the database, and who is told of the end of it.
struct CommitterJob: Sendable {
    let work: @Sendable (inout Committer) throws -> Void
    let completion: @Sendable (Result<Void, JournalError>) -> Void
}

/// Passes the chunks of a snapshot on, in order.
typealias SnapshotChunks = @Sendable (_ take: ([UInt8]) throws -> Void) throws -> Void

// Jobs of the writing thread, and snapshots, whose chunks are such jobs.
extension SQLiteJournal {
    // MARK: Snapshots

    package func isSnapshotDue(for director: String) -> Bool {
        shared.withLock { $0.due.contains(director) && !$0.inProgress.contains(director) }
    }

    package func isSnapshotWorthwhile(for director: String) -> Bool {
        committer.withLock { committer in
            guard let life = committer.rowIndex.lives[director], !life.isSnapshotting else { return false }
            return life.logBytes > max(settings.snapshotThreshold, life.snapshot?.bytes ?? 0) / 8
        }
    }

    package func snapshot(_ state: LifeState, completion: @escaping @Sendable () -> Void) {
        writeSnapshot(SnapshotHead(of: state), chunks: state.forEachSnapshotChunk) { _ in completion() }
    }

    /// Writes a snapshot on the snapshots' thread.
    ///
    /// - Parameter chunks: Passes the chunks on in order, and is held back where it is faster than storing.
    func writeSnapshot(
        _ head: SnapshotHead, chunks: @escaping SnapshotChunks,
        completion: @escaping @Sendable (Result<Void, JournalError>) -> Void
    ) {
        shared.withLock { shared in
            shared.due.remove(Name(head.director))
            shared.inProgress.insert(Name(head.director))
        }
        encoder.async {
            let result = self.store(head, chunks)
            self.shared.withLock { shared in
                shared.inProgress.remove(Name(head.director))
                if case .success = result { shared.metrics.snapshots += 1 }
            }
            completion(result)
        }
    }

    private func store(_ head: SnapshotHead, _ chunks: SnapshotChunks) -> Result<Void, JournalError> {
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

    // MARK: Jobs

    /// Runs a job on the writing thread.
    private func perform(_ job: CommitterJob) {
        do {
            try committer.withLock { try $0.perform(job) }
            job.completion(.success(()))
        } catch {
            let error = JournalError(error)
            if error.isOfTheMedium { fail(error) }
            job.completion(.failure(error))
        }
    }

    /// Queues the next piece of background work, unless storing fails: then only retries write.
    func queueUpkeep() {
        guard committer.withLock({ $0.hasUpkeep }), status == .ok else { return }
        let mustQueue = shared.withLock { shared in
            defer { shared.isUpkeepQueued = true }
            return !shared.isUpkeepQueued
        }
        guard mustQueue else { return }
        let job = CommitterJob { committer in
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

    private func enqueue(_ job: CommitterJob) {
        let queued = CommitQueue.Job {
            self.perform(job)
        } refuse: {
            job.completion(.failure($0))
        }
        do throws(JournalError) {
            if try queue.put(queued) { start() }
        } catch {
            job.completion(.failure(error))
        }
    }

    /// Runs something on the writing thread and waits for it. Called on the snapshots' thread.
    func wait<Value: Sendable>(
        for work: @escaping @Sendable (inout Committer) throws -> Value
    ) throws -> Value {
        let done = DispatchSemaphore(value: 0)
        let answer = Answer<Value>()
        let job = CommitterJob { committer in
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
}

extension Committer {
    /// Runs a job. After a failure that leaves doubt, the connection is opened again before anything else.
    mutating func perform(_ job: CommitterJob) throws {
        do {
            try job.work(&self)
        } catch let doubt as Doubt {
            enterDoubt(doubt)
            throw doubt.cause
        }
    }
}
