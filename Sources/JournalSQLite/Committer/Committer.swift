import Foundation
import GRDB
import Journal

/// The one writer of a store on disk: the connection, and what is known by heart of what it leads to.
///
/// A value without concurrency of its own; the store's writing thread is the only one that holds it while it changes.
struct Committer {
    let file: DatabaseFile
    let settings: SQLiteSettings
    let clock: @Sendable () -> Int

    /// The connection; nil after a failure that left doubt, until it could be opened again.
    var database: DatabaseQueue?
    var rowIndex: RowIndex
    var answers: [Int: KeptAnswers]
    /// Rows of answers that are to be deleted.
    var forgotten: [Int]
    /// A batch of which nobody knows whether it is stored.
    var suspense: Suspense?
    /// About how much the write-ahead log has grown since it was taken over, and when to try again after a failure.
    var logGrowth = 0
    var checkpointAt: Int
    /// How far the sweep that is under way has come, and where it ends.
    var sweep: Sweep?
    var prunedRecords = 0
    /// How often the database was opened.
    var openings = 1

    /// True for a journal that is only read: nothing is done in the background.
    let isReadOnly: Bool

    /// Opens the database, makes or migrates its tables and reads what has to be known.
    init(
        file: DatabaseFile, settings: SQLiteSettings, clock: @escaping @Sendable () -> Int, isReadOnly: Bool = false
    ) throws {
        self.file = file
        self.settings = settings
        self.clock = clock
        self.isReadOnly = isReadOnly
        checkpointAt = settings.checkpointThreshold
        let database = try isReadOnly ? file.openReadOnly() : file.open(settings)
        let loaded = try database.writeWithoutTransaction { db in
            try Schema.checkStructure(db)
            if !isReadOnly { try Schema.migrate(db) }
            return try LoadedIndex(db, now: clock(), bound: settings.answers)
        }
        self.database = database
        (rowIndex, answers) = (loaded.rowIndex, loaded.answers)
        forgotten = loaded.expired
    }

    /// Stores a batch in one transaction.
    ///
    /// - Returns: What came of each unit, in order; nil where that is in doubt: `suspense` has the batch then. While an
    ///   earlier batch is in doubt, those that stand on it are held back with it, and the others are refused.
    mutating func commit(_ batch: [CommitQueue.Waiting]) -> [CommitQueue.Settlement]? {
        if suspense != nil { return holdBack(batch) }
        var settled: [CommitQueue.Settlement] = []
        settled.reserveCapacity(batch.count)
        var kept: [(life: Int, row: KeptAnswers.Row)] = []
        do {
            try transaction { committer, db in
                let records = try DirectStatement(db, "INSERT INTO records VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
                for waiting in batch {
                    switch waiting.content {
                    case .success(let unit):
                        let result = try committer.attempt(unit, db, records, &kept)
                        settled.append(CommitQueue.Settlement(waiting: waiting, result: result))
                    case .failure(let error):
                        settled.append(waiting.failed(error))
                    }
                }
                try committer.markDeliveries(db)
            }
        } catch let doubt as Doubt {
            // Where it ended before the commit, nobody has looked at those behind: they wait for an answer all the same.
            settled += batch[settled.count...].map { $0.failed(doubt.cause) }
            suspense = Suspense(batch: settled, cause: doubt.cause, counters: doubt.counters)
            return nil
        } catch {
            return batch.map { $0.failed(JournalError(error)) }
        }
        for (life, row) in kept {
            forgotten += answers[life, default: KeptAnswers()].add(row, bound: settings.answers, now: clock())
        }
        for life in rowIndex.endedNow { forgotten += answers.removeValue(forKey: life)?.rows.map(\.id) ?? [] }
        logGrowth += batch.reduce(16_384) { $0 + ($1.size ?? 0) }
        return settled
    }

    private mutating func holdBack(_ batch: [CommitQueue.Waiting]) -> [CommitQueue.Settlement] {
        var settled: [CommitQueue.Settlement] = []
        for waiting in batch {
            let failed = waiting.failed(suspenseError)
            if suspense?.directors.contains(waiting.director) == true {
                suspense?.heldBack.append(failed)
            } else {
                settled.append(failed)
            }
        }
        return settled
    }

    /// Does some work in a transaction, with the rowIndex going back where the transaction does.
    ///
    /// - Throws: ``Doubt`` where nobody knows whether it was committed; else what went wrong, and nothing has changed.
    mutating func transaction(_ work: (inout Committer, Database) throws -> Void) throws {
        guard suspense == nil else { throw suspenseError }
        guard let database else { throw JournalError.unavailable("the database is being opened again") }
        rowIndex.begin()
        do {
            try database.writeWithoutTransaction { db in
                // Prepared once: GRDB's methods for both have SQLite parse them each time.
                try db.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
                do {
                    try work(&self, db)
                    try db.cachedStatement(sql: "COMMIT").execute()
                } catch {
                    if db.isInsideTransaction { try? db.rollback() }
                    throw error
                }
            }
        } catch let error as DatabaseError where error.leavesDoubt {
            let counters = rowIndex.counters
            rowIndex.rollBack()
            throw Doubt(cause: JournalError(error), counters: counters)
        } catch {
            rowIndex.rollBack()
            throw error
        }
    }

    var suspenseError: JournalError {
        .unavailable("an earlier change is in doubt after a failure of the disk, which is tried again")
    }
}

/// An error after which a commit may have reached the disk or not.
struct Doubt: Error {
    let cause: JournalError
    /// What the rowIndex would say had the commit succeeded.
    let counters: RowIndex.Counters
}

/// A batch of which nobody knows whether it is stored.
struct Suspense {
    /// The batch, and what came of it if it is stored.
    let batch: [CommitQueue.Settlement]
    let cause: JournalError
    let counters: RowIndex.Counters
    /// The directors whose records are in doubt.
    let directors: Set<String>
    /// What came later and may stand on it: its answers have to come later too.
    var heldBack: [CommitQueue.Settlement] = []

