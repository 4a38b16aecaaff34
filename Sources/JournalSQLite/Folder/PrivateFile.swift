import Foundation
import Journal

/// Files that their owner alone can read and write, whatever the umask: a journal holds the secrets of hooks.
///
/// Nothing here opens a file that is there: closing it would take the locks off that SQLite holds on it in this process.
enum PrivateFile {
    /// Reading and writing for the owner, nothing for anybody else.
    static let mode: mode_t = 0o600

    /// Makes an empty file where there is none. SQLite takes it for a new database, and gives its log the same mode.
    static func make(_ path: String) throws(JournalError) {
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else {
            let reason = errno
            if reason == EEXIST { return }
            throw .unavailable("\(path) cannot be made: \(FolderLock.text(reason))")
        }
        defer { close(file) }
        // The umask may have taken the owner's rights too.
        guard fchmod(file, mode) == 0 else {
            throw .unavailable("\(path) cannot be kept from other users: \(FolderLock.text(errno))")
        }
    }

    /// Takes the rights of all but the owner from a file; nil where there were none, or no such file.
    static func narrow(_ path: String) -> FolderAccess.File? {
        guard let found = permissions(of: path), found & 0o077 != 0 else { return nil }
        let isNarrowed = chmod(path, found & 0o700) == 0
        return FolderAccess.File(path: path, mode: found, isNarrowed: isNarrowed)
    }

    /// Whether others than its owner have any rights to a file or folder.
    static func isOpenToOthers(_ path: String) -> Bool {
        permissions(of: path).map { $0 & 0o077 != 0 } ?? false
    }

    /// The permissions of a file or folder; nil where there is none.
    static func permissions(of path: String) -> mode_t? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return status.st_mode & 0o7777
    }
}

/// Who could reach a data folder besides its owner when it was opened.
package struct FolderAccess: Sendable, Hashable {
    /// A file that others could reach.
    package struct File: Sendable, Hashable {
        /// The file's path.
        package let path: String
        /// Its permissions when it was found.
        package let mode: UInt32
        /// Whether it is its owner's alone now; false where the system did not allow that.
        package let isNarrowed: Bool
    }

    /// The folder's permissions where others have some; nil where it is its owner's alone.
    package var folderMode: UInt32?
    /// The files that others could reach.
    package var files: [File] = []

    /// Permissions as `chmod` takes them, such as `0755`.
    package static func text(_ mode: UInt32) -> String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
