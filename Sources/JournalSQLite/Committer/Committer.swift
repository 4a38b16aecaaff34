import GRDB
import Journal

/// The database's only writer. Owns the SQLite connection and an in-memory index of the rows.
///
/// A value without concurrency of its own: only the journal's writing thread changes it.
package struct Committer: JournalCommitter {
    let file: DatabaseFile
    let settings: SQLiteSettings
    let clock: @Sendable () -> Int

    /// The connection; nil after a failure that left doubt, until it was opened again.
    var database: DatabaseQueue?
    var rowIndex: RowIndex
    var answers: [Int: KeptAnswers]
    /// Rows of answers that are to be deleted.
    var forgotten: [Int]
    /// A batch of which it is not known whether it is stored.
    var inDoubt: BatchInDoubt?
    /// About how many bytes the write-ahead log has grown since the last checkpoint, and at which size the next is due.
    var logGrowth = 0
    var checkpointAt: Int
    /// The sweep in progress.
    var sweep: Sweep?
    /// How often the database was opened.
    var openings = 1
    /// The faults of the rows that were set aside when it was opened.
    let setAside: [JournalDamage]

    /// True for a journal that is only read, which has no background work.
    let isReadOnly: Bool

    /// Opens the database, makes or migrates its tables and reads the index of its rows.
    init(
        file: DatabaseFile, settings: SQLiteSettings, clock: @escaping @Sendable () -> Int, isReadOnly: Bool = false
    ) throws {
        self.file = file
        self.settings = settings
        self.clock = clock
        self.isReadOnly = isReadOnly
        checkpointAt = settings.checkpointThreshold
        let database = try isReadOnly ? file.openReadOnly() : file.open(settings)
        var moved: [JournalDamage] = []
        let loaded = try database.writeWithoutTransaction { db in
            try Schema.checkStructure(db)
            if !isReadOnly { try Schema.migrate(db) }
            if !isReadOnly, settings.setsAside { moved = try SetAside.move(db, now: clock()) }
            return try LoadedRows(db, now: clock(), bound: settings.answers)
        }
        self.database = database
        (rowIndex, answers) = (loaded.rowIndex, loaded.answers)
        forgotten = loaded.expired
        setAside = moved
    }

    package static func journalError(_ error: any Error) -> JournalError { JournalError(error) }

    package var lives: [RowIndex.Life] { Array(rowIndex.lives.values) }

    package func life(of director: String) -> RowIndex.Life? { rowIndex.lives[director] }

    /// Runs a job. After a failure that leaves doubt, the connection is opened again before anything else.
    package mutating func perform<Value>(_ work: (inout Committer) throws -> Value) throws -> Value {
        do {
            return try work(&self)
        } catch let doubt as Doubt {
            enterDoubt(doubt)
            throw doubt.cause
        }
    }

    /// Stores a batch in one transaction.
    ///
    /// - Returns: The outcome of each unit, in order; nil where that is in doubt: `inDoubt` has the batch then. While an
    ///   earlier batch is in doubt, units of its directors are held back with it, and the others are refused.
    mutating func commit(_ batch: [CommitQueue.Waiting]) -> [CommitQueue.Outcome]? {
        if inDoubt != nil { return holdBack(batch) }
        var settled: [CommitQueue.Outcome] = []
        settled.reserveCapacity(batch.count)
        var kept: [(life: Int, row: KeptAnswers.Row)] = []
        do {
            try transaction { committer, db in
                let records = try DirectStatement(db, "INSERT INTO records VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
                for waiting in batch {
                    switch waiting.content {
                    case .success(let unit):
                        let result = try committer.store(unit, db, records, &kept)
                        settled.append(CommitQueue.Outcome(waiting: waiting, result: result))
                    case .failure(let error):
                        settled.append(waiting.failed(error))
                    }
                }
                try committer.markChanges(db)
            }
        } catch let doubt as Doubt {
            // If it failed before the commit, the units behind were not reached; they need a result all the same.
            settled += batch[settled.count...].map { $0.failed(doubt.cause) }
            inDoubt = BatchInDoubt(batch: settled, cause: doubt.cause, counters: doubt.counters)
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

    private mutating func holdBack(_ batch: [CommitQueue.Waiting]) -> [CommitQueue.Outcome] {
        var settled: [CommitQueue.Outcome] = []
        for waiting in batch {
            let failed = waiting.failed(doubtError)
            if inDoubt?.holdBack(failed) != true { settled.append(failed) }
        }
        return settled
    }

    /// Runs some work in a transaction; if it is rolled back, so is the index.
    ///
    /// - Throws: ``Doubt`` where it is not known whether it was committed; else what failed, and nothing has changed.
    mutating func transaction(_ work: (inout Committer, Database) throws -> Void) throws {
        guard inDoubt == nil else { throw doubtError }
        guard let database else { throw JournalError.unavailable("the database is being opened again") }
        rowIndex.begin()
        do {
            try database.writeWithoutTransaction { db in
                // Prepared once: GRDB's own methods have SQLite parse both statements each time.
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

    var doubtError: JournalError {
        .unavailable("an earlier change is in doubt after a failure of the disk, which is tried again")
    }
}
