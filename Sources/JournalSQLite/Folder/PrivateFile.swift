import Foundation
import Journal

/// Files that only their owner can read and write, whatever the umask: a journal holds the secrets of hooks.
///
/// Nothing here opens an existing file: closing it would release the locks that SQLite holds on it in this process.
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
        // The umask may have removed the owner's permissions too.
        guard fchmod(file, mode) == 0 else {
            throw .unavailable("\(path) cannot be kept from other users: \(FolderLock.text(errno))")
        }
    }

    /// Removes the permissions of all but the owner; nil where there were none, or no such file.
    static func narrow(_ path: String) -> FolderAccess.File? {
        guard let found = permissions(of: path), found & 0o077 != 0 else { return nil }
        let isNarrowed = chmod(path, found & 0o700) == 0
        return FolderAccess.File(path: path, mode: found, isNarrowed: isNarrowed)
    }

    /// Whether others than the owner have any permissions for a file or folder.
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

/// The access that users other than the owner had to a data folder and its files when it was opened.
package struct FolderAccess: Sendable, Hashable {
    /// A file that others could reach.
    package struct File: Sendable, Hashable {
        /// The file's path.
        package let path: String
        /// Its permissions when it was found.
        package let mode: UInt32
        /// Whether only its owner can access it now; false where the system did not allow the change.
        package let isNarrowed: Bool
    }

    /// The folder's permissions where others have some; nil where only its owner can access it.
    package var folderMode: UInt32?
    /// The files that others could reach.
    package var files: [File] = []

    /// Permissions as `chmod` takes them, such as `0755`.
    package static func text(_ mode: UInt32) -> String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
