import GRDB
import Journal

extension Committer {
    /// What became of a batch that was in doubt.
    enum Verdict {
        /// It is stored, and on the disk.
        case stored
        /// It is not, and can never be found.
        case lost
    }

    /// Puts the connection in doubt, after a failure of something that was no batch.
    mutating func suspect(_ doubt: Doubt) {
        guard suspense == nil else { return }
        suspense = Suspense(batch: [], cause: doubt.cause, counters: rowIndex.counters)
    }

    /// Opens the database again after a failure that left doubt, and settles what became of the batch.
    ///
    /// A failed sync says nothing about what is on the disk, and on Linux the next one succeeds without the pages that
    /// the failed one has given up. So no sync of the old log is believed:
    /// - The connection is closed and opened again, which reads the log from its beginning, checksum by checksum.
    /// - A batch that is found there is copied into the database file, whose pages are written anew and synced; only
    ///   then is it stored.
    /// - For one that is not found, a small transaction is committed over its place in the log: the frames that the
    ///   failed commit may have left do not follow any more on what stands before them. Only then is it lost.
    ///
    /// - Throws: What goes wrong; the doubt remains, and everything is tried again later.
    mutating func settle() throws -> Verdict {
        let database = try reopen()
        guard let suspense else { return .lost }
        let wanted = suspense.counters
        let isStored = try database.writeWithoutTransaction { db in
            let loaded = try LoadedIndex(db, now: clock(), bound: settings.answers)
            let found = loaded.rowIndex.counters
            let hasRecords = wanted.latest > rowIndex.counters.latest
            let hasAnswers = wanted.answer > rowIndex.counters.answer
            let hasDeliveries = wanted.deliveries > rowIndex.counters.deliveries
            let isStored =
                if hasRecords {
                    found.latest >= wanted.latest
                } else if hasAnswers {
                    found.answer >= wanted.answer
                } else {
                    hasDeliveries && found.deliveries >= wanted.deliveries
                }
            guard found.latest >= rowIndex.counters.latest else {
                throw JournalDamage(
                    director: nil, place: "record \(rowIndex.counters.latest)",
                    detail: "it was acknowledged, and the database ends with record \(found.latest)")
            }
            if isStored {
                try Self.takeOver(db)
            } else {
                try db.inTransaction(.immediate) {
                    try db.execute(sql: "UPDATE marks SET value = value + 1 WHERE name = 'fences'")
                    return .commit
                }
            }
            (rowIndex, answers, forgotten) = (loaded.rowIndex, loaded.answers, loaded.expired)
            return isStored
        }
        self.suspense = nil
        openings += 1
        sweep = nil
        (logGrowth, checkpointAt) = (0, settings.checkpointThreshold)
        return isStored ? .stored : .lost
    }

    /// Commits something small, to see whether storing works again.
    mutating func probe() throws {
        try transaction { _, db in
            try db.execute(sql: "UPDATE marks SET value = value + 1 WHERE name = 'fences'")
        }
    }

    private mutating func reopen() throws -> DatabaseQueue {
        if let database {
            self.database = nil
            // Closing takes the log over where that works; where it does not, the log stays and is read below.
            try? database.close()
        }
        let database = try file.open(settings)
        self.database = database
        return database
    }

    /// Copies the whole log into the database file and syncs that.
    private static func takeOver(_ db: Database) throws {
        _ = try db.checkpoint(.truncate)
    }
}
