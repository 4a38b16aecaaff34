import Synchronization

/// The findings about a pooler between this process and a database, such as PgBouncer. All connections of one address share
/// them.
///
/// The first connection behind a pooler is tried beside another one. Once a pooler is found not to keep sessions, all
/// connections that were made before are refused, and each new one is tried, until one passes.
final class PoolerWatch: Sendable {
    /// How often it was found that sessions are not kept.
    private let found = Atomic<Int>(0)
    /// The number of these at the last trial that found nothing.
    private let tried = Atomic<Int>(-1)

    /// How often the two connections are tried. Each of them asks twice in a row and in turn, so that neither a pool that
    /// takes the session that was used last, nor one that takes them in turn, gives both the same answers each time.
    private static let rounds = 20
    /// How long the other connection may take. A pool that has none left says nothing about how it keeps sessions.
    private static let limit = Duration.seconds(2)

    /// The fault of a pooler that has given a connection another session.
    static let fault = DatabaseFault.pooler(
        "the pooler in front of the database does not keep a session together, which changes depend on: set PgBouncer's "
            + "pool_mode = session for this database and user, or name the database itself in journal.url")

    /// A number that changes whenever sessions are found not to be kept.
    var generation: Int { found.load(ordering: .acquiring) }

    /// Takes note that sessions are not kept.
    func note() { found.add(1, ordering: .acquiringAndReleasing) }

    /// Whether a trial has found nothing in this generation.
    func isTried(_ generation: Int) -> Bool { tried.load(ordering: .acquiring) == generation }

    /// Takes note that a trial has found nothing in this generation.
    func noteTried(_ generation: Int) { tried.store(generation, ordering: .releasing) }

    /// Tries a connection beside another one, where that is due.
    ///
    /// While both are open, a pooler that keeps sessions never gives one of them a session of the other, nor another session
    /// than before. So a fault is never found where there is none.
    ///
    /// - Throws: ``fault``.
    func check(
        _ connection: Connection, within deadline: Duration, other: (Duration) throws(DatabaseFault) -> Connection
    ) throws(DatabaseFault) {
        guard connection.pooling.isPooled, !connection.pooling.isTried else { return }
        let limit = min(deadline, Self.limit)
        do throws(DatabaseFault) {
            try compare(connection, try other(limit), within: limit)
        } catch {
            if case .pooler = error { throw error }
            // Nothing is known if the other one is at fault; the check of each transaction goes on.
            guard connection.checkIdle() else { throw error }
        }
        connection.pooling.noteTried()
    }

    private func compare(_ one: Connection, _ other: Connection, within limit: Duration) throws(DatabaseFault) {
        let end = ContinuousClock.now + limit
        func ask(_ connection: Connection) throws(DatabaseFault) {
            _ = try connection.run([], within: max(.zero, ContinuousClock.now.duration(to: end)))
        }
        try ask(other)
        guard one.pooling.backend != other.pooling.backend else {
            note()
            throw Self.fault
        }
        for _ in 0..<Self.rounds {
            for connection in [one, other, other, one] { try ask(connection) }
        }
    }
}
