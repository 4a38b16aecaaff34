import Notation

/// A journal with one writing thread. Records that arrive during a commit go into the next one, and background work runs
/// between two commits.
package protocol CommittingJournal: UnitJournal {
    associatedtype Committer: JournalCommitter

    /// The writing thread.
    var thread: CommitThread<Committer> { get }
    /// The bytes that the journal takes on its medium.
    var sizeOnMedium: Int { get }

    /// Commits a batch and reports its outcomes, at once or once they are known; on the writing thread.
    func commit(_ batch: [CommitQueue.Waiting])
    /// Takes note that storing has failed.
    func fail(_ error: JournalError)
    /// Called on the writing thread before each commit and job, and before it rests.
    func turnBegins()
    /// Called on the writing thread after each commit and job.
    func turnEnds()
}

extension CommittingJournal {
    package func turnBegins() {}

    package func turnEnds() {}

    package func fail(_ error: JournalError) {
        thread.state.withLock { $0.fail(error) }
    }

    package var status: JournalStatus { thread.state.withLock { $0.reported } }

    package var metrics: JournalMetrics? {
        var metrics = thread.state.withLock { $0.metrics }
        metrics.waiting = thread.queue.count
        metrics.bytesOnDisk = sizeOnMedium
        return metrics
    }

    // MARK: The writing thread

    package func append(_ units: [CommitUnit], completion: @escaping CommitQueue.Completion) {
        do throws(JournalError) {
            if try thread.queue.put(units, completion) { start() }
        } catch {
            thread.state.withLock { $0.metrics.failures += units.count }
            completion(0, Array(repeating: .failure(error), count: units.count))
        }
    }

    /// Has the writing thread look at the queue.
    package func start() {
        thread.writer.async { self.run() }
    }

    private func run() {
        while true {
            let turn = thread.queue.take(thread.batch)
            turnBegins()
            switch turn {
            case .nothing: return
            case .units(let batch): commit(batch)
            case .job(let job): job.run()
            }
            turnEnds()
            queueUpkeep()
        }
    }

    /// Takes what comes next, as the writing thread does; for a journal that waits within a commit.
    package func nextTurn() -> CommitQueue.Turn { thread.queue.take(thread.batch) }

    /// Counts outcomes and sets the status by them; the caller tells them.
    ///
    /// - Parameters:
    ///   - due: The directors among those that have stored something of which a snapshot is due.
    ///   - count: Counts what the journal has besides.
    package func note(
        _ settled: [CommitQueue.Outcome], _ stored: StoredBatch, due: [String], took: Duration,
        _ count: (inout JournalMetrics) -> Void = { _ in }
    ) {
        thread.state.withLock { state in
            state.metrics.count(settled, stored, took: took)
            count(&state.metrics)
            guard stored.units > 0 else { return }
            state.recover()
            state.due.subtract(texts: stored.directors)
            state.due.formUnion(texts: due)
        }
        if stored.units == 0, let failure = stored.failure { fail(failure) }
    }

    /// Refuses everything from now on, and waits until what was appended before is committed or has failed.
    ///
    /// - Parameter wake: Ends the writing thread's pauses.
    package func finishWriting(_ wake: () -> Void = {}) {
        let jobs = thread.queue.close()
        wake()
        for job in jobs { job.refuse(.closed) }
        thread.encoder.sync {}
        thread.writer.sync { run() }
    }
}
