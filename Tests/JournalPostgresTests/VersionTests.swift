import DirectorLife
import Directors
import Foundation
import Journal
import JournalTesting
import TestSupport
import Testing

@testable import JournalPostgres

/// Programs of several versions on one database.
@Suite(.serialized)
struct VersionTests {
    /// A database as version 2 has left it, with a director.
    private func earlier() async throws -> TestDatabase {
        let database = try PostgresServer.shared.get().makeDatabase()
        let journal = try database.open()
        try await journal.append(.begin())
        journal.close()
        try database.execute("ALTER TABLE callboard.nodes DROP COLUMN knows, DROP COLUMN program")
        try database.execute("DROP TABLE callboard.changes")
        try database.execute("DROP FUNCTION callboard.note_changes CASCADE")
        try database.execute("ALTER TABLE callboard.version DROP COLUMN tables")
        try database.execute("UPDATE callboard.version SET version = 2")
        return database
    }

    /// Registers a node as a program of version 2 does.
    private func registerEarlier(_ database: TestDatabase, for time: String = "1 hour") throws {
        try database.execute(
            """
            INSERT INTO callboard.nodes (node, name, url, state, fingerprint, expires)
            VALUES (99, 'old', '', 2, '', clock_timestamp() + interval '\(time)')
            """)
    }

    private func versions(_ database: TestDatabase) throws -> [Int] {
        try ["version", "tables"].map { try database.integer("SELECT \($0) FROM callboard.version") }
    }

    @Test("a new database is of the newest version, also where nodes are to share it")
    func new() throws {
        let alone = try PostgresServer.shared.get().makeDatabase()
        try alone.open().close()
        #expect(try versions(alone) == [Schema.version, Schema.version])
        let shared = try PostgresServer.shared.get().makeDatabase()
        try TestNode(shared).journal.close()
        #expect(try versions(shared) == [Schema.version, Schema.version])
        #expect(ContentVersion.views <= Schema.version)
    }

    @Test("a server by itself migrates the tables, and earlier programs are refused from then on")
    func alone() async throws {
        let database = try await earlier()
        let journal = try database.open()
        #expect(try journal.lives().count == 1)
        journal.close()
        #expect(try versions(database) == [Schema.version, Schema.version])
    }

    @Test("a node migrates the tables beside an earlier one, and the version stays until the upgrade ends")
    func besideEarlier() async throws {
        let database = try await earlier()
        try registerEarlier(database)
        let node = try TestNode(database)
        defer { node.journal.close() }
        #expect(try versions(database) == [2, Schema.version])
        #expect(node.journal.sharing?.sharingStatus.version == 2)
        // An earlier program renews its lease, and registers, with the columns that it knows.
        try database.execute(
            "UPDATE callboard.nodes SET expires = clock_timestamp() + interval '1 hour' WHERE node = 99")
        let refusal = #expect(throws: JournalError.self) { _ = try ClusterUpgrade(try database.address) }
        #expect(refusal?.description == "nodes of an earlier version run: \"old\"")
        #expect(try versions(database) == [2, Schema.version])
        try database.execute("DELETE FROM callboard.nodes WHERE node = 99")
        let upgrade = try ClusterUpgrade(try database.address)
        #expect((upgrade.from, upgrade.to) == (2, Schema.version))
        try await eventually("the node has noticed") { node.journal.sharing?.sharingStatus.version == Schema.version }
        let again = try ClusterUpgrade(try database.address)
        #expect((again.from, again.to) == (Schema.version, Schema.version))
    }

    @Test("a role that may use the tables may use those that a migration adds")
    func rights() async throws {
        let database = try await earlier()
        try database.execute("CREATE ROLE modest LOGIN")
        defer {
            try? database.execute("DROP OWNED BY modest")
            try? database.execute("DROP ROLE modest")
        }
        for grant in [
            "USAGE ON SCHEMA callboard", "SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA callboard",
            "USAGE ON ALL SEQUENCES IN SCHEMA callboard",
        ] {
            try database.execute("GRANT \(grant) TO modest")
        }
        let address = try DatabaseAddress(database.server.url(database.name, user: "modest"))
        let refusal = #expect(throws: JournalError.self) { _ = try PostgresJournal(address, settings: .quick) }
        #expect(refusal?.description.contains("start the server once as a role that may") == true)
        try TestNode(database).journal.close()
        let settings = SharingSettings(retention: VersionRetention(count: 100, bytes: 1 << 20), limits: .none)
        var sharing = PostgresSettings.quick
        sharing.sharing = settings
        let journal = try PostgresJournal(address, settings: sharing)
        defer { journal.close() }
        try await journal.append(.begin("two"))
        #expect(try database.integer("SELECT count(*) FROM callboard.changes") > 0)
    }

    @Test("an earlier node whose lease has run out keeps the version while it has a connection")
    func paused() async throws {
        let database = try await earlier()
        try registerEarlier(database, for: "-1 minute")
        try TokenDatabase(try database.address, makes: true).change([])
        let connection = try Connection.open(
            try database.address, within: .seconds(5), session: Statements.session, node: 99)
        #expect(throws: JournalError.self) { _ = try ClusterUpgrade(try database.address) }
        withExtendedLifetime(connection) {}
    }

    @Test("a table that somebody has locked is waited for in short turns, and others are not held up")
    func locked() async throws {
        let database = try await earlier()
        let lock = try OpenTransaction(database, "LOCK TABLE callboard.nodes IN ACCESS SHARE MODE")
        let opening = Task.detached { try database.open() }
        for _ in 0..<3 {
            try await eventually("the migration waits for the table") {
                try database.integer("SELECT count(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND NOT granted")
                    > 0
            }
            // A lease that is renewed waits behind the migration, and has its turn all the same.
            try database.execute("UPDATE callboard.nodes SET expires = expires")
        }
        #expect(try database.integer("SELECT version FROM callboard.version") == 2)
        try lock.commit()
        let journal = try await opening.value
        journal.close()
        #expect(try versions(database) == [Schema.version, Schema.version])
    }
}
