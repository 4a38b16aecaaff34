import DirectorLife
import Journal

// The steps of a node's writing thread, each one thing that takes time.
extension ClusterNode {
    /// Does the next thing.
    func write() throws {
        if writer.doubt != nil || !writer.isConnected {
            try reconnect()
        } else if writer.running != nil {
            try finishRunning()
        } else if !writer.results.isEmpty {
            tell()
        } else if !writer.told.directors.isEmpty {
            noteOwned()
        } else {
            writer.takeChanges()
            try sendNext()
        }
    }

    private func sendNext() throws {
        guard let (transaction, hosts, given) = writer.next(database, node: number) else { return }
        if writer.isTaken {
            guard case .append(let plan) = transaction.work else { return jobs.append((given, nil)) }
            return fail(plan, hosts, .superseded("the node is fenced off"))
        }
        if case .append(let plan) = transaction.work {
            for part in plan.parts.values where part.isNew { beginning.insert(part.life.name) }
        }
        database.send(transaction)
        writer.running = Writer.Running(transaction: transaction, hosts: hosts, given: given)
    }

    /// Waits for the answer of what runs.
    func finishRunning() throws {
        guard let running = writer.running else { return }
        try database.finish(running.transaction)
        writer.running = nil
        switch running.transaction.work {
        case .append(let plan):
            if !running.transaction.isOurs {
                writer.isTaken = true
                try require(database.seen.fences[number] == nil, "a node is fenced off that nobody has fenced off")
            }
            writer.apply(plan, stored: running.transaction.stored, hosts: running.hosts)
            noteBegun()
        case .give:
            for (director, life) in writer.index where running.transaction.stored.contains(life.id) {
                writer.index[director] = nil
                owned[life.id] = nil
            }
            jobs.append((running.given, running.transaction.stored))
        case .raise: break
        }
    }

    /// Tells hosts what became of their records, and other nodes that there is something.
    private func tell() {
        var hinted: Set<Int> = []
        for (change, host, error) in writer.results {
            messages.append(.settle(host, error))
            writer.told.directors.insert(change.record.director)
            if error == nil, let life = writer.index[change.record.director] { hinted.insert(life.id) }
        }
        writer.told.lives = writer.told.directors.compactMap { writer.index[$0] }
        writer.results = []
        world.hint(hinted, from: self)
    }

    /// Takes note of lives whose beginning is stored, for the follower, before that is told.
    private func noteBegun() {
        guard fault != .notesBegunLate else { return }
        for (change, _, _) in writer.results {
            guard let life = writer.index[change.record.director], owned[life.id] == nil, beginning.contains(life.name)
            else { continue }
            begun[life.id] = life.name
        }
    }

    /// Takes note of what was told, for the follower.
    private func noteOwned() {
        for life in writer.told.lives {
            if let own = owned[life.id] {
                guard own.term ?? 0 <= life.term else { continue }
            } else {
                guard beginning.contains(life.name) else { continue }
                if fault == .notesBegunLate { begun[life.id] = life.name }
            }
            owned[life.id] = OwnWriting(number: life.number, term: life.term)
        }
        beginning = beginning.filter { !writer.told.directors.contains($0.director) }
        writer.told = ([], [])
    }

    /// Gets no answer to what it has sent: a transaction, or what an attempt to connect anew begins with.
    func loseAnswer() {
        if writer.isConnected { loseConnection() } else { giveUpAttempt() }
    }

    /// Loses the connection: what runs may be stored or not.
    func loseConnection() {
        writer.isConnected = false
        guard let running = writer.running else { return }
        writer.running = nil
        guard case .append(let plan) = running.transaction.work else {
            writer.handoversInDoubt.formUnion(running.given)
            return jobs.append((running.given, nil))
        }
        for part in plan.parts.values {
            owned[part.life.id] = owned[part.life.id].map { OwnWriting(number: $0.number, term: nil) }
        }
        if fault == .doubtIsFailure { return fail(plan, running.hosts, .unavailable("the connection is lost")) }
        writer.doubt = running
    }

    private func fail(
        _ plan: CommitPlan, _ hosts: [Host], _ error: StorageError, inDoubt: Set<Int> = []
    ) {
        for ((change, life), host) in zip(plan.results, hosts) {
            let isInDoubt = life.map(inDoubt.contains) ?? false
            writer.results.append((change, host, isInDoubt ? .inDoubt("a snapshot stands for it") : error))
        }
    }

