import Foundation

/// The data folder that a command works on.
enum DataPath {
    /// The folder in force: the argument's, else the environment's, else the default, as for `callboard serve`.
    ///
    /// - Throws: ``ProgramError`` where that is no folder: `memory` keeps nothing.
    static func resolve(
        _ argument: String?, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> String {
        let database = environment["CALLBOARD_JOURNAL_URL"].flatMap { $0.isEmpty ? nil : $0 }
        if let url = argument ?? database, url.hasPrefix("postgresql://") || url.hasPrefix("postgres://") {
            throw ProgramError(
                argument == nil
                    ? "CALLBOARD_JOURNAL_URL names a database, and this command works on a data folder"
                    : "that is a database, and this command works on a data folder",
                advice: "PostgreSQL's own tools keep a database: pg_dump and pg_restore, pg_basebackup, pg_amcheck; "
                    + "\"callboard cluster new-epochs\" follows a restored dump", status: .configuration)
        }
        let variable = environment["CALLBOARD_DATA"].flatMap { $0.isEmpty ? nil : $0 }
        let path = argument ?? variable ?? "callboard-data"
        guard argument != nil || path != "memory" else {
            throw ProgramError(
                "CALLBOARD_DATA is \"memory\": nothing is kept, so there is no data folder",
                advice: "name the folder that is meant", status: .configuration)
        }
        guard !path.isEmpty else {
            throw ProgramError("the data folder's name is empty", advice: "name a folder", status: .configuration)
        }
        return path
    }

    /// A folder that has to be there already.
    static func existing(_ path: String) throws -> String {
        guard FileManager.default.fileExists(atPath: path) else {
            throw ProgramError(
                "there is nothing at \"\(path)\"",
                advice: "name the folder that \"callboard serve\" was given with --data, or run this where the server "
                    + "was started", status: .noInput)
        }
        return path
    }

    /// The data folder that a path names: itself, or the one that it is the database of; nil for a file by itself.
    ///
    /// A database beside a lock may have a server writing to it, so it is not looked at without the lock.
    static func dataFolder(of path: String) -> String? {
        guard !isFolder(path) else { return path }
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent()
        let lock = folder.appendingPathComponent("lock").path
        guard url.lastPathComponent == "callboard.db", FileManager.default.fileExists(atPath: lock) else { return nil }
        return folder.path
    }

    /// Whether there is a folder of that name.
    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// The path itself, or the nearest folder or file above it that is there.
    static func nearest(_ path: String) -> String {
        var place = URL(fileURLWithPath: path)
        while !FileManager.default.fileExists(atPath: place.path), place.path != "/" { place.deleteLastPathComponent() }
        return place.path
    }
}
