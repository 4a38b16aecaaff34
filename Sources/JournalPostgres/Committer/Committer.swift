import Journal

/// The journal's only writer: the connection that commits. `CommitterMachine` decides, and has the index of the lives.
///
/// A value without concurrency of its own: only the journal's writing thread changes it.
package struct Committer: JournalCommitter {
    let address: DatabaseAddress
    let settings: PostgresSettings
    let clock: @Sendable () -> Int

    /// The connection; nil after a failure, until there is another one.
    var connection: Connection?
    var machine: CommitterMachine
    /// How often a connection was made.
    var connections = 1

    /// Takes over what was read when the journal was opened.
    init(
        _ address: DatabaseAddress, _ settings: PostgresSettings, clock: @escaping @Sendable () -> Int,
        connection: Connection, fence: NodeFence, loaded: LoadedRows
    ) {
        self.address = address
        self.settings = settings
        self.clock = clock
        self.connection = connection
        machine = CommitterMachine(
            fence, index: loaded.index, tokens: TokenChanges(stored: loaded.tokens), upkeep: loaded.upkeep,
            isAlone: settings.sharing == nil)
    }

    package static func journalError(_ error: any Error) -> JournalError { JournalError(error) }

    package var lives: [LifeIndex.Life] { Array(machine.index.lives.values) }

    package func life(of director: String) -> LifeIndex.Life? { machine.index.lives[director] }

    /// Runs a job with a connection: what was in doubt is settled before.
    package mutating func perform<Value>(_ work: (inout Committer) throws -> Value) throws -> Value {
        let settled = try connect()
        assert(settled.isEmpty, "what is in doubt is settled before another job runs")
        return try work(&self)
    }

    package var hasUpkeep: Bool { !machine.upkeep.isEmpty }

    /// Stores the first units of a batch in one transaction: all of them, where they do not depend on each other.
    ///
    /// - Returns: The outcomes of the units that were taken, in order; at least one.
    /// - Throws: ``InDoubt`` where what became of them is not known, else a failure before anything was sent.
    mutating func commit(_ batch: ArraySlice<CommitQueue.Waiting>) throws -> [CommitQueue.Outcome] {
        guard !machine.isTaken else { return batch.map { $0.failed(CommitterMachine.takenOver) } }
        guard let connection else { throw DatabaseFault.unreachable("there is no connection") }
        if machine.needsNumbers(for: batch) { try takeNumbers(connection) }
        let plan = machine.plan(batch, clock: clock(), bound: settings.answers)
        let taken = batch.prefix(plan.results.count)
        guard !plan.isEmpty else { return plan.outcomes(of: taken, stored: [], others: nil) }
        do {
            return try commit(plan, taken, connection)
        } catch let fault as DatabaseFault where fault.isOfContent && taken.count > 1 {
            // One of them cannot be stored: each by itself, so that the others are.
            var outcomes: [CommitQueue.Outcome] = []
            for place in taken.indices {
                do {
                    outcomes += try commit(taken[place...place])
                } catch let doubt as InDoubt {
                    throw machine.settleBefore(outcomes, doubt)
                } catch {
                    // What is stored is told; the caller tries the rest again.
                    guard !outcomes.isEmpty else { throw error }
                    return outcomes
                }
            }
            return outcomes
        } catch let fault as DatabaseFault where !fault.isConflict {
            guard case .refused = fault else { throw fault }
            return taken.map { $0.failed(JournalError(fault)) }
        }
    }

    /// Runs a transaction and takes its results over into the index.
    private mutating func commit(
        _ plan: BatchPlan, _ taken: ArraySlice<CommitQueue.Waiting>, _ connection: Connection
    ) throws -> [CommitQueue.Outcome] {
        machine.nextUnit()
        let warnings = connection.warnings
        let results: [DatabaseResult]
        do throws(DatabaseFault) {
            results = try connection.run(
                plan.calls(machine.fence, machine.index, isFenced: settings.isFenced), within: settings.deadline)
        } catch {
            guard case .lost = error else { throw error }
            return try lose(plan, taken, .unavailable(error.description))
        }
        guard connection.warnings == warnings else {
            return try lose(
                plan, taken, .unavailable("the database's wait for a standby was cancelled during a commit"))
        }
        var next = results.makeIterator()
        let isOurs = !plan.isCounted || (next.next()?.count ?? 0) > 0
        if plan.touched.values.contains(where: \.isNew) { _ = next.next() }
        let found = plan.touched.isEmpty ? [] : try next.next()?.rows.map { try $0.integer(0, "a row of lives") } ?? []
        return machine.committed(plan, taken, found: Set(found), isOurs: isOurs)
    }

    private mutating func lose(
        _ plan: BatchPlan, _ taken: ArraySlice<CommitQueue.Waiting>, _ cause: JournalError
    ) throws -> [CommitQueue.Outcome] {
        connection = nil
        return try machine.lose(plan, taken, cause)
    }

    private mutating func takeNumbers(_ connection: Connection) throws {
        let result = try runAlone([Statements.takeNumbers()], connection)[0]
        machine.refill(from: try result.first?.integer(0, "the sequence of lives") ?? 0)
    }

    /// Runs statements that leave no doubt, since running them twice is the same as running them once.
    func runAlone(_ calls: [StatementCall], _ connection: Connection) throws(DatabaseFault) -> [DatabaseResult] {
        try connection.run(calls, within: settings.deadline)
    }

    /// Tries whether storing works. Nothing stays of it.
    func probe() throws {
        guard let connection else { throw DatabaseFault.unreachable("there is no connection") }
        _ = try runAlone(Statements.probe(node: machine.fence.node), connection)
    }

    static let unregistered = JournalError.unavailable(
        "the node's registration is gone from the database; it registers again")
}
