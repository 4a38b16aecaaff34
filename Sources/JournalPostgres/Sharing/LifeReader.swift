import DirectorLife
import Directors
import Journal
import Notation

/// Reads what a node's jobs are about, with a lane's connection; on the lane's thread.
struct LifeReader {
    let journal: PostgresJournal
    let lane: DatabaseLane

    /// The results of a job, for the following thread.
    enum Result: Sendable {
        case taken(Set<Int>)
        /// Lives as they are at one moment, each with the row that they were read for.
        case lives([(row: LifeRow, director: RecoveredDirector)])
        /// The data that owners begin with, and the rows that stand for themselves and are damaged.
        case ownership([Ownership], leftOut: [JournalDamage])
    }

    /// The data that an owner of a life begins with.
    struct Ownership: Sendable {
        let life: LifeIndex.Life
        /// The owner at the moment at which it was read.
        let owner: Int?
        let upkeep: Upkeep
        let inheritance: Inheritance
    }

    private var settings: PostgresSettings { journal.settings }

    /// Does a job; see ``FollowerMachine/Job``.
    func perform(_ job: FollowerMachine.Job, of node: Int, _ sharing: SharingSettings) throws -> Result {
        try lane.use { connection in
            switch job {
            case .take(let rows, let leases): .taken(try take(rows, leases, node, sharing, connection))
            case .load(let rows): .lives(try load(rows, sharing, connection))
            case .adopt(let rows): try adopt(rows.map(\.id), connection)
            }
        }
    }

    // MARK: Taking

    private enum Take {
        /// Takes lives from nodes that have ended, or whose leases have run out, unless they have renewed them since.
        ///
        /// The row's lock waits for what the earlier owner has sent, and the term fences off what it sends later.
        static let take = Statement(
            "take-orphans", [.int8, .int8s, .int8s, .int8s],
            """
            UPDATE callboard.lives SET owner = $1, term = lives.term + 1
            FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS given (life, term, lease)
            WHERE lives.life = given.life AND lives.term = given.term AND NOT ended AND NOT EXISTS (
                SELECT FROM callboard.nodes
                WHERE node = lives.owner AND (extract(epoch FROM expires) * 1000000)::bigint <> given.lease)
            RETURNING lives.life
            """)
    }

    /// Takes lives from nodes that are gone, whose transactions are ended first: they may hold the rows.
    private func take(
        _ rows: [LifeRow], _ leases: [Int: Int], _ node: Int, _ sharing: SharingSettings, _ connection: Connection
    ) throws -> Set<Int> {
        try NodeConnections.end(of: Set(rows.map(\.owner)), by: connection, within: sharing.lookDeadline)
        var parameters = Parameters(node)
        parameters.add(rows.map(\.id))
        parameters.add(rows.map(\.term))
        parameters.add(rows.map { leases[$0.owner] ?? 0 })
        do {
            let calls = [Statements.boundWaiting(), Take.take(parameters)]
            let taken = try connection.run(calls, within: sharing.lookDeadline)[1].rows
            return Set(try taken.map { try $0.integer(0, "a row of lives") })
        } catch let fault as DatabaseFault where fault.isConflict {
            // The next look tries again.
            return []
        }
    }

    // MARK: Reading

