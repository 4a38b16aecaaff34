import DirectorLife
import Directors
import Foundation
import GRDB
import JournalTesting
import Testing

@testable import Journal
@testable import JournalSQLite

/// Deliveries in data folders: older ones, copies, and damaged ones.
struct DeliveryFolderTests {
    /// The tables as the first version of the schema had them.
    private static let firstSchema = """
        CREATE TABLE lives (life INTEGER PRIMARY KEY, director TEXT NOT NULL, epoch TEXT NOT NULL,
            ended INTEGER NOT NULL, checksum INTEGER NOT NULL) STRICT;
        CREATE TABLE records (sequence INTEGER PRIMARY KEY, life INTEGER NOT NULL, number INTEGER NOT NULL,
            step INTEGER NOT NULL, payload BLOB NOT NULL, checksum INTEGER NOT NULL) STRICT;
        CREATE TABLE snapshots (snapshot INTEGER PRIMARY KEY, life INTEGER NOT NULL, number INTEGER NOT NULL,
            first INTEGER NOT NULL, chunks INTEGER NOT NULL, bytes INTEGER NOT NULL, isComplete INTEGER NOT NULL,
            checksum INTEGER NOT NULL) STRICT;
        CREATE TABLE chunks (chunk INTEGER PRIMARY KEY, payload BLOB NOT NULL, checksum INTEGER NOT NULL) STRICT;
        CREATE TABLE answers (answer INTEGER PRIMARY KEY, life INTEGER NOT NULL, key TEXT NOT NULL,
            fingerprint INTEGER NOT NULL, body BLOB NOT NULL, expires INTEGER NOT NULL, checksum INTEGER NOT NULL)
            STRICT;
        CREATE TABLE marks (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        INSERT INTO marks VALUES ('pruned', 0), ('fences', 0);
        PRAGMA user_version = 1;
        PRAGMA application_id = 1128417841;
        """

    /// A folder with the database of an earlier program: one director with one record.
    private static func earlierFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let director = Director(name: "contacts", epoch: "e1", properties: DirectorProperties(defaultsOf: .table))
        let payload = RecordCoding.encode([.defined(director)])
        let database = try DatabaseQueue(path: folder.file)
        try database.writeWithoutTransaction { db in
            try db.execute(sql: firstSchema)
            try db.execute(
                sql: "INSERT INTO lives VALUES (1, 'contacts', 'e1', 0, ?)",
                arguments: [Checksum.life(1, director: "contacts", epoch: "e1", ended: 0)])
            try db.execute(
                sql: "INSERT INTO records VALUES (1, 1, 1, 1, ?, ?)",
                arguments: [
                    Data(payload), Checksum.record(1, life: 1, number: 1, step: 1, payload: payload),
                ])
        }
        try database.close()
        return folder
    }

    @Test("a database of the earlier schema is brought up to date, with all that is in it")
    func migration() async throws {
        let folder = try Self.earlierFolder()
        let journal = try SQLiteJournal(path: folder.file)
        #expect(try journal.lives().map(\.director) == ["contacts"])
        #expect(try journal.deliveries.deliveries() == [])
        try await journal.deliveries.write([.put(.sample(1))])
        try await journal.append("b", number: 2)
        journal.close()
        #expect(try DeliveryStoreTests.deliveries(in: folder) == [.sample(1)])
        let database = try DatabaseQueue(path: folder.file)
        #expect(try await database.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == Schema.version)
    }

    @Test("a database of the earlier schema can be checked, copied and read as it is")
    func earlierAsItIs() throws {
        let folder = try Self.earlierFolder()
        let reader = try SQLiteJournal(readingOnly: folder.file)
        #expect(try reader.deliveries.deliveries() == [])
        reader.close()
        #expect(try JournalCheck(of: DataFolder(path: folder.path)).problems == [])
        let copy = try Backup.make(of: DataFolder(path: folder.path), to: folder.path + "/copy.db")
        let other = try TemporaryFolder()
        try Backup.restore(copy, to: DataFolder(path: other.path), overwriting: false)
        let restored = try SQLiteJournal(path: other.file)
        defer { restored.close() }
        #expect(try restored.lives().count == 1)
        #expect(try restored.deliveries.deliveries() == [])
    }

    @Test("a database of a newer schema is refused, and left as it is")
    func newerSchema() throws {
        let folder = try TemporaryFolder()
        try SQLiteJournal(path: folder.file).close()
        let database = try DatabaseQueue(path: folder.file)
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 4") }
        try database.close()
        let error = #expect(throws: JournalError.self) { try SQLiteJournal(path: folder.file) }
        #expect(error?.description.contains("schema version 4 and this program knows up to 3") == true)
    }

    @Test("a backup has the deliveries, and restored they wait for the hooks of the new epoch")
    func backup() async throws {
        let folder = try TemporaryFolder()
        let data = DataFolder(path: folder.path)
        let journal = try data.open().journal
        let director = Director(name: "contacts", epoch: "e1", properties: DirectorProperties(defaultsOf: .table))
        let record = LifeRecord(director: "contacts", epoch: "e1", number: 1, entries: [.defined(director)])
        _ = try await withCheckedContinuation { continuation in
            journal.append(record) { continuation.resume(returning: $0) }
        }.get()
        var dead = Delivery.sample(2, epoch: "e0")
        dead.state = .dead
        var tried = Delivery.sample(3)
        (tried.attempts, tried.lastError) = (4, "the target answered 500")
        try await journal.deliveries.write([.put(.sample(1)), .put(dead), .put(tried)])
        let copy = try Backup.make(of: data, to: folder.path + "/copy.db")
        try await journal.deliveries.write([.remove(1)])
        journal.close()
        #expect(try JournalCheck(file: copy).problems == [])

        let other = DataFolder(path: folder.path + "/other")
        try Backup.restore(copy, to: other, overwriting: false)
        #expect(try JournalCheck(of: other).problems == [])
        let restored = try other.open().journal
        defer { restored.close() }
        let epoch = try #require(try restored.lives().first?.epoch)
        #expect(epoch != "e1")
        // One of an earlier life has nobody to go to, and stays as it is.
        #expect(
            try restored.deliveries.deliveries() == [
                .sample(1, epoch: epoch), dead, tried.readdressed(to: epoch),
            ])
    }

    @Test(
        "a delivery that was changed on the disk is named, and nothing is handed out",
        arguments: [
            "id = 'msg_x'", "hook = 'contacts/e1/events/other'", "hook = 'nonsense'", "created = 5", "state = 2",
            "state = 9", "attempts = 1", "nextAttempt = 1", "lastAttempt = 1", "lastError = ''", "body = x'00'",
            "checksum = checksum + 1", "delivery = 7",
        ])
    func damage(_ change: String) async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file)
        try await journal.deliveries.write([.put(.sample(1)), .put(.sample(2))])
        journal.close()
        let database = try DatabaseQueue(path: folder.file)
        try await database.write { try $0.execute(sql: "UPDATE deliveries SET \(change) WHERE delivery = 2") }
        try database.close()
        let place = change.hasPrefix("delivery") ? "delivery 7" : "delivery 2"
        #expect(try JournalCheck(of: DataFolder(path: folder.path)).problems.map(\.place) == [place])
        let opened = try SQLiteJournal(path: folder.file)
        defer { opened.close() }
        let error = #expect(throws: DeliveryStoreError.self) { try opened.deliveries.deliveries() }
        guard case .damaged(let text)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(text.contains(place))
    }
}
