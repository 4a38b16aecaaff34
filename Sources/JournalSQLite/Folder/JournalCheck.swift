import Foundation
import GRDB
import Journal

extension JournalCheck {
    /// Verifies a data folder: the structure of the file, the checksum of every row, the order of the records, and that
    /// every director can be restored. Changes nothing but SQLite's index of its log.
    ///
    /// - Throws: `JournalError.refused(_:)` where a server has the folder open or there is no journal; not for damage.
    package init(
        of folder: DataFolder, progress: (Step) -> Void = { _ in }
    ) throws(JournalError) {
        try folder.checkDatabase()
        let lock = try folder.lock()
        defer { lock.release() }
        try self.init(file: folder.database, progress: progress)
    }

    /// Verifies a database that nobody writes to, such as a backup.
    package init(
        file: String, progress: (Step) -> Void = { _ in }
    ) throws(JournalError) {
        progress(.structure)
        try self.init { () throws(JournalError) in
            do {
                return try Self.checkRows(DatabaseFile(path: file, vfs: nil), progress)
            } catch {
                throw JournalError(error)
            }
        } restoring: { () throws(JournalError) in
            let store = try SQLiteJournal(readingOnly: file)
            defer { store.close() }
            return try Self.restore(store, progress)
        }
    }

    private static func checkRows(_ file: DatabaseFile, _ progress: (Step) -> Void) throws -> Rows {
        let reader = try file.openReadOnly()
        defer { try? reader.close() }
        return try reader.read { db in
            guard try Schema.check(db) > 0 else { throw JournalError.refused("there is no journal in \(file.path)") }
            let structure = try String.fetchAll(db, sql: "PRAGMA integrity_check(\(limit))").filter { $0 != "ok" }
            var check = RowCheck()
            for fault in structure {
                check.found.add(JournalDamage(director: nil, place: "the database file", detail: fault))
            }
            guard structure.isEmpty else { return check.found }
            try check.checkAll(db) { progress(.rows($0)) }
            check.found.setAside = try SetAside.rows(db)
            return check.found
        }
    }
}
