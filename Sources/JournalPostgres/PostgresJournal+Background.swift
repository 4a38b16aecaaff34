import DirectorLife
import Dispatch
import Journal
import Notation
import Synchronization

// Jobs of the writing thread, and snapshots, whose chunks are such jobs.
extension PostgresJournal {
    // MARK: Snapshots

    package func isSnapshotDue(for director: String) -> Bool {
        shared.withLock { $0.due.contains(director) && !$0.inProgress.contains(director) }
    }

    package func isSnapshotWorthwhile(for director: String) -> Bool {
        committer.withLock { committer in
            guard let life = committer.machine.index.lives[director], !life.isSnapshotting else { return false }
            return life.logBytes > max(settings.snapshotThreshold, life.snapshot?.bytes ?? 0) / 8
        }
    }

    package func snapshot(_ state: LifeState, completion: @escaping @Sendable () -> Void) {
        let head = SnapshotHead(of: state)
        shared.withLock { shared in
            shared.due.remove(Name(head.director))
            shared.inProgress.insert(Name(head.director))
        }
        encoder.async {
            let isStored = self.store(head, state)
            self.shared.withLock { shared in
                shared.inProgress.remove(Name(head.director))
                if isStored { shared.metrics.snapshots += 1 }
            }
            completion()
        }
    }

    private func store(_ head: SnapshotHead, _ state: LifeState) -> Bool {
        do {
            var draft = try wait { try $0.beginSnapshot(head) }
            do {
                try state.forEachSnapshotChunk { chunk in
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
            return true
        } catch {
            return false
        }
    }

    // MARK: Jobs

    /// Queues a look whether storing works again.
    func queueProbe() {
        enqueue { journal in
            let settled = try journal.committer.withLock { try $0.connect() }
            assert(settled.isEmpty, "what is in doubt is settled before another job runs")
            journal.shared.withLock { shared in
                shared.status = .ok
                shared.away = nil
            }
        }
    }

    /// Queues the next piece of background work, unless storing fails.
    func queueUpkeep() {
        guard committer.withLock({ !$0.machine.upkeep.isEmpty }), status == .ok else { return }
        let mustQueue = shared.withLock { shared in
            defer { shared.isUpkeepQueued = true }
            return !shared.isUpkeepQueued
        }
        guard mustQueue else { return }
        enqueue { journal in
            journal.shared.withLock { $0.isUpkeepQueued = false }
            let pruned = try journal.committer.withLock { try $0.doUpkeep() }
            journal.shared.withLock { $0.metrics.prunedRecords += pruned }
        } refuse: { journal in
            journal.shared.withLock { $0.isUpkeepQueued = false }
        }
    }

    /// Has the writing thread do something between two commits.
    func enqueue(
        _ work: @escaping @Sendable (PostgresJournal) throws -> Void,
        refuse: @escaping @Sendable (PostgresJournal) -> Void = { _ in }
    ) {
        let job = CommitQueue.Job {
            do {
                try work(self)
            } catch {
                self.fail(JournalError(error))
            }
        } refuse: { _ in
            refuse(self)
        }
        do throws(JournalError) {
            if try queue.put(job) { start() }
        } catch {
            job.refuse(error)
        }
    }

    /// Runs something on the writing thread and waits for it. Called on the snapshots' thread.
    private func wait<Value: Sendable>(
        for work: @escaping @Sendable (inout Committer) throws -> Value
    ) throws -> Value {
        let done = DispatchSemaphore(value: 0)
        let answer = Answer<Value>()
        let job = CommitQueue.Job {
            do {
                let value = try self.committer.withLock { committer in
                    _ = try committer.connect()
                    return try work(&committer)
                }
                answer.value.withLock { $0 = .success(value) }
            } catch {
                let error = JournalError(error)
                if error.isOfTheMedium { self.fail(error) }
                answer.value.withLock { $0 = .failure(error) }
            }
            done.signal()
        } refuse: { error in
            answer.value.withLock { $0 = .failure(error) }
            done.signal()
        }
        do throws(JournalError) {
            if try queue.put(job) { start() }
        } catch {
            job.refuse(error)
        }
        done.wait()
        return try answer.value.withLock { $0 ?? .failure(.closed) }.get()
    }

    private final class Answer<Value: Sendable>: Sendable {
        let value = Mutex<Result<Value, JournalError>?>(nil)
    }
}
