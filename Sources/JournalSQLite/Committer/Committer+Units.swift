import DirectorLife
import Foundation
import GRDB
import Journal

extension Committer {
    /// Stores a unit if it is its life's next one; `records` inserts a row of the log.
    ///
    /// - Returns: Success, or why the unit was refused and nothing was written.
    /// - Throws: An error of the whole transaction.
    mutating func store(
        _ unit: CommitUnit, _ db: Database, _ records: DirectStatement,
        _ kept: inout [(life: Int, row: KeptAnswers.Row)]
    ) throws -> Result<Void, JournalError> {
        switch unit {
        case .deliveries(let changes): try write(changes, db)
        case .tokens(let changes): return try write(changes, db)
        case .record(let record):
            let life = rowIndex.lives[record.place.director]
            if let refusal = Self.refusal(of: record, life) { return .failure(refusal) }
            try store(record, life, db, records, &kept)
        case .pair(let first, let second):
            let lives = (rowIndex.lives[first.place.director], rowIndex.lives[second.place.director])
            let refusal = Self.refusal(of: first, lives.0) ?? Self.refusal(of: second, lives.1)
            if let refusal { return .failure(refusal) }
            try store(first, lives.0, db, records, &kept)
            try store(second, lives.1, db, records, &kept)
        }
        return .success(())
    }

    /// Why a record may not be stored; nil where it is its life's next one.
    private static func refusal(of record: EncodedRecord, _ life: RowIndex.Life?) -> JournalError? {
        record.place.isNext(after: life?.head) ? nil : .superseded(record.place.conflict(with: life?.head))
    }

    private mutating func store(
        _ record: EncodedRecord, _ found: RowIndex.Life?, _ db: Database, _ records: DirectStatement,
        _ kept: inout [(life: Int, row: KeptAnswers.Row)]
    ) throws {
        var life = try found ?? begin(record.place, db)
        if let step = record.place.step { try insert(record.payload, step, into: &life, db, records) }
        if let answer = record.answer, record.place.step != .ends {
            kept.append((life.id, try insert(answer, life.id, db)))
        }
    }

    private mutating func begin(_ place: RecordPlace, _ db: Database) throws -> RowIndex.Life {
        rowIndex.counters.life += 1
        let life = RowIndex.Life(id: rowIndex.counters.life, director: place.director, epoch: place.epoch)
        try db.cachedStatement(sql: "INSERT INTO lives VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT), 0, ?)")
            .execute(arguments: [
                life.id, life.director.stored, life.epoch.stored,
                Checksum.life(life.id, director: life.director, epoch: life.epoch, ended: 0),
            ])
        return life
    }

    private mutating func insert(
        _ payload: [UInt8], _ step: RecordStep, into life: inout RowIndex.Life, _ db: Database,
        _ statement: DirectStatement
    ) throws {
        rowIndex.counters.latest += 1
        life.number += 1
        let sequence = rowIndex.counters.latest
        let sum = Checksum.record(
            sequence, life: life.id, number: life.number, step: step.rawValue, payload: payload)
        try statement.bind(sequence, at: 1)
        try statement.bind(life.id, at: 2)
        try statement.bind(life.number, at: 3)
        try statement.bind(step.rawValue, at: 4)
        try statement.bind(sum, at: 6)
        try statement.run(bytes: payload, at: 5)
        let size = payload.count + RowIndex.rowOverhead
        life.logBytes += size
        rowIndex.counters.logBytes += size
        if step == .ends { try end(life, db) } else { rowIndex.put(life) }
    }

    private mutating func end(_ life: RowIndex.Life, _ db: Database) throws {
        let ended = rowIndex.counters.latest
        let sum = Checksum.life(life.id, director: life.director, epoch: life.epoch, ended: ended)
        try db.cachedStatement(sql: "UPDATE lives SET ended = ?, checksum = ? WHERE life = ?")
            .execute(arguments: [ended, sum, life.id])
        // A snapshot that is not complete may be there too.
        try db.cachedStatement(sql: "DELETE FROM snapshots WHERE life = ?").execute(arguments: [life.id])
        rowIndex.end(life)
    }

    private mutating func insert(
        _ answer: StoredAnswer, _ life: Int, _ db: Database
    ) throws -> KeptAnswers.Row {
        rowIndex.counters.answer += 1
        let id = rowIndex.counters.answer
        try db.cachedStatement(sql: "INSERT INTO answers VALUES (?, ?, CAST(? AS TEXT), ?, ?, ?, ?)").execute(
            arguments: [
                id, life, answer.key.stored, Int64(bitPattern: answer.fingerprint), Data(answer.body), answer.expires,
                Checksum.answer(id, life: life, answer),
            ])
        return KeptAnswers.Row(id: id, size: answer.size, expires: answer.expires)
    }
}
