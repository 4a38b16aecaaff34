import DirectorLife
import Journal
import Notation

/// Runs statements that read.
protocol RowReader: AnyObject {
    /// Takes the rows of a statement one by one.
    func read(_ call: StatementCall, _ take: (DatabaseRow) throws -> Void) throws(JournalError)
}

/// The stored state of some lives, as an index has them.
struct StoredLives<Reader: RowReader>: LifeSource {
    let index: LifeIndex
    /// Which lives the index has.
    let scope: LoadedRows.Scope
    /// In seconds since 1970: answers that have expired are left out.
    let now: Int
    let bytesOnDisk: Int
    let reader: Reader
    /// Runs the reading of one answer; it may catch an error, and the answer is left out.
    var readingAnswer: (() throws -> Void) throws -> Void = { try $0() }

    func lives() throws(JournalError) -> [StoredLife] {
        index.lives.values.sorted { Name($0.director) < Name($1.director) }.map { life in
            StoredLife(
                director: life.director, epoch: life.epoch, number: life.number, snapshot: life.snapshot?.number)
        }
    }

    func readRecords(_ body: ([StoredRecord]) throws -> Void) throws(JournalError) {
        var records: [StoredRecord] = []
        var bytes = 0
        try reader.read(StoredRecord.selection(scope)) { row in
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

    func readSnapshot<Result>(
        of director: String, _ body: (SnapshotHead, @escaping ChunkReader) throws -> Result
    ) throws(JournalError) -> Result? {
        guard let life = index.lives[director], let snapshot = life.snapshot else { return nil }
        let cursor = ChunkCursor(reader, life: life, number: snapshot.number)
        do {
            let head = SnapshotHead(director: director, epoch: life.epoch, number: snapshot.number)
            return try body(head) { try cursor.next() }
        } catch {
            throw JournalError(error)
        }
    }

    func answers(of director: String) throws(JournalError) -> [StoredAnswer] {
        guard let life = index.lives[director], let first = life.answers.rows.first?.id else { return [] }
        var answers: [StoredAnswer] = []
        try reader.read(StoredAnswer.selection(Parameters(life.id, first))) { row in
            try readingAnswer { answers.append(try StoredAnswer(row, of: life.id, director: director)) }
        }
        return answers.filter { $0.expires > now }
    }
}

private enum ChunkStatements {
    static let selection = Statement(
        "read-chunk", [.int8, .int8, .int8],
        "SELECT payload, checksum FROM callboard.chunks WHERE life = $1 AND number = $2 AND chunk = $3")
    static let count = Statement(
        "read-chunk-count", [.int8, .int8],
        "SELECT chunks FROM callboard.snapshots WHERE life = $1 AND number = $2")
}

/// Reads the chunks of a snapshot one after the other.
private final class ChunkCursor<Reader: RowReader> {
    private let reader: Reader
    private let life: LifeIndex.Life
    private let number: Int
    private var position = 0
    private var end: Int?

    init(_ reader: Reader, life: LifeIndex.Life, number: Int) {
        self.reader = reader
        self.life = life
        self.number = number
    }

    func next() throws -> [UInt8]? {
        if end == nil {
            try reader.read(ChunkStatements.count(Parameters(life.id, number))) {
                end = try $0.integer(0, "a row of snapshots")
            }
        }
        guard position < end ?? 0 else { return nil }
        let place = "chunk \(position) of the snapshot after record \(number)"
        var found: [UInt8]?
        try reader.read(ChunkStatements.selection(Parameters(life.id, number, position))) { row in
            let payload = try row.bytes(0, place)
            let sum = RowChecksum.chunk(life: life.id, number: number, chunk: position, payload: payload)
            guard try row.integer(1, place) == sum else { throw RowChecksum.rows.fault(place, director: life.director) }
            found = payload
        }
        guard let found else {
            throw JournalDamage(director: life.director, place: place, detail: "it is missing")
        }
        position += 1
        return found
    }
}
