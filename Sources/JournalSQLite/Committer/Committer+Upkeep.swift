import GRDB

/// A pass over the log that deletes the records that are no longer needed.
struct Sweep {
    /// The last record that was read.
    var position = 0
    /// The newest record when the pass began.
    let end: Int
    /// Lives that had ended by then: no record of theirs is left when the pass ends.
    let ended: [Int]
    /// The bytes of superfluous records when it began.
    let superfluousBytes: Int
}

/// The superfluous records that one step of a sweep has found.
private struct Superfluous {
    /// The rows, neighbours joined: deleting one range costs less than deleting each row.
    var ranges: [ClosedRange<Int>] = []
    var count = 0
    var bytes = 0

    /// Adds a row.
    mutating func add(_ sequence: Int, bytes size: Int, isNext: Bool) {
        count += 1
        bytes += size
        // A damaged file may have rows in any order.
        if isNext, let last = ranges.last, last.upperBound < sequence {
            ranges[ranges.count - 1] = last.lowerBound...sequence
        } else {
            ranges.append(sequence...sequence)
        }
    }
}

extension Committer {
    /// The most rows that one step reads or deletes, and so the most that a commit has to wait for.
    static let stepRows = 256

    /// Whether there is background work to do.
    package var hasUpkeep: Bool {
        database != nil && inDoubt == nil && !isReadOnly
            && (sweep != nil || isSweepDue || !rowIndex.freed.isEmpty || !forgotten.isEmpty || isCheckpointDue)
    }

    private var isSweepDue: Bool {
        let superfluous = rowIndex.counters.superfluousBytes
        return superfluous > settings.pruneThreshold && superfluous * 2 >= rowIndex.counters.logBytes
    }

    private var isCheckpointDue: Bool { logGrowth >= checkpointAt }

    /// Does one short piece of the background work.
    ///
    /// - Returns: How many records were deleted.
    package mutating func doUpkeep() throws -> Int {
        try perform { committer in
            if committer.isCheckpointDue {
                try committer.checkpoint()
            } else if committer.sweep != nil || committer.isSweepDue {
                return try committer.stepSweep()
            } else if !committer.forgotten.isEmpty {
                try committer.deleteForgotten()
            } else if !committer.rowIndex.freed.isEmpty {
                try committer.deleteFreed()
            }
            return 0
        }
    }

    /// Copies the write-ahead log into the database.
    mutating func checkpoint() throws {
        guard let database else { return }
        // If it fails, the log goes on growing, nothing is lost, and it is tried again later.
        checkpointAt = logGrowth + settings.checkpointThreshold
        try database.writeWithoutTransaction { db in _ = try db.checkpoint(.passive) }
        logGrowth = 0
        checkpointAt = settings.checkpointThreshold
    }

    /// Reads the next rows of the log and deletes those that are superfluous.
    ///
    /// - Returns: How many there were.
    private mutating func stepSweep() throws -> Int {
        let sweep =
            self.sweep
            ?? Sweep(
                end: rowIndex.counters.latest, ended: rowIndex.ended,
                superfluousBytes: rowIndex.counters.superfluousBytes)
        var next = sweep
        var found = Superfluous()
        try transaction { committer, db in
            next.position = try committer.look(from: sweep, db, &found)
            let delete = try DirectStatement(db, "DELETE FROM records WHERE sequence BETWEEN ?1 AND ?2")
            for range in found.ranges {
                try delete.bind(range.lowerBound, at: 1)
                try delete.bind(range.upperBound, at: 2)
                try delete.run()
            }
            if let last = found.ranges.last?.upperBound { try committer.markPruned(last, db) }
            committer.rowIndex.counters.logBytes -= found.bytes
            if next.position >= sweep.end { try committer.deleteLives(sweep.ended, db) }
        }
        logGrowth += found.count * 64 + 8192
        if next.position >= sweep.end {
            for life in sweep.ended { rowIndex.forget(life) }
            rowIndex.counters.superfluousBytes = max(0, rowIndex.counters.superfluousBytes - sweep.superfluousBytes)
            self.sweep = nil
        } else {
            self.sweep = next
        }
        return found.count
    }

    /// Reads the next rows and gathers those that are superfluous.
    ///
    /// - Returns: The last row that was read, or the end of the sweep.
    private func look(from sweep: Sweep, _ db: Database, _ found: inout Superfluous) throws -> Int {
        let select = try DirectStatement(
            db,
            """
            SELECT sequence, life, number, length(payload) FROM records
            WHERE sequence > ?1 AND sequence <= ?2 ORDER BY sequence LIMIT \(Self.stepRows)
            """)
        try select.bind(sweep.position, at: 1)
        try select.bind(sweep.end, at: 2)
        var (position, count) = (sweep.position, 0)
        try select.forEachRow { row in
            func integer(_ column: Int32) throws -> Int { try row.integer(column, "a row of records") }
            let isNext = found.ranges.last?.upperBound == position
            position = try integer(0)
            count += 1
            guard rowIndex.isSuperfluous(life: try integer(1), number: try integer(2)) else { return }
            found.add(position, bytes: try integer(3) + RowIndex.rowOverhead, isNext: isNext)
        }
        return count < Self.stepRows ? sweep.end : position
    }

    private mutating func markPruned(_ sequence: Int, _ db: Database) throws {
        guard sequence > rowIndex.counters.pruned else { return }
        rowIndex.counters.pruned = sequence
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

    /// Deletes 16 chunks at most, about four MiB.
    ///
    /// Numbers without a row cost nothing: a damaged file may free more of them than could ever be counted through.
    private mutating func deleteFreed() throws {
        guard let range = rowIndex.freed.first else { return }
        var end = range.upperBound
        try transaction { _, db in
            let last = try Int.fetchOne(
                db.cachedStatement(
                    sql: "SELECT chunk FROM chunks WHERE chunk >= ? AND chunk < ? ORDER BY chunk LIMIT 1 OFFSET 15"),
                arguments: [range.lowerBound, range.upperBound])
            if let last { end = last + 1 }
            try db.cachedStatement(sql: "DELETE FROM chunks WHERE chunk >= ? AND chunk < ?")
                .execute(arguments: [range.lowerBound, end])
        }
        rowIndex.freed[0] = end..<range.upperBound
        if rowIndex.freed[0].isEmpty { rowIndex.freed.removeFirst() }
        logGrowth += 16 * 4096
    }
}
