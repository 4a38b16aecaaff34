import GRDB

extension SQLiteStore {
    package func lives() throws(StoreError) -> [StoredLife] {
        committer.withLock { committer in
            committer.ledger.lives.values.sorted { $0.director < $1.director }.map { life in
                StoredLife(
                    director: life.director, epoch: life.epoch, number: life.number, snapshot: life.snapshot?.number)
            }
        }
    }

    package func isSnapshotWorthwhile(for director: String) -> Bool {
        committer.withLock { committer in
            guard let life = committer.ledger.lives[director], !life.isSnapshotting else { return false }
            return life.logBytes > max(settings.snapshotThreshold, life.snapshot?.bytes ?? 0) / 8
        }
    }

    package func records(after sequence: JournalSequence, upTo bytes: Int) throws(StoreError) -> [StoredRecord] {
        try read { db in
            let pruned = try LoadedJournal.mark("pruned", db)
            guard sequence.value == 0 || sequence.value >= UInt64(pruned) else {
                throw StoreError.prunedRecords(upTo: UInt64(pruned))
            }
            let rows = try Row.fetchCursor(
                db.cachedStatement(
                    sql: """
                        SELECT sequence, life, number, step, payload, records.checksum, director, epoch
                        FROM records LEFT JOIN lives USING (life) WHERE sequence > ? ORDER BY sequence
                        """), arguments: [Int64(clamping: sequence.value)])
            var records: [StoredRecord] = []
            var left = bytes
            while left > 0, let row = try rows.next() {
                let record = try StoredRecord(row)
                left -= record.payload.count + 1
                records.append(record)
            }
            return records
        }
    }

    package func readSnapshot<Result>(
        of director: String, _ body: (SnapshotHead, @escaping ChunkReader) throws -> Result
    ) throws -> Result? {
        guard let life = committer.withLock({ $0.ledger.lives[director] }), let snapshot = life.snapshot,
            let database = committer.withLock({ $0.database })
        else { return nil }
        return try database.read { db in
            let rows = try Row.fetchCursor(
                db, sql: "SELECT chunk, payload, checksum FROM chunks WHERE chunk >= ? AND chunk < ? ORDER BY chunk",
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
                    throw Checksum.fault("chunk \(chunk)", director: director)
                }
                return payload
            }
        }
    }

    private static func missing(_ chunk: Int, _ director: String) -> JournalDamage {
        JournalDamage(director: director, place: "chunk \(chunk)", detail: "it is missing from the snapshot")
    }

    package func answers(of director: String) throws(StoreError) -> [StoredAnswer] {
        let (life, kept, now) = committer.withLock { committer in
            let life = committer.ledger.lives[director]?.id
            return (life, life.flatMap { committer.answers[$0] }?.rows ?? [], committer.clock())
        }
        guard let life else { return [] }
        return try read { db in
            try kept.filter { $0.expires > now }.map { kept in
                let (owner, answer) = try StoredAnswer.read(kept.id, db)
                guard owner == life else { throw Checksum.fault("answer \(kept.id)", director: director) }
                return answer
            }
        }
    }

    func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do {
            guard let database = committer.withLock({ $0.database }) else {
                throw StoreError.unavailable("the database is closed")
            }
            return try database.read(body)
        } catch {
            throw StoreError(error)
        }
    }
}

extension StoredRecord {
    /// Reads and checks a row of `records` with its life: sequence, life, number, step, payload, checksum, director,
    /// epoch.
    init(_ row: Row) throws {
        let sequence = try row.integer(0, "a row of records")
        let place = "record \(sequence)"
        let life = try row.integer(1, place)
        let director = try row.text(6, place + ", whose life is missing,")
        let (number, code) = (try row.integer(2, place), try row.integer(3, place))
        let payload = try row.bytes(4, place)
        let sum = Checksum.record(sequence, life: life, number: number, step: code, payload: payload)
        guard try row.integer(5, place) == sum, let step = StoredStep(rawValue: code), sequence > 0 else {
            throw Checksum.fault(place, director: director)
        }
        self.init(
            sequence: JournalSequence(UInt64(sequence)), director: director, epoch: try row.text(7, place),
            number: number, step: step, payload: payload)
    }
}

extension StoredAnswer {
    /// Reads and checks a row of `answers`, and says whose it is.
    static func read(_ id: Int, _ db: Database) throws -> (life: Int, answer: StoredAnswer) {
        let place = "answer \(id)"
        let statement = try db.cachedStatement(
            sql: "SELECT life, key, fingerprint, body, expires, checksum FROM answers WHERE answer = ?")
        guard let row = try Row.fetchOne(statement, arguments: [id]) else {
            throw JournalDamage(director: nil, place: place, detail: "it is missing")
        }
        let life = try row.integer(0, place)
        let answer = StoredAnswer(
            key: try row.text(1, place), fingerprint: UInt64(bitPattern: Int64(try row.integer(2, place))),
            body: try row.bytes(3, place), expires: try row.integer(4, place))
        guard try row.integer(5, place) == Checksum.answer(id, life: life, answer) else {
            throw Checksum.fault(place)
        }
        return (life, answer)
    }
}
