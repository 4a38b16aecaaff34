import Access
import DirectorLife
import Directors
import GRDB
import Journal

/// Checks every row of a journal: its checksum, and whether the records of each life follow each other.
struct RowCheck {
    /// What was found.
    var found: JournalCheck.Rows
    private var directors: [Int: String] = [:]
    private var ended: Set<Int> = []
    private var chunks: [Range<Int>] = []

    /// Makes a check that stops after so many problems.
    init(limit: Int = JournalCheck.limit) {
        found = JournalCheck.Rows(limit: limit)
    }

    /// Reads a row, and adds the damage that `read` throws.
    private mutating func look(_ read: (inout RowCheck) throws -> Void) throws {
        found.count += 1
        do {
            try read(&self)
        } catch let damage as JournalDamage {
            found.add(damage)
        }
    }

    /// Checks all tables. Calls `progress` with the number of rows now and then.
    mutating func checkAll(_ db: Database, _ progress: (Int) -> Void) throws {
        try checkLives(db)
        try checkSnapshots(db)
        try checkRecords(db, progress)
        try checkChunks(db, progress)
        try checkAnswers(db, progress)
        if try CountedTable.deliveries.exists(in: db) {
            try each(db, Delivery.selection, { _ = try Delivery($1) }, progress)
        }
        if try CountedTable.tokens.exists(in: db) { try checkTokens(db, progress) }
        progress(found.count)
    }

    private mutating func each(
        _ db: Database, _ sql: String, _ read: (inout RowCheck, GRDB.Row) throws -> Void,
        _ progress: (Int) -> Void = { _ in }
    ) throws {
        let cursor = try GRDB.Row.fetchCursor(db, sql: sql)
        while let row = try cursor.next() {
            try look { try read(&$0, row) }
            if found.count.isMultiple(of: 10_000) { progress(found.count) }
            if found.isFull { return }
        }
    }

    private mutating func checkLives(_ db: Database) throws {
        try each(db, "SELECT life, director, epoch, ended, checksum FROM lives") { check, row in
            let id = try row.key(0, "a row of lives")
            let place = "life \(id)"
            let (director, epoch) = (try row.text(1, place), try row.text(2, place))
            let end = try row.key(3, place)
            check.directors[id] = director
            if end != 0 { check.ended.insert(id) }
            let sum = Checksum.life(id, director: director, epoch: epoch, ended: end)
            guard try row.integer(4, place) == sum else { throw Checksum.rows.fault(place, director: director) }
        }
    }

    private var floors: [Int: Int] = [:]

    private mutating func checkSnapshots(_ db: Database) throws {
        let sql = """
            SELECT snapshot, life, number, first, chunks, bytes, checksum, isComplete FROM snapshots
            """
        try each(db, sql) { check, row in
            let id = try row.key(0, "a row of snapshots")
            let place = "snapshot \(id)"
            let numbers = try (1...7).map { try $0 == 6 ? row.integer($0, place) : row.key($0, place) }
            let isComplete = numbers[6] != 0
            let sum =
                isComplete
                ? Checksum.snapshot(
                    id, life: numbers[0], number: numbers[1], first: numbers[2], chunks: numbers[3],
                    bytes: numbers[4]) : 0
            guard sum == numbers[5], 0...1 ~= numbers[6] else {
                throw Checksum.rows.fault(place, director: check.directors[numbers[0]])
            }
            guard isComplete else { return }
            check.floors[numbers[0]] = numbers[1]
            check.chunks.append(numbers[2]..<(numbers[2] + numbers[3]))
        }
    }

    private mutating func checkRecords(_ db: Database, _ progress: (Int) -> Void) throws {
        var numbers = floors
        let sql = """
            SELECT sequence, life, number, step, payload, records.checksum, director, epoch
            FROM records LEFT JOIN lives USING (life) ORDER BY sequence
            """
        try each(
            db, sql,
            { check, row in
                // Counted first: one damaged record is one problem, not two.
                let (life, number) = (try row.key(1, "a row of records"), try row.key(2, "a row of records"))
                let isNeeded = !check.ended.contains(life) && number > check.floors[life] ?? 0
                let expected = (numbers[life] ?? 0) + 1
                if isNeeded { numbers[life] = number }
                let record = try StoredRecord(row)
                guard !isNeeded || number == expected else {
                    throw JournalDamage(
                        director: record.director, place: record.position,
                        detail: "it has number \(record.number) of its director, and number \(expected) comes next")
                }
            }, progress)
    }

    private mutating func checkChunks(_ db: Database, _ progress: (Int) -> Void) throws {
        var count = 0
        let kept = Self.joined(chunks)
        try each(
            db, "SELECT chunk, payload, checksum FROM chunks ORDER BY chunk",
            { _, row in
                let chunk = try row.integer(0, "a row of chunks")
                // A chunk without a snapshot is left over and not deleted yet.
                guard Self.contains(chunk, kept) else { return }
                count += 1
                let payload = try row.bytes(1, "chunk \(chunk)")
                guard try row.integer(2, "chunk \(chunk)") == Checksum.chunk(chunk, payload: payload) else {
                    throw Checksum.rows.fault("chunk \(chunk)")
                }
            }, progress)
        // A damaged file may have snapshots of more chunks than can be counted.
        let expected = kept.reduce(0) { sum, range in
            let (sum, isTooLarge) = sum.addingReportingOverflow(range.count)
            return isTooLarge ? .max : sum
        }
        guard count == expected || found.isFull else {
            return found.add(
                JournalDamage(
                    director: nil, place: "the table of chunks",
                    detail: "the snapshots have \(expected) chunks, and \(count) are there"))
        }
    }

    /// Ranges in their order, those that touch joined.
    private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var result: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, range.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }

    /// Whether one of some ranges in order holds a number. O(log n).
    private static func contains(_ number: Int, _ ranges: [Range<Int>]) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound <= number { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(number)
    }

    private mutating func checkAnswers(_ db: Database, _ progress: (Int) -> Void) throws {
        try each(
            db, "SELECT answer, life, key, fingerprint, body, expires, checksum FROM answers ORDER BY answer",
            { check, row in
                do {
                    _ = try StoredAnswer.read(row)
                } catch let damage as JournalDamage {
                    let director = (try? row.integer(1, "")).flatMap { check.directors[$0] }
                    throw JournalDamage(director: director, place: damage.place, detail: damage.detail)
                }
            }, progress)
    }

    private mutating func checkTokens(_ db: Database, _ progress: (Int) -> Void) throws {
        try each(
            db, TokenEntry.selection,
            { check, row in
                _ = try TokenEntry(row)
                check.found.tokens += 1
            }, progress)
    }
}
