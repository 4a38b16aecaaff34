import Access
import Journal

/// The static tokens of a database, without a server: for whoever operates it and has no token.
///
/// Nodes that share the database see a change at their next look, within a second or so. A server with exclusive use of
/// the database reads tokens only at its start, so changes are refused while it runs.
package struct TokenDatabase {
    private let connection: Connection
    private let settings: PostgresSettings

    private static let nobodyAlone = """
        NOT EXISTS (SELECT FROM callboard.nodes WHERE expires > clock_timestamp() AND state = 0)
        """
    private static let alone = Statement(
        "server-alone", "SELECT name FROM callboard.nodes WHERE expires > clock_timestamp() AND state = 0 LIMIT 1")
    private static let put = Statement(
        "add-token", [.text, .text, .bytes, .text, .int8, .int8s, .int8],
        """
        INSERT INTO callboard.tokens SELECT $1, $2, $3, $4, $5, ($6::bigint[])[1], NULL, $7 WHERE \(nobodyAlone)
        RETURNING id
        """)
    private static let remove = Statement(
        "revoke-token", [.text], "DELETE FROM callboard.tokens WHERE id = $1 AND \(nobodyAlone) RETURNING id")

    /// Connects to a database.
    ///
    /// - Parameter makes: Whether the tables are made where there are none.
    /// - Throws: `JournalError.refused(_:)` for a database without a journal where none is to be made.
    package init(
        _ address: DatabaseAddress, makes: Bool, settings: PostgresSettings = PostgresSettings()
    ) throws(JournalError) {
        do {
            self.settings = settings
            connection = try Connection.open(address, within: settings.connectDeadline, session: Statements.session)
            if makes { try Schema.migrate(connection, within: settings.deadline) }
            guard try Schema.version(of: connection, within: settings.deadline).tables > 0 else {
                throw JournalError.refused("there is no journal in the database")
            }
        } catch {
            throw JournalError(opening: error)
        }
    }

    /// All tokens, ordered by when they were made.
    package func tokens() throws(JournalError) -> [TokenEntry] {
        do {
            var entries: [TokenEntry] = []
            try connection.stream(TokenEntry.selection(), within: settings.deadline) {
                entries.append(try TokenEntry($0))
            }
            return entries
        } catch {
            throw JournalError(error)
        }
    }

    /// Makes changes, all or none.
    ///
    /// - Throws: `JournalError.refused(_:)` where a server has the database for itself.
    package func change(_ changes: [TokenChange]) throws(JournalError) {
        let calls = changes.compactMap(Self.call)
        do {
            // The look comes first, since what is deleted twice shows no row either.
            let results = try connection.run([Registration.lock(), Self.alone()] + calls, within: settings.deadline)
            guard let row = results[1].first else { return }
            throw JournalError.refused(
                "the server \"\(try row.text(0, "a row of nodes"))\" has the database for itself")
        } catch {
            throw JournalError(error)
        }
    }

    private static func call(_ change: TokenChange) -> StatementCall? {
        switch change {
        case .put(let entry):
            let grants = GrantCoding.encode(entry.grants)
            var parameters = Parameters()
            parameters.add(entry.id)
            parameters.add(entry.name)
            parameters.add(entry.digest.bytes)
            parameters.add(grants)
            parameters.add(entry.createdAt)
            parameters.add([entry.expiresAt])
            parameters.add(RowChecksum.rows.token(entry, grants: grants))
            return put(parameters)
        case .remove(let id): return remove(id)
        case .used: return nil
        }
    }
}
