import DirectorLife
import Directors
import Journal
import JournalTesting
import TestSupport
import Testing

@testable import JournalPostgres

/// What is copied from another journal.
@Suite(.serialized)
struct MigrationTests {
    @Test(
        "directors, the versions to resume from, answers, deliveries and tokens come back from the database",
        arguments: [false, true])
    func everything(withSnapshot: Bool) async throws {
        let source = RecoverableMemoryJournal()
        defer { source.close() }
        let seed = SeededGenerator.seedOfRun("migrations")
        var life = RandomLife("one", epoch: "e", seed: seed)
        try await source.append(life.begin())
        for step in 0..<60 {
            try await source.append(life.step())
            if withSnapshot, step == 40 { await source.storeSnapshot(life.state) }
        }
        let answer = StoredAnswer(key: "k", fingerprint: .max, body: [1], expires: .max)
        try await source.append(.begin("two", answer: answer))
        try await source.deliveries.write([.put(.sample(7, director: "two"))])
        try await source.tokens.write([.put(.sample(1))])

        let database = try PostgresServer.shared.get().makeDatabase()
        let report = try Migration(of: source, to: database.address, settings: .quick).report
        #expect(report.directors == 2 && report.deliveries == 1 && report.tokens == 1)
        let journal = try database.open()
        defer { journal.close() }
        let recovery = try Recovery(of: journal, limits: DirectorLimits(), retention: life.retention)
        #expect(recovery.directors.map(\.state.director.name) == ["one", "two"])
        #expect(recovery.directors.first?.differences(from: life) == [], "seed \(seed)")
        #expect(try journal.answers(of: "two") == [answer])
        #expect(try journal.deliveries.deliveries() == [.sample(7, director: "two")])
        #expect(try journal.tokens.tokens() == [.sample(1)])
        // It goes on from there.
        try await journal.append(life.step())
    }

    @Test("a database that holds something is refused and left alone")
    func occupied() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let journal = try database.open()
        try await journal.append(.begin())
        journal.close()
        let source = RecoverableMemoryJournal()
        try await source.append(.begin("other"))
        let refusal = #expect(throws: JournalError.self) {
            _ = try Migration(of: source, to: database.address, settings: .quick)
        }
        #expect(refusal?.description.contains("holds something already") == true)
        #expect(try database.integer("SELECT count(*) FROM callboard.lives") == 1)
    }
}
