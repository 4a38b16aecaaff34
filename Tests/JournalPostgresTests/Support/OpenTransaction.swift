@testable import JournalPostgres

/// A transaction of another program, which holds the rows that it has locked until it is committed.
final class OpenTransaction {
    private let connection: Connection
    private var statements = 0

    /// Begins it, and runs a statement.
    init(_ database: TestDatabase, _ sql: String) throws {
        connection = try database.server.connect(database.name)
        try run("BEGIN")
        try run(sql)
    }

    /// Makes it one of a node's.
    func mark(asOf node: Int) throws {
        try run("SELECT set_config('application_name', 'callboard node \(node)', false)")
    }

    /// Commits it.
    func commit() throws { try run("COMMIT") }

    private func run(_ sql: String) throws {
        statements += 1
        _ = try connection.run([Statement("test-\(statements)", sql)()], within: .seconds(20))
    }
}
