import Dispatch
import Foundation
import Journal
import Synchronization

/// Renews a server's lease on the database, on a connection and a thread of its own, so that no commit holds it up.
///
/// It also notices without any changes that the database is unreachable, or that another server has taken it.
final class LeaseKeeper: Sendable {
    /// What a renewal has found.
    enum Finding: Sendable {
        /// The lease is renewed, and lasts until then.
        case renewed(DatabaseFacts, until: ContinuousClock.Instant)
        /// Another server has the database.
        case taken
        /// The database is away, and why.
        case away(JournalError)
    }

    private let address: DatabaseAddress
    private let settings: PostgresSettings
    private let node: Int
    private let found: @Sendable (Finding) -> Void
    private let queue = DispatchQueue(label: "callboard.journal.lease", qos: .userInitiated)
    private let isStopped = Atomic<Bool>(false)
    private let connection = Mutex<Connection?>(nil)

    /// Begins to renew.
    ///
    /// - Parameter found: Called after each attempt, on the keeper's thread.
    init(
        _ address: DatabaseAddress, _ settings: PostgresSettings, node: Int,
        found: @escaping @Sendable (Finding) -> Void
    ) {
        self.address = address
        self.settings = settings
        self.node = node
        self.found = found
        schedule()
    }

    private func schedule() {
        let step = DispatchTimeInterval.milliseconds(Int(settings.renewal / .milliseconds(1)))
        queue.asyncAfter(deadline: .now() + step) { [weak self] in
            guard let self, !isStopped.load(ordering: .relaxed) else { return }
            renew()
            schedule()
        }
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
            let isHeld = try run([
                Self.renewal(Parameters(node, Int(settings.lease / .milliseconds(1)))), DatabaseFacts.selection(),
            ])
            found(isHeld.isHeld ? .renewed(isHeld.facts, until: end) : .taken)
        } catch {
            found(.away(JournalError(error)))
        }
    }

    private func run(_ calls: [StatementCall]) throws -> (isHeld: Bool, facts: DatabaseFacts) {
        try connection.withLock { connection in
            let open =
                try connection.flatMap { $0.checkIdle() ? $0 : nil }
                ?? Connection.open(address, within: settings.renewal, session: Self.session)
            connection = nil
            let results = try open.run(calls, within: settings.renewal)
            let facts = try results[1].first.map(DatabaseFacts.init) ?? DatabaseFacts()
            connection = open
            return (results[0].count > 0, facts)
        }
    }

    /// Stops renewing, and gives the lease back where the database can be reached.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        queue.sync {
            connection.withLock { connection in
                let open =
                    connection ?? (try? Connection.open(address, within: settings.renewal, session: Self.session))
                _ = try? open?.run(Registration.release(node), within: settings.renewal)
                connection = nil
            }
        }
    }
}

/// The questions to the database beside the lease.
struct DatabaseFacts: Sendable {
    /// Whether commits wait for a standby (`synchronous_standby_names`).
    var hasSynchronousStandby = false
    /// Whether commits are on the disk (`fsync`).
    var syncs = true
    /// The bytes of the journal's tables and indexes.
    var bytes = 0

    /// How the database encodes texts, where that is not UTF-8.
    var encoding: String?

    /// Asks for them, for ``init(_:)``.
    static let selection = Statement(
        "facts",
        """
        SELECT current_setting('synchronous_standby_names') <> '', current_setting('fsync') = 'on',
            (SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
             WHERE relnamespace = 'callboard'::regnamespace AND relkind = 'r'),
            nullif(current_setting('server_encoding'), 'UTF8')
        """)

    /// Nothing known.
    init() {}

    /// Reads them.
    init(_ row: DatabaseRow) throws {
        hasSynchronousStandby = try row.flag(0, "the settings")
        syncs = try row.flag(1, "the settings")
        bytes = try row.integer(2, "the sizes")
        encoding = row.isNull(3) ? nil : try row.text(3, "the settings")
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