    init(batch: [CommitQueue.Settlement], cause: JournalError, counters: RowIndex.Counters) {
        self.batch = batch
        self.cause = cause
        self.counters = counters
        directors = Set(batch.map(\.waiting.director))
    }

    /// What came of everything, in order.
    func settled(_ verdict: Committer.Verdict) -> [CommitQueue.Settlement] {
        (verdict == .stored ? batch : batch.map { $0.waiting.failed(cause) }) + heldBack
    }
}

extension CommitQueue.Waiting {
    /// This one has failed.
    func failed(_ error: JournalError) -> CommitQueue.Settlement {
        // Why it was refused when it came is the better answer.
        if case .failure(let earlier) = content {
            return CommitQueue.Settlement(waiting: self, result: .failure(earlier))
        }
        return CommitQueue.Settlement(waiting: refused(error), result: .failure(error))
    }
}

/// The database file and how it is opened.
struct DatabaseFile: Sendable {
    /// The path of the file.
    let path: String
    /// The name of the SQLite VFS that reads and writes it; nil for the system's.
    let vfs: String?

    /// Opens a connection that writes; a database that is made is its owner's alone.
    func open(_ settings: SQLiteSettings) throws -> DatabaseQueue {
        try PrivateFile.make(path)
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(5)
        configuration.label = "callboard.journal"
        configuration.prepareDatabase { db in
            // Before anything is changed: the file may be someone else's.
            try Schema.check(db)
            let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
            guard mode == "wal" else {
                throw JournalError.refused("the file system of the data folder cannot hold a write-ahead log")
            }
            try db.execute(sql: "PRAGMA synchronous = \(settings.durability == .full ? "FULL" : "NORMAL")")
            // The store takes the log over itself, between commits, and sees when that fails.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 67108864")
            // Debian's SQLite overwrites what is deleted with zeros unless told otherwise.
            try db.execute(sql: "PRAGMA secure_delete = OFF; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF")
            if let pages = settings.maximumPages { try db.execute(sql: "PRAGMA max_page_count = \(pages)") }
        }
        return try DatabaseQueue(path: location, configuration: configuration)
    }

    /// Opens a connection that only reads.
    func openReadOnly() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        configuration.label = "callboard.journal.reader"
        configuration.prepareDatabase { db in try Schema.check(db) }
        return try DatabaseQueue(path: location, configuration: configuration)
    }

    private var location: String {
        guard let vfs else { return path }
        let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
        return "file:\(escaped)?vfs=\(vfs)"
    }

    /// The bytes of the database, its log and the log's index on disk.
    var bytesOnDisk: Int {
        ["", "-wal", "-shm"].reduce(0) { sum, suffix in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
            return sum + ((attributes?[.size] as? NSNumber)?.intValue ?? 0)
        }
    }
}
