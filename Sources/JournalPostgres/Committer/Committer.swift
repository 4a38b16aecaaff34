import Journal

/// The journal's only writer: the connection that commits, and an index of the lives that go on.
///
/// A value without concurrency of its own: only the journal's writing thread changes it.
struct Committer {
    let address: DatabaseAddress
    let settings: PostgresSettings
    let clock: @Sendable () -> Int

    /// The connection; nil after a failure, until there is another one.
    var connection: Connection?
    var fence: NodeFence
    var index: LifeIndex
    var tokens: TokenChanges
    var numbers = LifeNumbers()
    var upkeep: Upkeep
    /// A transaction of which it is not known whether it is stored.
    var inDoubt: TransactionInDoubt?
    /// Lives of which it is not known whether they were handed over.
    var handoversInDoubt: Set<Int> = []
    /// Whether another server has taken everything over.
    var isTaken = false
    /// How often a connection was made, and how often a transaction was in doubt.
    var connections = 1
    var doubts = 0

    /// Takes over what was read when the journal was opened.
    init(
        _ address: DatabaseAddress, _ settings: PostgresSettings, clock: @escaping @Sendable () -> Int,
        connection: Connection, fence: NodeFence, loaded: LoadedRows
    ) {
        self.address = address
        self.settings = settings
        self.clock = clock
        self.connection = connection
        self.fence = fence
        (index, tokens, upkeep) = (loaded.index, TokenChanges(stored: loaded.tokens), loaded.upkeep)
    }

    /// Stores the first units of a batch in one transaction: all of them, where they do not depend on each other.
    ///
    /// - Returns: The outcomes of the units that were taken, in order; at least one.
    /// - Throws: ``InDoubt`` where what became of them is not known, else a failure before anything was sent.
    mutating func commit(_ batch: ArraySlice<CommitQueue.Waiting>) throws -> [CommitQueue.Outcome] {
        guard !isTaken else { return batch.map { $0.failed(Self.takenOver) } }
        guard let connection else { throw DatabaseFault.unreachable("there is no connection") }
        if numbers.isEmpty, batch.contains(where: { $0.unit?.beginning != nil }) { try takeNumbers(connection) }
        var plan = BatchPlan(tokens: tokens, numbers: numbers, clock: clock(), bound: settings.answers)
        planning: for waiting in batch {
            switch waiting.content {
            case .failure(let error): plan.add(refused: error)
            case .success(let unit): guard plan.add(unit, index) else { break planning }
            }
        }
        numbers = plan.numbers
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
                    inDoubt?.settledBefore = outcomes
                    throw InDoubt(cause: doubt.cause, units: outcomes.count + doubt.units)
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
        fence.unit += 1
        let warnings = connection.warnings
        let results: [DatabaseResult]
        do throws(DatabaseFault) {
            results = try connection.run(
                plan.calls(fence, index, isFenced: settings.isFenced), within: settings.deadline)
        } catch {
            guard case .lost = error else { throw error }
            throw enterDoubt(plan, taken, .unavailable(error.description))
        }
        guard connection.warnings == warnings else {
            throw enterDoubt(
                plan, taken, .unavailable("the database's wait for a standby was cancelled during a commit"))
        }
        var next = results.makeIterator()
        let isOurs = !plan.isCounted || (next.next()?.count ?? 0) > 0
        if plan.touched.values.contains(where: \.isNew) { _ = next.next() }
        let stored = plan.touched.isEmpty ? [] : try next.next()?.rows.map { try $0.integer(0, "a row of lives") } ?? []
        if !isOurs { isTaken = true }
        apply(plan, stored: Set(stored), isOurs: isOurs)
        let failure = isOurs ? nil : Self.takenOver
        return plan.outcomes(of: taken, stored: Set(stored), failure: failure, others: failure)
    }

    /// Takes over into the index what a transaction has stored, and notes which lives are another server's now.
    mutating func apply(_ plan: BatchPlan, stored: Set<Int>, isOurs: Bool) {
        for touched in plan.touched.values {
            let life = touched.life
            guard stored.contains(life.id) else {
                index.change(life.director, id: life.id) { $0.isTaken = true }
                continue
            }
            upkeep.forget(touched.forgotten, of: life.id)
            if touched.isEnded {
                index.remove(life)
                upkeep.end(life.id)
            } else {
                index.put(life)
            }
        }
        if isOurs { tokens = plan.tokens.settled }
    }

    private mutating func takeNumbers(_ connection: Connection) throws {
        let result = try runAlone([Statements.takeNumbers()], connection)[0]
        numbers.refill(from: try result.first?.integer(0, "the sequence of lives") ?? 0)
    }

    /// Runs statements that leave no doubt, since running them twice is the same as running them once.
    func runAlone(_ calls: [StatementCall], _ connection: Connection) throws(DatabaseFault) -> [DatabaseResult] {
        try connection.run(calls, within: settings.deadline)
    }

    static let unregistered = JournalError.unavailable(
        "the node's registration is gone from the database; it registers again")
    static let takenOver = JournalError.superseded(
        "another server has taken the database over; this one has to be started again")
}

extension CommitUnit {
    /// The life that it begins; nil where it begins none.
    var beginning: LifeName? {
        guard case .record(let record) = self, record.place.step == .begins else { return nil }
        return LifeName(director: record.place.director, epoch: record.place.epoch)
    }
}
