import CPostgres
import Foundation

extension Connection {
    /// Connects to the first host that answers and can be written to, and prepares the session.
    ///
    /// - Parameters:
    ///   - deadline: How long each host has.
    ///   - session: Sets what the connection is used with.
    ///   - node: The node whose connection it is; nil before it has a number. See ``NodeConnections``.
    /// - Throws: ``DatabaseFault/unreachable(_:)`` with the fault of each host.
    static func open(
        _ address: DatabaseAddress, within deadline: Duration, session: Statement, node: Int? = nil
    ) throws(DatabaseFault) -> Connection {
        var faults: [String] = []
        for (host, place) in zip(address.hosts, address.places) {
            do throws(DatabaseFault) {
                let (host, isForWriting) = Self.withoutWriting(host)
                return try open(host, address.pooler, within: deadline) { (connection) throws(DatabaseFault) in
                    let isReadOnly = try connection.prepare(session, node, within: deadline)
                    if isReadOnly, isForWriting { throw .unreachable("the session is read-only") }
                }
            } catch {
                // Another host may be another database; what a pooler does wrong has to be put right.
                if case .pooler = error { throw error }
                let what = if case .unreachable(let what) = error { what } else { error.description }
                faults.append(address.hosts.count > 1 ? "\(place): \(what)" : what)
            }
        }
        throw .unreachable(faults.isEmpty ? "the address names no host" : faults.joined(separator: "; "))
    }

    /// Takes the wish for a host that can be written to out of the options. It is wished unless `target_session_attrs` says
    /// otherwise.
    ///
    /// Libpq asks no host for it, but believes what the connection tells at its beginning. A pooler tells there what the host was
    /// once: a standby that has become the primary would be passed over, and a primary that has become a standby taken.
    private static func withoutWriting(_ host: [(key: String, value: String)]) -> ([(key: String, value: String)], Bool)
    {
        let wish = host.last { $0.key == "target_session_attrs" }?.value ?? "read-write"
        guard ["read-write", "primary"].contains(wish) else { return (host, false) }
        return (host.filter { $0.key != "target_session_attrs" }, true)
    }

    private static func open(
        _ host: [(key: String, value: String)], _ pooler: PoolerWatch, within deadline: Duration,
        prepare: (Connection) throws(DatabaseFault) -> Void
    ) throws(DatabaseFault) -> Connection {
        func begin(_ limit: Duration) throws(DatabaseFault) -> Connection {
            let connection = Connection(pointer: try connect(host, by: .now + limit), pooler: pooler)
            try connection.beginPipeline()
            return connection
        }
        let connection = try begin(deadline)
        do throws(DatabaseFault) {
            do throws(DatabaseFault) {
                try prepare(connection)
                try pooler.check(connection, within: deadline, other: begin)
            } catch {
                guard connection.holdsAnothers(after: error) else { throw error }
                try pooler.check(connection, within: deadline, other: begin)
                try connection.discard(within: deadline)
                try prepare(connection)
            }
        } catch {
            throw error.ofOpening
        }
        return connection
    }

    /// Tells whether the session can write; has the server notice within half a minute that this end is gone, as this end notices
    /// the server.
    private static let watching = Statement(
        "session-network",
        """
        SELECT current_setting('transaction_read_only') = 'on',
            set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
            set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '10000', false)
        """)

    private func beginPipeline() throws(DatabaseFault) {
        guard PQsetnonblocking(connection, 1) == 0, PQenterPipelineMode(connection) == 1 else {
            throw .unreachable("libpq cannot use the connection: \(message)")
        }
    }

    /// Sets what the session is used with.
    ///
    /// - Returns: Whether it is read-only.
    private func prepare(_ session: Statement, _ node: Int?, within deadline: Duration) throws(DatabaseFault) -> Bool {
        let mark = node.map { [NodeConnections.mark(Parameters($0))] } ?? []
        let results = try run([Self.watching(), session()] + mark, within: deadline)
        return (try? results[0].first?.flag(0, "the session")) ?? false
    }

    /// Whether a statement was refused since another client of a pooler has left the session as it was: a prepared
    /// statement is there already.
    private func holdsAnothers(after fault: DatabaseFault) -> Bool { pooling.isPooled && fault.state == "42P05" }

    private static func connect(
        _ options: [(key: String, value: String)], by end: ContinuousClock.Instant
    ) throws(DatabaseFault) -> OpaquePointer {
        // What the address says comes last and wins.
        let defaults = [
            ("application_name", "callboard"), ("target_session_attrs", "any"), ("keepalives_idle", "10"),
            ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "10000"),
        ]
        let named = Set(options.map(\.key))
        let all =
            defaults.filter { !named.contains($0.0) } + options.map { ($0.key, $0.value) }
            + [("client_encoding", "UTF8")]
        // SAFETY: each text is a copy of C's that lives until libpq has copied it.
        let keys = all.map { strdup($0.0) }
        let values = all.map { strdup($0.1) }
        defer { for text in keys + values { free(text) } }
        let pointer = PQconnectStartParams(
            keys.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 0)
        guard let pointer else { throw .unreachable("there is no memory for a connection") }
        do throws(DatabaseFault) {
            try finish(pointer, by: end)
        } catch {
            PQfinish(pointer)
            throw error
        }
        return pointer
    }

    private static func finish(_ pointer: OpaquePointer, by end: ContinuousClock.Instant) throws(DatabaseFault) {
        func failure() -> DatabaseFault {
            let message = String(cString: PQerrorMessage(pointer)).oneLine
            // PgBouncer's words for what it does not keep; ignored, it would not hold for the session.
            guard message.contains("unsupported startup parameter") else { return .unreachable(message) }
            return .pooler(
                "the pooler in front of the database does not take an option of journal.url or of the environment "
                    + "(\(message)); leave it out, and set it for the role: ALTER ROLE … SET …")
        }
        guard PQstatus(pointer) != CONNECTION_BAD else { throw failure() }
        var state = PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            guard state != PGRES_POLLING_FAILED else { throw failure() }
            let events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT
            guard Self.wait(PQsocket(pointer), for: Int16(events), until: end) != 0 else {
                throw .unreachable("it has not answered in time")
            }
            state = PQconnectPoll(pointer)
        }
    }

    /// Waits for one of some events.
    ///
    /// - Returns: The events that have occurred; 0 if none has occurred before `end`.
    static func wait(_ socket: Int32, for events: Int16, until end: ContinuousClock.Instant) -> Int16 {
        while true {
            let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            var entry = pollfd(fd: socket, events: events, revents: 0)
            // SAFETY: there is one entry, and it lives during the call.
            let count = poll(&entry, 1, Int32(max(0, min(left.rounded(.up), 60_000))))
            if count > 0 { return entry.revents }
            guard count == 0 ? left > 60_000 : errno == EINTR else { return 0 }
        }
    }
}

extension DatabaseFault {
    /// The fault of a connection that cannot be made.
    fileprivate var ofOpening: DatabaseFault {
        switch self {
        case .unreachable, .pooler: self
        case .refused, .lost: .unreachable(description)
        }
    }
}
