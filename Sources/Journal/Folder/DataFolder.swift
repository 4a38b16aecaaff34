import Foundation

/// A server's data folder: the database with its log, and the lock.
///
/// - `callboard.db`: the journal.
/// - `callboard.db-wal`, `callboard.db-shm`: SQLite's write-ahead log and its index. They belong to the database: one
///   that is copied without its log has lost the newest commits. ``Backup`` copies what belongs together.
/// - `lock`: held by the server that has the folder open.
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

    /// Makes the folder where it is not there, for its owner alone, and locks it.
    package func lock() throws(StoreError) -> FolderLock {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .refused("the data folder \(path) cannot be made: \(error.localizedDescription)")
        }
        return try FolderLock(path: lockFile)
    }

    /// Locks the folder and opens the journal in it, which is made where there is none.
    ///
    /// - Throws: That another process has the folder, that it cannot be written, or what is wrong with the database.
    package func open(
        _ settings: StoreSettings = StoreSettings(), clock: @escaping @Sendable () -> Int = StoreClock.now
    ) throws(StoreError) -> OpenFolder {
        let lock = try lock()
        return OpenFolder(lock: lock, store: try SQLiteStore(path: database, settings: settings, clock: clock))
    }

    /// Refuses a folder without a database.
    func checkDatabase() throws(StoreError) {
        guard FileManager.default.fileExists(atPath: database) else {
            throw .refused("there is no journal in \(path): \(database) is missing")
        }
    }
}

/// A data folder that is open.
package final class OpenFolder: Sendable {
    private let lock: FolderLock
    /// The journal's store.
    package let store: SQLiteStore

    init(lock: FolderLock, store: SQLiteStore) {
        self.lock = lock
        self.store = store
    }

    /// Closes the store and lets the folder go. Blocks until what was appended is stored.
    package func close() {
        store.close()
        lock.release()
    }
}
