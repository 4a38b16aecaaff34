import DirectorLife
import Directors
import Journal
import JournalTesting
import TestSupport
import Testing

@testable import JournalPostgres

/// What a start finds, and what it refuses.
@Suite(.serialized)
struct OpeningTests {
    private func error(opening url: String) -> JournalError? {
        var settings = PostgresSettings.quick
        settings.connectDeadline = .seconds(2)
        return #expect(throws: JournalError.self) {
            _ = try PostgresJournal(DatabaseAddress(url), settings: settings)
        }
    }

    @Test("a newer schema is refused and left alone")
    func newerSchema() throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        try database.open().close()
        try database.execute("UPDATE callboard.version SET version = 99")
        let refusal = #expect(throws: JournalError.self) { _ = try database.open() }
        #expect(refusal?.description.contains("schema version 99 and this program knows up to 3") == true)
        #expect(try database.integer("SELECT version FROM callboard.version") == 99)
    }

    @Test(
        "a wrong password, a database that is not there and a server that is not are told apart, without the password")
    func unreachable() throws {
        let server = try PostgresServer.shared.get()
        let database = try server.makeDatabase()
        try database.execute("CREATE ROLE locked LOGIN PASSWORD 'right'")
        defer { try? database.execute("DROP ROLE locked") }
        let wrong = error(opening: server.url(database.name, user: "locked", password: "wr0ng"))?.description
        #expect(wrong?.contains("password authentication failed") == true && wrong?.contains("wr0ng") == false)
        #expect(error(opening: server.url("nowhere"))?.description.contains("\"nowhere\" does not exist") == true)
        let nobody = error(opening: "postgresql://owner:wr0ng@127.0.0.1:1/x")?.description
        #expect(nobody?.contains("cannot be reached") == true && nobody?.contains("wr0ng") == false)
        #expect(try DatabaseAddress("postgresql://a:secret@h1,h2:5/d").description == "postgresql://a@h1,h2:5/d")
        for text in ["x", "http://h/d", "postgresql://a:secret@[h/d"] {
            let refusal = #expect(throws: JournalError.self) { _ = try DatabaseAddress(text) }
            #expect(refusal?.description.contains("secret") == false)
        }
    }

    @Test("a role that may not make the tables is told what it takes, and what it takes is enough")
    func rights() async throws {
        let server = try PostgresServer.shared.get()
        let database = try server.makeDatabase()
        try database.execute("CREATE ROLE plain LOGIN")
        defer {
            try? database.execute("DROP OWNED BY plain")
            try? database.execute("DROP ROLE plain")
        }
        let address = try DatabaseAddress(server.url(database.name, user: "plain"))
        let refusal = #expect(throws: JournalError.self) { _ = try PostgresJournal(address, settings: .quick) }
        #expect(refusal?.description.contains("GRANT CREATE ON DATABASE") == true)
        try database.open().close()
        let half = #expect(throws: JournalError.self) { _ = try PostgresJournal(address, settings: .quick) }
        #expect(half?.description.contains("permission denied") == true)
        for grant in [
            "USAGE ON SCHEMA callboard", "SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA callboard",
            "USAGE ON ALL SEQUENCES IN SCHEMA callboard",
        ] {
            try database.execute("GRANT \(grant) TO plain")
        }
        let journal = try PostgresJournal(address, settings: .quick)
        defer { journal.close() }
        try await journal.append(.begin())
    }

    @Test("a database without synchronous standbys is warned of, or refused where one is required")
    func standbys() throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let journal = try database.open()
        #expect(journal.warnings.contains { $0.contains("synchronous_standby_names") })
        journal.close()
        var settings = PostgresSettings.quick
        settings.requiresSynchronousStandby = true
        let refusal = #expect(throws: JournalError.self) { _ = try database.open(settings) }
        #expect(refusal?.description.contains("synchronous_standby_names") == true)
    }

    @Test(
        "a row that was changed is damage with its place",
        arguments: [
            ("UPDATE callboard.records SET payload = '\\x00' WHERE number = 2", "record 2"),
            ("DELETE FROM callboard.records WHERE number = 2", "the log"),
            ("UPDATE callboard.lives SET epoch = 'e9'", "life 1"),
        ])
    func damage(_ sql: String, _ place: String) async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let journal = try database.open()
        try await journal.append(.begin())
        for number in 2...3 { try await journal.append(.text("x", number: number)) }
        journal.close()
        try database.execute(sql)
        let error = #expect(throws: JournalError.self) {
            let journal = try database.open()
            defer { journal.close() }
            try journal.readRecords { _ in }
        }
        guard case .damaged(let damage)? = error else {
            throw ConditionNeverHeld(what: "damage, not \(String(describing: error))")
        }
        #expect(damage.place == place)
    }
}
