import Foundation
import Journal

/// A server's data folder: the database with its log, and the lock.
///
/// - `callboard.db`: the journal.
/// - `callboard.db-wal`, `callboard.db-shm`: SQLite's write-ahead log and its index. They belong to the database: one
///   that is copied without its log has lost the newest commits. ``Backup`` copies what belongs together.
/// - `lock`: held by the server that has the folder open.
///
/// Only their owner can access them (0600), whatever the umask and the folder's own permissions. A folder that somebody
/// else could change is refused, and so is one with a link or a pipe in place of one of these files.
package struct DataFolder: Sendable {
    /// The folder's path.
    package let path: String

    /// Names a folder.
    package init(path: String) {
        self.path = path
    }

    /// The database's path.
    package var database: String { file("callboard.db") }

    var lockFile: String { file("lock") }

    private func file(_ name: String) -> String {
        (path as NSString).appendingPathComponent(name)
    }

    /// Locks the folder, and makes it where it is not there, for its owner only. An existing one keeps its permissions.
    package func lock() throws(JournalError) -> FolderLock {
        try make()
        try check()
        return try FolderLock(path: lockFile)
    }

    /// Refuses a folder that somebody else could change, and files in it that are none.
    package func check() throws(JournalError) {
        try FolderOwner.check(path)
        try PlainFile.check(database: database, allowsLinks: false)
        try PlainFile.check(lockFile)
    }

    /// Makes the folder where it is not there, for its owner only.
    package func make() throws(JournalError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .refused("the data folder \(path) cannot be made: \(error.localizedDescription)")
        }
    }

    /// The files of the folder.
    private var files: [String] { [database, database + "-wal", database + "-shm", lockFile] }

    /// Locks the folder and opens the journal in it, which is made where there is none.
    ///
    /// - Throws: Another process has the folder, it cannot be written, or the database cannot be used: it is damaged,
    ///   of a newer schema, or not a journal.
    package func open(
        _ settings: SQLiteSettings = SQLiteSettings(), clock: @escaping @Sendable () -> Int = StoreClock.now
    ) throws(JournalError) -> OpenFolder {
        let lock = try lock()
        let found = files.filter(PrivateFile.isOpenToOthers)
        let journal = try SQLiteJournal(DatabaseFile(path: database, vfs: nil), settings, clock, lock: lock)
        // An older version may have made them with more permissions. Only now: another program's file is left as it is.
        let narrowed = files.compactMap(PrivateFile.narrow)
        let access = FolderAccess(
            folderMode: PrivateFile.isOpenToOthers(path) ? PrivateFile.permissions(of: path) : nil,
            files: narrowed.filter { found.contains($0.path) || !$0.isNarrowed })
        return OpenFolder(journal: journal, access: access)
    }

    /// Refuses a folder without a database.
    func checkDatabase() throws(JournalError) {
        try check()
        guard FileManager.default.fileExists(atPath: database) else {
            throw .refused("there is no journal in \(path): \(database) is missing")
        }
    }
}

/// A data folder that is open: its journal, which releases the folder when it is closed.
package struct OpenFolder: Sendable {
    /// The journal.
    package let journal: SQLiteJournal
    /// The access that users other than the owner had to the folder when it was opened.
    package let access: FolderAccess
}
