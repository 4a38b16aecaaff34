import Foundation
import Journal

/// The connection that reads, made when it is first needed and again after a failure; a node among several seldom needs
/// it and closes it at once.
///
/// Callable from any thread; one reads at a time.
// SAFETY: the connection is touched by whoever holds the lock, and by nobody else.
final class DatabaseReader: @unchecked Sendable {
    private let address: DatabaseAddress
    private let settings: PostgresSettings
    private let lock = NSLock()
    private var connection: Connection?

    /// Makes a reader that has no connection yet.
    init(_ address: DatabaseAddress, _ settings: PostgresSettings) {
        self.address = address
        self.settings = settings
    }

    private static let session = Statement(
        "session-reading",
        """
        SELECT set_config('statement_timeout', '0', false), set_config('jit', 'off', false),
            set_config('enable_seqscan', 'off', false)
        """
    )

    /// Takes the rows of a statement one by one.
    func each(_ call: StatementCall, _ take: (DatabaseRow) throws -> Void) throws {
        lock.lock()
        defer { lock.unlock() }
        let open =
            try connection.flatMap { $0.checkIdle() ? $0 : nil }
            ?? Connection.open(address, within: settings.connectDeadline, session: Self.session)
        connection = nil
        try open.stream(call, within: settings.deadline, take)
        if settings.sharing == nil { connection = open }
    }

    /// Closes the connection.
    func close() {
        lock.withLock { connection = nil }
    }
}
