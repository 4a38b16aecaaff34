import GRDB
import GRDBSQLite
import Journal

/// A prepared statement whose parameters and columns are passed to SQLite directly.
///
/// GRDB makes arrays of a statement's arguments and boxes a row's values, which costs several times what SQLite needs for
/// a row of the log. Only what runs for each record uses this; GRDB keeps the statement, the connection and its queue.
/// Valid within one access to the database.
struct DirectStatement {
    private let statement: Statement

    /// Prepares a statement, or takes the one that was prepared before.
    init(_ database: Database, _ sql: String) throws {
        statement = try database.cachedStatement(sql: sql)
    }

    /// Sets a parameter, counted from 1; it stays until it is set anew.
    func bind(_ number: Int, at parameter: Int32) throws {
        try check(sqlite3_bind_int64(statement.sqliteStatement, parameter, Int64(number)))
    }

    /// Runs to the end.
    func run() throws {
        try forEachRow { _ in }
    }

    /// Runs to the end with bytes as a parameter, without copying them.
    func run(bytes: [UInt8], at parameter: Int32) throws {
        defer { sqlite3_bind_null(statement.sqliteStatement, parameter) }
        try bytes.withUnsafeBytes { bytes in
            if let address = bytes.baseAddress, !bytes.isEmpty {
                // SAFETY: SQLite reads the bytes while the statement runs, within this closure, which holds them.
                let code = unsafe sqlite3_bind_blob64(
                    statement.sqliteStatement, parameter, address, UInt64(bytes.count), nil)
                try check(code)
            } else {
                try check(sqlite3_bind_zeroblob(statement.sqliteStatement, parameter, 0))
            }
            try run()
        }
    }

    /// Runs to the end and passes each row on.
    func forEachRow(_ body: (Columns) throws -> Void) throws {
        defer { sqlite3_reset(statement.sqliteStatement) }
        while true {
            switch sqlite3_step(statement.sqliteStatement) {
            case SQLITE_ROW: try body(Columns(statement: statement))
            case SQLITE_DONE: return
            case let code: throw error(code)
            }
        }
    }

    /// The columns of the current row.
    struct Columns {
        fileprivate let statement: Statement

        /// Reads an integer of a column, counted from 0; throws ``JournalDamage`` for anything else.
        func integer(_ column: Int32, _ place: @autoclosure () -> String) throws -> Int {
            guard sqlite3_column_type(statement.sqliteStatement, column) == SQLITE_INTEGER else {
                throw JournalDamage(director: nil, place: place(), detail: "column \(column + 1) is not an integer")
            }
            return Int(sqlite3_column_int64(statement.sqliteStatement, column))
        }
    }

    private func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw error(code) }
    }

    private func error(_ code: Int32) -> DatabaseError {
        let connection = sqlite3_db_handle(statement.sqliteStatement)
        // SAFETY: the text is SQLite's until the next call on this connection, and copied here.
        let message = unsafe sqlite3_errmsg(connection).map { String(cString: $0) }
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: statement.sql)
    }
}
