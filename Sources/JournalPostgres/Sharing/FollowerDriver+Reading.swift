import Access
import DirectorLife
import Directors
import Foundation
import Journal
import Notation

// Reading records, lives as a whole, what an owner begins with, and tokens.
extension FollowerDriver {
    /// Reads records of lives behind a number of each, and gives them to the observer.
    mutating func fetch(_ fetches: [FollowerMachine.Fetch]) throws {
        let sorted = fetches.sorted { $0.row.id < $1.row.id }
        let lives = Dictionary(sorted.map { ($0.row.name, $0.row.id) }, uniquingKeysWith: { first, _ in first })
        var gathered: [StoredRecord] = []
        var bytes = 0
        func give() throws {
            guard let first = gathered.first, let last = gathered.last else { return }
            let name = LifeName(director: first.director, epoch: first.epoch)
            defer { (gathered, bytes) = ([], 0) }
            guard let id = lives[name], machine.isNext(first.number, of: id) else { return }
            observer.follow(try LifeRecord.decode(gathered), of: name)
            machine.performed(id, through: last.number)
        }
        let places = sorted.map { (life: $0.row.id, number: $0.after) }
        try open().stream(StoredRecord.selection(behind: places), within: settings.deadline) { row in
            let record = try StoredRecord(row)
            if let first = gathered.first, !first.director.isVerbatim(record.director) || first.epoch != record.epoch {
                try give()
            }
            gathered.append(record)
            bytes += record.payload.count
            if bytes > 4 << 20 { try give() }
        }
        try give()
    }

    /// Reads lives as a whole, as they are at one moment.
    mutating func load(_ rows: [LifeRow]) throws {
        let connection = try open()
        try connection.atOneMoment(within: settings.deadline) {
            let recovery = try Recovery(
                of: try read(rows.map(\.id), connection).source, limits: .none, retention: sharing.retention)
            let byName = Dictionary(rows.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            for director in recovery.directors {
                let name = LifeName(director: director.state.director.name, epoch: director.state.director.epoch)
                guard let row = byName[name] else { continue }
                machine.loaded(row, number: director.state.number)
                observer.begin(director)
            }
        }
    }

    /// Makes this node the writer of lives that are its own by the journal, and of which it has every record.
    mutating func adopt(_ ids: [Int]) throws {
        let connection = try open()
        let firstDelivery = try takeDeliveryBlock()
        try connection.atOneMoment(within: settings.deadline) {
            let (loaded, source) = try read(ids, connection)
            let deliveries = try deliveries(of: ids, connection)
            for life in loaded.index.lives.values {
                guard machine.mayAdopt(life.id, owner: loaded.owners[life.id], number: life.number) else { continue }
                let inheritance = Inheritance(
                    answers: try source.answers(of: life.director),
                    deliveries: (deliveries[life.director] ?? []).filter { $0.address.epoch == life.epoch },
                    firstDelivery: firstDelivery, ownership: life.term)
                machine.adopted(life.id)
                journal.own(life, loaded.upkeep)
                observer.own(life.name, inheritance)
            }
        }
    }

    private func deliveries(of lives: [Int], _ connection: Connection) throws -> [Name: [Delivery]] {
        var deliveries: [Name: [Delivery]] = [:]
        try connection.stream(Delivery.selection(of: lives), within: settings.deadline) { row in
            try leavingOutDamage {
                let delivery = journal.here(try Delivery(row))
                deliveries[delivery.address.director, default: []].append(delivery)
            }
        }
        return deliveries
    }

    /// Reads where lives stand, and makes what reads the rest of them, at the moment of ``Connection/atOneMoment(within:_:)``.
    private func read(
        _ lives: [Int], _ connection: Connection
    ) throws -> (rows: LoadedRows, source: StoredLives<StreamReader>) {
        let now = journal.clock()
        let rows = try LoadedRows(connection, settings, .lives(lives), now: now)
        let source = StoredLives(
            index: rows.index, scope: .lives(lives), now: now, bytesOnDisk: 0,
            reader: StreamReader(connection, settings), readingAnswer: leavingOutDamage)
        return (rows, source)
    }

    func readTokens() throws {
        var entries: [TokenEntry] = []
        try open().stream(TokenEntry.selection(), within: settings.deadline) { row in
            try leavingOutDamage { entries.append(try TokenEntry(row)) }
        }
        journal.change(.tokens(entries))
        observer.replaceTokens(entries)
    }

    /// Reads a row that stands for itself. A damaged row is left out and told: one token, notification or kept answer
    /// does not hold up the lists.
    private func leavingOutDamage(_ read: () throws -> Void) throws {
        do {
            try read()
        } catch let damage as JournalDamage {
            observer.leftOut(damage)
        }
    }
}

/// Reads with the follower's connection.
final class StreamReader: RowReader {
    private let connection: Connection
    private let settings: PostgresSettings

    init(_ connection: Connection, _ settings: PostgresSettings) {
        self.connection = connection
        self.settings = settings
    }

    func read(_ call: StatementCall, _ take: (DatabaseRow) throws -> Void) throws(JournalError) {
        do {
            try connection.stream(call, within: settings.deadline, take)
        } catch {
            throw JournalError(error)
        }
    }
}

extension Connection {
    private static let begin = Statement("begin-reading", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    private static let end = Statement("end-reading", "COMMIT")

    /// Runs reading statements that all see the database at one moment.
    func atOneMoment(within deadline: Duration, _ body: () throws -> Void) throws {
        _ = try run([Self.begin()], within: deadline)
        try body()
        _ = try run([Self.end()], within: deadline)
    }
}
