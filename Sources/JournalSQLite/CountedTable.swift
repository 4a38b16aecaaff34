import GRDB

/// A table whose changes are counted in `marks`.
///
/// A batch of changes may leave no row behind that would tell whether it is stored: a removal does not. The count, which
/// is stored with each of them, does.
enum CountedTable: String, CaseIterable {
    case deliveries
    case tokens

    /// The version of the schema that the table came with.
    private var version: Int {
        switch self {
        case .deliveries: 2
        case .tokens: 3
        }
    }

    /// Whether the table is there: a database that is only read may be of an earlier version.
    func exists(in db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0 >= version
    }
}

extension RowIndex.Counters {
    /// How many units have changed a table since the journal was made.
    subscript(table: CountedTable) -> Int {
        get {
            switch table {
            case .deliveries: deliveries
            case .tokens: tokens
            }
        }
        set {
            switch table {
            case .deliveries: deliveries = newValue
            case .tokens: tokens = newValue
            }
        }
    }
}

extension Committer {
    /// Stores the counts of the tables that this transaction has changed.
    func markChanges(_ db: Database) throws {
        for table in CountedTable.allCases where rowIndex.hasChanged(table) {
            let statement = try DirectStatement(db, "UPDATE marks SET value = ?1 WHERE name = '\(table.rawValue)'")
            try statement.bind(rowIndex.counters[table], at: 1)
            try statement.run()
        }
    }
}
