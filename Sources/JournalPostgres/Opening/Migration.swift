import Access
import DirectorLife
import Directors
import Journal
import Notation

/// Copies what another journal holds into a database that holds nothing.
///
/// Lives keep their epochs, records and snapshots, so that streams resume and repeated requests get their answers.
/// The lives themselves come last, in one transaction with deliveries and tokens: a copy that was broken off has no life,
/// and rows without one are ignored.
package struct Migration {
    /// What was copied.
    package struct Report: Sendable, Hashable {
        /// Directors.
        package var directors = 0
        /// Records that no snapshot stands for.
        package var records = 0
        /// Notifications.
        package var deliveries = 0
        /// Static tokens.
        package var tokens = 0
    }

    /// What was copied.
    package private(set) var report = Report()
    private let connection: Connection
    private let settings: PostgresSettings
    private var fence: NodeFence
    private var index = LifeIndex()

    /// Copies a journal to which nothing is appended meanwhile.
    ///
    /// - Throws: `JournalError.refused(_:)` where the database holds something, else what cannot be read or written;
    ///   then the database has no more directors than before.
    package init(
        of source: some RecoverableJournal, to address: DatabaseAddress, settings: PostgresSettings = PostgresSettings()
    ) throws(JournalError) {
        do {
            var patient = settings
            // Nobody renews it: it is given back at the end, and runs out soon where the copy is broken off. A server
            // that is started later fences the copy off.
            patient.lease = .seconds(120)
            let opening = try Opening(address, patient, StoreClock.now)
            (connection, self.settings, fence) = (opening.connection, settings, opening.fence)
            defer { Opening.giveBack(opening.fence, opening.connection, settings) }
            let deliveries = try connection.run([Self.anyDelivery()], within: settings.deadline)[0]
            guard opening.loaded.index.lives.isEmpty, opening.loaded.tokens.isEmpty, deliveries.count == 0 else {
                throw JournalError.refused("the database holds something already; name an empty one")
            }
            try copyContent(of: source)
            try finish(source)
        } catch {
            throw JournalError(error)
        }
    }

    private static let anyDelivery = Statement("any-delivery", "SELECT delivery FROM callboard.deliveries LIMIT 1")
    private static let records = Statement(
        "copy-records", [.int8s, .int8s, .int8s, .byteStrings, .int8s],
        """
        INSERT INTO callboard.records (life, number, term, unit, step, payload, checksum)
        SELECT life, number, 1, 0, step, payload, checksum
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bytea[], $5::bigint[])
        AS given (life, number, step, payload, checksum)
        """)
    private static let chunk = Statement(
        "copy-chunk", [.int8, .int8, .int8, .bytes, .int8],
        "INSERT INTO callboard.chunks VALUES ($1, $2, $3, $4, $5)")
    private static let snapshot = Statement(
        "copy-snapshot", [.int8, .int8, .int8, .int8, .int8],
        "INSERT INTO callboard.snapshots VALUES ($1, $2, $3, $4, $5)")
    private static let answers = Statement(
        "copy-answers", [.int8s, .int8s, .texts, .int8s, .byteStrings, .int8s, .int8s],
        """
        INSERT INTO callboard.answers
        SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::bytea[], $6::bigint[], $7::bigint[])
        """)
    private static let lives = Statement(
        "copy-lives", [.int8, .int8, .int8, .int8s, .texts, .texts, .int8s, .int8s],
        """
        INSERT INTO callboard.lives (life, director, epoch, owner, term, head, ended, checksum)
        SELECT life, director, epoch, $1, 1, head, false, checksum
        FROM unnest($4::bigint[], $5::text[], $6::text[], $7::bigint[], $8::bigint[])
        AS given (life, director, epoch, head, checksum)
        WHERE \(Statements.condition)
        """)

    private func run(_ call: StatementCall) throws {
        _ = try connection.run([call], within: settings.deadline)
    }

    private mutating func copyContent(of source: some RecoverableJournal) throws {
        var numbers = LifeNumbers()
        for stored in try source.lives() {
            if numbers.isEmpty {
                let row = try connection.run([Statements.takeNumbers()], within: settings.deadline)[0].first
                numbers.refill(from: try row?.integer(0, "the sequence of lives") ?? 0)
            }
            guard let id = numbers.take() else { continue }
            var life = LifeIndex.Life(id: id, director: stored.director, epoch: stored.epoch, number: stored.number)
            if let number = stored.snapshot {
                life.snapshot = LifeIndex.Snapshot(number: number, bytes: 0)
                try copySnapshot(of: life, number, source)
            }
            try copyAnswers(of: life, source)
            index.put(life)
        }
        let lives = index.lives
        var count = 0
        try source.readRecords { records in
            let needed = records.filter { record in
                lives[record.director].map { $0.epoch == record.epoch && record.number > $0.snapshot?.number ?? 0 }
                    ?? false
            }
            try copy(needed, lives)
            count += needed.count
        }
        report.records = count
        report.directors = lives.count
    }

    private func copy(_ records: [StoredRecord], _ lives: [Name: LifeIndex.Life]) throws {
        guard !records.isEmpty else { return }
        let ids = records.map { lives[$0.director]?.id ?? 0 }
        var parameters = Parameters()
        parameters.add(ids)
        parameters.add(records.map(\.number))
        parameters.add(records.map(\.step.rawValue))
        parameters.add(records.map(\.payload))
        parameters.add(
            zip(ids, records).map {
                RowChecksum.record(life: $0, number: $1.number, step: $1.step.rawValue, payload: $1.payload)
            })
        try run(Self.records(parameters))
    }

    private func copySnapshot(of life: LifeIndex.Life, _ number: Int, _ source: some RecoverableJournal) throws {
        _ = try source.readSnapshot(of: life.director) { _, next in
            var (chunks, bytes) = (0, 0)
            while let payload = try next() {
                var parameters = Parameters(life.id, number, chunks)
                parameters.add(payload)
                parameters.add(RowChecksum.chunk(life: life.id, number: number, chunk: chunks, payload: payload))
                try run(Self.chunk(parameters))
                chunks += 1
                bytes += payload.count
            }
            let sum = RowChecksum.snapshot(life: life.id, number: number, chunks: chunks, bytes: bytes)
            try run(Self.snapshot(Parameters(life.id, number, chunks, bytes, sum)))
        }
    }

    private func copyAnswers(of life: LifeIndex.Life, _ source: some RecoverableJournal) throws {
        let rows = try source.answers(of: life.director).enumerated().map { StoredAnswerRow(id: $0 + 1, answer: $1) }
        guard !rows.isEmpty else { return }
        var parameters = Parameters()
        parameters.add(rows.map { _ in life.id })
        parameters.add(rows.map(\.id))
        parameters.add(rows.map(\.answer.key))
        parameters.add(rows.map { Int(truncatingIfNeeded: $0.answer.fingerprint) })
        parameters.add(rows.map(\.answer.body))
        parameters.add(rows.map(\.answer.expires))
        parameters.add(rows.map { RowChecksum.answer(life: life.id, $0) })
        try run(Self.answers(parameters))
    }

    /// Stores deliveries, tokens and lives in one transaction.
    private mutating func finish(_ source: some RecoverableJournal) throws {
        let deliveries = try source.deliveries.deliveries()
        let tokens = try source.tokens.tokens()
        var plan = BatchPlan(
            tokens: TokenChanges(), numbers: LifeNumbers(), clock: 0, bound: CommitBound(count: 0, bytes: 0))
        _ = plan.add(.deliveries(deliveries.map { .put($0) }), index)
        _ = plan.add(.tokens(tokens.map { .put($0) }), index)
        fence.unit += 1
        let all = index.lives.values.sorted { $0.id < $1.id }
        var parameters = fence.parameters
        parameters.add(all.map(\.id))
        parameters.add(all.map(\.director))
        parameters.add(all.map(\.epoch))
        parameters.add(all.map(\.number))
        parameters.add(all.map { RowChecksum.life($0.id, director: $0.director, epoch: $0.epoch) })
        let calls =
            [Statements.fence(fence.parameters)] + plan.calls(fence, index, isFenced: true)
            + [Self.lives(parameters)]
        let results = try connection.run(calls, within: settings.deadline)
        guard results[0].count > 0 else {
            throw JournalError.refused("a server was started on the database meanwhile; stop it, and copy again")
        }
        (report.deliveries, report.tokens) = (deliveries.count, tokens.count)
    }
}
