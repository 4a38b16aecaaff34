import Foundation
import GRDB

extension Committer {
    /// Stores a unit if it fits; `records` inserts a row of the log.
    ///
    /// - Returns: The newest sequence, or why the unit was refused: it has written nothing then.
    /// - Throws: What is wrong with the transaction as a whole.
    mutating func attempt(
        _ unit: StoredUnit, _ db: Database, _ records: DirectStatement,
        _ kept: inout [(life: Int, row: KeptAnswers.Row)]
    ) throws -> Result<JournalSequence, StoreError> {
        guard unit.deliveries.isEmpty else {
            try write(unit.deliveries, db)
            return .success(JournalSequence(UInt64(ledger.counters.latest)))
        }
        let found = ledger.lives[unit.director]
        var life: Ledger.Life
        if let record = unit.record, record.step == .begins {
            guard found == nil, record.number ?? 1 == 1 else { return .failure(ledger.conflict(unit.director)) }
            life = try begin(unit, db)
        } else {
            guard let found, found.epoch == unit.epoch, unit.follows(found.number) else {
                return .failure(ledger.conflict(unit.director))
            }
            life = found
        }
        if let record = unit.record { try insert(record, into: &life, db, records) }
        if let answer = unit.answer, unit.record?.step != .ends {
            kept.append((life.id, try insert(answer, life.id, db)))
        }
        return .success(JournalSequence(UInt64(ledger.counters.latest)))
    }

    private mutating func begin(_ unit: StoredUnit, _ db: Database) throws -> Ledger.Life {
        ledger.counters.life += 1
        let life = Ledger.Life(id: ledger.counters.life, director: unit.director, epoch: unit.epoch)
        try db.cachedStatement(sql: "INSERT INTO lives VALUES (?, ?, ?, 0, ?)").execute(arguments: [
            life.id, life.director, life.epoch,
            Checksum.life(life.id, director: life.director, epoch: life.epoch, ended: 0),
        ])
        return life
    }

    private mutating func insert(
        _ record: StoredUnit.Record, into life: inout Ledger.Life, _ db: Database, _ statement: DirectStatement
    ) throws {
        ledger.counters.latest += 1
        life.number += 1
        let sequence = ledger.counters.latest
        let sum = Checksum.record(
            sequence, life: life.id, number: life.number, step: record.step.rawValue, payload: record.payload)
        try statement.bind(sequence, at: 1)
        try statement.bind(life.id, at: 2)
        try statement.bind(life.number, at: 3)
        try statement.bind(record.step.rawValue, at: 4)
        try statement.bind(sum, at: 6)
        try statement.run(bytes: record.payload, at: 5)
        let size = record.payload.count + Ledger.rowOverhead
        life.logBytes += size
        ledger.counters.logBytes += size
        if record.step == .ends { try end(life, db) } else { ledger.put(life) }
    }

    private mutating func end(_ life: Ledger.Life, _ db: Database) throws {
        let ended = ledger.counters.latest
        let sum = Checksum.life(life.id, director: life.director, epoch: life.epoch, ended: ended)
        try db.cachedStatement(sql: "UPDATE lives SET ended = ?, checksum = ? WHERE life = ?")
            .execute(arguments: [ended, sum, life.id])
        // One that is not complete may be there too.
        try db.cachedStatement(sql: "DELETE FROM snapshots WHERE life = ?").execute(arguments: [life.id])
        ledger.end(life)
    }

    private mutating func insert(
        _ answer: StoredAnswer, _ life: Int, _ db: Database
    ) throws -> KeptAnswers.Row {
        ledger.counters.answer += 1
        let id = ledger.counters.answer
        try db.cachedStatement(sql: "INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)").execute(arguments: [
            id, life, answer.key, Int64(bitPattern: answer.fingerprint), Data(answer.body), answer.expires,
            Checksum.answer(id, life: life, answer),
        ])
        return KeptAnswers.Row(id: id, size: answer.size, expires: answer.expires)
    }
}
