import Foundation
import Journal

/// Makes a server the one that has the database.
enum Registration {
    /// The server that has the database, as another one sees it.
    private struct Holder: Equatable {
        let node: Int
        let name: String
        /// When its lease ends, as the database writes it.
        let expires: String
        let secondsLeft: Int
    }

    private static let lock = Statement("lock-nodes", "SELECT pg_advisory_xact_lock(4846505263916)")
    private static let holder = Statement(
        "holder", [],
        """
        SELECT node, name, expires::text, ceil(extract(epoch FROM expires - clock_timestamp()))::bigint
        FROM callboard.nodes WHERE expires > clock_timestamp() ORDER BY expires DESC LIMIT 1
        """)
    private static let clear = Statement(
        "clear-nodes",
        """
        DELETE FROM callboard.nodes WHERE NOT EXISTS (
            SELECT FROM callboard.nodes WHERE expires > clock_timestamp())
        """)
    private static let enter = Statement(
        "enter-node", [.text, .int8],
        """
        INSERT INTO callboard.nodes (node, incarnation, unit, name, url, expires)
        SELECT nextval('callboard.node_numbers'), 1, 0, $1, '', clock_timestamp() + $2 * interval '1 millisecond'
        WHERE NOT EXISTS (SELECT FROM callboard.nodes) RETURNING node
        """)
    private static let takeLives = Statement(
        "take-lives", [.int8],
        """
        UPDATE callboard.lives SET owner = $1, term = term + 1
        WHERE NOT ended AND EXISTS (SELECT FROM callboard.nodes WHERE node = $1)
        """)

    /// Takes the database over as soon as no other server has it.
    ///
    /// A server that was killed leaves its lease, which runs out within ``PostgresSettings/lease``; that is waited for.
    /// One that lives renews its lease meanwhile, and then the database is refused.
    ///
    /// - Throws: `JournalError.refused(_:)` where another server has it.
    static func take(_ connection: Connection, _ settings: PostgresSettings) throws -> NodeFence {
        var seen: Holder?
        while true {
            guard let holder = try holder(connection, settings) else {
                guard let node = try enter(connection, settings) else { continue }
                // From here on nothing of an earlier server is stored: its lives have another term.
                _ = try connection.run([takeLives(Parameters(node))], within: settings.deadline)
                return NodeFence(node: node, incarnation: 1, unit: 0)
            }
            if let seen, seen.node != holder.node || seen.expires != holder.expires {
                throw JournalError.refused(
                    "the server \"\(holder.name)\" has the database and has just renewed its lease; stop it first")
            }
            if seen == nil {
                settings.willWait(
                    "waiting for up to \(max(holder.secondsLeft, 1)) s: the server \"\(holder.name)\" has the database "
                        + "until its lease runs out or is renewed")
            }
            seen = holder
            Thread.sleep(forTimeInterval: 0.1)
        }
    }

    private static func holder(_ connection: Connection, _ settings: PostgresSettings) throws -> Holder? {
        let result = try connection.run([holder()], within: settings.deadline)[0]
        return try result.first.map { row in
            Holder(
                node: try row.integer(0, "a row of nodes"), name: try row.text(1, "a row of nodes"),
                expires: try row.text(2, "a row of nodes"), secondsLeft: try row.integer(3, "a row of nodes"))
        }
    }

    /// - Returns: The number of this server; nil where another one was quicker.
    private static func enter(_ connection: Connection, _ settings: PostgresSettings) throws -> Int? {
        var parameters = Parameters()
        parameters.add(settings.name)
        parameters.add(Int(settings.lease / .milliseconds(1)))
        let results: [DatabaseResult]
        do throws(DatabaseFault) {
            results = try connection.run([lock(), clear(), enter(parameters)], within: settings.deadline)
        } catch {
            guard error.state == "42501" else { throw error }
            throw JournalError.refused(
                "the role may not write: \(error.description); grant it SELECT, INSERT, UPDATE and DELETE on the "
                    + "tables and USAGE on the sequences of the schema \"callboard\"")
        }
        return try results[2].first?.integer(0, "a row of nodes")
    }
}
