import Dispatch
import Synchronization

// What the writing thread does between two commits.
extension CommittingJournal {
    /// Queues the next piece of background work, unless storing fails: then only retries write.
    package func queueUpkeep() {
        guard thread.committer.withLock({ $0.hasUpkeep }), status == .ok else { return }
        let mustQueue = thread.state.withLock { state in
            defer { state.isUpkeepQueued = true }
            return !state.isUpkeepQueued
        }
        guard mustQueue else { return }
        enqueue { journal in
            journal.thread.state.withLock { $0.isUpkeepQueued = false }
            let pruned = try journal.thread.committer.withLock { try $0.doUpkeep() }
            journal.thread.state.withLock { $0.metrics.prunedRecords += pruned }
        } refuse: { journal, _ in
            journal.thread.state.withLock { $0.isUpkeepQueued = false }
        }
    }

    /// Has the writing thread do something between two commits; an error that it throws is a failure of the medium.
    package func enqueue(
        _ work: @escaping @Sendable (Self) throws -> Void,
        refuse: @escaping @Sendable (Self, JournalError) -> Void = { _, _ in }
    ) {
        let job = CommitQueue.Job {
            do {
                try work(self)
            } catch {
                self.fail(Committer.journalError(error))
            }
        } refuse: {
            refuse(self, $0)
        }
        do throws(JournalError) {
            if try thread.queue.put(job) { start() }
        } catch {
            job.refuse(error)
        }
    }

    /// Runs something on the writing thread and waits for it. Called on the snapshots' thread.
    func wait<Value: Sendable>(
        for work: @escaping @Sendable (inout Committer) throws -> Value
    ) throws -> Value {
        let done = DispatchSemaphore(value: 0)
        let answer = Answer<Value>()
        enqueue { journal in
            do {
                let value = try journal.thread.committer.withLock { try $0.perform(work) }
                answer.value.withLock { $0 = .success(value) }
            } catch {
                let error = Committer.journalError(error)
                if error.isOfTheMedium { journal.fail(error) }
                answer.value.withLock { $0 = .failure(error) }
            }
            done.signal()
        } refuse: { _, error in
            answer.value.withLock { $0 = .failure(error) }
            done.signal()
        }
        done.wait()
        return try answer.value.withLock { $0 ?? .failure(.closed) }.get()
    }
}

/// The result of a job that a thread waits for.
private final class Answer<Value: Sendable>: Sendable {
    let value = Mutex<Result<Value, JournalError>?>(nil)
}
