import Foundation
import Journal

/// Registers a server with the database: exclusively, or as one of several nodes.
enum Registration {
    /// A server that has the database, as another one sees it.
    private struct Holder: Equatable {
        let node: Int
        let name: String
        /// When its lease ends, as the database writes it.
        let expires: String
        let secondsLeft: Int
    }

    /// Has nobody else register, or change what registered servers go by, until the transaction is over.
    static let lock = Statement("lock-nodes", "SELECT pg_advisory_xact_lock(4846505263916)")
    /// The registrations that conflict: any server, for a server that wants the database for itself ($1 = 0); an
    /// exclusive server, for a node among several.
    private static let holder = Statement(
        "holder", [.int8],
        """
        SELECT node, name, expires::text, ceil(extract(epoch FROM expires - clock_timestamp()))::bigint
        FROM callboard.nodes WHERE expires > clock_timestamp() AND ($1 = 0 OR state = 0)
        ORDER BY expires DESC LIMIT 1
        """)
    /// Removes servers that are gone. A node that was only away finds its row within an hour, and goes on, unless what
    /// enters is another kind of server ($1), or has another secret ($2).
    private static let clear = Statement(
        "clear-nodes", [.int8, .text],
        """
        DELETE FROM callboard.nodes WHERE expires < clock_timestamp() AND (
            expires < clock_timestamp() - interval '1 hour' OR state = 0 OR $1 = 0 OR fingerprint <> $2)
        """)
    private static let clearFences = Statement(
        "clear-fences", "DELETE FROM callboard.fences WHERE node NOT IN (SELECT node FROM callboard.nodes)")
    private static let enter = Statement(
        "enter-node", [.text, .int8, .int8, .text, .int8, .text],
        """
        INSERT INTO callboard.nodes (node, name, url, state, fingerprint, expires, knows, program)
        SELECT nextval('callboard.node_numbers'), $1, '', $3, $4, clock_timestamp() + $2 * interval '1 millisecond', $5, $6
        WHERE NOT EXISTS (
            SELECT FROM callboard.nodes
            WHERE expires > clock_timestamp() AND ($3 = 0 OR state = 0 OR fingerprint <> $4))
        RETURNING node
        """)
    /// Enters a node anew under the number ($7) that it has had.
    private static let enterAgain = Statement(
        "enter-node-again", [.text, .int8, .int8, .text, .int8, .text, .int8],
        """
        INSERT INTO callboard.nodes (node, name, url, state, fingerprint, expires, knows, program)
        SELECT $7, $1, '', $3, $4, clock_timestamp() + $2 * interval '1 millisecond', $5, $6
        WHERE NOT EXISTS (
            SELECT FROM callboard.nodes WHERE expires > clock_timestamp() AND (state = 0 OR fingerprint <> $4))
        ON CONFLICT DO NOTHING RETURNING node
        """)
    /// Lower than any incarnation under which the node has sent something: its next connection raises it.
    private static let enterFenceAgain = Statement(
        "enter-fence-again", [.int8],
        """
        INSERT INTO callboard.fences (node, incarnation, unit)
        SELECT node, 0, 0 FROM callboard.nodes WHERE node = $1 ON CONFLICT DO NOTHING
        """)
    private static let stranger = Statement(
        "other-secret", [.text],
        """
        SELECT name FROM callboard.nodes
        WHERE expires > clock_timestamp() AND state <> 0 AND fingerprint <> $1 LIMIT 1
        """)
    private static let enterFence = Statement(
        "enter-fence",
        """
        INSERT INTO callboard.fences (node, incarnation, unit)
        SELECT node, 1, 0 FROM callboard.nodes WHERE node NOT IN (SELECT node FROM callboard.fences)
        """)
    private static let takeLives = Statement(
        "take-lives", [.int8],
        """
        UPDATE callboard.lives SET owner = $1, term = term + 1
        WHERE NOT ended AND EXISTS (SELECT FROM callboard.nodes WHERE node = $1)
        """)

    private static let releaseNode = Statement(
        "release-node", [.int8], "DELETE FROM callboard.nodes WHERE node = $1")
    private static let releaseFence = Statement(
        "release-fence", [.int8], "DELETE FROM callboard.fences WHERE node = $1")

    /// Gives a server's lease back: whatever it sends after that is fenced off.
    static func release(_ node: Int) -> [StatementCall] {
        [releaseNode(Parameters(node)), releaseFence(Parameters(node))]
    }

