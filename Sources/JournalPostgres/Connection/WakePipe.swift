import Foundation
import Journal

/// Wakes a thread that waits, for a socket or for a time. The time is that of the monotonic clock: a wait of a
/// `DispatchSemaphore` ends by the wall clock here, and lasts longer by as much as that is set back.
// SAFETY: the descriptors never change and are closed with the object; the system's calls on them are safe from any thread.
final class WakePipe: Sendable {
    private let ends: (read: Int32, write: Int32)

    /// Makes a pipe; throws that the system gives none, and why.
    init() throws(JournalError) {
        var ends: [Int32] = [0, 0]
        // SAFETY: the system writes two numbers, and there is room for two.
        guard pipe(&ends) == 0 else {
            throw .unavailable("the system gives no pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        self.ends = (ends[0], ends[1])
    }

    deinit {
        close(ends.read)
        close(ends.write)
    }

    /// Wakes the thread, now or when it waits next; any thread.
    func wake() {
        var byte: UInt8 = 1
        // SAFETY: one byte is written from a variable that lives during the call. A full pipe wakes as well.
        _ = write(ends.write, &byte, 1)
    }

    /// Waits until it is woken, or the time is over.
    func wait(until deadline: ContinuousClock.Instant) {
        while !wait(beside: -1, until: deadline), .now < deadline {}
    }

    /// Waits until it is woken, the socket has something to read, or the time is over; may return before that.
    ///
    /// - Returns: Whether it was woken.
    @discardableResult
    func wait(beside socket: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
        var entries = [
            pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
        ]
        // SAFETY: there are two entries, and they live during the call; one with the number -1 is ignored.
        _ = poll(&entries, 2, Int32(max(0, min(left.rounded(.up), 60_000))))
        var bytes = [UInt8](repeating: 0, count: 64)
        // SAFETY: as many bytes are read as there is room for.
        let count = read(ends.read, &bytes, bytes.count)
        if count == bytes.count { while read(ends.read, &bytes, bytes.count) == bytes.count {} }
        return count > 0
    }
}
