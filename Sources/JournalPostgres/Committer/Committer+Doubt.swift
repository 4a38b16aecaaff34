import Journal
import Notation

extension Committer {
    /// Sees to a connection that works, and settles what is in doubt.
    ///
    /// A new connection begins with a write of its own, which raises the server's incarnation and the terms of lives in
    /// doubt, and of those whose handing over is. So it waits for the transaction in doubt, and no statement of an
    /// earlier connection can be stored any more. Records seen after it are as durable as it is, also on the standbys.
    /// Only then does it read the stored records.
    ///
    /// - Returns: The outcomes of the transaction in doubt.
    /// - Throws: What goes wrong; the doubt remains, and everything is tried again later.
    mutating func connect() throws -> [CommitQueue.Outcome] {
        if machine.isConnected, let connection, connection.checkIdle() { return [] }
        connection = nil
        let next = try Connection.open(
            address, within: settings.connectDeadline, session: Statements.session, node: machine.fence.node)
        connections += 1
        let attempt = machine.beginAttempt()
        let mark = Parameters(machine.fence.node, attempt.incarnation)
        var lives = mark
        lives.add(attempt.lives)
        let calls = [Statements.boundLocks(), Statements.raiseIncarnation(mark), Statements.raiseTerms(lives)]
        let warnings = next.warnings
        let results = try runAlone(calls, next)
        guard next.warnings == warnings else {
            throw DatabaseFault.lost("the database's wait for a standby was cancelled")
        }
        let lastUnit = try results[1].first?.integer(0, "a row of fences")
        let terms = try results[2].rows.map {
            (try $0.integer(0, "a row of lives"), try $0.integer(1, "a row of lives"))
        }
        var outcomes: [CommitQueue.Outcome] = []
        if let doubt = machine.inDoubt {
            let (stored, covered) = try find(doubt, next)
            outcomes = machine.settle(
                .init(lastUnit: lastUnit, terms: Dictionary(terms) { $1 }, stored: stored, covered: covered))
        }
        try machine.connected(attempt, heads: lastUnit == nil ? nil : try heads(next))
        connection = next
        return outcomes
    }

    /// The lives of which a transaction's records are found, and those where something else stands in their place.
    private func find(
        _ doubt: TransactionInDoubt, _ connection: Connection
    ) throws -> (stored: Set<Int>, covered: Set<Int>) {
        let logged = doubt.logged
        var parameters = Parameters(doubt.unit)
        parameters.add(logged.map(\.id))
        parameters.add(logged.map(\.number))
        parameters.add(logged.map(\.term))
        parameters.add(doubt.answers.map(\.life))
        parameters.add(doubt.answers.map(\.row.id))
        parameters.add(doubt.answers.map { RowChecksum.answer(life: $0.life, $0.row) })
        var places = Parameters()
        places.add(logged.map(\.id))
        places.add(logged.map(\.number))
        // In this order: a record that is deleted in between is covered.
        let found = try runAlone([Statements.findStored(parameters), Statements.findCovered(places)], connection)
        let lives = try found.map { Set(try $0.rows.map { try $0.integer(0, "a row of records") }) }
        return (lives[0], lives[1].subtracting(lives[0]))
    }

    /// The numbers of the newest records of this server's lives.
    private func heads(_ connection: Connection) throws -> [Int: Int] {
        let rows = try runAlone([Statements.heads(Parameters(machine.fence.node))], connection)[0].rows
        var heads: [Int: Int] = [:]
        for row in rows { heads[try row.integer(0, "a row of lives")] = try row.integer(1, "a row of lives") }
        return heads
    }
}
