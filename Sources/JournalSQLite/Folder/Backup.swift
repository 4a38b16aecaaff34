import Directors
import Foundation
import GRDB
import Journal
import Notation

/// Copies a journal while it is written to, and restores a copy.
package enum Backup {
    /// How far copying or checking has come.
    package struct Progress: Sendable, Hashable {
        /// Pages that are done.
        package let pages: Int
        /// Pages in all.
        package let total: Int
    }

    /// Copies a data folder's journal as it is at one moment, with SQLite's online backup. The copy is its owner's alone.
    ///
    /// A server that has the folder open goes on writing. Commits after the beginning of the copy are not in the copy,
    /// and the write-ahead log grows until the copy is done. The copy is checked row by row before it gets its name.
    ///
    /// - Parameters:
    ///   - folder: The data folder.
    ///   - target: The file to make, or a folder to make `callboard.db` in.
    ///   - progress: Called after each part; what it throws ends the backup.
    /// - Returns: The file's path.
    /// - Throws: `JournalError.refused(_:)` where the file is there already, or what went wrong; then there is no copy.
    @discardableResult
    package static func make(
        of folder: DataFolder, to target: String, progress: (Progress) throws -> Void = { _ in }
    ) throws(JournalError) -> String {
        try folder.checkDatabase()
        let file = isFolder(target) ? (target as NSString).appendingPathComponent("callboard.db") : target
        // A link that leads nowhere is something too.
        guard !PlainFile.exists(file) else {
            throw .refused("\(file) is there already; choose another name, or remove it first")
        }
        try replace(file, with: DatabaseFile(path: folder.database, vfs: nil), progress)
        return file
    }

    /// Restores a backup into a data folder. The folder is locked meanwhile, so no server may have it open.
    ///
    /// Every director begins another epoch, so that subscribers start anew: what they hold may be newer than the backup.
    ///
    /// - Parameters:
    ///   - backup: The file that ``make(of:to:progress:)`` has made, or a folder with `callboard.db` in it.
    ///   - folder: The data folder, made where it is not there.
    ///   - overwriting: Whether a journal that is there may go.
    ///   - progress: Called after each part; what it throws ends the restoration.
    /// - Throws: `JournalError.refused(_:)` where a journal is there and may not go; `JournalError.damaged(_:)` for a
    ///   backup that is not what was written. The folder's content stays as it is then.
    package static func restore(
        _ backup: String, to folder: DataFolder, overwriting: Bool, progress: (Progress) throws -> Void = { _ in }
    ) throws(JournalError) {
        let file = isFolder(backup) ? (backup as NSString).appendingPathComponent("callboard.db") : backup
        guard FileManager.default.fileExists(atPath: file) else { throw .refused("there is no backup at \(file)") }
        let lock = try folder.lock()
        defer { lock.release() }
        guard overwriting || !FileManager.default.fileExists(atPath: folder.database) else {
            throw .refused(
                "there is a journal in \(folder.path); say that it may be overwritten, or choose another folder")
        }
        try replace(folder.database, with: DatabaseFile(path: file, vfs: nil), progress, change: renewEpochs)
    }

    /// Copies a database under another name, checks the copy, and gives it its name in one step.
    private static func replace(
        _ file: String, with source: DatabaseFile, _ progress: (Progress) throws -> Void,
        change: (Database) throws -> Void = { _ in }
    ) throws(JournalError) {
        let draft = file + ".partial"
        do {
            try remove(draft)
            try copy(source, to: draft, progress, change)
            // A log that is left over belongs to what is replaced, and would be taken for the new database's.
            for suffix in ["-wal", "-shm", "-journal"] where PlainFile.exists(file + suffix) {
                try FileManager.default.removeItem(atPath: file + suffix)
            }
            guard rename(draft, file) == 0 else {
                throw JournalError.unavailable("\(file) cannot be given its name: \(FolderLock.text(errno))")
            }
            sync(folderOf: file)
        } catch {
            try? remove(draft)
            throw JournalError(error)
        }
    }

    private static func copy(
        _ source: DatabaseFile, to path: String, _ progress: (Progress) throws -> Void,
        _ change: (Database) throws -> Void
    ) throws {
        let reader = try source.openReadOnly()
        defer { try? reader.close() }
        try PrivateFile.make(path)
        var configuration = Configuration()
        configuration.prepareDatabase { try DatabaseFile.distrust($0) }
        let target = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? target.close() }
        try withoutActuallyEscaping(progress) { progress in
            try reader.read { db in
                guard try Schema.check(db) > 0 else {
                    throw JournalError.refused("there is no journal in \(source.path)")
                }
                // The first read begins the moment that is copied: without it each commit of the server's would have
                // the copy begin again.
                _ = try LoadedRows.mark("pruned", db)
                try target.writeWithoutTransaction { copy in
                    try db.backup(to: copy, pagesPerStep: 1024) { state in
                        try progress(Progress(pages: state.completedPageCount, total: state.totalPageCount))
                    }
                }
            }
            try target.read { db in
                var check = RowCheck(limit: 1)
                try check.checkAll(db) { _ in }
                if let damage = check.found.problems.first { throw damage }
            }
        }
        try withoutActuallyEscaping(change) { change in
            try target.writeWithoutTransaction { db in
                try db.inTransaction {
                    try change(db)
                    return .commit
                }
                // One file without a write-ahead log; the server that opens it begins one.
                try db.execute(sql: "PRAGMA journal_mode = DELETE")
            }
        }
    }

    /// Begins another epoch of every director that goes on, and readdresses the deliveries to its hooks.
    ///
    /// Versions published after the backup are lost, and their numbers will be given to other lists. A subscriber that
    /// holds one of those versions must not resume from it.
    private static func renewEpochs(_ db: Database) throws {
        var epochs: [Name: (old: String, new: String)] = [:]
        let lives = try db.read("SELECT life, director, epoch FROM lives WHERE ended = 0") { row in
            let life = try row.key(0, "a row of lives")
            return (life: life, director: try row.text(1, "life \(life)"), epoch: try row.text(2, "life \(life)"))
        }
        for (life, director, old) in lives {
            let epoch = Epoch.random()
            epochs[director] = (old, epoch)
            let sum = Checksum.life(life, director: director, epoch: epoch, ended: 0)
            try db.execute(
                sql: "UPDATE lives SET epoch = CAST(? AS TEXT), checksum = ? WHERE life = ?",
                arguments: [epoch.stored, sum, life])
        }
        guard try CountedTable.deliveries.exists(in: db) else { return }
        for sequence in try Int.fetchAll(db, sql: "SELECT delivery FROM deliveries") {
            guard let delivery = try Delivery.fetch(sequence, db) else { continue }
            let address = delivery.address
            guard let epoch = epochs[address.director], epoch.old == address.epoch else { continue }
            try delivery.readdressed(to: epoch.new).insert(db)
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func remove(_ file: String) throws {
        for suffix in PlainFile.suffixes where PlainFile.exists(file + suffix) {
            try FileManager.default.removeItem(atPath: file + suffix)
        }
    }

    /// Syncs a file's folder, so that a new name is on the disk too.
    private static func sync(folderOf file: String) {
        let folder = open((file as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }
}
