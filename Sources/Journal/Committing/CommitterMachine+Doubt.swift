import Notation

/// A transaction's result is unknown: the connection was lost before its answer came.
package struct InDoubt: Error {
    /// Why.
    package let cause: JournalError
    /// How many units of the batch are in it, or were settled before it.
    package let units: Int
}

/// A transaction of which it is not known whether it is stored.
package struct TransactionInDoubt: Sendable {
    let plan: BatchPlan
    let batch: [CommitQueue.Waiting]
    /// The number of the transaction.
    package let unit: Int
    let cause: JournalError
    /// Outcomes of units of the same batch that stand before it.
    var settledBefore: [CommitQueue.Outcome] = []

    /// The directors whose records are in doubt.
    package var directors: Set<Name> { Set(directorsOf: batch) }

    /// The lives that it is about.
    package var lives: [Int] { plan.touched.values.map(\.life.id) }

    /// The lives of which it has records, each with the number of the newest and the term that it is stored under.
    package var logged: [LifeIndex.Life] {
        let withRows = Set(plan.rows.map(\.life))
        return plan.touched.values.map(\.life).filter { withRows.contains($0.id) }
    }

    /// Its answers, each with its life's number.
    package var answers: [(life: Int, row: StoredAnswerRow)] { plan.answers }
}

extension CommitterMachine {
    /// The findings about a transaction in doubt, once it cannot be stored any more.
    package struct Evidence: Sendable {
        let lastUnit: Int?
        let terms: [Int: Int]
        let stored: Set<Int>
        let covered: Set<Int>

        /// Makes what is found.
        ///
        /// - Parameters:
        ///   - lastUnit: The newest transaction that the server's fence shows; nil where there is no fence.
        ///   - terms: The terms of the lives whose terms were raised.
        ///   - stored: The lives of which a record or an answer of the transaction is there.
        ///   - covered: The lives of which something else stands in the place of the record.
        package init(lastUnit: Int?, terms: [Int: Int], stored: Set<Int>, covered: Set<Int>) {
            (self.lastUnit, self.terms, self.stored, self.covered) = (lastUnit, terms, stored, covered)
        }
    }

    /// Takes note that the answer of a transaction did not come.
    ///
    /// - Throws: ``InDoubt``.
    package mutating func lose(
        _ plan: BatchPlan, _ batch: ArraySlice<CommitQueue.Waiting>, _ cause: JournalError
    ) throws(InDoubt) -> [CommitQueue.Outcome] {
        isConnected = false
        doubts += 1
        if planted.has(.doubtIsFailure) {
            return plan.outcomes(of: batch, stored: [], failure: cause, others: cause)
        }
        inDoubt = TransactionInDoubt(plan: plan, batch: Array(batch), unit: fence.unit, cause: cause)
        throw InDoubt(cause: cause, units: batch.count)
    }

    /// Adds outcomes of units that stand before those in doubt, and are told with them.
    ///
    /// - Returns: The doubt about all of them.
    package mutating func settleBefore(_ outcomes: [CommitQueue.Outcome], _ doubt: InDoubt) -> InDoubt {
        inDoubt?.settledBefore = outcomes
        return InDoubt(cause: doubt.cause, units: outcomes.count + doubt.units)
    }

    /// Decides what became of the transaction in doubt.
    ///
    /// - Returns: The outcomes of its units; none of those of which it will never be known and nobody is told.
    package mutating func settle(_ found: Evidence) -> [CommitQueue.Outcome] {
        guard let doubt = inDoubt else { return [] }
        // A life without a row that tells was at its place all the same where the transaction is stored.
        let isStored = !found.stored.isEmpty || doubt.plan.isCounted && found.lastUnit == doubt.unit
        // The fence tells that nothing is stored, where it was to be part of it.
        let isLost = !isStored && doubt.plan.isCounted && found.lastUnit != nil
        if isStored { apply(doubt.plan, stored: found.stored, found: found.stored, isOurs: true) }
        for touched in doubt.plan.touched.values { goOn(touched, found) }
        // Fenced off by another server without a record that tells: what belongs to no life is never known.
        let isKnown = isStored || found.lastUnit != nil || doubt.plan.deliveries.isEmpty && doubt.plan.tokens.isEmpty
        guard isKnown else { return doubt.settledBefore }
        let failure = isStored ? nil : doubt.cause
        return doubt.settledBefore
            + doubt.plan.outcomes(
                of: doubt.batch[...], stored: found.stored,
                inDoubt: isLost || planted.has(.prunedIsFailure) ? [] : found.covered, failure: failure, others: failure
            )
    }

    /// Goes on with a life of which something was in doubt, unless another node has it, or has had it meanwhile: then the
    /// follower reads it anew.
    private mutating func goOn(_ touched: BatchPlan.Touched, _ found: Evidence) {
        let life = touched.life
        if let term = found.terms[life.id], isAlone || term == life.term + 1 || planted.has(.trustsAnyTerm) {
            index.change(life.director, id: life.id) { $0.term = term }
        } else if !touched.isNew || found.stored.contains(life.id) {
            guard !planted.has(.doubtWithoutTerm) else { return }
            index.change(life.director, id: life.id) { $0.isTaken = true }
        }
    }
}
