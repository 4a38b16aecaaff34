import Access
import DirectorLife
import Directors
import Foundation
import GRDB
import Journal

/// Damaged rows that are moved out of the way, so that a server can start without them.
///
/// Only rows that stand for themselves can go: notifications, tokens and answers to repeated requests. A record of a
/// director that cannot be read leaves nothing to go on from. Each removed row is kept as the statement that restores
/// it, with a description of its damage.
enum SetAside {
    /// Makes the table of what was set aside. It is no part of a schema's version: most journals never have it.
    static let table = """
        CREATE TABLE IF NOT EXISTS aside (
            number INTEGER PRIMARY KEY, place TEXT NOT NULL, detail TEXT NOT NULL, moved INTEGER NOT NULL,
            statement TEXT NOT NULL
        ) STRICT
        """

    /// A table whose rows stand for themselves.
    private struct Source {
        let name: String
        /// The column that tells its rows from each other.
        let key: String
        /// Selects the columns that `read` expects, and behind them all columns of the table.
        let selection: String
        let columns: Int
        let read: (GRDB.Row) throws -> Void
    }

    private static func sources(_ db: Database) throws -> [Source] {
        var sources = [
            Source(
                name: "answers", key: "answer",
                selection: "SELECT answer, life, key, fingerprint, body, expires, checksum, answers.* FROM answers",
                columns: 7
            ) { _ = try StoredAnswer.read($0) }
        ]
        if try CountedTable.deliveries.exists(in: db) {
            sources.append(
                Source(
                    name: "deliveries", key: "delivery",
                    selection: "SELECT \(Delivery.columns), deliveries.* FROM deliveries", columns: 11
                ) { _ = try Delivery($0) })
        }
        if try CountedTable.tokens.exists(in: db) {
            sources.append(
                Source(
                    name: "tokens", key: "id", selection: "SELECT \(TokenEntry.columns), tokens.* FROM tokens",
                    columns: 8
                ) { _ = try TokenEntry($0) })
        }
        return sources
    }

    private struct Found {
        let source: Source
        let key: DatabaseValue
        let damage: JournalDamage
        let statement: String
    }

    /// Moves every damaged row of these tables, all in one transaction.
    ///
    /// - Returns: The damage of each of these rows.
    /// - Complexity: One read of the tables.
    static func move(_ db: Database, now: Int) throws -> [JournalDamage] {
        let found = try sources(db).flatMap { try damaged($0, db) }
        guard !found.isEmpty else { return [] }
        try db.inTransaction(.immediate) {
            try db.execute(sql: table)
            for row in found {
                try db.execute(
                    sql: """
                        INSERT INTO aside (place, detail, moved, statement)
                        VALUES (CAST(? AS TEXT), CAST(? AS TEXT), ?, CAST(? AS TEXT))
                        """,
                    arguments: [row.damage.place.stored, row.damage.detail.stored, now, row.statement.stored])
                let isText = if case .blob = row.key.storage { true } else { false }
                try db.execute(
                    sql: "DELETE FROM \(row.source.name) WHERE \(row.source.key) = \(isText ? "CAST(? AS TEXT)" : "?")",
                    arguments: [row.key])
            }
            return .commit
        }
        return found.map(\.damage)
    }

    private static func damaged(_ source: Source, _ db: Database) throws -> [Found] {
        var found: [Found] = []
        let rows = try GRDB.Row.fetchCursor(db, sql: source.selection)
        while let row = try rows.next() {
            do {
                try source.read(row)
            } catch let damage as JournalDamage {
                // The first column of each of these tables is its key.
                let key = try value(row, source.columns)
                let values = try (source.columns..<row.count).map {
                    literal(try value(row, $0), isText: isText(row, $0))
                }
                let statement = "INSERT INTO \(source.name) VALUES (\(values.joined(separator: ", ")));"
                found.append(Found(source: source, key: key, damage: damage, statement: statement))
            }
        }
        return found
    }

    private static func isText(_ row: GRDB.Row, _ column: Int) -> Bool {
        if case .string = (row[column] as DatabaseValue).storage { true } else { false }
    }

    /// A column's value; the bytes of a text, which may hold what ends a text of GRDB's.
    private static func value(_ row: GRDB.Row, _ column: Int) throws -> DatabaseValue {
        guard isText(row, column) else { return row[column] }
        return try row.withUnsafeData(atIndex: column) { Data($0 ?? Data()).databaseValue }
    }

    /// A value in SQL, with all of its bytes.
    private static func literal(_ value: DatabaseValue, isText: Bool) -> String {
        switch value.storage {
        case .null: return "NULL"
        case .int64(let number): return String(number)
        case .double(let number): return String(number)
        case .string(let text): return literal(Data(text.utf8).databaseValue, isText: true)
        case .blob(let bytes):
            let digits = bytes.map { byte in
                let text = String(byte, radix: 16)
                return byte < 16 ? "0" + text : text
            }.joined()
            return isText ? "CAST(X'\(digits)' AS TEXT)" : "X'\(digits)'"
        }
    }

    /// How many rows were set aside.
    static func count(_ db: Database) throws -> Int {
        let isThere = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema WHERE name = 'aside'") ?? 0
        return isThere == 0 ? 0 : try Int.fetchOne(db, sql: "SELECT count(*) FROM aside") ?? 0
    }

    /// The rows that were set aside, oldest first.
    static func rows(_ db: Database) throws -> [JournalDamage] {
        guard try count(db) > 0 else { return [] }
        return try db.read("SELECT place, detail FROM aside ORDER BY number") { row in
            JournalDamage(
                director: nil, place: try row.text(0, "a row of aside"), detail: try row.text(1, "a row of aside"))
        }
    }
}
