import Journal
import Notation

/// A transaction's result is unknown: the connection was lost before its answer came.
struct InDoubt: Error {
    let cause: JournalError
    /// How many units of the batch are in it, or were settled before it.
    let units: Int
}

/// A transaction of which it is not known whether it is stored.
struct TransactionInDoubt {
    let plan: BatchPlan
    let batch: [CommitQueue.Waiting]
    let unit: Int
    let cause: JournalError
    /// Outcomes of units of the same batch that stand before it.
    var settledBefore: [CommitQueue.Outcome] = []

    /// The directors whose records are in doubt.
    var directors: Set<Name> { Set(texts: batch.map(\.director)) }

    /// The lives that it is about.
    var lives: [Int] { plan.touched.values.map(\.life.id) }
}

extension Committer {
    /// Notes that a transaction is in doubt and gives up its connection.
    mutating func enterDoubt(
        _ plan: BatchPlan, _ batch: ArraySlice<CommitQueue.Waiting>, _ cause: JournalError
    ) -> InDoubt {
        connection = nil
        doubts += 1
        inDoubt = TransactionInDoubt(plan: plan, batch: Array(batch), unit: fence.unit, cause: cause)
        return InDoubt(cause: cause, units: batch.count)
    }

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
        if let connection, connection.checkIdle() { return [] }
        connection = nil
        let next = try Connection.open(address, within: settings.connectDeadline, session: Statements.session)
        connections += 1
        // Each attempt has one of its own, since one that is given up may be stored later.
        fence.incarnation += 1
        let mark = Parameters(fence.node, fence.incarnation)
        var lives = mark
        lives.add((inDoubt?.lives ?? []) + handoversInDoubt)
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
        let outcomes = try inDoubt.map { try settle($0, lastUnit, Dictionary(terms) { $1 }, next) } ?? []
        if lastUnit == nil { isTaken = true } else { try checkHeads(next) }
        inDoubt = nil
        handoversInDoubt = []
        connection = next
        return outcomes
    }

    /// Looks whether a transaction is stored that can no longer become so.
    private mutating func settle(
        _ doubt: TransactionInDoubt, _ lastUnit: Int?, _ terms: [Int: Int], _ connection: Connection
    ) throws -> [CommitQueue.Outcome] {
        let found = try find(doubt, connection)
        // A life without a row that tells was at its place all the same where the transaction is stored.
        let isStored = !found.stored.isEmpty || doubt.plan.isCounted && lastUnit == doubt.unit
        // The fence tells that nothing is stored, where it was to be part of it.
        let isLost = !isStored && doubt.plan.isCounted && lastUnit != nil
        if isStored {
            apply(doubt.plan, stored: found.stored, isOurs: true)
        }
        for touched in doubt.plan.touched.values {
            let life = touched.life
            if let term = terms[life.id], settings.sharing == nil || term == life.term + 1 {
                index.change(life.director, id: life.id) { $0.term = term }
            } else if !touched.isNew || found.stored.contains(life.id) {
                // Another node has it, or has had it meanwhile: then the follower reads it anew.
                index.change(life.director, id: life.id) { $0.isTaken = true }
            }
        }
        // Fenced off by another server without a record that tells: what belongs to no life is never known.
        let isKnown = isStored || lastUnit != nil || doubt.plan.deliveries.isEmpty && doubt.plan.tokens.isEmpty
        guard isKnown else { return doubt.settledBefore }
        return doubt.settledBefore
            + doubt.plan.outcomes(
                of: doubt.batch[...], stored: found.stored, inDoubt: isLost ? [] : found.covered,
                failure: isStored ? nil : doubt.cause, others: isStored ? nil : doubt.cause)
    }

    /// The lives of which a transaction's records are found, and those where something else stands in their place.
    private func find(
        _ doubt: TransactionInDoubt, _ connection: Connection
    ) throws -> (stored: Set<Int>, covered: Set<Int>) {
        let withRows = Set(doubt.plan.rows.map(\.life))
        let logged = doubt.plan.touched.values.map(\.life).filter { withRows.contains($0.id) }
        var parameters = Parameters(doubt.unit)
        parameters.add(logged.map(\.id))
        parameters.add(logged.map(\.number))
        parameters.add(logged.map(\.term))
        parameters.add(doubt.plan.answers.map(\.life))
        parameters.add(doubt.plan.answers.map(\.row.id))
        parameters.add(doubt.plan.answers.map { RowChecksum.answer(life: $0.life, $0.row) })
        var places = Parameters()
        places.add(logged.map(\.id))
        places.add(logged.map(\.number))
        // In this order: a record that is deleted in between is covered.
        let found = try runAlone([Statements.findStored(parameters), Statements.findCovered(places)], connection)
        let lives = try found.map { Set(try $0.rows.map { try $0.integer(0, "a row of records") }) }
        return (lives[0], lives[1].subtracting(lives[0]))
    }

    /// Compares where lives stand with what was acknowledged: a database that was set back has lost some of it.
    private func checkHeads(_ connection: Connection) throws {
        let rows = try runAlone([Statements.heads(Parameters(fence.node))], connection)[0].rows
        var heads: [Int: Int] = [:]
        for row in rows { heads[try row.integer(0, "a row of lives")] = try row.integer(1, "a row of lives") }
        for life in index.lives.values where !life.isTaken {
            guard let head = heads[life.id], head < life.number else { continue }
            throw JournalError.damaged(
                JournalDamage(
                    director: life.director, place: "life \(life.id)",
                    detail: "record \(life.number) was acknowledged, and the database ends with record \(head)"))
        }
    }
}
