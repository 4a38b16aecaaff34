import DirectorLife
import Directors
import Foundation
import Journal
import JournalTesting
import TestSupport
import Testing

@testable import JournalPostgres

/// A database is verified while a server may run on it.
@Suite(.serialized)
struct DatabaseCheckTests {
    /// A database with a row in every table, and its server.
    private func filled() async throws -> (TestDatabase, PostgresJournal) {
        let database = try PostgresServer.shared.get().makeDatabase()
        var settings = PostgresSettings.quick
        settings.snapshotThreshold = 1
        let journal = try database.open(settings)
        var life = RandomLife("one", epoch: "e1", seed: SeededGenerator.seedOfRun("database check"))
        let answer = StoredAnswer(key: "k", fingerprint: 1, body: [1], expires: .max)
        try await journal.append(life.begin())
        for _ in 0..<20 { try await journal.append(life.step()) }
        try await journal.append(.begin("two", answer: answer))
        let state = try Recovery(of: journal, limits: DirectorLimits(), retention: life.retention).directors[0].state
        await withCheckedContinuation { done in journal.snapshot(state) { done.resume() } }
        for _ in 0..<20 { try await journal.append(life.step()) }
        try await journal.deliveries.write([.put(.sample(1))])
        try await journal.tokens.write([.put(.sample(1)), .put(.sample(2))])
        return (database, journal)
    }

    @Test("a whole database is whole, with a server on it and without")
    func whole() async throws {
        let (database, journal) = try await filled()
        for _ in 0..<2 {
            let check = try JournalCheck(of: try database.address)
            #expect(check.problems == [] && check.tokens == 2 && check.setAside == [])
            #expect(check.report?.directors == 2 && check.report?.snapshots == 1)
            journal.close()
        }
        #expect(try database.integer("SELECT count(*) FROM callboard.nodes") == 0)
    }

    @Test(
        "damage of each table is named",
        arguments: [
            ("UPDATE callboard.lives SET epoch = 'e9' WHERE director = 'one'", "life "),
            ("UPDATE callboard.records SET payload = payload || '\\x00' WHERE number = 30", "record 30"),
            ("UPDATE callboard.records SET step = 77 WHERE number = 30", "record 30"),
            ("DELETE FROM callboard.records WHERE number = 30", "the log"),
            ("DELETE FROM callboard.records WHERE number = (SELECT max(number) FROM callboard.records)", "the log"),
            ("UPDATE callboard.snapshots SET bytes = bytes + 1", "the snapshot of life"),
            ("UPDATE callboard.chunks SET payload = payload || '\\x00'", "chunk 0 of the snapshot"),
            ("DELETE FROM callboard.chunks", "the snapshot of life"),
            ("UPDATE callboard.answers SET fingerprint = 2 WHERE key = 'k'", "answer "),
            ("UPDATE callboard.deliveries SET attempts = 9", "delivery 1"),
            ("UPDATE callboard.deliveries SET attempts = -1", "delivery 1"),
            ("UPDATE callboard.tokens SET name = 'x' WHERE id = 'tok_1'", "token tok_1"),
        ])
    func damaged(_ damage: (sql: String, place: String)) async throws {
        let (database, journal) = try await filled()
        journal.close()
        try database.execute(damage.sql)
        let check = try JournalCheck(of: try database.address)
        #expect(check.problems.count == 1 && check.report == nil)
        #expect(check.problems.first?.place.contains(damage.place) == true, "\(check.problems)")
    }

    @Test("rows that were set aside are told, and are no damage")
    func setAside() async throws {
        let (database, journal) = try await filled()
        journal.close()
        try database.execute("UPDATE callboard.tokens SET name = 'x' WHERE id = 'tok_1'")
        var settings = PostgresSettings.quick
        settings.setsAside = true
        try database.open(settings).close()
        let check = try JournalCheck(of: try database.address)
        #expect(check.problems == [] && check.setAside.map(\.place) == ["token tok_1"])
    }

    @Test("a database without a journal, and one of a newer version, are refused")
    func refused() throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let none = #expect(throws: JournalError.self) { _ = try JournalCheck(of: try database.address) }
        #expect(none == .refused("there is no journal in the database"))
        try database.open().close()
        try database.execute("UPDATE callboard.version SET version = 99")
        let newer = #expect(throws: JournalError.self) { _ = try JournalCheck(of: try database.address) }
        #expect(newer?.description.contains("schema version 99") == true)
    }
}
