/// Names a node's connections to the database: by these the other nodes see whether it has any, and end them.
enum NodeConnections {
    /// Gives a connection the name of its node.
    static let mark = Statement(
        "mark-connection", [.int8], "SELECT set_config('application_name', \(name(of: "$1")), false)")
    private static let end = Statement(
        "end-connections", [.int8s],
        """
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
            AND application_name = ANY (ARRAY(SELECT \(name(of: "node")) FROM unnest($1::bigint[]) AS given (node)))
        """)

    /// Whether a node has a connection, in SQL; one to another database, or of another role, does not count.
    ///
    /// - Parameter node: The node's number in SQL.
    static func exist(of node: String) -> String {
        "EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = \(name(of: node)))"
    }

    private static func name(of node: String) -> String { "'callboard node ' || \(node)" }

    /// Ends the connections of nodes that are gone, with the transactions that these have left open.
    ///
    /// A node that is not gone after all makes new ones.
    static func end(of nodes: Set<Int>, by connection: Connection, within deadline: Duration) throws(DatabaseFault) {
        _ = try connection.run([end(nodes.sorted())], within: deadline)
    }
}
