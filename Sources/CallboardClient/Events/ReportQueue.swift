import Foundation

/// Reports that are on their way to the server: kept in order, and sent again until the server has taken them.
///
/// ```swift
/// let queue = try ReportQueue(callboard, file: folder.appending(path: "reports"))
/// try await queue.add(ListEvent("didSelect", at: .named(section: "people", row: nil, element: "Ada")), to: "contacts")
/// ```
///
/// Each report has an idempotency key of its own, which goes with each attempt: the server delivers it at least once, and a
/// receiver that heeds the delivery's identifier takes it once. With a file, a report that ``add(_:to:selecting:)`` has
/// returned for survives the app; the next queue of that file sends it. Reports are sent one request after the other, in the
/// order in which they were added.
public actor ReportQueue {
    /// How much a queue holds.
    public struct Limits: Sendable {
        /// How many reports at most.
        public var reports: Int
        /// How many bytes all reports have at most, as the file has them.
        public var bytes: Int

        /// Makes limits; the defaults are 10,000 reports and 8 MiB.
        public init(reports: Int = 10_000, bytes: Int = 8 << 20) {
            (self.reports, self.bytes) = (reports, bytes)
        }
    }

    private let callboard: Callboard
    private let limits: Limits
    private let reconnect: ReconnectPolicy
    private let refused: @Sendable (QueuedReport, ClientError) -> Void
    private var file: ReportFile?
    private var waiting: [QueuedReport] = []
    private var bytes = 0
    private var failures = 0
    /// The reports of the request that is under way or is to be repeated, by their number, and its key.
    private var attempt: (count: Int, key: String)?
    /// How many reports a request carries at most: fewer than ever once one was too large, until nothing waits.
    private var most = RemoteDirector.maximumEvents
    private var isPausing = false
    private var sending: Task<Void, Never>?
    private var emptied: [CheckedContinuation<Void, Never>] = []

    /// The faults of the unreadable lines of the queue's file, in words; the lines stand in a file beside it whose name
    /// ends in `.damaged`.
    public nonisolated let faults: [String]

    /// Makes a queue, and begins to send what its file holds.
    ///
    /// - Parameters:
    ///   - callboard: The server.
    ///   - file: Where reports are kept; nil keeps them in memory. One queue at a time has a file.
    ///   - limits: How much may wait.
    ///   - reconnect: How long to wait before a request that has failed is sent again.
    ///   - refused: Gets a report that the server has refused for good, and why; it is not sent again.
    /// - Throws: ``ReportQueueError`` where the file cannot be opened.
    public init(
        _ callboard: Callboard, file: URL? = nil, limits: Limits = Limits(),
        reconnect: ReconnectPolicy = ReconnectPolicy(),
        refused: @escaping @Sendable (QueuedReport, ClientError) -> Void = { _, _ in }
    ) throws(ReportQueueError) {
        self.callboard = callboard
        self.limits = limits
        self.reconnect = reconnect
        self.refused = refused
        guard let file else {
            faults = []
            return
        }
        let (opened, reports, faults) = try ReportFile.open(file)
        self.file = opened
        self.faults = faults
        waiting = reports
        bytes = reports.reduce(0) { $0 + $1.length }
        if !reports.isEmpty { Task { await start() } }
    }

    /// Makes a queue that keeps reports in memory.
    init(inMemoryFor callboard: Callboard) {
        self.callboard = callboard
        (limits, reconnect, refused, faults) = (Limits(), ReconnectPolicy(), { _, _ in }, [])
    }

    deinit { sending?.cancel() }

    /// How many reports wait, the ones that are being sent included.
    public var count: Int { waiting.count }

    /// Adds a report, and sends it once those before it have been taken.
    ///
    /// - Parameters:
    ///   - event: What has happened. A place that is named (``ListEvent/Place/named(section:row:element:)``) or a list as a
    ///     whole suits a report that may be sent late: the server has a version only for a while.
    ///   - director: The director's name.
    ///   - selection: What the reader sees of the list.
    /// - Returns: The report's key.
    /// - Throws: ``ReportQueueError`` where the queue is full or the file cannot be written; the report is not kept then.
    @discardableResult
    public func add(
        _ event: ListEvent, to director: String, selecting selection: ListSelection = ListSelection()
    ) throws(ReportQueueError) -> String {
        let report = QueuedReport(
            event: event, director: director, query: selection.query, key: UUID().uuidString.lowercased())
        guard waiting.count < limits.reports, bytes + report.length <= limits.bytes else { throw .full(waiting.count) }
        try file?.add(report)
        waiting.append(report)
        bytes += report.length
        start()
        return report.key
    }

    /// Sends at once where the queue waits for its next attempt: to be called when the network is back, or the app comes to
    /// the front.
    public func wakeUp() {
        guard isPausing else { return }
        sending?.cancel()
        (sending, isPausing) = (nil, false)
        start()
    }

    /// Waits until no report waits.
    public func waitUntilEmpty() async {
        guard !waiting.isEmpty else { return }
        await withCheckedContinuation { emptied.append($0) }
    }

    /// Ends the sending; what waits stays in the file.
    public func close() {
        sending?.cancel()
        sending = nil
        file = nil
        for continuation in emptied { continuation.resume() }
        emptied = []
    }

    private func start() {
        guard sending == nil, !waiting.isEmpty else { return }
        // The task holds the queue only while it sends, so that a queue that nobody holds does not wait for ever.
        sending = Task { [weak self] in
            while let pause = await self?.sendNext() {
                guard pause > .zero else { continue }
                do { try await Task.sleep(for: pause) } catch { return }
                await self?.endPause()
            }
        }
    }

    private func endPause() { isPausing = false }

    /// Sends the next reports.
    ///
    /// - Returns: How long to wait before the next request; nil where nothing is left, or the task is cancelled.
    private func sendNext() async -> Duration? {
        guard !Task.isCancelled else { return nil }
        guard let first = waiting.first else {
            sending = nil
            return nil
        }
        // A repetition is the same request, so that the server knows it.
        let key: String
        let batch: ArraySlice<QueuedReport>
        if let attempt {
            (batch, key) = (waiting.prefix(attempt.count), attempt.key)
        } else {
            batch = waiting.prefix { $0.goesWith(first) }.prefix(most)
            key = UUID().uuidString.lowercased()
            attempt = (batch.count, key)
        }
        do {
            let outcomes = try await callboard.director(first.director).send(
                events: batch.map { ($0.event, $0.key) }, query: first.query, idempotencyKey: key)
            settle(Array(zip(batch, outcomes)))
            return .zero
        } catch let error as ClientError where error.status == 413 && batch.count > 1 {
            // Each of them may be taken by itself, by the server and by whatever stands in front of it.
            (most, attempt) = (batch.count / 2, nil)
            return .zero
        } catch let error as ClientError where error.status == 413 || error.isFinal && error.status != 401 {
            settle(batch.map { ($0, .refused(error.problem ?? Problem(status: error.status ?? 0, errors: []))) })
            return .zero
        } catch {
            guard !Task.isCancelled else { return nil }
            defer { failures += 1 }
            isPausing = true
            return reconnect.delay(failures: failures, serverDelay: nil, random: .random(in: 0..<1))
        }
    }

    /// Lets go of reports that the server has taken or refused.
    private func settle(_ outcomes: [(QueuedReport, EventOutcome)]) {
        (failures, attempt) = (0, nil)
        // Where the file cannot be written, a report is sent again after a restart, with its key.
        try? file?.settle(outcomes.map(\.0.key), leaving: waiting.dropFirst(outcomes.count))
        waiting.removeFirst(outcomes.count)
        if waiting.isEmpty { most = RemoteDirector.maximumEvents }
        for (report, outcome) in outcomes {
            bytes -= report.length
            if case .refused(let problem) = outcome { refused(report, .problem(problem)) }
        }
        guard waiting.isEmpty else { return }
        for continuation in emptied { continuation.resume() }
        emptied = []
    }
}

/// Why a queue of reports does not take one, or cannot be opened.
public enum ReportQueueError: Error, Sendable, Hashable, CustomStringConvertible {
    /// As many reports wait as may; the number of them.
    case full(Int)
    /// The file cannot be read or written: its path, and the system's reason.
    case file(path: String, reason: String)
    /// Another queue has the file.
    case inUse(path: String)

    /// The error, as a sentence without a full stop.
    public var description: String {
        switch self {
        case .full(let count): "\(count) reports wait for the server, and the queue takes no more"
        case .file(let path, let reason): "the reports in \(path) cannot be kept: \(reason)"
        case .inUse(let path): "the reports in \(path) belong to another queue that is open"
        }
    }
}
