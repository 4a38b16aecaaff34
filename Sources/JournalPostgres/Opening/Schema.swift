import Foundation
import Journal

/// The tables of a journal, and the migrations between their versions.
enum Schema {
    /// The versions of a database.
    struct Version: Equatable {
        /// The version that a program has to know: what is stored is of no newer kind; 0 where there are no tables.
        var needed = 0
        /// The version that the tables were migrated to.
        var tables = 0
    }

    /// The newest version that this program knows.
    static var version: Int { migrations.count }

    private static let find = Statement("schema-find", "SELECT to_regclass('callboard.version') IS NOT NULL")
    private static let read = Statement(
        "schema-read",
        """
        SELECT version, coalesce((to_jsonb(found) ->> 'tables')::bigint, version) FROM callboard.version AS found
        """)
    private static let lock = Statement("schema-lock", "SELECT pg_advisory_xact_lock(4846505263915)")
    private static let boundLocks = Statement("schema-bound", "SELECT set_config('lock_timeout', '500ms', true)")
    private static let make = Statement("schema-make", "CREATE SCHEMA IF NOT EXISTS callboard")
    private static let raise = Statement(
        "schema-raise", [.int8], "UPDATE callboard.version SET version = $1 WHERE version < $1 RETURNING version")

    /// Has programs that do not know this version refused from now on: what only this one reads may be stored.
    static var raising: StatementCall { raise(Parameters(version)) }

    /// Makes the tables of an empty database, or migrates older ones, each step as one transaction.
    ///
    /// A step waits for half a second for a table that somebody has locked, so that nobody waits behind it for long, and
    /// is tried again.
    ///
    /// - Throws: `JournalError.refused(_:)` for a newer schema, and where the role may not make it.
    static func migrate(_ connection: Connection, within deadline: Duration) throws {
        let end = ContinuousClock.now + deadline
        var found = try version(of: connection, within: deadline)
        let isNew = found.tables == 0
        while found.tables < version {
            let isLocked = try step(from: found.tables, isNew: isNew, connection, within: deadline)
            let next = try version(of: connection, within: deadline)
            if isLocked, .now < end { Thread.sleep(forTimeInterval: 0.25) } else { try check(next, since: found) }
            found = next
        }
    }

    private static func check(_ next: Version, since found: Version) throws {
        guard next.tables > found.tables else {
            throw JournalError.unavailable(
                "the tables cannot be changed now: another server changes them, or has them locked")
        }
    }

    /// Makes one migration.
    ///
    /// - Returns: Whether somebody has a table locked, and nothing was done.
    private static func step(
        from found: Int, isNew: Bool, _ connection: Connection, within deadline: Duration
    ) throws -> Bool {
        let steps = migrations[found].enumerated().map { Statement("migrate-\(found)-\($0)", $1)() }
        // The first two have one number for both.
        let noted = (found < 2 || isNew ? ["version"] : []) + (found < 2 ? [] : ["tables"])
        let columns = noted.map { "\($0) = \(found + 1)" }.joined(separator: ", ")
        let schema = try hasSchema(connection, within: deadline) ? [] : [make()]
        let done = Statement("migrate-\(found)", "UPDATE callboard.version SET \(columns)")
        do throws(DatabaseFault) {
            _ = try connection.run([boundLocks(), lock()] + schema + steps + [done()], within: deadline)
        } catch {
            switch error.state {
            // Another server has made them meanwhile.
            case "42P07", "42710", "42701", "23505": break
            case "55P03": return true
            case "42501":
                throw JournalError.refused(
                    "the tables cannot be made: \(error.description); let the role make the schema \"callboard\" "
                        + "(GRANT CREATE ON DATABASE), or start the server once as a role that may")
            default: throw error
            }
        }
        return false
    }

    private static func hasSchema(_ connection: Connection, within deadline: Duration) throws -> Bool {
        let statement = Statement("schema-there", "SELECT to_regnamespace('callboard') IS NOT NULL")
        return try connection.run([statement()], within: deadline)[0].first?.flag(0, "the schema") ?? false
    }

    /// The versions of the tables that are there.
    ///
    /// - Throws: `JournalError.refused(_:)` for content that this program does not know.
    static func version(of connection: Connection, within deadline: Duration) throws -> Version {
        let isThere = try connection.run([find()], within: deadline)[0].first?.flag(0, "the schema") ?? false
        guard isThere else { return Version() }
        let place = "the table of the version"
        let row = try connection.run([read()], within: deadline)[0].first
        guard let row, case let found = Version(needed: try row.integer(0, place), tables: try row.integer(1, place)),
            found.needed > 0
        else { throw JournalError.refused("the schema \"callboard\" of the database is not a journal of Callboard's") }
        guard found.needed <= version else { throw tooNew(found.needed) }
        return found
    }

    /// The refusal of a database of which a program has to know more.
    static func tooNew(_ needed: Int) -> JournalError {
        .refused(
            "the database has schema version \(needed) and this program knows up to \(version); start a newer Callboard, or "
                + "name another database")
    }
}

extension Statement {
    /// Makes a statement without parameters.
    init(_ name: String, _ sql: String) {
        self.init(name, [], sql)
    }
}
