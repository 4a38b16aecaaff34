import DirectorLife
import Directors
import Dispatch
import Journal
import Notation
import Synchronization

/// A journal in an SQLite database: one file with a write-ahead log.
///
/// Records are encoded on the caller's thread, so that many event loops share that work. One thread writes. Records
/// that arrive during a commit go into the next one, so that they share the cost of a sync. Background work, such as
/// the chunks of a snapshot, runs between two commits, in one short transaction at a time. After a failure the
/// transaction is rolled back, all of its units fail, and the next append tries again.
package final class SQLiteJournal: UnitJournal {
    let committer: Mutex<Committer>
    let shared = Mutex(Shared())
    let settings: SQLiteSettings
    let file: DatabaseFile
    let queue: CommitQueue
    let writer = DispatchQueue(label: "callboard.journal.writer", qos: .userInitiated)
    let encoder = DispatchQueue(label: "callboard.journal.snapshots", qos: .utility)
    /// The lock of the journal's data folder, held until the journal is closed.
    private let lock: FolderLock?

    /// What other threads read.
    struct Shared {
        var status = JournalStatus.ok
        /// The damage that was found while the journal was open.
        var damage: JournalStatus?
        var metrics = JournalMetrics()
        var warnings: [String] = []
        /// The directors whose next snapshot is due, and those of which one is being made.
        var due: Set<Name> = []
        var inProgress: Set<Name> = []
        var isUpkeepQueued = false
        var isRetryQueued = false
    }

    /// Opens a database, or makes it.
    ///
    /// - Parameters:
    ///   - path: The file; its folder has to be there. ``DataFolder`` sees to that, and that nobody else has it open.
    ///   - settings: How the journal works.
    ///   - vfs: The SQLite VFS that reads and writes the files; nil for the system's.
    ///   - clock: The time in seconds since 1970, for answers that expire.
    /// - Complexity: One pass over the log.
    /// - Throws: That the file cannot be opened, is something else, of a newer schema, or damaged.
    package convenience init(
        path: String, settings: SQLiteSettings = SQLiteSettings(), vfs: String? = nil,
        clock: @escaping @Sendable () -> Int = StoreClock.now
    ) throws(JournalError) {
        try self.init(DatabaseFile(path: path, vfs: vfs), settings, clock)
    }

    /// Opens a database to be read, and changes nothing; appends fail.
    package convenience init(readingOnly path: String) throws(JournalError) {
        try self.init(DatabaseFile(path: path, vfs: nil), SQLiteSettings(), StoreClock.now, isReadOnly: true)
    }

    init(
        _ file: DatabaseFile, _ settings: SQLiteSettings, _ clock: @escaping @Sendable () -> Int,
        isReadOnly: Bool = false, lock: FolderLock? = nil
    ) throws(JournalError) {
        self.settings = settings
        self.file = file
        self.lock = lock
        queue = CommitQueue(
            bound: settings.queue, maximumUnit: SQLiteSettings.maximumRecord, medium: "the disk")
        do {
            // Without a sync for each commit, a power cut leaves breaks that mean nothing.
            if settings.durability == .full { try file.checkLog() }
            committer = Mutex(
                try Committer(file: file, settings: settings, clock: clock, isReadOnly: isReadOnly))
        } catch {
            let error = JournalError(error)
            guard case .damaged(let damage) = error else { throw error }
            throw .damaged(file.locating(damage))
        }
        let due = committer.withLock { committer in
            committer.rowIndex.lives.values.filter {
                committer.rowIndex.isSnapshotDue($0, threshold: settings.snapshotThreshold)
            }
        }
        let aside = committer.withLock { try? $0.database?.read(SetAside.count) } ?? 0
        shared.withLock { shared in
            shared.due = Set(texts: due.map(\.director))
            guard aside > 0 else { return }
            shared.warnings = [
                "\(aside) damaged rows were set aside and are kept in the table \"aside\"; \"callboard check\" lists them"
            ]
        }
        queueUpkeep()
    }

    // MARK: Appending

    package var deliveries: any DeliveryStore { SQLiteDeliveryStore(journal: self) }

    package var tokens: any TokenStore { SQLiteTokenStore(journal: self) }

    package func append(_ units: [CommitUnit], completion: @escaping CommitQueue.Completion) {
        do throws(JournalError) {
            if try queue.put(units, completion) { start() }
        } catch {
            shared.withLock { $0.metrics.failures += units.count }
            completion(0, Array(repeating: .failure(error), count: units.count))
        }
    }

    // MARK: State

    /// The faults of the rows that were set aside when the journal was opened.
    package var setAside: [JournalDamage] { committer.withLock { $0.setAside } }

    package var warnings: [String] { shared.withLock { $0.warnings } }

    package var status: JournalStatus { shared.withLock { $0.damage ?? $0.status } }

    package var metrics: JournalMetrics? {
        var metrics = shared.withLock { $0.metrics }
        metrics.waiting = queue.count
        metrics.bytesOnDisk = file.bytesOnDisk
        return metrics
    }

    /// Stores what was appended before, takes the log over into the database, closes it and releases the data folder.
    ///
    /// Not to be called in a completion. If a failure leaves a batch in doubt that cannot be settled now, its
    /// completions never run: no caller is told that a record is missing which a restart may find.
    package func close() {
        let jobs = queue.close()
        for job in jobs { job.refuse(.closed) }
        encoder.sync {}
        writer.sync { run() }
        if committer.withLock({ $0.inDoubt != nil }) { writer.sync { retry() } }
        committer.withLock { committer in
            try? committer.database?.close()
            committer.database = nil
        }
        lock?.release()
    }
}
