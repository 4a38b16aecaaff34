import Access
import Directors
import Foundation
import Glibc
import HTTPServer
import HTTPTypes
import Hosting
import JSONValues
import Logging
import Metrics
import Reactor
import Synchronization
import Webhooks

/// One line of JSON for each change, whatever has caused it, and for each request that was refused for want of a right.
///
/// Any thread. Lines are gathered in memory and written by a thread of its own, so that no request waits for the disk. No
/// value, no path and no credential is in it.
final class AuditLog: Sendable {
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
    /// The path that stands for standard error.
    static let standardError = "-"

    /// Opens the file, or makes it for its owner alone.
    ///
    /// - Throws: `SystemError` where it cannot be opened.
    init(path: String, metrics: MetricsRegistry, logger: Logger) throws(SystemError) {
        self.path = path
        self.logger = logger
        state = Mutex(State(file: try Self.open(path)))
        lost = metrics.counter(
            "callboard_audit_lost_total", "Lines of the audit log that were not written: no room, or a disk that fails."
        )
    }

    private static func open(_ path: String) throws(SystemError) -> FileHandle {
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

    /// Opens the file anew before the next line: its rotation has moved it away.
    func reopen() {
        state.withLock { $0.isStale = true }
        write()
    }

    /// Notes a request that was answered.
    func note(_ entry: AuditEntry) {
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
    func flush() async {
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
        guard path != Self.standardError else { return }
        do {
            let other = try Self.open(path)
            state.withLock { $0.file = other }
        } catch {
            logger.error(
                "the audit file cannot be opened anew; the one before goes on", metadata: ["reason": "\(error)"])
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

/// A line of the audit log: a request, or what a hook's target has brought about.
struct AuditEntry: Sendable {
    /// What came of it.
    private enum Outcome: String {
        case done
        case refused
        /// The change may have been made: the database has not said.
        case unknown
    }

    private let principal: String
    private var request: (address: String, method: String)?
    private let operation: String?
    private let director: String?
    private var status: HTTPResponse.Status?
    private var etag: String?
    private let outcome: Outcome

    /// A request that was answered.
    ///
    /// - Parameters:
    ///   - principal: Who has made it; nil where that was not found out.
    ///   - exchange: The request.
    ///   - route: What it asked for; nil where that was not found out.
    ///   - director: The director that it was about, if it was about one.
    ///   - status: What it was answered.
    ///   - etag: The state that it has led to.
    init(
        principal: Principal?, exchange: Exchange, route: Route?, director: String?, status: HTTPResponse.Status,
        etag: String? = nil
    ) {
        self.principal = principal?.name ?? "unknown"
        request = (exchange.remoteAddress, exchange.head.method.rawValue)
        operation = route?.operationID
        self.director = director
        self.status = status
        self.etag = etag
        outcome = status == .gatewayTimeout ? .unknown : status.code < 400 ? .done : .refused
    }

    /// What a hook's target has brought about; the hook is the principal.
    init(_ deed: HookDeed) {
        principal = "hook \(deed.address.path)"
        operation = deed.kind.rawValue
        director = deed.address.director
        switch deed.change {
        case .done(let tag):
            etag = tag
            outcome = .done
        case .inDoubt: outcome = .unknown
        case .none, .refused: outcome = .refused
        }
    }

    fileprivate var line: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 256)
        func member(_ name: String, _ text: String) { writer.member(name, text.shownInLogs) }
        writer.beginObject()
        writer.member("time", WallTime.now().description)
        member("principal", principal.cut(toBytes: 1024))
        if let request {
            member("address", request.address)
            member("method", request.method)
        }
        if let operation { writer.member("operation", operation) }
        if let director { member("director", director.cut(toBytes: 256)) }
        if let etag { member("etag", etag) }
        if let status { writer.member("status", status.code) }
        writer.member("outcome", outcome.rawValue)
        writer.endObject()
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
