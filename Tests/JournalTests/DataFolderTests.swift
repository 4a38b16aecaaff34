import DirectorLife
import Directors
import Foundation
import GRDB
import JournalTesting
import TestSupport
import Testing

@testable import Journal
@testable import JournalSQLite

/// A data folder: its lock, its schema, and copies of it.
struct DataFolderTests {
    private let folder: TemporaryFolder
    private var data: DataFolder { DataFolder(path: folder.path + "/data") }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("a second opener is refused with the process that has the folder, and let in afterwards")
    func lock() throws {
        let first = try data.open()
        #expect {
            try data.open()
        } throws: { error in
            guard case JournalError.refused(let what)? = error as? JournalError else { return false }
            return what.contains("process \(getpid())") && what.contains("data")
        }
        first.journal.close()
        try data.open().journal.close()
    }

    /// The permissions of a file, and none where it is not there.
    private func mode(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test(
        "database, log, index, lock, backup and restored database are 0600 in a folder of 0755, whatever the umask",
        arguments: [mode_t(0), 0o077, 0o777])
    func privateFiles(_ mask: mode_t) async throws {
        try FileManager.default.createDirectory(atPath: data.path, withIntermediateDirectories: true)
        chmod(data.path, 0o755)
        let before = umask(mask)
        defer { umask(before) }
        let open = try data.open()
        try await open.journal.append("0", .begins)
        for suffix in ["", "-wal", "-shm"] { #expect(mode(data.database + suffix) == 0o600, "\(suffix)") }
        #expect(mode(data.lockFile) == 0o600)
        #expect(open.access == FolderAccess(folderMode: 0o755))
        let file = try Backup.make(of: data, to: folder.path + "/copy.db") { _ in
            #expect(mode(folder.path + "/copy.db.partial") == 0o600)
        }
        #expect(mode(file) == 0o600)
        open.journal.close()
        try Backup.restore(file, to: data, overwriting: true)
        #expect(mode(data.database) == 0o600)
    }

    @Test("a folder that is made is 0700, and nothing is said of it")
    func privateFolder() throws {
        let open = try data.open()
        open.journal.close()
        #expect(mode(data.path) == 0o700 && open.access == FolderAccess())
    }

    @Test("files that an older version has made 0644 are 0600 once the folder is open, and it says which they were")
    func narrowedFiles() async throws {
        let first = try data.open()
        try await first.journal.append("0", .begins)
        first.journal.close()
        for path in [data.database, data.lockFile] { chmod(path, 0o644) }
        let again = try data.open()
        defer { again.journal.close() }
        let found = again.access.files
        #expect(found.map(\.path) == [data.database, data.lockFile])
        #expect(found.allSatisfy { $0.mode == 0o644 && $0.isNarrowed })
        for suffix in ["", "-wal", "-shm"] { #expect(mode(data.database + suffix) == 0o600, "\(suffix)") }
        #expect(mode(data.lockFile) == 0o600)
        #expect(try again.journal.texts() == ["0"])
    }

    @Test("a schema that is newer than the program is refused and left alone")
    func newerSchema() throws {
        try data.open().journal.close()
        let database = try DatabaseQueue(path: data.database)
        try database.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA user_version = 99") }
        try database.close()
        #expect {
            try data.open()
        } throws: { error in
            guard case JournalError.refused(let what)? = error as? JournalError else { return false }
            return what.contains("99") && what.contains("\(Schema.version)")
        }
        let version = try DatabaseQueue(path: data.database).read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
        #expect(version == 99)
    }

    @Test("a header with another schema than that of the tables is called damaged", arguments: 1..<Schema.version)
    func otherSchema(_ number: Int) throws {
        try data.open().journal.close()
        let database = try DatabaseQueue(path: data.database)
        try database.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA user_version = \(number)") }
        try database.close()
        #expect {
            try data.open()
        } throws: { error in
            guard case JournalError.refused(let what)? = error as? JournalError else { return false }
            return what.contains("has schema version \(number), and its tables are those of version \(Schema.version)")
        }
    }

    @Test("a database that is no journal is refused and left alone", arguments: [true, false])
    func foreign(_ isDatabase: Bool) throws {
        try FileManager.default.createDirectory(atPath: data.path, withIntermediateDirectories: true)
        if isDatabase {
            let database = try DatabaseQueue(path: data.database)
            try database.writeWithoutTransaction { db in try db.execute(sql: "CREATE TABLE mine (a)") }
            try database.close()
        } else {
            try Data(repeating: 0x41, count: 10_000).write(to: URL(fileURLWithPath: data.database))
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: data.database))
        #expect(throws: JournalError.self) { try data.open() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: data.database)) == before)
    }

    @Test(
        "a backup that is made while the journal is written to holds what was stored before it", .timeLimit(.minutes(1))
    )
    func backup() async throws {
        let open = try data.open()
        defer { open.journal.close() }
        try await open.journal.append("0", .begins)
        for index in 1...50 { try await open.journal.append("\(index) " + String(repeating: "x", count: 20_000)) }
        let writing = Task {
            for index in 51...150 { try await open.journal.append("\(index)") }
        }
        let stored = try open.journal.texts().count
        var parts = 0
        let file = try Backup.make(of: data, to: folder.path + "/copy.db") { _ in parts += 1 }
        try await writing.value
        #expect(parts > 0)
        let restored = DataFolder(path: folder.path + "/restored")
        try Backup.restore(file, to: restored, overwriting: false)
        let again = try restored.open()
        defer { again.journal.close() }
        let texts = try again.journal.texts()
        #expect(texts.count >= stored)
        #expect(texts == Array(try open.journal.texts().prefix(texts.count)))
        // It goes on from there.
        let epoch = try #require(try again.journal.lives().first).epoch
        #expect(epoch != "e1")
        try await again.journal.append("next", epoch: epoch)
        #expect(again.journal.latest == texts.count + 1)
    }

    @Test(
        "what is restored is another epoch, so that nobody goes on from what came after the backup",
        arguments: [nil, 5, 30])
    func epochs(snapshotAfter: Int?) async throws {
        let open = try data.open()
        let journal = open.journal
        var life = RandomLife("contacts", epoch: "e1", seed: 7)
        try await journal.append(life.begin())
        for step in 1...30 {
            try await journal.append(life.step())
            if step == snapshotAfter { journal.snapshot(life.state) }
        }
        if snapshotAfter != nil {
            try await eventually("the snapshot is stored") { open.journal.counts.snapshots == 1 }
        }
        let file = try Backup.make(of: data, to: folder.path + "/copy.db")
        open.journal.close()
        let restored = DataFolder(path: folder.path + "/restored")
        try Backup.restore(file, to: restored, overwriting: false)
        #expect(try JournalCheck(of: restored).problems.isEmpty)
        let again = try restored.open()
        defer { again.journal.close() }
        let recovery = try Recovery(of: again.journal, limits: DirectorLimits(), retention: life.retention)
        let found = try #require(recovery.directors.first)
        #expect(found.state.director.epoch != "e1")
        #expect(found.state.director.working == life.director.working)
        #expect(found.state.director.published == life.director.published)
        #expect(found.state.number == life.number)
        for version in found.state.versions.retained {
            let text = version.changeset.map { String(decoding: $0.frame.bytes, as: UTF8.self) } ?? ""
            #expect(!text.contains(#""epoch":"e1""#))
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!names.contains { $0.hasPrefix("copy.db-") })
    }

    @Test("a backup overwrites nothing, and a restoration only where it is told to")
    func overwriting() async throws {
        let open = try data.open()
        try await open.journal.append("kept", .begins)
        try Backup.make(of: data, to: folder.path)
        #expect(throws: JournalError.self) { try Backup.make(of: data, to: folder.path) }
        try await open.journal.append("later")
        #expect(throws: JournalError.self) { try Backup.restore(folder.path, to: data, overwriting: true) }
        open.journal.close()
        #expect(throws: JournalError.self) { try Backup.restore(folder.path, to: data, overwriting: false) }
        try Backup.restore(folder.path, to: data, overwriting: true)
        let again = try data.open()
        defer { again.journal.close() }
        #expect(try again.journal.texts() == ["kept"])
    }

    @Test("a backup that is not what was written is not restored, and what is there stays")
    func damagedBackup() async throws {
        let open = try data.open()
        try await open.journal.append("a text that can be found", .begins)
        let file = try Backup.make(of: data, to: folder.path + "/copy.db")
        open.journal.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        let place = try #require(bytes.range(of: Data("a text that can be found".utf8)))
        bytes[place.lowerBound] ^= 1
        try bytes.write(to: URL(fileURLWithPath: file))
        #expect(throws: JournalError.self) { try Backup.restore(file, to: data, overwriting: true) }
        let again = try data.open()
        defer { again.journal.close() }
        #expect(try again.journal.texts() == ["a text that can be found"])
        #expect(!FileManager.default.fileExists(atPath: data.database + ".partial"))
    }

    @Test("a check finds nothing in a whole journal, and every changed row of one that is not")
    func check() async throws {
        let open = try data.open(SQLiteSettings(pruneThreshold: 0))
        let journal = open.journal
        var life = RandomLife("contacts", epoch: "e", seed: 3)
        try await journal.append(life.begin())
        for step in 0..<30 {
            try await journal.append(life.step())
            if step == 15 { journal.snapshot(life.state) }
        }
        try await eventually("the snapshot is stored") { open.journal.counts.snapshots == 1 }
        #expect(throws: JournalError.self) { try JournalCheck(of: data) }
        open.journal.close()
        let whole = try JournalCheck(of: data)
        #expect(whole.problems.isEmpty)
        #expect(whole.report?.directors == 1)
        let database = try DatabaseQueue(path: data.database)
        try await database.writeWithoutTransaction { db in
            try db.execute(sql: "UPDATE records SET payload = x'00' WHERE number IN (20, 25)")
            try db.execute(sql: "UPDATE answers SET expires = expires - 1")
        }
        let answers = try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM answers") ?? 0 }
        try database.close()
        let damaged = try JournalCheck(of: data)
        #expect(damaged.problems.count == 2 + answers)
        #expect(damaged.problems.allSatisfy { $0.director == "contacts" })
        #expect(damaged.report == nil)
    }

    @Test("a check of something that is no journal is refused")
    func checkNothing() throws {
        #expect(throws: JournalError.self) { try JournalCheck(of: data) }
        #expect(!FileManager.default.fileExists(atPath: data.path))
    }
}