    /// The state that a server enters with.
    private static func state(_ settings: PostgresSettings) -> JournalNode.State {
        settings.sharing == nil ? .alone : .joining
    }

    /// Takes the database as soon as no other server has it, or joins its nodes.
    ///
    /// A server that was killed leaves its lease, which runs out within ``PostgresSettings/lease``; that is waited for.
    /// A living server renews its lease meanwhile, and then the database is refused.
    ///
    /// - Throws: `JournalError.refused(_:)` where another server has it.
    static func take(_ connection: Connection, _ settings: PostgresSettings) throws -> NodeFence {
        var seen: Holder?
        while true {
            guard let holder = try holder(connection, settings) else {
                try refuseStrangers(connection, settings)
                guard let node = try enter(connection, settings) else { continue }
                if settings.sharing == nil {
                    // From here on nothing of an earlier server is stored: its lives have another term.
                    _ = try connection.run([takeLives(Parameters(node))], within: settings.deadline)
                }
                return NodeFence(node: node, incarnation: 1, unit: 0)
            }
            if let seen, seen.node != holder.node || seen.expires != holder.expires {
                throw JournalError.refused(
                    "the server \"\(holder.name)\" has the database and has just renewed its lease; stop it first, or "
                        + "have both share it (cluster.listen)")
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

    /// Refuses a node that has another secret than those that are there.
    private static func refuseStrangers(_ connection: Connection, _ settings: PostgresSettings) throws {
        guard let sharing = settings.sharing else { return }
        guard let row = try connection.run([stranger(sharing.fingerprint)], within: settings.deadline)[0].first else {
            return
        }
        throw JournalError.refused(
            "the node \"\(try row.text(0, "a row of nodes"))\" shares the database with another secret; give all nodes the "
                + "same cluster.secretFile")
    }

    private static func holder(_ connection: Connection, _ settings: PostgresSettings) throws -> Holder? {
        let result = try connection.run(
            [holder(Parameters(state(settings).rawValue))], within: settings.deadline)[0]
        return try result.first.map { row in
            Holder(
                node: try row.integer(0, "a row of nodes"), name: try row.text(1, "a row of nodes"),
                expires: try row.text(2, "a row of nodes"), secondsLeft: try row.integer(3, "a row of nodes"))
        }
    }

    /// Registers a node again whose registration is gone: it was away for longer than an hour, or somebody has removed it.
    ///
    /// - Throws: `JournalError.unavailable(_:)` where it may not enter at this moment.
    static func takeAgain(_ node: Int, _ connection: Connection, _ settings: PostgresSettings) throws {
        var parameters = parameters(settings)
        parameters.add(node)
        let results = try connection.run(
            [lock(), enterAgain(parameters), enterFenceAgain(Parameters(node))], within: settings.renewal)
        guard results[1].count == 0 else { return }
        throw JournalError.unavailable(
            "the node's registration is gone from the database, and it cannot register again: a server has the database for "
                + "itself, or nodes with another secret share it")
    }

    private static func parameters(_ settings: PostgresSettings) -> Parameters {
        var parameters = Parameters()
        parameters.add(settings.name)
        parameters.add(Int(settings.lease / .milliseconds(1)))
        parameters.add(state(settings).rawValue)
        parameters.add(settings.sharing?.fingerprint ?? "")
        parameters.add(Schema.version)
        parameters.add(settings.program)
        return parameters
    }

    /// - Returns: The number of this server; nil where another one was quicker.
    private static func enter(_ connection: Connection, _ settings: PostgresSettings) throws -> Int? {
        let parameters = parameters(settings)
        var gone = Parameters(state(settings).rawValue)
        gone.add(settings.sharing?.fingerprint ?? "")
        let results: [DatabaseResult]
        do throws(DatabaseFault) {
            results = try connection.run(
                [lock(), clear(gone), clearFences(), enter(parameters), enterFence()], within: settings.deadline)
        } catch {
            guard error.state == "42501" else { throw error }
            throw JournalError.refused(
                "the role may not write: \(error.description); grant it SELECT, INSERT, UPDATE and DELETE on the "
                    + "tables and USAGE on the sequences of the schema \"callboard\"")
        }
        return try results[3].first?.integer(0, "a row of nodes")
    }
}
