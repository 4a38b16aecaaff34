import Directors
import Foundation
import Journal

/// Renews a server's lease on the database, on a lane of its own, so that no commit holds it up.
///
/// It also notices that the database is unreachable, or that another server has taken it, while no change is stored.
final class LeaseKeeper: Sendable {
    /// What a renewal has found.
    enum Finding: Sendable {
        /// The lease is renewed, and lasts until then; with the facts, where no table was locked.
        case renewed(DatabaseFacts?, until: ContinuousClock.Instant)
        /// The node's registration was gone, and it has registered again; its lease lasts until then.
        case registered(until: ContinuousClock.Instant)
        /// Another server has the database.
        case taken
        /// The database is away, and why.
        case away(JournalError)
    }

    private let lane: DatabaseLane
    private let settings: PostgresSettings
    private let node: Int
    private let found: @Sendable (Finding) -> Void

    /// Begins to renew.
    ///
    /// - Parameter found: Called after each attempt, on the keeper's thread.
    init(
        _ lane: DatabaseLane, _ settings: PostgresSettings, node: Int, found: @escaping @Sendable (Finding) -> Void
    ) {
        self.lane = lane
        self.settings = settings
        self.node = node
        self.found = found
        schedule()
    }

    private func schedule() {
        lane.begin(after: settings.renewal) { [weak self] in
            guard let self else { return }
            renew()
            schedule()
        }
    }

    /// Makes the lane of a server's lease, which has no connection yet.
    static func lane(_ address: DatabaseAddress, _ settings: PostgresSettings, node: Int) -> DatabaseLane {
        DatabaseLane("lease", address, session: session, node: node, deadline: settings.renewal)
    }

    /// A lease is no acknowledgement and waits for no standby: a missing standby does not end it.
    private static let session = Statement(
        "session-lease",
        """
        SELECT set_config('synchronous_commit', 'local', false), set_config('statement_timeout', '0', false),
            set_config('jit', 'off', false)
        """
    )
    private static let renewal = Statement(
        "renew", [.int8, .int8],
        """
        UPDATE callboard.nodes SET expires = clock_timestamp() + $2 * interval '1 millisecond'
        WHERE node = $1 RETURNING node
        """)

    private func renew() {
        do {
            // The database counts from later on.
            let end = ContinuousClock.now + settings.lease
            let call = Self.renewal(Parameters(node, Int(settings.lease / .milliseconds(1))))
            let isHeld = try lane.use { try $0.run([call], within: settings.renewal)[0].count > 0 }
            if isHeld { return found(.renewed(readFacts(), until: end)) }
            guard settings.sharing != nil else { return found(.taken) }
            try lane.use { try Registration.takeAgain(node, $0, settings) }
            found(.registered(until: end))
        } catch {
            found(.away(JournalError(error)))
        }
    }

    /// Reads the facts about the database, apart from the renewal: sizes are not read of a table that somebody has locked.
    private func readFacts() -> DatabaseFacts? {
        try? lane.use { open in
            let before = settings.wallClock()
            let calls = [Statements.boundWaiting(), DatabaseFacts.selection()]
            let row = try open.run(calls, within: settings.renewal)[1].first
            let span = (before, settings.wallClock())
            return try row.map { try DatabaseFacts($0, span) } ?? DatabaseFacts()
        }
    }

    /// Stops renewing, and gives the lease back where the database can be reached.
    func stop() {
        lane.stop { _ = try? lane.use { _ = try $0.run(Registration.release(node), within: settings.renewal) } }
    }
}

/// Facts about the database, read when a journal is opened and at each renewal of the lease.
struct DatabaseFacts: Sendable {
    /// Whether commits wait for a standby (`synchronous_standby_names`).
    var hasSynchronousStandby = false
    /// Whether commits are on the disk (`fsync`).
    var syncs = true
    /// The bytes of the journal's tables and indexes.
    var bytes = 0

    /// How the database encodes texts, where that is not UTF-8.
    var encoding: String?
    /// How far this machine's clock is ahead of the database's; zero for less than a second, nil where it is not known.
    var clockLead: Duration?

    /// Asks for them, for ``init(_:)``.
    static let selection = Statement(
        "facts",
        """
        SELECT current_setting('synchronous_standby_names') <> '', current_setting('fsync') = 'on',
            (SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
             WHERE relnamespace = 'callboard'::regnamespace AND relkind = 'r'),
            nullif(current_setting('server_encoding'), 'UTF8'),
            (extract(epoch FROM clock_timestamp()) * 1000)::bigint
        """)

    /// Nothing known.
    init() {}

    /// Reads them.
    ///
    /// - Parameter span: When they were asked for, and when they were there, by this machine's clock.
    init(_ row: DatabaseRow, _ span: (from: WallTime, to: WallTime)) throws {
        hasSynchronousStandby = try row.flag(0, "the settings")
        syncs = try row.flag(1, "the settings")
        bytes = try row.integer(2, "the sizes")
        encoding = row.isNull(3) ? nil : try row.text(3, "the settings")
        let took = span.to.since(span.from)
        guard .zero <= took, took < .seconds(1) else { return }
        let lead = span.from.advanced(by: took / 2).since(WallTime(milliseconds: try row.integer(4, "the clock")))
        clockLead = abs(lead / .seconds(1)) < 1 ? .zero : lead
    }

    /// Warnings about the database, in sentences without their full stops.
    var warnings: [String] {
        var warnings: [String] = []
        if !hasSynchronousStandby {
            warnings.append(
                "synchronous_standby_names of the database is empty: what was acknowledged is on one machine only, "
                    + "and is lost with it")
        }
        if let encoding {
            warnings.append(
                "the database's encoding is \(encoding): texts with other characters cannot be stored; make a database with "
                    + "ENCODING 'UTF8', and copy its content")
        }
        if !syncs {
            warnings.append(
                "fsync of the database is off: what was acknowledged is lost when its machine fails")
        }
        return warnings
    }
}
