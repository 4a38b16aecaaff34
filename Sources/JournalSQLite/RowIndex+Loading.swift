import DirectorLife
import GRDB
import Journal

/// The rows that are read when a journal is opened: the index, and the answers.
struct LoadedRows {
    var rowIndex = RowIndex()
    var answers: [Int: KeptAnswers] = [:]
    /// Rows of answers that have expired.
    var expired: [Int] = []
}

extension LoadedRows {
    /// Reads the index of the rows.
    ///
    /// - Complexity: One pass over the rows of the log, without long payloads, and of the answers.
    init(_ db: Database, now: Int, bound: SQLiteSettings.Bound) throws {
        var lives: [Int: RowIndex.Life] = [:]
        rowIndex.counters.pruned = try Self.mark("pruned", db)
        rowIndex.counters.latest = rowIndex.counters.pruned
        for table in CountedTable.allCases { rowIndex.counters[table] = try Self.mark(table.rawValue, db) }
        try loadLives(db, &lives)
        try loadSnapshots(db, &lives)
        try loadLog(db, &lives)
        for life in lives.values { rowIndex.put(life) }
        try loadAnswers(db, live: Set(lives.keys), now: now, bound: bound)
        rowIndex.begin()
    }

    /// Reads a number of the table `marks`, from which counting goes on; 0 where it is not there.
    static func mark(_ name: String, _ db: Database) throws -> Int {
        let row = try Row.fetchOne(db, sql: "SELECT value FROM marks WHERE name = ?", arguments: [name])
        return try row?.key(0, "the mark \"\(name)\"") ?? 0
    }

    private mutating func loadLives(_ db: Database, _ lives: inout [Int: RowIndex.Life]) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT life, director, epoch, ended, checksum FROM lives")
        while let row = try rows.next() {
            let id = try row.key(0, "a row of lives")
            let place = "life \(id)"
            let (director, epoch) = (try row.text(1, place), try row.text(2, place))
            let ended = try row.key(3, place)
            guard try row.integer(4, place) == Checksum.life(id, director: director, epoch: epoch, ended: ended) else {
                throw Checksum.rows.fault(place)
            }
            rowIndex.counters.life = max(rowIndex.counters.life, id)
            let life = RowIndex.Life(id: id, director: director, epoch: epoch)
            if ended == 0 { lives[id] = life } else { rowIndex.end(life) }
        }
    }

    private mutating func loadSnapshots(_ db: Database, _ lives: inout [Int: RowIndex.Life]) throws {
        let last = try Row.fetchOne(db, sql: "SELECT ifnull(max(chunk), 0) FROM chunks")?.key(0, "a row of chunks") ?? 0
        var kept: [Range<Int>] = []
        let rows = try Row.fetchCursor(
            db, sql: "SELECT snapshot, life, number, first, chunks, bytes, isComplete, checksum FROM snapshots")
        while let row = try rows.next() {
            let id = try row.key(0, "a row of snapshots")
            let place = "snapshot \(id)"
            let numbers = try (1...6).map { try row.key($0, place) } + [try row.integer(7, place)]
            rowIndex.counters.snapshot = max(rowIndex.counters.snapshot, id)
            let snapshot = RowIndex.Snapshot(
                id: id, number: numbers[1], first: numbers[2], chunks: numbers[3], bytes: numbers[4])
            // A snapshot that is not complete has no checksum yet; `isComplete` may be damaged itself.
            let sum =
                numbers[5] == 0
                ? 0
                : Checksum.snapshot(
                    id, life: numbers[0], number: snapshot.number, first: snapshot.first, chunks: snapshot.chunks,
                    bytes: snapshot.bytes)
            guard sum == numbers[6], 0...1 ~= numbers[5] else {
                throw Checksum.rows.fault(place, director: lives[numbers[0]]?.director)
            }
            guard numbers[5] == 1, var life = lives[numbers[0]] else { continue }
            kept.append(snapshot.range)
            life.number = snapshot.number
            lives[life.id] = life
            rowIndex.put(life)
            rowIndex.keep(snapshot, of: life.director, covering: 0)
            lives[life.id] = rowIndex.lives[life.director]
        }
        var free = 1
        for range in kept.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if free < range.lowerBound { rowIndex.freed.append(free..<range.lowerBound) }
            free = max(free, range.upperBound)
        }
        if free <= last { rowIndex.freed.append(free..<(last + 1)) }
        rowIndex.counters.chunk = max(last, free - 1)
    }

    private mutating func loadLog(_ db: Database, _ lives: inout [Int: RowIndex.Life]) throws {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT sequence, life, number, length(payload) FROM records ORDER BY sequence")
        while let row = try rows.next() {
            let sequence = try row.key(0, "a row of records")
            let numbers = try (1...3).map { try row.key($0, "record \(sequence)") }
            let size = numbers[2] + RowIndex.rowOverhead
            // The newest records may have been pruned while older ones are left.
            rowIndex.counters.latest = max(rowIndex.counters.latest, sequence)
            rowIndex.counters.logBytes += size
            if rowIndex.isSuperfluous(life: numbers[0], number: numbers[1]) {
                rowIndex.counters.superfluousBytes += size
            } else {
                guard let life = lives[numbers[0]], numbers[1] == life.number + 1 else {
                    throw Self.misplaced(sequence, number: numbers[1], of: lives[numbers[0]])
                }
                lives[numbers[0]]?.logBytes += size
                lives[numbers[0]]?.number += 1
            }
        }
    }

    private static func misplaced(_ sequence: Int, number: Int, of life: RowIndex.Life?) -> JournalDamage {
        JournalDamage(
            director: life?.director, place: "record \(sequence)",
            detail: life.map { "it has number \(number) of its director, and number \($0.number + 1) comes next" }
                ?? "it belongs to no life that is stored")
    }

    private mutating func loadAnswers(
        _ db: Database, live: Set<Int>, now: Int, bound: SQLiteSettings.Bound
    ) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: "SELECT answer, life, length(CAST(key AS BLOB)) + length(body), expires FROM answers ORDER BY answer")
        while let row = try rows.next() {
            let id = try row.key(0, "a row of answers")
            let numbers = [
                try row.key(1, "answer \(id)"), try row.key(2, "answer \(id)"), try row.integer(3, "answer \(id)"),
            ]
            rowIndex.counters.answer = id
            guard live.contains(numbers[0]), numbers[2] > now else {
                // Read before it is deleted: its time of expiry may be what is damaged.
                _ = try StoredAnswer.read(id, db)
                expired.append(id)
                continue
            }
            let kept = KeptAnswers.Row(id: id, size: 64 + numbers[1], expires: numbers[2])
            expired += answers[numbers[0], default: KeptAnswers()].add(kept, bound: bound, now: now)
        }
    }
}
