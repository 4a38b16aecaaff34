import Access
import DirectorLife
import Directors
import Journal

/// Damaged rows that are moved out of the way, so that a server can start without them.
///
/// Only rows that stand for themselves can go: notifications, tokens and answers to repeated requests. Removed rows are
/// kept in the table `aside`, as JSON with their faults.
struct SetAside {
    /// The fault of each moved row.
    private(set) var rows: [JournalDamage] = []
    private var calls: [StatementCall] = []
    private let connection: Connection
    private let deadline: Duration

    /// No part of the schema's version: most journals never have it.
    private static let table = Statement(
        "aside-make",
        """
        CREATE TABLE IF NOT EXISTS callboard.aside (
            moved timestamptz NOT NULL, place text NOT NULL, detail text NOT NULL, content jsonb NOT NULL
        )
        """)
    private static let moveAnswer = move("answers", "life = $3 AND answer = $4", [.int8, .int8])
    private static let moveDelivery = move("deliveries", "delivery = $3", [.int8])
    private static let moveToken = move("tokens", "id = $3", [.text])

    private static func move(_ table: String, _ condition: String, _ types: [ValueType]) -> Statement {
        Statement(
            "aside-\(table)-move", [.text, .text] + types,
            """
            WITH gone AS (DELETE FROM callboard.\(table) WHERE \(condition) RETURNING *)
            INSERT INTO callboard.aside SELECT clock_timestamp(), $1, $2, to_jsonb(gone) FROM gone
            """)
    }

    /// Moves every damaged row of these tables, all in one transaction.
    ///
    /// - Complexity: One read of the tables.
    init(_ connection: Connection, within deadline: Duration) throws {
        self.connection = connection
        self.deadline = deadline
        try look(StoredAnswer.all(), Self.moveAnswer) { row in
            _ = try StoredAnswer(ofAll: row)
        } key: { row, parameters in
            parameters.add(try row.integer(6, "a row of answers"))
            parameters.add(try row.integer(0, "a row of answers"))
        }
        try look(Delivery.selection(), Self.moveDelivery) { row in
            _ = try Delivery(row)
        } key: { row, parameters in
            parameters.add(try row.integer(0, "a row of deliveries"))
        }
        try look(TokenEntry.selection(), Self.moveToken) { row in
            _ = try TokenEntry(row)
        } key: { row, parameters in
            // As it is stored, whatever it stands for.
            parameters.add(try row.bytes(0, "a row of tokens"))
        }
        guard !calls.isEmpty else { return }
        do throws(DatabaseFault) {
            _ = try connection.run([Self.table()] + calls, within: deadline)
        } catch {
            guard error.state == "42501" else { throw error }
            throw JournalError.refused(
                "the damaged rows cannot be set aside: \(error.description); let the role make the table callboard.aside, or "
                    + "start the server once as a role that may")
        }
    }

    private mutating func look(
        _ selection: StatementCall, _ move: Statement, _ read: (DatabaseRow) throws -> Void,
        key: (DatabaseRow, inout Parameters) throws -> Void
    ) throws {
        try connection.stream(selection, within: deadline) { row in
            do {
                try read(row)
            } catch let damage as JournalDamage {
                var parameters = Parameters()
                parameters.add(damage.place)
                parameters.add(damage.detail)
                try key(row, &parameters)
                rows.append(damage)
                calls.append(move(parameters))
            }
        }
    }
}
