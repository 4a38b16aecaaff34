import Journal

/// The steps that open a journal: connect, register this server with the database, and read its content.
struct Opening {
    let connection: Connection
    let fence: NodeFence
    let loaded: LoadedRows
    let facts: DatabaseFacts
    /// The faults of the rows that were set aside.
    let setAside: [JournalDamage]

    private static let serverVersion = Statement(
        "server-version", "SELECT current_setting('server_version_num')::bigint")

    /// Connects, makes the tables, takes the database over and reads it.
    init(_ address: DatabaseAddress, _ settings: PostgresSettings, _ clock: () -> Int) throws {
        connection = try Connection.open(address, within: settings.connectDeadline, session: Statements.session)
        let version = try connection.run([Self.serverVersion()], within: settings.deadline)[0].first?
            .integer(0, "the server's version")
        guard let version, version >= 150_000 else {
            throw JournalError.refused("PostgreSQL \((version ?? 0) / 10_000) is too old: Callboard needs 15 or later")
        }
        try Schema.migrate(connection, within: settings.deadline)
        let before = settings.wallClock()
        let row = try connection.run([DatabaseFacts.selection()], within: settings.deadline)[0].first
        facts = try row.map { try DatabaseFacts($0, (before, settings.wallClock())) } ?? DatabaseFacts()
        guard facts.hasSynchronousStandby || !settings.requiresSynchronousStandby else {
            throw JournalError.refused(
                "synchronous_standby_names of the database is empty, and journal.requireSynchronousStandby is true; "
                    + "set up a synchronous standby, or set it to false")
        }
        fence = try Registration.take(connection, settings)
        do {
            _ = try connection.run([NodeConnections.mark(Parameters(fence.node))], within: settings.deadline)
            setAside = settings.setsAside ? try SetAside(connection, within: settings.deadline).rows : []
            // A node among several takes lives over later, one by one.
            let scope: LoadedRows.Scope = settings.sharing == nil ? .all : .lives([])
            loaded = try LoadedRows(connection, settings, scope, now: clock())
        } catch {
            Self.giveBack(fence, connection, settings)
            throw error
        }
    }

    /// Gives the database back to whoever wants it next.
    static func giveBack(_ fence: NodeFence, _ connection: Connection, _ settings: PostgresSettings) {
        _ = try? connection.run(Registration.release(fence.node), within: settings.deadline)
    }
}
