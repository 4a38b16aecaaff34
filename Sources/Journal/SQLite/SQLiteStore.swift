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
    let inbox: Inbox
    let writer = DispatchQueue(label: "callboard.journal.writer", qos: .userInitiated)
    private let encoder = DispatchQueue(label: "callboard.journal.snapshots", qos: .utility)

    /// What other threads read.
    struct Shared {
        var status = JournalStatus.ok
        /// What was found damaged while the store was open.
        var damage: JournalStatus?
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
    package convenience init(
        path: String, settings: StoreSettings = StoreSettings(), vfs: String? = nil,
        clock: @escaping @Sendable () -> Int = StoreClock.now
    ) throws(StoreError) {
        try self.init(DatabaseFile(path: path, vfs: vfs), settings, clock, isReadOnly: false)
    }

    /// Opens a database to be read, and changes nothing; appends fail.
    package convenience init(readingOnly path: String) throws(StoreError) {
        try self.init(DatabaseFile(path: path, vfs: nil), StoreSettings(), StoreClock.now, isReadOnly: true)
    }

    private init(
        _ file: DatabaseFile, _ settings: StoreSettings, _ clock: @escaping @Sendable () -> Int, isReadOnly: Bool
    ) throws(StoreError) {
        self.settings = settings
        self.file = file
        inbox = Inbox(bound: settings.queue)
        do {
            // Without a sync for each commit, a power cut leaves breaks that mean nothing.
            if settings.durability == .full { try file.checkLog() }
            committer = Mutex(
                try Committer(file: file, settings: settings, clock: clock, isReadOnly: isReadOnly))
        } catch {
            let error = StoreError(error)
            guard case .damaged(let damage) = error else { throw error }
            throw .damaged(file.locating(damage))
        }
        let (latest, due) = committer.withLock { committer in
            let due = committer.ledger.lives.values.filter {
                committer.ledger.isSnapshotDue($0, threshold: settings.snapshotThreshold)
            }
            return (committer.ledger.counters.latest, Set(due.map(\.director)))
        }
        shared.withLock { shared in
            shared.latest = JournalSequence(UInt64(latest))
            shared.due = due
        }
        signal.reached(JournalSequence(UInt64(latest)))
        queueUpkeep()
    }

    package func append(
        _ unit: StoredUnit, completion: @escaping @Sendable (Result<JournalSequence, StoreError>) -> Void
    ) {
        append([unit]) { _, results in
            for result in results { completion(result) }
        }
    }

    package func append(
        _ units: [StoredUnit],
        completion: @escaping @Sendable (_ first: Int, [Result<JournalSequence, StoreError>]) -> Void
    ) {
        do throws(StoreError) {
            if try inbox.put(units, completion) { start() }
        } catch {
            shared.withLock { $0.metrics.failures += units.count }
            completion(0, Array(repeating: .failure(error), count: units.count))
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

    package var status: JournalStatus { shared.withLock { $0.damage ?? $0.status } }

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
}
