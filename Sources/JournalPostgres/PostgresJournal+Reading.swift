import Access
import DirectorLife
import Directors
import Journal

extension PostgresJournal {
    package func lives() throws(JournalError) -> [StoredLife] {
        committer.withLock { committer in
            committer.index.lives.values.sorted { $0.director < $1.director }.map { life in
                StoredLife(
                    director: life.director, epoch: life.epoch, number: life.number, snapshot: life.snapshot?.number)
            }
        }
    }

    package func readRecords(_ body: ([StoredRecord]) throws -> Void) throws(JournalError) {
        var records: [StoredRecord] = []
        var bytes = 0
        try read(StoredRecord.selection()) { row in
            let record = try StoredRecord(row)
            records.append(record)
            bytes += record.payload.count + 64
            guard bytes > 4 << 20 else { return }
            try body(records)
            records.removeAll()
            bytes = 0
        }
        do {
            if !records.isEmpty { try body(records) }
        } catch {
            throw JournalError(error)
        }
    }

    package func readSnapshot<Result>(
        of director: String, _ body: (SnapshotHead, @escaping ChunkReader) throws -> Result
    ) throws(JournalError) -> Result? {
        guard let life = committer.withLock({ $0.index.lives[director] }), let snapshot = life.snapshot else {
            return nil
        }
        let cursor = ChunkCursor(self, life: life, number: snapshot.number)
        do {
            let head = SnapshotHead(director: director, epoch: life.epoch, number: snapshot.number)
            return try body(head) { try cursor.next() }
        } catch {
            throw JournalError(error)
        }
    }

    package func answers(of director: String) throws(JournalError) -> [StoredAnswer] {
        let (life, now) = committer.withLock { ($0.index.lives[director], $0.clock()) }
        guard let life, let first = life.answers.rows.first?.id else { return [] }
        var answers: [StoredAnswer] = []
        try read(StoredAnswer.selection(Parameters(life.id, first))) { row in
            answers.append(try StoredAnswer(row, of: life.id, director: director))
        }
        return answers.filter { $0.expires > now }
    }

    func read(_ call: StatementCall, _ take: (DatabaseRow) throws -> Void) throws(JournalError) {
        do {
            try reader.each(call, take)
        } catch {
            throw JournalError(error)
        }
    }
}

/// Reads the chunks of a snapshot one after the other.
private final class ChunkCursor {
    private static let selection = Statement(
        "read-chunk", [.int8, .int8, .int8],
        "SELECT payload, checksum FROM callboard.chunks WHERE life = $1 AND number = $2 AND chunk = $3")
    private static let count = Statement(
        "read-chunk-count", [.int8, .int8],
        "SELECT chunks FROM callboard.snapshots WHERE life = $1 AND number = $2")

    private let journal: PostgresJournal
    private let life: LifeIndex.Life
    private let number: Int
    private var position = 0
    private var end: Int?

    init(_ journal: PostgresJournal, life: LifeIndex.Life, number: Int) {
        self.journal = journal
        self.life = life
        self.number = number
    }

    func next() throws -> [UInt8]? {
        if end == nil {
            try journal.read(Self.count(Parameters(life.id, number))) { end = try $0.integer(0, "a row of snapshots") }
        }
        guard position < end ?? 0 else { return nil }
        let place = "chunk \(position) of the snapshot after record \(number)"
        var found: [UInt8]?
        try journal.read(Self.selection(Parameters(life.id, number, position))) { row in
            let payload = try row.bytes(0, place)
            let sum = RowChecksum.chunk(life: life.id, number: number, chunk: position, payload: payload)
            guard try row.integer(1, place) == sum else { throw RowChecksum.fault(place, director: life.director) }
            found = payload
        }
        guard let found else {
            throw JournalDamage(director: life.director, place: place, detail: "it is missing")
        }
        position += 1
        return found
    }
}

/// The deliveries of a journal in a database: they share the commits of its records.
struct PostgresDeliveryStore: DeliveryStore {
    let journal: PostgresJournal

    func deliveries() throws(DeliveryStoreError) -> [Delivery] {
        var deliveries: [Delivery] = []
        do throws(JournalError) {
            try journal.read(Delivery.selection()) { deliveries.append(try Delivery($0)) }
        } catch {
            throw DeliveryStoreError(error)
        }
        return deliveries
    }

    func write(
        _ changes: [DeliveryChange], completion: @escaping @Sendable (Result<Void, DeliveryStoreError>) -> Void
    ) {
        journal.append([.deliveries(changes)]) { _, results in
            for result in results { completion(result.mapError(DeliveryStoreError.init)) }
        }
    }
}

/// The tokens of a journal in a database: they share the commits of its records.
struct PostgresTokenStore: TokenStore {
    let journal: PostgresJournal

    func tokens() throws(JournalError) -> [TokenEntry] {
        var entries: [TokenEntry] = []
        try journal.read(TokenEntry.selection()) { entries.append(try TokenEntry($0)) }
        return entries
    }

    func write(
        _ changes: [TokenChange], completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
    ) {
        journal.append([.tokens(changes)]) { _, results in
            for result in results { completion(result.mapError(StorageError.init)) }
        }
    }
}
