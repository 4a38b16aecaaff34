import GRDB
import Journal
import Notation

extension Committer {
    /// The result of a batch that was in doubt.
    enum Verdict {
        /// It is stored, and on the disk.
        case stored
        /// It is not, and can never be found.
        case lost
    }

    /// Puts the connection in doubt after a failure that was not a batch's.
    mutating func enterDoubt(_ doubt: Doubt) {
        guard inDoubt == nil else { return }
        inDoubt = BatchInDoubt(batch: [], cause: doubt.cause, counters: rowIndex.counters)
    }

    /// Opens the database again after a failure that left doubt, and finds out whether the batch is stored.
    ///
    /// A failed sync says nothing about what is on the disk, and on Linux the next one succeeds without the pages that
    /// the failed one has given up. So no sync of the old log is trusted:
    /// - The connection is closed and opened again, which reads the log from its beginning, checksum by checksum.
    /// - A batch that is found there is copied into the database file, whose pages are written anew and synced; only
    ///   then is it stored.
    /// - For one that is not found, a small transaction is committed over its place in the log: the frames that the
    ///   failed commit may have left no longer continue the frames before them. Only then is it lost.
    ///
    /// - Throws: The failure; the doubt remains, and everything is tried again later.
    mutating func settle() throws -> Verdict {
        let database = try reopen()
        guard let inDoubt else { return .lost }
        let wanted = inDoubt.counters
        let isStored = try database.writeWithoutTransaction { db in
            let loaded = try LoadedRows(db, now: clock(), bound: settings.answers)
            let found = loaded.rowIndex.counters
            let hasRecords = wanted.latest > rowIndex.counters.latest
            let hasAnswers = wanted.answer > rowIndex.counters.answer
            let changed = CountedTable.allCases.filter { wanted[$0] > rowIndex.counters[$0] }
            let isStored =
                if hasRecords {
                    found.latest >= wanted.latest
                } else if hasAnswers {
                    found.answer >= wanted.answer
                } else {
                    !changed.isEmpty && changed.allSatisfy { found[$0] >= wanted[$0] }
                }
            guard found.latest >= rowIndex.counters.latest else {
                throw JournalDamage(
                    director: nil, place: "record \(rowIndex.counters.latest)",
                    detail: "it was acknowledged, and the database ends with record \(found.latest)")
            }
            if isStored {
                try Self.checkpointAll(db)
            } else {
                try db.inTransaction(.immediate) {
                    try db.execute(sql: "UPDATE marks SET value = value + 1 WHERE name = 'fences'")
                    return .commit
                }
            }
            (rowIndex, answers, forgotten) = (loaded.rowIndex, loaded.answers, loaded.expired)
            return isStored
        }
        self.inDoubt = nil
        openings += 1
        sweep = nil
        (logGrowth, checkpointAt) = (0, settings.checkpointThreshold)
        return isStored ? .stored : .lost
    }

    /// Commits a small change, to find out whether storing works again.
    mutating func probe() throws {
        try transaction { _, db in
            try db.execute(sql: "UPDATE marks SET value = value + 1 WHERE name = 'fences'")
        }
    }

    private mutating func reopen() throws -> DatabaseQueue {
        if let database {
            self.database = nil
            // Closing checkpoints the log if it can; if not, the log stays and is read below.
            try? database.close()
        }
        let database = try file.open(settings)
        self.database = database
        return database
    }

    /// Copies the whole log into the database file and syncs the file.
    private static func checkpointAll(_ db: Database) throws {
        _ = try db.checkpoint(.truncate)
    }
}

/// An error after which a commit may have reached the disk or not.
struct Doubt: Error {
    let cause: JournalError
    /// The index's counters had the commit succeeded.
    let counters: RowIndex.Counters
}

/// A batch of which it is not known whether it is stored.
struct BatchInDoubt {
    /// The batch, and its outcomes if it is stored.
    let batch: [CommitQueue.Outcome]
    let cause: JournalError
    let counters: RowIndex.Counters
    /// The directors whose records are in doubt.
    private(set) var directors: Set<Name>
    /// Later units of the same directors: their results have to come later too.
    private var heldBack: [CommitQueue.Outcome] = []

    init(batch: [CommitQueue.Outcome], cause: JournalError, counters: RowIndex.Counters) {
        self.batch = batch
        self.cause = cause
        self.counters = counters
        directors = Set(directorsOf: batch.lazy.map(\.waiting))
    }

    /// Holds a later unit back where it is of one of the directors.
    ///
    /// - Returns: Whether it was one. The results of both directors of a pair have to come later then.
    mutating func holdBack(_ outcome: CommitQueue.Outcome) -> Bool {
        guard outcome.waiting.belongs(to: directors) else { return false }
        directors.formUnion(directorsOf: outcome.waiting)
        heldBack.append(outcome)
        return true
    }

    /// The outcomes of the batch and of what came later, in order.
    func settled(_ verdict: Committer.Verdict) -> [CommitQueue.Outcome] {
        (verdict == .stored ? batch : batch.map { $0.waiting.failed(cause) }) + heldBack
    }
}
