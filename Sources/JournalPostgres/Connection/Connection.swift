import CPostgres
import Foundation

/// A connection to the database: statements in, results out, each within a deadline of the caller's.
///
/// libpq in its non-blocking and pipeline modes. Statements that are run together are one transaction, and cost one
/// round trip. Used by one thread at a time. Nothing is ever cancelled: a connection whose deadline has passed is closed,
/// and what it was about is in doubt.
final class Connection {
    let connection: OpaquePointer
    /// The server's warnings since the connection was made.
    private let warningCount: UnsafeMutablePointer<Int32>
    /// The statements that are prepared, by name.
    private var prepared: Set<String> = []
    /// Whether nothing can be run any more.
    private(set) var isLost = false
    /// The findings about a pooler in front of the server.
    private(set) var pooling: PooledSession

    /// Takes a connection of libpq's over.
    init(pointer: OpaquePointer, pooler: PoolerWatch) {
        connection = pointer
        pooling = PooledSession(pooler, told: Int(PQbackendPID(pointer)))
        warningCount = .allocate(capacity: 1)
        warningCount.initialize(to: 0)
        // SAFETY: the count lives until the connection is closed; only this connection's calls write to it.
        cpostgres_count_warnings(connection, warningCount)
    }

    deinit {
        PQfinish(connection)
        warningCount.deallocate()
    }

    // MARK: Running

    /// Runs statements as one transaction.
    ///
    /// - Parameters:
    ///   - calls: The statements.
    ///   - deadline: How long it may take.
    ///   - isChecked: Whether it begins with the check of a pooled session; see ``PooledSession``.
    /// - Returns: The result of each.
    /// - Throws: ``DatabaseFault/refused(state:message:)`` and ``DatabaseFault/pooler(_:)`` where all of it is undone,
    ///   ``DatabaseFault/lost(_:)`` where that is not known.
    func run(
        _ calls: [StatementCall], within deadline: Duration, isChecked: Bool = true
    ) throws(DatabaseFault) -> [DatabaseResult] {
        if pooling.isRefused { throw lose(PoolerWatch.fault) }
        return try run(calls, after: isChecked ? pooling.check : nil, within: deadline)
    }

    /// Takes everything out of the session that was left there.
    func discard(within deadline: Duration) throws(DatabaseFault) {
        _ = try run([], after: "DISCARD ALL", within: deadline)
        prepared = []
        pooling.isDiscarded()
    }

    private func run(
        _ calls: [StatementCall], after check: String?, within deadline: Duration
    ) throws(DatabaseFault) -> [DatabaseResult] {
        let end = ContinuousClock.now + deadline
        let queued = try send(calls, after: check, until: end)
        var results: [DatabaseResult] = []
        var refusal: DatabaseFault?
        for expected in queued + [.end] {
            // Each statement's result is followed by nothing; the end of the transaction is a result alone.
            while let result = try next(until: end) {
                switch result.status {
                case PGRES_PIPELINE_SYNC:
                    if let refusal { throw refusal }
                    if let check { pooling.isCommitted(check) }
                    return results
                case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                    try take(result, expected, &results)
                case PGRES_PIPELINE_ABORTED: break
                default:
                    let (fault, isFatal) = result.failure
                    if expected == .check, let changed = pooling.fault(of: fault) { throw lose(changed) }
                    if isFatal { throw lose(fault) }
                    refusal = refusal ?? fault
                }
            }
        }
        throw lose(.lost("the server's answers are out of order"))
    }

    private func take(
        _ result: DatabaseResult, _ expected: Expected, _ results: inout [DatabaseResult]
    ) throws(DatabaseFault) {
        switch expected {
        case .prepared(let name): prepared.insert(name)
        case .check where pooling.backend != nil: break
        case .check:
            guard let number = try? result.first?.integer(0, "the session") else {
                throw lose(.lost("the server does not tell its process"))
            }
            pooling.backend = number
        case .result, .end: results.append(result)
        }
    }

    /// Runs one statement and reads its rows one by one; a long result is never in memory as a whole.
    ///
    /// The connection is closed where `take` throws.
    ///
    /// - Parameter deadline: How long each row may take.
    func stream(
        _ call: StatementCall, within deadline: Duration, _ take: (DatabaseRow) throws -> Void
    ) throws {
        if pooling.check != nil { _ = try run([], within: deadline) }
        if !prepared.contains(call.statement.name) { try prepareAlone(call.statement, within: deadline) }
        _ = try send([call], after: nil, until: .now + deadline)
        guard PQsetSingleRowMode(connection) == 1 else { throw lose(.lost("libpq cannot read rows one by one")) }
        var refusal: DatabaseFault?
        while true {
            guard let result = try next(until: .now + deadline) else { continue }
            switch result.status {
            case PGRES_PIPELINE_SYNC:
                if let refusal { throw refusal }
                return
            case PGRES_SINGLE_TUPLE:
                do {
                    if let row = result.first { try take(row) }
                } catch {
                    isLost = true
                    throw error
                }
            case PGRES_TUPLES_OK, PGRES_PIPELINE_ABORTED: break
            default:
                let (fault, isFatal) = result.failure
                if isFatal { throw lose(fault) }
                refusal = refusal ?? fault
            }
        }
    }