    /// Reads lives as a whole, as they are at one moment.
    private func load(
        _ rows: [LifeRow], _ sharing: SharingSettings, _ connection: Connection
    ) throws -> [(row: LifeRow, director: RecoveredDirector)] {
        try connection.atOneMoment(within: settings.deadline) {
            let (_, source) = try read(rows.map(\.id), connection, LeftOut())
            let recovery = try Recovery(of: source, limits: .none, retention: sharing.retention)
            let byName = Dictionary(rows.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            return recovery.directors.compactMap { director in
                let name = LifeName(director: director.state.director.name, epoch: director.state.director.epoch)
                return byName[name].map { ($0, director) }
            }
        }
    }

    /// Reads what an owner of lives begins with, as it is at one moment.
    private func adopt(_ ids: [Int], _ connection: Connection) throws -> Result {
        let firstDelivery = try Self.takeDeliveryBlock(connection, within: settings.deadline)
        let leftOut = LeftOut()
        let found = try connection.atOneMoment(within: settings.deadline) {
            let (rows, source) = try read(ids, connection, leftOut)
            let deliveries = try deliveries(of: ids, connection, leftOut)
            return try rows.index.lives.values.sorted { $0.id < $1.id }.map { life in
                let inheritance = Inheritance(
                    answers: try source.answers(of: life.director),
                    deliveries: (deliveries[Name(life.director)] ?? []).filter { $0.address.epoch == life.epoch },
                    firstDelivery: firstDelivery, ownership: life.term)
                return Ownership(
                    life: life, owner: rows.owners[life.id], upkeep: rows.upkeep, inheritance: inheritance)
            }
        }
        return .ownership(found, leftOut: leftOut.damages)
    }

    private func deliveries(
        of lives: [Int], _ connection: Connection, _ leftOut: LeftOut
    ) throws -> [Name: [Delivery]] {
        var deliveries: [Name: [Delivery]] = [:]
        try connection.stream(Delivery.selection(of: lives), within: settings.deadline) { row in
            try leftOut.reading {
                let delivery = journal.here(try Delivery(row))
                deliveries[delivery.address.director, default: []].append(delivery)
            }
        }
        return deliveries
    }

    /// Reads where lives stand, and makes what reads the rest of them, at the moment of ``Connection/atOneMoment(within:_:)``.
    private func read(
        _ lives: [Int], _ connection: Connection, _ leftOut: LeftOut
    ) throws -> (rows: LoadedRows, source: StoredLives<StreamReader>) {
        let now = journal.clock()
        let rows = try LoadedRows(connection, settings, .lives(lives), now: now)
        let source = StoredLives(
            index: rows.index, scope: .lives(lives), now: now, bytesOnDisk: 0,
            reader: StreamReader(connection, settings, lane), readingAnswer: leftOut.reading)
        return (rows, source)
    }

    /// The first number of a block for new notifications.
    static func takeDeliveryBlock(_ connection: Connection, within deadline: Duration) throws -> Int {
        let row = try connection.run([deliveryBlock()], within: deadline)[0].first
        return (try row?.integer(0, "the sequence of blocks") ?? 0) * deliveryBlockSize
    }

    /// Numbers for notifications that one block has.
    private static let deliveryBlockSize = 1 << 32
    private static let deliveryBlock = Statement(
        "take-delivery-block", "SELECT nextval('callboard.delivery_blocks')")
}

/// Gathers rows that stand for themselves and are damaged: one token, notification or kept answer does not hold up the lists.
final class LeftOut {
    private(set) var damages: [JournalDamage] = []

    /// Reads one row; a damaged one is left out.
    func reading(_ read: () throws -> Void) throws {
        do {
            try read()
        } catch let damage as JournalDamage {
            damages.append(damage)
        }
    }
}

/// Reads with a lane's connection.
private final class StreamReader: RowReader {
    private let connection: Connection
    private let settings: PostgresSettings
    private let lane: DatabaseLane

    init(_ connection: Connection, _ settings: PostgresSettings, _ lane: DatabaseLane) {
        (self.connection, self.settings, self.lane) = (connection, settings, lane)
    }

    func read(_ call: StatementCall, _ take: (DatabaseRow) throws -> Void) throws(JournalError) {
        do {
            try connection.stream(call, within: settings.deadline) { row in
                try lane.checkStopped()
                try take(row)
            }
        } catch {
            throw JournalError(error)
        }
    }
}

extension Connection {
    private static let begin = Statement("begin-reading", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    private static let end = Statement("end-reading", "COMMIT")

    /// Runs reading statements that all see the database at one moment.
    fileprivate func atOneMoment<Value>(within deadline: Duration, _ body: () throws -> Value) throws -> Value {
        // Nothing may be asked before it; what follows is checked, in the session that has begun the transaction.
        _ = try run([Self.begin()], within: deadline, isChecked: false)
        let value = try body()
        _ = try run([Self.end()], within: deadline)
        return value
    }
}
