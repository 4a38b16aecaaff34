import Dispatch
import Foundation
import Synchronization

/// The terminal's keyboard, read key by key: without echo, and without waiting for the end of a line.
///
/// Keys that send a signal still do.
struct KeyInput: Sendable {
    /// The settings before; nil while the keyboard is not taken.
    private var original: termios?

    /// Takes the keyboard; nothing happens where standard input is no terminal.
    mutating func take() {
        var settings = termios()
        guard Terminal.isTerminal(.input), tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
        original = original ?? settings
        settings.c_lflag &= ~tcflag_t(ECHO | ICANON)
        // One byte is enough for a read to end, and it waits for no other; ECHO and ICANON alone leave both undefined.
        // VMIN and VTIME, by the places that Linux gives them.
        (settings.c_cc.6, settings.c_cc.5) = (1, 0)
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    /// Gives the keyboard back with the settings that it had.
    mutating func giveBack() {
        guard var settings = original else { return }
        original = nil
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    /// The keys as they are pressed, all of them together that have come since the last time; nothing where standard input
    /// is no terminal. At most the newest 1,024 wait.
    static func keys() -> some AsyncSequence<[WatchKey], Never> & Sendable {
        let waiting = Mutex<[WatchKey]>([])
        let isThere = AsyncStream<Void>(bufferingPolicy: .bufferingNewest(1)) { continuation in
            guard Terminal.isTerminal(.input) else { return }
            // SAFETY: a source may be cancelled from every thread.
            nonisolated(unsafe) let source = DispatchSource.makeReadSource(
                fileDescriptor: STDIN_FILENO, queue: DispatchQueue(label: "callboard.keys"))
            let reader = Mutex(WatchKeyReader())
            source.setEventHandler {
                var bytes = [UInt8](repeating: 0, count: 256)
                let count = read(STDIN_FILENO, &bytes, bytes.count)
                guard count > 0 else {
                    // The terminal is gone, which SIGHUP says as well; a source that went on would never be idle.
                    if count == 0 || errno != EINTR && errno != EAGAIN { source.cancel() }
                    return
                }
                let keys = reader.withLock { $0.keys(in: bytes.prefix(count)) }
                waiting.withLock { $0 = ($0 + keys).suffix(1024) }
                continuation.yield()
            }
            continuation.onTermination = { _ in source.cancel() }
            source.resume()
        }
        return isThere.map {
            waiting.withLock { keys in
                defer { keys = [] }
                return keys
            }
        }
    }
}
