import DirectorLife
import Directors
import Journal
import Synchronization

/// A journal in an SQLite database: one file with a write-ahead log.
///
/// Records are encoded on the caller's thread, so that many event loops share that work. One thread writes. Records
/// that arrive during a commit go into the next one, so that they share the cost of a sync. Background work, such as
/// the chunks of a snapshot, runs between two commits, in one short transaction at a time. After a failure the
/// transaction is rolled back, all of its units fail, and the next append tries again.
package final class SQLiteJournal: CommittingJournal {
    package let thread: CommitThread<Committer>
    let settings: SQLiteSettings
    let file: DatabaseFile
    package let warnings: [String]
    let isRetryQueued = Atomic<Bool>(false)
    /// The lock of the journal's data folder, held until the journal is closed.
    private let lock: FolderLock?

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
        do {
            // Without a sync for each commit, a power cut leaves breaks that mean nothing.
            if settings.durability == .full { try file.checkLog() }
            let committer = try Committer(file: file, settings: settings, clock: clock, isReadOnly: isReadOnly)
            let aside = (try? committer.database?.read(SetAside.count)) ?? 0
            warnings =
                aside == 0
                ? []
                : [
                    "\(aside) damaged rows were set aside and are kept in the table \"aside\"; \"callboard check\" lists them"
                ]
            thread = CommitThread(
                committer,
                queue: CommitQueue(
                    bound: settings.queue, maximumUnit: SQLiteSettings.maximumRecord, medium: "the disk"),
                batch: settings.batch, snapshotThreshold: settings.snapshotThreshold)
        } catch {
            let error = JournalError(error)
            guard case .damaged(let damage) = error else { throw error }
            throw .damaged(file.locating(damage))
        }
        queueUpkeep()
    }

    // MARK: Appending

    package var deliveries: any DeliveryStore { SQLiteDeliveryStore(journal: self) }

    package var tokens: any TokenStore { SQLiteTokenStore(journal: self) }

    // MARK: State

    /// The faults of the rows that were set aside when the journal was opened.
    package var setAside: [JournalDamage] { thread.committer.withLock { $0.setAside } }

    package var sizeOnMedium: Int { file.bytesOnDisk }

    /// Stores what was appended before, takes the log over into the database, closes it and releases the data folder.
    ///
    /// Not to be called in a completion. If a failure leaves a batch in doubt that cannot be settled now, its
    /// completions never run: no caller is told that a record is missing which a restart may find.
    package func close() {
        finishWriting()
        if thread.committer.withLock({ $0.inDoubt != nil }) { thread.writer.sync { retry() } }
        thread.committer.withLock { committer in
            try? committer.database?.close()
            committer.database = nil
        }
        lock?.release()
    }
}
