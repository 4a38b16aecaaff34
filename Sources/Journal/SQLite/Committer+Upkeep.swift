import GRDB

/// A walk over the log that drops what is no longer needed.
struct Sweep {
    /// The last record that was looked at.
    var position = 0
    /// The newest record when the walk began.
    let end: Int
    /// Lives that had ended by then: none of their records is left behind the end.
    let ended: [Int]
    /// What was superfluous when it began.
    let superfluousBytes: Int
}

extension Committer {
    /// The most rows that one step looks at or deletes: what a commit may have to wait for.
    static let stepRows = 256

    /// Whether anything waits that can be done in the background.
    var hasUpkeep: Bool {
        database != nil && suspense == nil && !isReadOnly
            && (sweep != nil || isSweepDue || !ledger.freed.isEmpty || !forgotten.isEmpty || isCheckpointDue)
    }

    private var isSweepDue: Bool {
        let superfluous = ledger.counters.superfluousBytes
        return superfluous > settings.pruneThreshold && superfluous * 2 >= ledger.counters.logBytes
    }

    private var isCheckpointDue: Bool { logGrowth >= checkpointAt }

    /// Does one short piece of what waits.
    mutating func doUpkeep() throws {
        if isCheckpointDue { return try checkpoint() }
        if sweep != nil || isSweepDue { return try stepSweep() }
        if !forgotten.isEmpty { return try deleteForgotten() }
        if !ledger.freed.isEmpty { return try deleteFreed() }
    }

    /// Takes the write-ahead log over into the database.
    mutating func checkpoint() throws {
        guard let database else { return }
        // Should it fail, the log goes on growing and nothing is lost; later it is tried again.
        checkpointAt = logGrowth + settings.checkpointThreshold
        try database.writeWithoutTransaction { db in _ = try db.checkpoint(.passive) }
        logGrowth = 0
        checkpointAt = settings.checkpointThreshold
    }

    /// Looks at the next rows of the log and deletes those that are superfluous.
    private mutating func stepSweep() throws {
        let sweep =
            self.sweep
            ?? Sweep(
                end: ledger.counters.latest, ended: ledger.ended,
                superfluousBytes: ledger.counters.superfluousBytes)
        var next = sweep
        var superfluous: [Int] = []
        var bytes = 0
        try transaction { committer, db in
            let rows = try Row.fetchCursor(
                db.cachedStatement(
                    sql: """
                        SELECT sequence, life, number, length(payload) FROM records
                        WHERE sequence > ? AND sequence <= ? ORDER BY sequence LIMIT \(Self.stepRows)
                        """), arguments: [sweep.position, sweep.end])
            var count = 0
            while let row = try rows.next() {
                count += 1
                let numbers = try (0...3).map { try row.integer($0, "a row of records") }
                next.position = numbers[0]
                let size = numbers[3] + Ledger.rowOverhead
                if committer.ledger.isSuperfluous(life: numbers[1], number: numbers[2]) {
                    superfluous.append(numbers[0])
                    bytes += size
                }
            }
            if count < Self.stepRows { next.position = sweep.end }
            let delete = try db.cachedStatement(sql: "DELETE FROM records WHERE sequence = ?")
            for sequence in superfluous { try delete.execute(arguments: [sequence]) }
            if let last = superfluous.last { try committer.markPruned(last, db) }
            committer.ledger.counters.logBytes -= bytes
            if next.position >= sweep.end { try committer.deleteLives(sweep.ended, db) }
        }
        prunedRecords += superfluous.count
        logGrowth += superfluous.count * 64 + 8192
        if next.position >= sweep.end {
            for life in sweep.ended { ledger.forget(life) }
            ledger.counters.superfluousBytes = max(0, ledger.counters.superfluousBytes - sweep.superfluousBytes)
            self.sweep = nil
        } else {
            self.sweep = next
        }
    }

    private mutating func markPruned(_ sequence: Int, _ db: Database) throws {
        guard sequence > ledger.counters.pruned else { return }
        ledger.counters.pruned = sequence
        try db.cachedStatement(sql: "UPDATE marks SET value = ? WHERE name = 'pruned'").execute(arguments: [sequence])
    }

    private func deleteLives(_ lives: [Int], _ db: Database) throws {
        let delete = try db.cachedStatement(sql: "DELETE FROM lives WHERE life = ?")
        for life in lives { try delete.execute(arguments: [life]) }
    }

    private mutating func deleteForgotten() throws {
        let rows = forgotten.prefix(Self.stepRows)
        try transaction { _, db in
            let delete = try db.cachedStatement(sql: "DELETE FROM answers WHERE answer = ?")
            for row in rows { try delete.execute(arguments: [row]) }
        }
        forgotten.removeFirst(rows.count)
        logGrowth += rows.count * 4096
    }

    /// Deletes a few chunks, about four megabytes.
    private mutating func deleteFreed() throws {
        guard let range = ledger.freed.first else { return }
        let step = range.prefix(16)
        try transaction { _, db in
            try db.cachedStatement(sql: "DELETE FROM chunks WHERE chunk >= ? AND chunk < ?")
                .execute(arguments: [step.lowerBound, step.upperBound])
        }
        ledger.freed[0] = step.upperBound..<range.upperBound
        if ledger.freed[0].isEmpty { ledger.freed.removeFirst() }
        logGrowth += step.count * 4096
    }
}