    /// Sends what an attempt to connect begins with, and does not wait for its answer: it may be stored late.
    private func giveUpAttempt() {
        writer.incarnation += 1
        database.send(
            Transaction(node: number, incarnation: writer.incarnation, unit: writer.unit, .raise(livesInDoubt)))
    }

    /// The plan of what is in doubt.
    private var doubted: CommitPlan? {
        guard let doubt = writer.doubt, case .append(let plan) = doubt.transaction.work else { return nil }
        return plan
    }

    /// The lives of which something is in doubt.
    private var livesInDoubt: Set<Int> {
        Set(doubted?.parts.values.map(\.life.id) ?? []).union(writer.handoversInDoubt)
    }

    /// Connects anew, which settles what is in doubt.
    private func reconnect() throws {
        let (doubted, lives) = (doubted, livesInDoubt)
        let raised = fault == .doubtWithoutTerm ? [] : lives
        writer.incarnation += 1
        let (node, incarnation, fault) = (number, writer.incarnation, fault)
        try database.write(lives, fence: node) { content in
            content.fence(node, incarnation: incarnation, raising: raised, fault)
        }
        if let doubt = writer.doubt, let plan = doubted { settle(doubt, plan) }
        writer.doubt = nil
        writer.handoversInDoubt = []
        writer.isConnected = true
        guard let fence = database.seen.fences[node] else {
            writer.isTaken = true
            return
        }
        if fault == .attemptsCountLate { writer.incarnation = fence.incarnation }
        for life in writer.index.values where !life.isTaken {
            guard let row = database.seen.lives[life.id], row.owner == node, !row.isEnded else { continue }
            try require(row.head >= life.number, "record \(life.number) was acknowledged, and is gone")
        }
    }

    private func settle(_ doubt: Writer.Running, _ plan: CommitPlan) {
        let unit = doubt.transaction.unit
        let stored = Set(plan.parts.values.filter { holds($0, unit) }.map(\.life.id))
        let lastUnit = database.seen.fences[number]?.unit
        let isStored = !stored.isEmpty || plan.isCounted && lastUnit == unit
        let isLost = !isStored && plan.isCounted && lastUnit != nil
        let covered = isLost || fault == .prunedIsFailure ? [] : Set(plan.parts.values.filter(isCovered).map(\.life.id))
        if isStored {
            writer.apply(plan, stored: stored, inDoubt: covered.subtracting(stored), hosts: doubt.hosts)
        } else {
            fail(plan, doubt.hosts, .unavailable("the connection was lost"), inDoubt: covered)
        }
        for (director, part) in plan.parts { goOn(director, part, isStored: stored.contains(part.life.id)) }
        noteBegun()
    }

    /// Goes on with a life of which something was in doubt, unless another node has it, or has had it meanwhile.
    private func goOn(_ director: String, _ part: CommitPlan.Part, isStored: Bool) {
        if let row = database.seen.lives[part.life.id], row.owner == number,
            row.term == part.life.term + 1 || fault == .trustsAnyTerm || fault == .doubtWithoutTerm
        {
            if writer.index[director]?.id == part.life.id { writer.index[director]?.term = row.term }
        } else if !part.isNew || isStored {
            writer.setTaken(director, part.life.id)
        }
    }

    /// Whether something else may stand in the place of a part's last record.
    private func isCovered(_ part: CommitPlan.Part) -> Bool {
        guard part.changes.contains(where: { $0.step != nil }), let life = database.seen.lives[part.life.id] else {
            return false
        }
        return life.isEnded || life.pruned >= part.life.number
    }

    /// Whether the last record that a part has stored is there, or one of its answers.
    private func holds(_ part: CommitPlan.Part, _ unit: Int) -> Bool {
        guard let life = database.seen.lives[part.life.id] else { return false }
        if part.changes.contains(where: { $0.step != nil }), life.head >= part.life.number {
            let entry = life.log[part.life.number - 1]
            if entry.term == part.life.term, entry.unit == unit, part.life.number > life.pruned { return true }
        }
        return part.answers.contains { answer in life.answers.contains { $0.change === answer.change } }
    }
}
