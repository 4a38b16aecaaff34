import DirectorLife
import Directors
import Foundation
import GRDB
import JournalTesting
import TestSupport
import Testing

@testable import Journal
@testable import JournalSQLite

/// Data folders and databases that somebody has prepared: nothing outside is changed, nothing waits, nothing traps.
@Suite(.timeLimit(.minutes(2)))
struct HostileFolderTests {
    private let folder: TemporaryFolder
    private var data: DataFolder { DataFolder(path: folder.path) }

    init() throws {
        folder = try TemporaryFolder()
        chmod(folder.path, 0o700)
    }

    /// Everything that opens a folder.
    private func refusals() -> [String] {
        let target = folder.path + "-copy.db"
        let attempts: [() throws -> Void] = [
            { try data.open().journal.close() },
            { _ = try JournalCheck(of: data) },
            { try Backup.make(of: data, to: target) },
        ]
        return attempts.map { attempt in
            do {
                try attempt()
                return "it was done"
            } catch {
                return "\(error)"
            }
        }
    }

    @Test("a lock that is a link is refused, and what it leads to keeps its content")
    func linkedLock() throws {
        let victim = folder.path + "/victim"
        try Data("precious".utf8).write(to: URL(fileURLWithPath: victim))
        try SQLiteJournal(path: folder.file).close()
        try FileManager.default.createSymbolicLink(atPath: data.lockFile, withDestinationPath: victim)
        for refusal in refusals() { #expect(refusal.contains("symbolic link"), "\(refusal)") }
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
        unlink(data.lockFile)
        #expect(link(victim, data.lockFile) == 0)
        let refusal = #expect(throws: JournalError.self) { try data.lock() }
        #expect(refusal?.description.contains("2 names") == true)
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
    }

    @Test("a file called lock that is something else's is refused, and keeps its content", arguments: ["{}", "12a\n"])
    func strangeLock(content: String) throws {
        try Data(content.utf8).write(to: URL(fileURLWithPath: data.lockFile))
        #expect(throws: JournalError.self) { try data.open() }
        #expect(try String(contentsOfFile: data.lockFile, encoding: .utf8) == content)
    }

    @Test(
        "a pipe, a folder or a link in place of a file of the folder is refused at once",
        arguments: ["lock", "callboard.db", "callboard.db-wal", "callboard.db-shm", "callboard.db-journal"])
    func noFiles(name: String) throws {
        try SQLiteJournal(path: folder.file).close()
        let path = folder.path + "/" + name
        let makers: [(String, () throws -> Void)] = [
            ("a pipe", { #expect(mkfifo(path, 0o600) == 0) }),
            ("a folder", { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }),
            ("a symbolic link", { #expect(symlink("/nowhere", path) == 0) }),
        ]
        for (what, make) in makers {
            try? FileManager.default.removeItem(atPath: path)
            try make()
            for refusal in refusals() { #expect(refusal.contains("\(what) where"), "\(name): \(refusal)") }
        }
        #expect(!FileManager.default.fileExists(atPath: "/nowhere"))
    }

    @Test(
        "a folder that others can write to is refused, with what closes it", arguments: [mode_t(0o777), 0o1777, 0o702])
    func writableFolder(mode: mode_t) throws {
        try SQLiteJournal(path: folder.file).close()
        chmod(folder.path, mode)
        for refusal in refusals() { #expect(refusal.contains("chmod o-w"), "\(refusal)") }
        #expect(throws: JournalError.self) { try Backup.restore("nowhere", to: data, overwriting: true) }
        chmod(folder.path, 0o770)
        try data.open().journal.close()
    }

    @Test("a folder of another user is refused", .enabled(if: geteuid() == 0, "only root can give a folder away"))
    func strangeFolder() throws {
        try SQLiteJournal(path: folder.file).close()
        #expect(chown(folder.path, 12_345, 12_345) == 0)
        for refusal in refusals() { #expect(refusal.contains("belongs to user 12345"), "\(refusal)") }
    }

    @Test("a backup to a link is refused, also to one that leads nowhere")
    func linkedTarget() throws {
        try SQLiteJournal(path: folder.file).close()
        let target = folder.path + "/copy.db"
        #expect(symlink(folder.path + "/elsewhere", target) == 0)
        #expect(throws: JournalError.self) { try Backup.make(of: data, to: target) }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/elsewhere"))
    }

    /// Changes the database as another program would.
    private func change(_ sql: String, arguments: StatementArguments = StatementArguments()) throws {
        let database = try DatabaseQueue(path: folder.file)
        try database.writeWithoutTransaction { try $0.execute(sql: sql, arguments: arguments) }
        try database.close()
    }

    private static let forever = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"

    @Test(
        "a schema with anything that no journal has is refused before it runs, and named",
        arguments: [
            "CREATE TRIGGER evil AFTER INSERT ON records BEGIN DELETE FROM lives; END",
            "CREATE VIEW evil AS \(forever)",
            "DROP TABLE lives; CREATE VIEW lives AS SELECT i life, 'd' director, 'e' epoch, 0 ended, 0 checksum FROM (\(forever))",
            "CREATE INDEX evil ON records (life)",
            "CREATE TABLE evil (a)",
            "ALTER TABLE lives ADD COLUMN evil TEXT GENERATED ALWAYS AS (hex(zeroblob(100000))) VIRTUAL",
            "DROP TABLE marks; CREATE TABLE marks (name TEXT PRIMARY KEY, value INTEGER NOT NULL)",
            "CREATE VIRTUAL TABLE evil USING fts5(a)",
        ])
    func schema(sql: String) throws {
        try SQLiteJournal(path: folder.file).close()
        try change(sql)
        for refusal in refusals() { #expect(refusal.contains("nothing was read from the file"), "\(refusal)") }
        #expect(throws: JournalError.self) { try JournalCheck(file: folder.file) }
        #expect(throws: JournalError.self) {
            try Backup.restore(folder.file, to: DataFolder(path: folder.path + "/other"), overwriting: false)
        }
    }

    @Test("a database that an operator has analyzed and vacuumed is as it was")
    func analyzed() throws {
        try SQLiteJournal(path: folder.file).close()
        try change("ANALYZE; VACUUM")
        try data.open().journal.close()
        #expect(try JournalCheck(of: data).problems.isEmpty)
    }

    @Test(
        "numbers at the end of all integers, with right checksums, are damage",
        arguments: [Int.max, Int.max - 1, 1 << 62, -1, .min])
    func numbers(number: Int) throws {
        let life = Checksum.life(1, director: "d", epoch: "e", ended: 0)
        let cases: [(String, StatementArguments)] = [
            (
                "INSERT INTO records VALUES (1, 1, ?, 1, x'00', ?)",
                [number, Checksum.record(1, life: 1, number: number, step: 1, payload: [0])]
            ),
            (
                "INSERT INTO snapshots VALUES (1, 1, ?, 1, 1, 1, 1, ?)",
                [number, Checksum.snapshot(1, life: 1, number: number, first: 1, chunks: 1, bytes: 1)]
            ),
            (
                "INSERT INTO snapshots VALUES (1, 1, 1, ?, 1, 1, 1, ?)",
                [number, Checksum.snapshot(1, life: 1, number: 1, first: number, chunks: 1, bytes: 1)]
            ),
            (
                "INSERT INTO snapshots VALUES (1, 1, 1, 1, ?, 1, 1, ?)",
                [number, Checksum.snapshot(1, life: 1, number: 1, first: 1, chunks: number, bytes: 1)]
            ),
            ("UPDATE marks SET value = ? WHERE name <> 'fences'", [number]),
            ("INSERT INTO records VALUES (?, 1, 1, 1, x'00', 0)", [number]),
            ("INSERT INTO lives VALUES (?, 'x', 'e', 0, 0)", [number]),
        ]
        for (sql, arguments) in cases {
            for suffix in ["", "-wal", "-shm"] { unlink(folder.file + suffix) }
            try SQLiteJournal(path: folder.file).close()
            try change("INSERT INTO lives VALUES (1, 'd', 'e', 0, ?)", arguments: [life])
            try change(sql, arguments: arguments)
            let error = #expect(throws: JournalError.self, "\(sql)") { try data.open() }
            guard case .damaged? = error else {
                Issue.record("\(sql): \(String(describing: error))")
                continue
            }
            if !sql.contains("marks") { #expect(try !JournalCheck(of: data).problems.isEmpty, "\(sql)") }
        }
    }

    @Test("chunks that far numbers leave free are deleted without counting through them")
    func farChunks() async throws {
        let journal = try SQLiteJournal(path: folder.file)
        try await journal.append("0", .begins)
        journal.close()
        try change("INSERT INTO chunks VALUES (1, x'00', 0), (?, x'00', 0)", arguments: [1 << 61])
        let again = try SQLiteJournal(path: folder.file)
        defer { again.close() }
        try await eventually("the chunks are deleted") {
            try again.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM chunks") } == 0
        }
    }
}
