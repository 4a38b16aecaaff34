import Foundation
import Logging
import Metrics
import Reactor
import Synchronization

/// One line of JSON for each change, whatever has caused it, and for each request that was refused for want of a right.
///
/// Any thread. Lines are gathered in memory and written by a thread of its own, so that no request waits for the disk. No
/// value, no path and no credential is in it.
package final class AuditLog: Sendable {
    private struct State {
        var pending: [UInt8] = []
        var dropped = 0
        var isWriting = false
        var isStale = false
        var file: FileHandle
    }

    private let path: String
    private let state: Mutex<State>
    private let threads = WaitingThreads(name: "audit", limit: 1, maxWaiting: 1)
    private let logger: Logger
    private let lost: Counter

    /// Bytes that wait to be written; a line beyond it is dropped, counted, and told of in the next one.
    static let limit = 8 << 20

    /// Opens the file, or makes it for its owner alone.
    ///
    /// - Throws: `SystemError` where it cannot be opened.
    init(path: String, metrics: MetricsRegistry, logger: Logger) throws(SystemError) {
        self.path = path
        self.logger = logger
        state = Mutex(State(file: try AuditFile.open(path)))
        lost = metrics.counter(
            "callboard_audit_lost_total", "Lines of the audit log that were not written: no room, or a disk that fails."
        )
    }

    /// Opens the file anew before the next line: its rotation has moved it away.
    package func reopen() {
        state.withLock { $0.isStale = true }
        write()
    }

    /// Notes a request that was answered.
    package func note(_ entry: AuditEntry) {
        let line = entry.line
        let isTaken = state.withLock { state in
            guard state.pending.count + line.count <= Self.limit else {
                state.dropped += 1
                return false
            }
            if state.dropped > 0 { state.pending += Array("{\"dropped\":\(state.dropped)}\n".utf8) }
            state.dropped = 0
            state.pending += line
            return true
        }
        if !isTaken { lost.add() }
        write()
    }

    /// Waits until everything is written, for two seconds at most; when the server stops.
    package func flush() async {
        for _ in 0..<2_000 where state.withLock({ $0.isWriting || !$0.pending.isEmpty }) {
            write()
            try? await Task.sleep(for: .milliseconds(1))
        }
    }

    private func write() {
        let isFirst = state.withLock { state in
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isFirst, !threads.run({ self.writeAll() }) { state.withLock { $0.isWriting = false } }
    }

    /// Writes until nothing waits any more.
    private func writeAll() {
        while true {
            let (bytes, isStale): ([UInt8], Bool) = state.withLock { state in
                defer {
                    state.pending = []
                    state.isStale = false
                }
                // Nothing comes between the look and the end: the next line begins another thread.
                if state.pending.isEmpty, !state.isStale { state.isWriting = false }
                return (state.pending, state.isStale)
            }
            if bytes.isEmpty, !isStale { return }
            if isStale { replace() }
            append(bytes)
        }
    }

    private func replace() {
        guard path != AuditFile.standardError else { return }
        do {
            let other = try AuditFile.open(path)
            state.withLock { $0.file = other }
        } catch {
            logger.error(
                "the audit file cannot be reopened; the server keeps the open one", metadata: ["reason": "\(error)"])
        }
    }

    private func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        let file = state.withLock { $0.file }
        do {
            try file.write(contentsOf: Data(bytes))
        } catch {
            let lines = bytes.count { $0 == UInt8(ascii: "\n") }
            lost.add(lines)
            logger.error(
                "the audit file cannot be written: lines are lost",
                metadata: ["lines": .number(lines), "reason": "\(error.localizedDescription)"])
        }
    }
}
