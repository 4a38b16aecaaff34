import Notation

/// A node's commits, as a value: batches, results and doubts in; transactions and outcomes out.
///
/// It plans transactions, interprets their results, decides which lives are fenced off, and finds out whether a transaction
/// without an answer was stored. It has no connection and no thread: the writing thread's driver runs what it says
/// and reports what the database has answered.
package struct CommitterMachine: Sendable {
    /// This server's fence.
    package private(set) var fence: NodeFence
    /// The lives that go on, as this server has written them.
    package var index: LifeIndex
    /// Rows that are no longer needed.
    package var upkeep: Upkeep
    /// A transaction of which it is not known whether it is stored.
    package internal(set) var inDoubt: TransactionInDoubt?
    /// Lives of which it is not known whether they were handed over.
    package internal(set) var handoversInDoubt: Set<Int> = []
    /// Whether another server has taken everything over.
    package var isTaken = false
    /// Whether the connection may be used that has settled everything before it.
    package var isConnected = true
    /// How often a transaction was in doubt.
    package internal(set) var doubts = 0

    var tokens: TokenChanges
    private var numbers = LifeNumbers()
    /// Whether this server has the database for itself.
    let isAlone: Bool
    let planted: PlantedFaults

    /// Takes over what was read when the journal was opened.
    package init(
        _ fence: NodeFence, index: LifeIndex = LifeIndex(), tokens: TokenChanges = TokenChanges(),
        upkeep: Upkeep = Upkeep(), isAlone: Bool, planted: PlantedFaults = PlantedFaults()
    ) {
        (self.fence, self.index, self.tokens, self.upkeep) = (fence, index, tokens, upkeep)
        (self.isAlone, self.planted) = (isAlone, planted)
    }

    // MARK: Transactions

    /// Whether a block of numbers is needed before a batch is planned; see ``refill(from:)``.
    package func needsNumbers(for batch: ArraySlice<CommitQueue.Waiting>) -> Bool {
        numbers.isEmpty && batch.contains { $0.unit?.beginning != nil }
    }

    /// Takes over a block of numbers for lives that begin.
    package mutating func refill(from first: Int) { numbers.refill(from: first) }

    /// Plans a transaction of the first units of a batch: all of them, where they do not depend on each other.
    ///
    /// - Parameters:
    ///   - clock: The time that answers expire by, in seconds since 1970.
    ///   - bound: The answers that are kept of one life.
    package mutating func plan(
        _ batch: ArraySlice<CommitQueue.Waiting>, clock: Int, bound: CommitBound
    ) -> BatchPlan {
        var plan = BatchPlan(tokens: tokens, numbers: numbers, clock: clock, bound: bound, planted: planted)
        planning: for waiting in batch {
            switch waiting.content {
            case .failure(let error): plan.add(refused: error)
            case .success(let unit): guard plan.add(unit, index) else { break planning }
            }
        }
        numbers = plan.numbers
        return plan
    }

    /// Numbers the transaction that is sent next.
    package mutating func nextUnit() { fence.unit += 1 }

    /// Takes over what a transaction has stored.
    ///
    /// - Parameters:
    ///   - batch: The units that were planned.
    ///   - found: The lives that were found as the plan has them. Their records are stored; those of a pair only where both
    ///     lives were found so.
    ///   - isOurs: Whether this server's fence was there.
    package mutating func committed(
        _ plan: BatchPlan, _ batch: ArraySlice<CommitQueue.Waiting>, found: Set<Int>, isOurs: Bool
    ) -> [CommitQueue.Outcome] {
        if !isOurs { isTaken = true }
        let isHalf = plan.isPair && found.count < plan.touched.count && !planted.has(.storesHalfPair)
        let stored = isHalf ? [] : found
        apply(plan, stored: stored, found: found, isOurs: isOurs)
        let failure = isOurs ? nil : Self.takenOver
        return plan.outcomes(of: batch, stored: stored, failure: failure, others: failure)
    }

    /// Takes over into the index what is stored, and notes which lives are another server's now.
    mutating func apply(_ plan: BatchPlan, stored: Set<Int>, found: Set<Int>, isOurs: Bool) {
        for touched in plan.touched.values {
            let life = touched.life
            guard stored.contains(life.id) else {
                if !found.contains(life.id) { index.change(life.director, id: life.id) { $0.isTaken = true } }
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

    // MARK: Connections

    /// The beginning of a new connection: it fences off what was sent before.
    package struct Attempt: Sendable {
        /// The server's incarnation from then on.
        package let incarnation: Int
        /// The lives whose terms it raises: those in doubt.
        package let lives: [Int]
    }

    /// Begins an attempt to connect.
    package mutating func beginAttempt() -> Attempt {
        isConnected = false
        let lives = (inDoubt?.lives ?? []) + handoversInDoubt
        let attempt = Attempt(
            incarnation: fence.incarnation + 1, lives: planted.has(.doubtWithoutTerm) ? [] : lives)
        // Each attempt has one of its own, since one that is given up may be stored later.
        if !planted.has(.attemptsCountLate) { fence.incarnation = attempt.incarnation }
        return attempt
    }

    /// Goes on with the connection of an attempt, once what was in doubt is settled.
    ///
    /// - Parameters:
    ///   - attempt: The attempt.
    ///   - heads: The numbers of the newest records of the lives that this server owns; nil where its fence is gone.
    /// - Throws: `JournalError.damaged(_:)` where less is stored than was acknowledged: a database was set back.
    package mutating func connected(_ attempt: Attempt, heads: [Int: Int]?) throws(JournalError) {
        fence.incarnation = attempt.incarnation
        if let heads { try check(heads) } else { isTaken = true }
        inDoubt = nil
        handoversInDoubt = []
        isConnected = true
    }

    private func check(_ heads: [Int: Int]) throws(JournalError) {
        for life in index.lives.values where !life.isTaken {
            guard let head = heads[life.id], head < life.number else { continue }
            throw .damaged(
                JournalDamage(
                    director: life.director, place: "life \(life.id)",
                    detail: "record \(life.number) was acknowledged, and the database ends with record \(head)"))
        }
    }

    // MARK: Owning

    /// Takes over what the following thread has found; with no transaction under way or in doubt.
    package mutating func take(_ change: WritingState.Change) {
        switch change {
        case .own(let life, let steps):
            index.put(life)
            for step in steps { upkeep.add(step) }
        case .disown(let row):
            if let life = index.lives[row.name.director], life.id == row.id { index.remove(life) }
        case .abandoned(let lives):
            for life in lives { upkeep.endAbandoned(life) }
        case .registered:
            // The next connection raises the incarnation: nothing that was sent before is stored later.
            isTaken = false
            if !planted.has(.registersWithoutRaising) { isConnected = false }
        case .tokens(let entries):
            tokens = TokenChanges(stored: entries)
        }
    }

    /// The lives that may be handed over, as they are written here.
    package func handable(_ lives: [FollowerMachine.Handover]) -> [(life: LifeIndex.Life, node: Int)] {
        lives.compactMap { handover in
            guard let life = index.lives[handover.row.name.director], life.id == handover.row.id, !life.isTaken else {
                return nil
            }
            return (life, handover.node)
        }
    }

    /// Takes note of lives that were handed over.
    ///
    /// - Returns: The lives handed over, each with the number of its newest record.
    package mutating func handedOver(
        _ lives: [(life: LifeIndex.Life, node: Int)], given: Set<Int>
    ) -> [Int: Int] {
        var numbers: [Int: Int] = [:]
        for (life, _) in lives where given.contains(life.id) {
            numbers[life.id] = life.number
            index.remove(life)
            upkeep.leave(life.id)
        }
        return numbers
    }

    /// Takes note that the answer of a handover did not come: it may be stored later. Until it is known, nobody may take these
    /// lives for this node's.
    package mutating func loseHandover(_ lives: [(life: LifeIndex.Life, node: Int)]) {
        handoversInDoubt.formUnion(lives.map(\.life.id))
        isConnected = false
    }

    /// The server has been fenced off as a whole.
    package static let takenOver = JournalError.superseded(
        "another server has taken the database over; this one has to be started again")
}

/// A server's fence: its number, its incarnation since the last doubt, and the number of its next transaction.
package struct NodeFence: Sendable {
    /// The server's number.
    package let node: Int
    /// How often it has connected.
    package var incarnation: Int
    /// The number of its newest transaction.
    package var unit: Int

    /// Makes a fence.
    package init(node: Int, incarnation: Int, unit: Int) {
        (self.node, self.incarnation, self.unit) = (node, incarnation, unit)
    }
}

extension CommitUnit {
    /// The life that it begins; nil where it begins none.
    package var beginning: LifeName? {
        guard case .record(let record) = self, record.place.step == .begins else { return nil }
        return LifeName(director: record.place.director, epoch: record.place.epoch)
    }
}
