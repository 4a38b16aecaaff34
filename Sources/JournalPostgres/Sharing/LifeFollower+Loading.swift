import DirectorLife
import Foundation
import Journal

// Reading lives as a whole: those that are asked for here, those that this node is to own, and those that it would take over.
extension LifeFollower {
    /// Lives that are read at one moment, where nobody waits for them.
    private static let portion = 8

    /// Loads what this node would take over, a few lives at a time.
    ///
    /// - Parameter limit: Lives that are left when it is over are loaded at the next look: records of others wait meanwhile.
    /// - Returns: Whether nothing is left.
    func loadInheritable(within limit: Duration) throws -> Bool {
        let end = ContinuousClock.now + limit
        var left = directory.inheritable(status.withLock { $0.placement })[...]
        while !left.isEmpty {
            guard .now < end else { return false }
            try load(Array(left.prefix(Self.portion)))
            left = left.dropFirst(Self.portion)
        }
        return true
    }

    /// Has lives leave memory that nobody asks for any more.
    func unloadIdle() {
        guard .now >= nextUnload, let observer else { return }
        nextUnload = .now + sharing.idle
        var count = 0
        for row in directory.idle(status.withLock { $0.placement }) where observer.unload(row.name) {
            directory.unloaded(row.id)
            count += 1
        }
        status.withLock { $0.unloads += count }
    }

    /// Reads lives as a whole, as they are at one moment.
    func load(_ rows: [LifeRow]) throws {
        try readEach(rows, { $0 }, readWhole)
    }

    private func readWhole(_ rows: [LifeRow]) throws {
        guard let observer, let connection else { return }
        let ids = rows.map(\.id)
        try connection.atOneMoment(within: settings.deadline) {
            let recovery = try Recovery(
                of: try read(ids, connection).source, limits: .none, retention: sharing.retention)
            let byName = Dictionary(rows.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            for director in recovery.directors {
                let name = LifeName(director: director.state.director.name, epoch: director.state.director.epoch)
                guard let row = byName[name] else { continue }
                directory.loaded(row, number: director.state.number)
                noteReadable(row.id)
                observer.begin(director)
            }
            status.withLock { $0.loads += recovery.directors.count }
        }
    }

    /// Reads where lives stand, and makes what reads the rest of them, at the moment of ``Connection/atOneMoment(within:_:)``.
    func read(
        _ lives: [Int], _ connection: Connection
    ) throws -> (rows: LoadedRows, source: StoredLives<StreamReader>) {
        let now = journal.clock()
        let rows = try LoadedRows(connection, settings, .lives(lives), now: now)
        let source = StoredLives(
            index: rows.index, scope: .lives(lives), now: now, bytesOnDisk: 0,
            reader: StreamReader(connection, settings), readingAnswer: leavingOutDamage)
        return (rows, source)
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
