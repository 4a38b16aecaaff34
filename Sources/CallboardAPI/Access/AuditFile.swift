import Foundation
import Glibc
import Reactor

/// The file of the audit as a command writes it that changes something beside the server; the server itself has an
/// `AuditLog`.
package struct AuditFile {
    private let file: FileHandle

    /// The path that stands for standard error.
    static let standardError = "-"

    /// Opens the file, or makes it for its owner alone.
    ///
    /// - Throws: `SystemError` where it cannot be opened.
    package init(path: String) throws(SystemError) {
        file = try Self.open(path)
    }

    static func open(_ path: String) throws(SystemError) -> FileHandle {
        if path == standardError { return .standardError }
        // Without O_NONBLOCK a pipe would wait for somebody who reads it; writing to one waits as to any file.
        let file = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
        guard file >= 0 else { throw SystemError(call: "open \(path)", number: errno) }
        let flags = fcntl(file, F_GETFL)
        guard flags >= 0, fcntl(file, F_SETFL, flags & ~O_NONBLOCK) == 0 else {
            let reason = errno
            Glibc.close(file)
            throw SystemError(call: "open \(path)", number: reason)
        }
        return FileHandle(fileDescriptor: file, closeOnDealloc: true)
    }

    /// Appends a line for each of what was done, in one piece.
    ///
    /// - Throws: What the file system says.
    package func append(_ entries: [AuditEntry]) throws {
        try file.write(contentsOf: Data(entries.flatMap(\.line)))
    }
}
