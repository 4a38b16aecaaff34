import Foundation
import Journal

/// Refuses what stands in a file's place and is none: a link, a pipe, a device, a folder.
///
/// A path comes from outside. Opening a pipe waits for its other end, and writing through a link changes whatever it
/// leads to.
enum PlainFile {
    /// The suffixes of the files that SQLite keeps beside a database, and none.
    static let suffixes = ["", "-wal", "-shm", "-journal"]

    /// Whether anything has this name, be it a link that leads nowhere.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Refuses a database, or a file beside it, that is there and is not a plain file.
    ///
    /// - Parameter allowsLinks: Whether a link to a plain file will do, as for a path that somebody has typed.
    static func check(database path: String, allowsLinks: Bool) throws(JournalError) {
        for suffix in suffixes { try check(path + suffix, allowsLinks: allowsLinks && suffix.isEmpty) }
    }

    /// Refuses a path that something else than a plain file has.
    static func check(_ path: String, allowsLinks: Bool = false) throws(JournalError) {
        var status = stat()
        guard (allowsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return }
        guard let what = name(of: status.st_mode) else { return }
        throw .refused("\(path) is \(what) where a plain file belongs; remove it, or name another place")
    }

    /// The name of a kind of file; nil for a plain file.
    static func name(of mode: mode_t) -> String? {
        switch mode & S_IFMT {
        case S_IFREG: nil
        case S_IFLNK: "a symbolic link"
        case S_IFIFO: "a pipe"
        case S_IFDIR: "a folder"
        case S_IFSOCK: "a socket"
        default: "a device"
        }
    }
}

/// Refuses a folder that somebody else could change: who can replace its files can have this process write to any of its
/// own.
package enum FolderOwner {
    /// Checks a folder that is there; nothing for one that is not.
    ///
    /// The owner has to be this process's user or root. Others may not write; a group may if this process is in it, as
    /// volumes of containers have it.
    package static func check(_ path: String) throws(JournalError) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .refused("\(path) is not a folder") }
        let user = geteuid()
        guard status.st_uid == user || status.st_uid == 0 else {
            throw .refused(
                "the folder \(path) belongs to \(name(ofUser: status.st_uid)), and this process runs as \(name(ofUser: user)); "
                    + "run it as the folder's owner, or have the folder changed: chown \(user) \(path)")
        }
        guard status.st_mode & S_IWOTH == 0 else {
            throw .refused(
                "every user of this machine can write to the folder \(path); chmod o-w \(path) closes it, or name a folder "
                    + "inside it, which is made for its owner alone")
        }
        guard status.st_mode & S_IWGRP == 0 || isMember(of: status.st_gid) else {
            throw .refused(
                "the group \(status.st_gid) can write to the folder \(path), and this process is not in it; "
                    + "chmod g-w \(path) closes it")
        }
    }

    private static func isMember(of group: gid_t) -> Bool {
        if group == getegid() { return true }
        let count = getgroups(0, nil)
        guard count > 0 else { return false }
        var groups = [gid_t](repeating: 0, count: Int(count))
        // SAFETY: the array has room for as many groups as there were a moment ago; the call says how many it has written.
        let written = getgroups(count, &groups)
        return groups.prefix(Int(max(0, written))).contains(group)
    }

    private static func name(ofUser user: uid_t) -> String {
        user == 0 ? "root" : "user \(user)"
    }
}