    private func prepareAlone(_ statement: Statement, within deadline: Duration) throws(DatabaseFault) {
        let end = ContinuousClock.now + deadline
        try queuePrepare(statement)
        try endTransaction(until: end)
        var fault: DatabaseFault?
        while true {
            guard let result = try next(until: end) else { continue }
            if result.status == PGRES_PIPELINE_SYNC { break }
            if result.status != PGRES_COMMAND_OK { fault = result.failure.fault }
        }
        if let fault { throw fault }
        prepared.insert(statement.name)
    }

    /// The server's warnings so far. A warning that comes with a commit leaves doubt: a cancelled wait for a standby
    /// reports success with a warning.
    var warnings: Int { Int(warningCount.pointee) }

    /// Finds out whether a connection on which nothing is under way can still be used.
    ///
    /// The server says nothing unasked but that it ends the connection, and has closed it by the time of another look; a
    /// statement that is sent meanwhile would be in doubt. So a connection with anything to read is given up.
    func checkIdle() -> Bool {
        if !isLost, Self.wait(PQsocket(connection), for: Int16(POLLIN), until: .now) != 0 { isLost = true }
        return !isLost
    }

    // MARK: Notifications

    /// The socket, for a thread that waits for notifications.
    var socket: Int32 { PQsocket(connection) }

    /// Takes the notifications that have come; nothing may be under way.
    ///
    /// - Throws: That the connection is lost.
    func takeNotifications() throws(DatabaseFault) -> [String] {
        guard !isLost, PQconsumeInput(connection) == 1 else { throw lose(.lost(message)) }
        var texts: [String] = []
        while let notification = PQnotifies(connection) {
            // SAFETY: libpq's structure and its text live until it is given back.
            texts.append(String(cString: notification.pointee.extra))
            PQfreemem(notification)
        }
        return texts
    }

    // MARK: Sending and receiving

    /// The next result.
    private enum Expected: Equatable {
        /// That of the transaction's check.
        case check
        /// A statement of this name is prepared.
        case prepared(String)
        /// That of a statement.
        case result
        /// The end of the transaction.
        case end
    }

    /// Sends statements and the end of their transaction.
    ///
    /// - Parameter check: The statement that the transaction begins with; nil for none.
    /// - Returns: The expected results but for the end.
    private func send(
        _ calls: [StatementCall], after check: String?, until end: ContinuousClock.Instant
    ) throws(DatabaseFault) -> [Expected] {
        guard !isLost else { throw .lost("it was closed") }
        var queued: [Expected] = []
        if let check {
            guard PQsendQueryParams(connection, check, 0, nil, nil, nil, nil, 1) == 1 else {
                throw lose(.lost(message))
            }
            queued.append(.check)
        }
        var preparing: Set<String> = []
        for call in calls {
            if !prepared.contains(call.statement.name), preparing.insert(call.statement.name).inserted {
                try queuePrepare(call.statement)
                queued.append(.prepared(call.statement.name))
            }
            try queue(call)
            queued.append(.result)
        }
        try endTransaction(until: end)
        return queued
    }

    private func queuePrepare(_ statement: Statement) throws(DatabaseFault) {
        let types = statement.types.map { Oid($0.number) }
        guard PQsendPrepare(connection, statement.name, statement.sql, Int32(types.count), types) == 1 else {
            throw lose(.lost(message))
        }
    }

    private func queue(_ call: StatementCall) throws(DatabaseFault) {
        let places = call.parameters.places
        let lengths = places.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: places.count)
        // SAFETY: the pointers point into the buffer, which is held during the call; libpq copies what they point to.
        let isQueued = call.parameters.bytes.withUnsafeBytes { buffer in
            guard let base = buffer.bindMemory(to: CChar.self).baseAddress else { return Int32(0) }
            return PQsendQueryPrepared(
                connection, call.statement.name, Int32(places.count),
                places.map { place in place.map { base + $0.lowerBound } }, lengths, formats, 1)
        }
        guard isQueued == 1 else { throw lose(.lost(message)) }
    }

    private func endTransaction(until end: ContinuousClock.Instant) throws(DatabaseFault) {
        guard PQpipelineSync(connection) == 1 else { throw lose(.lost(message)) }
        while true {
            let left = PQflush(connection)
            guard left >= 0 else { throw lose(.lost(message)) }
            if left == 0 { return }
            // The server may stop reading until its own answers are read.
            let events = Self.wait(PQsocket(connection), for: Int16(POLLIN | POLLOUT), until: end)
            guard events != 0 else { throw lose(.lost("it took too long to send")) }
            if events & Int16(POLLIN) != 0, PQconsumeInput(connection) == 0 { throw lose(.lost(message)) }
        }
    }

    private func next(until end: ContinuousClock.Instant) throws(DatabaseFault) -> DatabaseResult? {
        while PQisBusy(connection) == 1 {
            guard Self.wait(PQsocket(connection), for: Int16(POLLIN), until: end) != 0 else {
                throw lose(.lost("the server has not answered in time"))
            }
            guard PQconsumeInput(connection) == 1 else { throw lose(.lost(message)) }
        }
        guard let result = PQgetResult(connection) else {
            guard PQstatus(connection) != CONNECTION_BAD else { throw lose(.lost(message)) }
            return nil
        }
        return DatabaseResult(owning: result)
    }

    private func lose(_ fault: DatabaseFault) -> DatabaseFault {
        isLost = true
        return fault
    }

    /// libpq's text about the last failure.
    var message: String { String(cString: PQerrorMessage(connection)).oneLine }
}
