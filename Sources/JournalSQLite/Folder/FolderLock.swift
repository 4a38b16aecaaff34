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
    /// - Parameter path: The file, made where it is not there.
    /// - Throws: `JournalError.refused(_:)` where another process has it, or the file cannot be made.
    package init(path: String) throws(JournalError) {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            let reason = errno
            throw .refused("\(path) cannot be opened: \(FolderLock.text(reason)); the data folder has to be writable")
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            close(file)
            guard reason == EWOULDBLOCK else {
                throw .refused("\(path) cannot be locked: \(FolderLock.text(reason))")
            }
            let holder = (try? String(contentsOfFile: path, encoding: .utf8)).flatMap { Int($0.filter(\.isNumber)) }
            let who = holder.map { "process \($0)" } ?? "another process"
            throw .refused("\(who) has the data folder open; stop it first, or choose another folder (\(path))")
        }
        // The umask may have removed permissions that the owner's next process needs.
        if PrivateFile.permissions(of: path).map({ $0 & 0o600 != 0o600 }) ?? false {
            _ = fchmod(file, PrivateFile.mode)
        }
        descriptor = Mutex(file)
        _ = ftruncate(file, 0)
        // Only for the message; the lock does not depend on it.
        try? FileHandle(fileDescriptor: file, closeOnDealloc: false).write(contentsOf: Data("\(getpid())\n".utf8))
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
