import DirectorLife
import GRDB
import Journal
import Notation

extension SQLiteJournal {
    package func lives() throws(JournalError) -> [StoredLife] {
        thread.committer.withLock { committer in
            committer.rowIndex.lives.values.sorted { Name($0.director) < Name($1.director) }.map { life in
                StoredLife(
                    director: life.director, epoch: life.epoch, number: life.number, snapshot: life.snapshot?.number)
            }
        }
    }

    package func readRecords(_ body: ([StoredRecord]) throws -> Void) throws(JournalError) {
        var position = 0
        while true {
            let (records, last) = try records(after: position, upTo: 4 << 20)
            guard let last else { return }
            position = last
            do {
                try body(records)
            } catch {
                throw JournalError(error)
            }
        }
    }

    /// Reads records in the order of their rows, starting after one of them, and stops after about so many bytes.
    ///
    /// - Returns: The records, and the row of the last of them; nil where there is none.
    func records(after position: Int, upTo bytes: Int) throws(JournalError) -> ([StoredRecord], last: Int?) {
        try read { db in
            let rows = try GRDB.Row.fetchCursor(
                db.cachedStatement(
                    sql: """
                        SELECT sequence, life, number, step, payload, records.checksum, director, epoch
                        FROM records LEFT JOIN lives USING (life) WHERE sequence > ? ORDER BY sequence
                        """), arguments: [position])
            var records: [StoredRecord] = []
            var last: Int?
            var left = bytes
            while left > 0, let row = try rows.next() {
                let record = try StoredRecord(row)
                last = try row.integer(0, record.position)
                left -= record.payload.count + 1
                records.append(record)
            }
            return (records, last)
        }
    }

    package func readSnapshot<Result>(
        of director: String, _ body: (SnapshotHead, @escaping ChunkReader) throws -> Result
    ) throws(JournalError) -> Result? {
        guard let life = thread.committer.withLock({ $0.rowIndex.lives[director] }), let snapshot = life.snapshot,
            let database = thread.committer.withLock({ $0.database })
        else { return nil }
        do {
            return try database.read { db in
                let rows = try GRDB.Row.fetchCursor(
                    db,
                    sql: "SELECT chunk, payload, checksum FROM chunks WHERE chunk >= ? AND chunk < ? ORDER BY chunk",
                    arguments: [snapshot.range.lowerBound, snapshot.range.upperBound])
                var next = snapshot.first
                let head = SnapshotHead(director: director, epoch: life.epoch, number: snapshot.number)
                return try body(head) {
                    guard let row = try rows.next() else {
                        guard next == snapshot.range.upperBound else { throw Self.missing(next, director) }
                        return nil
                    }
                    let chunk = try row.integer(0, "a row of chunks")
                    guard chunk == next else { throw Self.missing(next, director) }
                    next += 1
                    let payload = try row.bytes(1, "chunk \(chunk)")
                    guard try row.integer(2, "chunk \(chunk)") == Checksum.chunk(chunk, payload: payload) else {
                        throw Checksum.rows.fault("chunk \(chunk)", director: director)
                    }
                    return payload
                }
            }
        } catch {
            throw JournalError(error)
        }
    }

    private static func missing(_ chunk: Int, _ director: String) -> JournalDamage {
        JournalDamage(director: director, place: "chunk \(chunk)", detail: "it is missing from the snapshot")
    }

    package func answers(of director: String) throws(JournalError) -> [StoredAnswer] {
        let (life, kept, now) = thread.committer.withLock { committer in
            let life = committer.rowIndex.lives[director]?.id
            return (life, life.flatMap { committer.answers[$0] }?.rows ?? [], committer.clock())
        }
        guard let life else { return [] }
        return try read { db in
            try kept.filter { $0.expires > now }.map { kept in
                let (owner, answer) = try StoredAnswer.read(kept.id, db)
                guard owner == life else { throw Checksum.rows.fault("answer \(kept.id)", director: director) }
                return answer
            }
        }
    }

    func read<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value {
        do {
            guard let database = thread.committer.withLock({ $0.database }) else {
                throw JournalError.unavailable("the database is closed")
            }
            return try database.read(body)
        } catch {
            throw JournalError(error)
        }
    }
}

extension StoredRecord {
    /// Reads and checks a row of `records` with its life: sequence, life, number, step, payload, checksum, director,
    /// epoch.
    init(_ row: GRDB.Row) throws {
        let sequence = try row.key(0, "a row of records")
        let place = "record \(sequence)"
        let life = try row.key(1, place)
        let director = try row.text(6, place + ", whose life is missing,")
        let (number, code) = (try row.key(2, place), try row.integer(3, place))
        let payload = try row.bytes(4, place)
        let sum = Checksum.record(sequence, life: life, number: number, step: code, payload: payload)
        guard try row.integer(5, place) == sum, let step = RecordStep(rawValue: code), sequence > 0 else {
            throw Checksum.rows.fault(place, director: director)
        }
        self.init(
            director: director, epoch: try row.text(7, place), number: number, step: step, payload: payload,
            position: place)
    }
}

extension StoredAnswer {
    /// Reads and checks a row of `answers` with the life that it belongs to.
    static func read(_ id: Int, _ db: Database) throws -> (life: Int, answer: StoredAnswer) {
        let place = "answer \(id)"
        let found = try db.read(
            "SELECT answer, life, key, fingerprint, body, expires, checksum FROM answers WHERE answer = ?", [id],
            read)
        guard let answer = found.first else {
            throw JournalDamage(director: nil, place: place, detail: "it is missing")
        }
        return answer
    }

    /// Reads and checks a row of `answers` with all of its columns, and the life that it belongs to.
    static func read(_ row: GRDB.Row) throws -> (life: Int, answer: StoredAnswer) {
        let id = try row.key(0, "a row of answers")
        let place = "answer \(id)"
        let life = try row.key(1, place)
        let answer = StoredAnswer(
            key: try row.text(2, place), fingerprint: UInt64(bitPattern: Int64(try row.integer(3, place))),
            body: try row.bytes(4, place), expires: try row.integer(5, place))
        guard try row.integer(6, place) == Checksum.answer(id, life: life, answer) else {
            throw Checksum.rows.fault(place)
        }
        return (life, answer)
    }
}
