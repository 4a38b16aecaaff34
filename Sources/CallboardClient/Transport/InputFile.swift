import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads files that somebody has named, which may be pipes: never more than a bound, and never waiting for ever.
package enum InputFile {
    /// How long a pipe may say nothing before it is given up.
    package static let patience = Duration.seconds(10)

    /// Reads a file or a pipe.
    ///
    /// Reading from a pipe fails with ``InputFileError/silent(_:)`` after a silence of `patience`, also if no process
    /// writes to it.
    ///
    /// - Parameters:
    ///   - limit: The most bytes to accept. Reading ends one byte behind it: a result longer than `limit` means a
    ///     longer file.
    ///   - patience: Nil for no bound.
    package static func read(
        _ path: String, limit: Int, patience: Duration? = InputFile.patience
    ) throws(InputFileError) -> [UInt8] {
        // Without O_NONBLOCK opening a pipe waits for somebody who writes to it.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw .failed(errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .failed(errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return try readAll(file, limit: limit) { true }
        case S_IFDIR: throw .failed(EISDIR)
        case S_IFIFO, S_IFCHR:
            return try readAll(file, limit: limit) { () throws(InputFileError) in try wait(file, patience) }
        default: throw .noFile
        }
    }

    private static func readAll(
        _ file: Int32, limit: Int, _ isReady: () throws(InputFileError) -> Bool
    ) throws(InputFileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(limit + 1, 1 << 16))
        while bytes.count <= limit, try isReady() {
            let size = min(piece.count, limit + 1 - bytes.count)
            let count = piece.withUnsafeMutableBytes { buffer in
                #if canImport(Darwin)
                    Darwin.read(file, buffer.baseAddress, size)
                #else
                    Glibc.read(file, buffer.baseAddress, size)
                #endif
            }
            if count == 0 { break }
            if count > 0 {
                bytes += piece[..<count]
            } else if errno != EINTR, errno != EAGAIN {
                throw .failed(errno)
            }
        }
        return bytes
    }

    /// Waits until a pipe can be read, or is at its end.
    private static func wait(_ file: Int32, _ patience: Duration?) throws(InputFileError) -> Bool {
        let end = patience.map { ContinuousClock.now + $0 }
        while true {
            let left = end.map { Int32(clamping: Int(ContinuousClock.now.duration(to: $0) / .milliseconds(1))) } ?? -1
            var entry = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            let count = poll(&entry, 1, end == nil ? -1 : max(0, left))
            if count > 0 { return true }
            if count == 0 { throw .silent(patience ?? .zero) }
            guard errno == EINTR else { throw .failed(errno) }
        }
    }
}

/// Why a file cannot be read.
package enum InputFileError: Error, Sendable, CustomStringConvertible {
    /// The system's reason.
    case failed(Int32)
    /// It is a socket or a disk.
    case noFile
    /// It is a pipe to which nothing was written for so long.
    case silent(Duration)

    /// The reason, a sentence without its full stop.
    package var description: String {
        switch self {
        case .failed(let code): String(cString: strerror(code))
        case .noFile: "it is neither a file nor a pipe"
        case .silent(let time): "it is a pipe, and nothing was written to it for \(Int(time / .seconds(1))) s"
        }
    }
}
