import Foundation
import GRDB
import Journal

/// The database file and how it is opened.
struct DatabaseFile: Sendable {
    /// The path of the file.
    let path: String
    /// The name of the SQLite VFS that reads and writes it; nil for the system's.
    let vfs: String?

    /// Opens a connection that writes; a new database is readable for its owner only.
    func open(_ settings: SQLiteSettings) throws -> DatabaseQueue {
        try PlainFile.check(database: path, allowsLinks: false)
        try PrivateFile.make(path)
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(5)
        configuration.label = "callboard.journal"
        configuration.prepareDatabase { db in
            // Before anything is changed: the file may belong to another program.
            try Self.distrust(db)
            try Schema.check(db)
            let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
            guard mode == "wal" else {
                throw JournalError.refused("the file system of the data folder cannot hold a write-ahead log")
            }
            try db.execute(sql: "PRAGMA synchronous = \(settings.durability == .full ? "FULL" : "NORMAL")")
            // The committer makes checkpoints itself, between commits, and notices when one fails.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 67108864")
            // Debian's SQLite overwrites deleted content with zeros by default.
            try db.execute(sql: "PRAGMA secure_delete = OFF; PRAGMA temp_store = MEMORY")
            if let pages = settings.maximumPages { try db.execute(sql: "PRAGMA max_page_count = \(pages)") }
        }
        return try DatabaseQueue(path: location, configuration: configuration)
    }

    /// Opens a connection that only reads.
    func openReadOnly() throws -> DatabaseQueue {
        try PlainFile.check(database: path, allowsLinks: true)
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        configuration.label = "callboard.journal.reader"
        configuration.prepareDatabase { db in
            try Self.distrust(db)
            try Schema.check(db)
        }
        return try DatabaseQueue(path: location, configuration: configuration)
    }

    /// Has SQLite take nothing of the file on trust: neither functions that its schema calls nor the sizes of its cells.
    static func distrust(_ db: Database) throws {
        try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
    }

    private var location: String {
        guard let vfs else { return path }
        let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
        return "file:\(escaped)?vfs=\(vfs)"
    }

    /// The bytes of the database, its log and the log's index on disk.
    var bytesOnDisk: Int {
        ["", "-wal", "-shm"].reduce(0) { sum, suffix in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
            return sum + ((attributes?[.size] as? NSNumber)?.intValue ?? 0)
        }
    }
}

extension DatabaseFile {
    /// Refuses a log that was changed in the middle, before anything is written over the frames behind.
    ///
    /// After a failed sync, commits that were reported lost may be left in the log; then nothing is refused.
    func checkLog() throws {
        try PlainFile.check(database: path, allowsLinks: true)
        do {
            try WriteAheadLog.check(path + "-wal")
        } catch {
            guard let reader = try? openReadOnly() else { throw error }
            defer { try? reader.close() }
            let fences = try? reader.read { try LoadedRows.mark("fences", $0) }
            guard let fences, fences > 0 else { throw error }
        }
    }

    /// Finds where the file is damaged, if SQLite has only reported that it is.
    ///
    /// - Returns: The damage with the page or the part of the file; unchanged where nothing more is found.
    func locating(_ damage: JournalDamage) -> JournalDamage {
        guard damage.place == "the database file" else { return damage }
        if let page = missingPage {
            return JournalDamage(
                director: damage.director, place: "page \(page) of the database file",
                detail: "the file ends before it (\(damage.detail))")
        }
        let found = damage.detail.contains(/[0-9]/) ? damage.detail : structuralDamage ?? damage.detail
        if found.contains(/\b[Pp]age|Tree|[Ff]reelist/) {
            return JournalDamage(director: damage.director, place: damage.place, detail: found)
        }
        // A message without a page is about the header or the tables' definitions.
        return JournalDamage(
            director: damage.director, place: "the header or schema of the database file", detail: found)
    }

    /// The first page that the header counts and the file does not have (SQLite's file format, section 1.3).
    private var missingPage: Int? {
        guard let file = FileHandle(forReadingAtPath: path), let header = try? file.read(upToCount: 100),
            header.count == 100, let size = try? file.seekToEnd()
        else { return nil }
        let short = Int(header[16]) << 8 | Int(header[17])
        let pageSize = short == 1 ? 65_536 : short
        let pages = header[28..<32].reduce(0) { $0 << 8 | Int($1) }
        guard pageSize >= 512, pages > 0, Int(size) < pages * pageSize else { return nil }
        return Int(size) / pageSize + 1
    }

    /// The first finding of SQLite's own check; nil if it cannot run.
    private var structuralDamage: String? {
        guard let reader = try? openReadOnly() else { return nil }
        defer { try? reader.close() }
        let found = try? reader.read { try String.fetchOne($0, sql: "PRAGMA integrity_check(1)") }
        return found.flatMap { $0 == "ok" ? nil : $0.replacing("\n", with: " ") }
    }
}
