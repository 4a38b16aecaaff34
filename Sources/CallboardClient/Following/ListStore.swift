import Foundation

/// A folder that keeps lists for the next start of an app.
///
/// A list of the store is shown at once, before there is a network, and its stream goes on after the version that is kept. A
/// list has a file of its own, which a newer state replaces as a whole.
public struct ListStore: Sendable {
    /// The folder.
    public let folder: URL
    /// The longest file, in bytes; a list that is longer is not kept.
    public let maximumLength: Int
    /// How long changes are gathered before a list is written again.
    public let pause: Duration

    /// The number of the format: a file of another one counts as none.
    private static let format = 1

    /// Makes a store; the folder is made when the first list is kept.
    public init(folder: URL, maximumLength: Int = 16 << 20, pause: Duration = .seconds(2)) {
        (self.folder, self.maximumLength, self.pause) = (folder, maximumLength, pause)
    }

    /// Removes the file of a list.
    public func remove(_ director: RemoteDirector, selecting selection: ListSelection = ListSelection()) {
        try? FileManager.default.removeItem(at: file(of: director, selection))
    }

    /// The list that is kept of a director; nil where there is none, and where the file cannot be read.
    func list(of director: RemoteDirector, _ selection: ListSelection) -> RemoteList? {
        let file = file(of: director, selection)
        guard let size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize, size <= maximumLength,
            let data = try? Data(contentsOf: file), let kept = try? JSON(parsing: Array(data)),
            kept["format"]?.intValue == ListStore.format, kept["key"]?.stringValue == key(of: director, selection),
            let reader = kept["snapshot"].map({ JSONReader($0) })
        else { return nil }
        return try? RemoteList(Snapshot(reader))
    }

    /// Keeps a list.
    func keep(_ list: RemoteList, of director: RemoteDirector, _ selection: ListSelection) throws(ListStoreError) {
        let file = file(of: director, selection)
        let kept: JSON = [
            "format": .number(JSONNumber(ListStore.format)), "key": .string(key(of: director, selection)),
            "snapshot": list.json,
        ]
        let bytes = kept.utf8
        guard bytes.count <= maximumLength else {
            // The earlier state would be shown for longer and longer.
            try? FileManager.default.removeItem(at: file)
            throw .tooLong(bytes: bytes.count, maximum: maximumLength)
        }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(bytes).write(to: file, options: .atomic)
        } catch {
            throw .file(path: file.path, reason: error.localizedDescription)
        }
    }

    /// The text that tells a list from others: the server, the director, and the selection.
    private func key(of director: RemoteDirector, _ selection: ListSelection) -> String {
        let query = selection.query.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        return [director.client.server.absoluteString, director.name, query].joined(separator: "\n")
    }

    private func file(of director: RemoteDirector, _ selection: ListSelection) -> URL {
        // FNV-1a, 64 bits: names need not be those of files. The key stands in the file too.
        let hash = key(of: director, selection).utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return folder.appendingPathComponent("list-\(String(hash, radix: 16)).json")
    }
}

/// Why a list is not kept.
public enum ListStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The list is longer than the store's ``ListStore/maximumLength``.
    case tooLong(bytes: Int, maximum: Int)
    /// The file cannot be written: its path, and the system's reason.
    case file(path: String, reason: String)

    /// The error, as a sentence without a full stop.
    public var description: String {
        switch self {
        case .tooLong(let bytes, let maximum):
            "the list takes \(bytes) bytes and may take \(maximum): it is not kept for the next start"
        case .file(let path, let reason): "the list cannot be kept in \(path): \(reason)"
        }
    }
}
