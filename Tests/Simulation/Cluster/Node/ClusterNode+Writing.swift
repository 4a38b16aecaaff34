import DirectorLife
import Journal
import Notation

// The steps of a node's writing thread, each one thing that takes time; the machine that the server runs decides.
extension ClusterNode {
    /// Whether the writing thread has nothing to do.
    var isIdle: Bool {
        writer.queue.isEmpty && writer.batch.isEmpty && writer.running == nil && writer.results.isEmpty
            && writer.told == nil && committer.inDoubt == nil && committer.isConnected && !writing.hasChanges
    }

    /// Does the next thing.
    func write() throws {
        if writer.running != nil {
            try finishRunning()
        } else if !committer.isConnected {
            try reconnect()
        } else if !writer.results.isEmpty {
            tell()
        } else if writer.told != nil {
            noteOwned()
        } else {
            sendNext()
        }
    }

    private func sendNext() {
        if writer.batch.isEmpty {
            for change in writing.takeChanges() { committer.take(change) }
            guard committer.isConnected else { return }
            if case .give(let lives)? = writer.queue.first {
                writer.queue.removeFirst()
                return give(lives)
            }
            writer.takeBatch()
        }
        guard !writer.batch.isEmpty else { return }
        guard !committer.isTaken else {
            writer.results = writer.batch.map { $0.failed(CommitterMachine.takenOver) }
            writer.batch = []
            return
        }
        writing.begins(writer.batch.compactMap { $0.unit?.beginning })
        if committer.needsNumbers(for: writer.batch) { committer.refill(from: database.takeLives()) }
        let plan = committer.plan(writer.batch, clock: 0, bound: CommitBound(count: 4096, bytes: 1 << 20))
        let taken = writer.batch.prefix(plan.results.count)
        writer.batch = writer.batch.dropFirst(taken.count)
        guard !plan.isEmpty else {
            writer.results = plan.outcomes(of: taken, stored: [], others: nil)
            return
        }
        committer.nextUnit()
        send(.append(Append(plan, taken.map { writer.changes[$0.index].map(\.change) })), taken)
    }

    private func give(_ lives: [FollowerMachine.Handover]) {
        send(.give(lives, committer.handable(lives)), [])
    }

    private func send(_ work: Transaction.Work, _ batch: ArraySlice<CommitQueue.Waiting>) {
        let transaction = Transaction(committer.fence, work)
        database.send(transaction)
        writer.running = Writer.Running(transaction: transaction, batch: batch)
    }

    /// Waits for the answer of what runs.
    private func finishRunning() throws {
        guard let running = writer.running else { return }
        let transaction = running.transaction
        try database.finish(transaction)
        writer.running = nil
        switch transaction.work {
        case .append(let append):
            if !transaction.isOurs {
                try require(
                    database.seen.fences[number]?.incarnation ?? 0 < committer.fence.incarnation,
                    "a node is fenced off that nobody has fenced off")
            }
            settle(
                committer.committed(
                    append.plan, running.batch, found: transaction.found, isOurs: transaction.isOurs))
        case .give(let lives, let owned):
            let given = committer.handedOver(owned, given: transaction.found)
            writing.gave(given.keys)
            jobs.append((lives.map(\.row.id), given))
        case .raise: break
        }
    }

    /// Takes note of results, and of lives whose beginning is stored, for the follower, before that is told.
    private func settle(_ outcomes: [CommitQueue.Outcome]) {
        writer.results = outcomes
        writing.settled(lives(of: outcomes))
    }

    private func lives(of outcomes: [CommitQueue.Outcome]) -> [LifeIndex.Life] {
        Set(directorsOf: outcomes.map(\.waiting)).compactMap { committer.index.lives[$0] }
    }

    /// Tells hosts what became of their records, and other nodes that there is something.
    private func tell() {
        let lives = lives(of: writer.results)
        var stored: Set<Name> = []
        for outcome in writer.results {
            var error: StorageError?
            if case .failure(let failure) = outcome.result { error = StorageError(failure) }
            for (_, host) in writer.changes[outcome.waiting.index] { messages.append(.settle(host, error)) }
            if error == nil { stored.formUnion(directorsOf: outcome.waiting) }
        }
        writer.told = (lives, Set(directorsOf: writer.results.map(\.waiting)))
        writer.results = []
        world.hint(Set(lives.filter { stored.contains(Name($0.director)) }.map(\.id)), from: self)
    }

    /// Takes note of what was told, for the follower.
    private func noteOwned() {
        guard let told = writer.told else { return }
        writing.told(told.lives, told.directors)
        writer.told = nil
    }

    // MARK: Doubt

    /// Gets no answer to what it has sent: a transaction, or what an attempt to connect anew begins with.
    func loseAnswer() {
        guard !committer.isConnected, writer.running == nil else { return loseConnection() }
        // What is sent may be stored late.
        database.send(Transaction(committer.fence, .raise(committer.beginAttempt())))
    }

    /// Loses the connection: what runs may be stored or not.
    func loseConnection() {
        committer.isConnected = false
        guard let running = writer.running else { return }
        writer.running = nil
        switch running.transaction.work {
        case .append(let append):
            let failed = try? committer.lose(append.plan, running.batch, .unavailable("the connection is lost"))
            writing.doubted(committer.inDoubt?.lives ?? [])
            if let failed { settle(failed) }
        case .give(let lives, let owned):
            committer.loseHandover(owned)
            writing.noteHandovers(inDoubt: committer.handoversInDoubt)
            jobs.append((lives.map(\.row.id), nil))
        case .raise: break
        }
    }

    /// Connects anew, which settles what is in doubt.
    private func reconnect() throws {
        let attempt = committer.beginAttempt()
        let (node, lives) = (number, Set(attempt.lives))
        var raised: (lastUnit: Int?, terms: [Int: Int]) = (nil, [:])
        // Also without raising terms: what is sent waits for the rows that it is about.
        try database.write(lives, fence: node) { raised = $0.fence(node, attempt, world.surrounding) }
        if let doubt = committer.inDoubt {
            settle(committer.settle(database.evidence(of: doubt, raised.lastUnit, raised.terms)))
        }
        do {
            let heads = database.seen.lives.filter { $0.value.owner == node && !$0.value.isEnded }.mapValues(\.head)
            try committer.connected(attempt, heads: raised.lastUnit.map { _ in heads })
        } catch {
            throw Violation("\(error)")
        }
        if raised.lastUnit == nil {
            try require(database.seen.fences[number] == nil, "a node is fenced off by itself")
        }
        writing.noteHandovers(inDoubt: committer.handoversInDoubt)
    }
}
