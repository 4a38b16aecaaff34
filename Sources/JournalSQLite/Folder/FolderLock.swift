import Foundation
import Journal
import Synchronization

/// Reserves a data folder for one process, by an exclusive `flock` on a file in it.
///
/// The lock ends with the process, however that ends; the file that stays behind means nothing. It holds the process's
/// id, for the message to a second process. `flock` is not reliable on some network file systems, and neither is SQLite:
/// a data folder belongs on a local disk.
package final class FolderLock: Sendable {
    private let descriptor: Mutex<Int32>

    /// Takes the lock.
    ///
    /// - Parameter path: The file, made where it is not there. A link, and a file that is something else's, are refused
    ///   and left as they are: taking the lock writes to the file.
    /// - Throws: `JournalError.refused(_:)` where another process has it, or the file cannot be made.
    package init(path: String) throws(JournalError) {
        // Without O_NONBLOCK a pipe would wait for its other end.
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard file >= 0 else {
            let reason = errno
            try PlainFile.check(path)
            throw .refused("\(path) cannot be opened: \(FolderLock.text(reason)); the data folder has to be writable")
        }
        do {
            try Self.take(file, path)
        } catch {
            close(file)
            throw error
        }
        descriptor = Mutex(file)
    }

    /// Locks an open file and writes the process's id into it.
    private static func take(_ file: Int32, _ path: String) throws(JournalError) {
        var status = stat()
        // SAFETY: filled in during the call.
        guard fstat(file, &status) == 0 else {
            throw .refused("\(path) cannot be used: \(FolderLock.text(errno))")
        }
        if let what = PlainFile.name(of: status.st_mode) {
            throw .refused("\(path) is \(what) where the lock of a data folder belongs; remove it")
        }
        guard status.st_nlink <= 1 else {
            throw .refused("\(path) has \(status.st_nlink) names, so it is something else's file too; remove this name")
        }
        guard let content = content(file) else {
            throw .refused("\(path) is a file of something else's and not a lock of Callboard's; choose another folder")
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            guard reason == EWOULDBLOCK else {
                throw .refused("\(path) cannot be locked: \(FolderLock.text(reason))")
            }
            let who = Int(content).map { "process \($0)" } ?? "another process"
            throw .refused("\(who) has the data folder open; stop it first, or choose another folder (\(path))")
        }
        // The umask may have removed permissions that the owner's next process needs.
        if status.st_mode & 0o600 != 0o600 { _ = fchmod(file, PrivateFile.mode) }
        _ = ftruncate(file, 0)
        // Only for the message; the lock does not depend on it.
        let text = Array("\(getpid())\n".utf8)
        _ = pwrite(file, text, text.count, 0)
    }

    /// The process's id that a lock holds, or nothing; nil for what no lock holds.
    private static func content(_ file: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 33)
        let count = pread(file, &bytes, bytes.count, 0)
        guard (0...32).contains(count) else { return nil }
        let text = bytes.prefix(count).filter { $0 != UInt8(ascii: "\n") }
        guard text.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    deinit {
        release()
    }

    /// Releases the folder; does nothing the second time.
    package func release() {
        descriptor.withLock { descriptor in
            guard descriptor >= 0 else { return }
            close(descriptor)
            descriptor = -1
        }
    }

    static func text(_ code: Int32) -> String {
        POSIXErrorCode(rawValue: code).map { POSIXError($0).localizedDescription } ?? "error \(code)"
    }
}
