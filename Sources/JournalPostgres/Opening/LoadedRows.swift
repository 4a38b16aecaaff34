import Access
import Journal

/// The rows that are read when a journal is opened: the living directors, tokens, and deletable rows.
struct LoadedRows {
    var index = LifeIndex()
    var tokens: [TokenEntry] = []
    var upkeep = Upkeep()
    /// The owner of each life that goes on, by the life's number.
    private(set) var owners: [Int: Int] = [:]

    /// Which lives are read.
    enum Scope {
        /// All that there are; tokens too.
        case all
        /// Those with these numbers.
        case lives([Int])
    }

    /// The statements for one scope: the table that each reads stands behind a condition on `life`.
    private struct Read {
        let lives: StatementCall
        let snapshots: StatementCall
        let log: StatementCall
        let answers: StatementCall

        init(_ scope: Scope) {
            func statement(_ name: String, _ sql: (String) -> String) -> StatementCall {
                switch scope {
                case .all: return Statement("load-\(name)", [], sql("true"))()
                case .lives(let lives):
                    return Statement("load-some-\(name)", [.int8s], sql("life = ANY ($1)"))(lives)
                }
            }
            lives = statement("lives") {
                "SELECT life, director, epoch, term, head, ended, checksum, owner FROM callboard.lives WHERE \($0)"
            }
            snapshots = statement("snapshots") {
                "SELECT life, number, chunks, bytes, checksum FROM callboard.snapshots WHERE \($0) ORDER BY life, number"
            }
            log = statement("log") {
                """
                SELECT life, min(number), count(*),
                    coalesce(
                        sum(octet_length(payload) + \(LifeIndex.rowOverhead)) FILTER (WHERE number > base), 0)::bigint,
                    count(*) FILTER (WHERE number > base)
                FROM callboard.records LEFT JOIN (
                    SELECT life AS covered, max(number) AS through FROM callboard.snapshots
                    WHERE checksum IS NOT NULL AND \($0) GROUP BY life
                ) AS snapshot ON covered = life, LATERAL (SELECT coalesce(through, 0) AS base) AS floor
                WHERE \($0) GROUP BY life
                """
            }
            answers = statement("answers") {
                """
                SELECT life, answer, (octet_length(key) + octet_length(body))::bigint, expires FROM callboard.answers
                WHERE \($0) ORDER BY life, answer
                """
            }
        }
    }

    /// Reads what there is.
    ///
    /// - Complexity: One pass over the rows of the log, without their payloads, and of the answers.
    init(_ connection: Connection, _ settings: PostgresSettings, _ scope: Scope = .all, now: Int) throws {
        let read = Read(scope)
        var lives: [Int: LifeIndex.Life] = [:]
        var heads: [Int: Int] = [:]
        func each(_ call: StatementCall, _ take: (DatabaseRow) throws -> Void) throws {
            try connection.stream(call, within: settings.deadline, take)
        }
        try each(read.lives) { row in
            let life = try row.key(0, "a row of lives")
            let place = "life \(life)"
            let (director, epoch) = (try row.text(1, place), try row.text(2, place))
            guard try row.integer(6, place) == RowChecksum.life(life, director: director, epoch: epoch) else {
                throw RowChecksum.rows.fault(place)
            }
            guard try !row.flag(5, place) else { return upkeep.end(life) }
            lives[life] = LifeIndex.Life(id: life, director: director, epoch: epoch, term: try row.key(3, place))
            heads[life] = try row.key(4, place)
            owners[life] = try row.key(7, place)
        }
        try each(read.snapshots) { try addSnapshot($0, &lives) }
        try each(read.log) { try addLog($0, &lives) }
        for life in lives.values {
            guard life.number == heads[life.id], life.number > 0 else {
                throw JournalDamage(
                    director: life.director, place: "the log",
                    detail: "its newest record has number \(life.number), and there were \(heads[life.id] ?? 0)")
            }
        }
        try each(read.answers) { try addAnswer($0, &lives, settings.answers, now) }
        for life in lives.values { index.put(life) }
        if case .all = scope { try each(TokenEntry.selection()) { tokens.append(try TokenEntry($0)) } }
    }

    private mutating func addSnapshot(_ row: DatabaseRow, _ lives: inout [Int: LifeIndex.Life]) throws {
        let life = try row.key(0, "a row of snapshots")
        let number = try row.key(1, "a row of snapshots")
        let place = "the snapshot of life \(life) after record \(number)"
        guard lives[life] != nil, !row.isNull(4) else { return }
        let (chunks, bytes) = (try row.key(2, place), try row.key(3, place))
        let sum = RowChecksum.snapshot(life: life, number: number, chunks: chunks, bytes: bytes)
        guard try row.integer(4, place) == sum else {
            throw RowChecksum.rows.fault(place, director: lives[life]?.director)
        }
        lives[life]?.snapshot = LifeIndex.Snapshot(number: number, bytes: bytes)
        lives[life]?.number = number
        upkeep.add(.snapshots(life: life, through: number - 1))
    }

    private mutating func addLog(_ row: DatabaseRow, _ lives: inout [Int: LifeIndex.Life]) throws {
        let life = try row.key(0, "a row of records")
        guard let found = lives[life] else { return }
        let (first, count) = (try row.key(1, "life \(life)"), try row.key(2, "life \(life)"))
        // Counted from the snapshot on: numbers are unique, so that a gap is missed by the count of those behind it.
        lives[life]?.number = found.number + (try row.key(4, "life \(life)"))
        lives[life]?.logBytes = try row.key(3, "life \(life)")
        if let floor = found.snapshot?.number, first <= floor { upkeep.add(.records(life: life, through: floor)) }
        guard first <= found.number + 1, count > 0 else {
            throw JournalDamage(
                director: found.director, place: "the log",
                detail: "record \(first) is its oldest, and number \(found.number + 1) is missing")
        }
    }

    private mutating func addAnswer(
        _ row: DatabaseRow, _ lives: inout [Int: LifeIndex.Life], _ bound: CommitBound, _ now: Int
    ) throws {
        let life = try row.key(0, "a row of answers")
        let answer = try row.key(1, "a row of answers")
        guard lives[life] != nil else { return upkeep.forget([answer], of: life) }
        lives[life]?.answer = answer
        let kept = KeptAnswers.Row(
            id: answer, size: 64 + (try row.key(2, "answer \(answer)")),
            expires: try row.integer(3, "answer \(answer)"))
        guard kept.expires > now else { return upkeep.forget([answer], of: life) }
        let forgotten = lives[life]?.answers.add(kept, bound: bound, now: now) ?? []
        upkeep.forget(forgotten, of: life)
    }
}
