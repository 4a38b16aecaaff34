import Journal

/// Ends the time in which nodes of an earlier version share a database with newer ones.
///
/// Until then the newer nodes store nothing that the earlier ones could not read. Afterwards a program of an earlier
/// version is refused by the database.
package struct ClusterUpgrade {
    /// The version that programs had to know before.
    package let from: Int
    /// The version that programs have to know now.
    package let to: Int

    /// A node that is paused has connections yet, and goes on with what it knows.
    private static let areEarlier = """
        knows < $1 AND (expires > clock_timestamp() OR \(NodeConnections.exist(of: "node")))
        """
    private static let earlier = Statement(
        "earlier-nodes", [.int8], "SELECT name, program FROM callboard.nodes WHERE \(areEarlier) ORDER BY node")
    private static let raise = Statement(
        "raise-version", [.int8],
        """
        UPDATE callboard.version SET version = $1
        WHERE version < $1 AND NOT EXISTS (SELECT FROM callboard.nodes WHERE \(areEarlier))
        """)

    /// Raises the version, whether or not nodes run.
    ///
    /// - Throws: `JournalError.refused(_:)` with the names of the nodes of an earlier version; then nothing has changed.
    package init(_ address: DatabaseAddress, settings: PostgresSettings = PostgresSettings()) throws(JournalError) {
        do {
            let connection = try Connection.open(address, within: settings.connectDeadline, session: Statements.session)
            let found = try Schema.version(of: connection, within: settings.deadline)
            guard found.tables > 0 else { throw JournalError.refused("there is no journal in the database") }
            try Schema.migrate(connection, within: settings.deadline)
            let version = Parameters(Schema.version)
            let calls = [Registration.lock(), Self.earlier(version), Self.raise(version), HintSender.notify("all")]
            let nodes = try connection.run(calls, within: settings.deadline)[1].rows.map { row in
                let (name, program) = (try row.text(0, "a row of nodes"), try row.text(1, "a row of nodes"))
                return "\"\(name)\"" + (program.isEmpty ? "" : " (\(program))")
            }
            guard nodes.isEmpty else {
                throw JournalError.refused("nodes of an earlier version run: \(nodes.joined(separator: ", "))")
            }
            (from, to) = (found.needed, Schema.version)
        } catch {
            throw JournalError(error)
        }
    }
}
