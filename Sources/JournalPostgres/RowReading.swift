import Access
import DirectorLife
import Directors
import Journal

extension StoredRecord {
    private static let columns = """
        SELECT life, number, step, payload, records.checksum, director, epoch
        FROM callboard.records JOIN callboard.lives USING (life)
        """
    private static let all = Statement("read-records", "\(columns) WHERE NOT ended ORDER BY life, number")
    private static let some = Statement(
        "read-some-records", [.int8s], "\(columns) WHERE NOT ended AND life = ANY ($1) ORDER BY life, number")
    private static let behind = Statement(
        "read-records-behind", [.int8s, .int8s],
        """
        \(columns) JOIN unnest($1::bigint[], $2::bigint[]) AS given (life, after) USING (life)
        WHERE number > after ORDER BY life, number
        """)

    /// Reads the records of lives that go on, in order, for ``init(_:)``.
    static func selection(_ scope: LoadedRows.Scope) -> StatementCall {
        switch scope {
        case .all: return all()
        case .lives(let lives): return some(lives)
        }
    }

    /// Reads the records of lives behind a number of each, in order; those of a life that has ended, too.
    static func selection(behind places: [(life: Int, number: Int)]) -> StatementCall {
        var parameters = Parameters()
        parameters.add(places.map(\.life))
        parameters.add(places.map(\.number))
        return behind(parameters)
    }

    /// Reads and checks a row of `records` with its life.
    init(_ row: DatabaseRow) throws {
        let (life, number) = (try row.key(0, "a row of records"), try row.key(1, "a row of records"))
        let place = "record \(number)"
        let director = try row.text(5, place)
        let code = try row.integer(2, place)
        let payload = try row.bytes(3, place)
        let sum = RowChecksum.record(life: life, number: number, step: code, payload: payload)
        guard try row.integer(4, place) == sum, let step = RecordStep(rawValue: code) else {
            throw RowChecksum.rows.fault(place, director: director)
        }
        self.init(
            director: director, epoch: try row.text(6, place), number: number, step: step, payload: payload,
            position: place)
    }
}

extension StoredAnswer {
    /// Reads the answers of a life from one on, for ``init(_:of:director:)``.
    static let selection = Statement(
        "read-answers", [.int8, .int8],
        """
        SELECT answer, key, fingerprint, body, expires, checksum FROM callboard.answers
        WHERE life = $1 AND answer >= $2 ORDER BY answer
        """)

    /// Reads the answers of all lives, for ``init(ofAll:)``.
    static let all = Statement(
        "read-all-answers",
        "SELECT answer, key, fingerprint, body, expires, checksum, life FROM callboard.answers ORDER BY life, answer")

    /// Reads and checks a row of `answers` with its life.
    init(ofAll row: DatabaseRow) throws {
        try self.init(row, of: try row.integer(6, "a row of answers"), director: "")
    }

    /// Reads and checks a row of `answers`.
    init(_ row: DatabaseRow, of life: Int, director: String) throws {
        let id = try row.key(0, "a row of answers")
        let place = "answer \(id)"
        self.init(
            key: try row.text(1, place), fingerprint: UInt64(bitPattern: Int64(try row.integer(2, place))),
            body: try row.bytes(3, place), expires: try row.integer(4, place))
        let sum = RowChecksum.answer(life: life, StoredAnswerRow(id: id, answer: self))
        guard try row.integer(5, place) == sum else { throw RowChecksum.rows.fault(place, director: director) }
    }
}

extension Delivery {
    /// Reads all rows of `deliveries`, for ``init(_:)``.
    static let selection = Statement(
        "read-deliveries",
        """
        SELECT delivery, id, hook, created, state, attempts, next_attempt, last_attempt, last_error, body, checksum
        FROM callboard.deliveries ORDER BY delivery
        """)

    /// Reads the rows of some lives, for ``init(_:)``.
    static func selection(of lives: [Int]) -> StatementCall {
        ofLives(lives)
    }

    private static let ofLives = Statement(
        "read-some-deliveries", [.int8s],
        """
        SELECT delivery, id, hook, created, state, attempts, next_attempt, last_attempt, last_error, body, checksum
        FROM callboard.deliveries WHERE life = ANY ($1) ORDER BY delivery
        """)

    /// Reads and checks a row of `deliveries`.
    init(_ row: DatabaseRow) throws {
        let sequence = try row.key(0, "a row of deliveries")
        let place = "delivery \(sequence)"
        guard let address = HookAddress(try row.text(2, place)),
            let state = State(rawValue: try row.integer(4, place))
        else {
            throw JournalDamage(director: nil, place: place, detail: "its hook or its state cannot be read")
        }
        self.init(
            sequence: sequence, id: try row.text(1, place), address: address,
            created: WallTime(milliseconds: try row.time(3, perSecond: 1000, place)), body: try row.bytes(9, place),
            nextAttempt: WallTime(milliseconds: try row.time(6, perSecond: 1000, place)))
        self.state = state
        attempts = try row.key(5, place)
        if !row.isNull(7) { lastAttempt = WallTime(milliseconds: try row.time(7, perSecond: 1000, place)) }
        if !row.isNull(8) { lastError = try row.text(8, place) }
        guard try row.integer(10, place) == RowChecksum.rows.delivery(self) else {
            throw RowChecksum.rows.fault(place, director: address.director)
        }
    }
}

extension TokenEntry {
    /// Reads all rows of `tokens`, for ``init(_:)``.
    static let selection = Statement(
        "read-tokens",
        """
        SELECT id, name, digest, grants, created, expires, last_used, checksum FROM callboard.tokens
        ORDER BY created, id COLLATE "C"
        """)

    /// Reads and checks a row of `tokens`.
    init(_ row: DatabaseRow) throws {
        let id = try row.text(0, "a row of tokens")
        let place = "token \(id)"
        let stored = try row.text(3, place)
        guard let digest = TokenDigest(bytes: try row.bytes(2, place)), let grants = GrantCoding.decode(stored) else {
            throw JournalDamage(director: nil, place: place, detail: "its digest or its grants cannot be read")
        }
        self.init(
            id: id, name: try row.text(1, place), digest: digest, grants: grants,
            createdAt: try row.time(4, perSecond: 1, place),
            expiresAt: row.isNull(5) ? nil : try row.time(5, perSecond: 1, place),
            lastUsedAt: row.isNull(6) ? nil : try row.time(6, perSecond: 1, place))
        guard try row.integer(7, place) == RowChecksum.rows.token(self, grants: stored) else {
            throw RowChecksum.rows.fault(place)
        }
    }
}
