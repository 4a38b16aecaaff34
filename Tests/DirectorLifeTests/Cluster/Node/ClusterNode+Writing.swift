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
        } else {
            try sendNext()
        }
    }

    private func sendNext() throws {
        guard let (transaction, hosts, given) = writer.next(database, node: number) else { return }
        if writer.isTaken {
            guard case .append(let plan) = transaction.work else { return jobs.append((given, nil)) }
            return fail(plan, hosts, .superseded("the node is fenced off"))
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
            if !running.transaction.isOurs { writer.isTaken = true }
            writer.apply(plan, running.transaction, stored: running.transaction.stored, hosts: running.hosts)
        case .give:
            for (director, life) in writer.index where running.transaction.stored.contains(life.id) {
                writer.index[director] = nil
            }
            jobs.append((running.given, running.transaction.stored))
        }
    }

    /// Tells hosts what became of their records, and other nodes that there is something.
    private func tell() {
        var hinted: Set<Int> = []
        for (change, host, error) in writer.results {
            messages.append(.settle(host, error))
            if error == nil, let life = writer.index[change.record.director] { hinted.insert(life.id) }
        }
        writer.results = []
        world.hint(hinted, from: self)
    }

    /// Loses the connection: what runs may be stored or not.
    func loseConnection() {
        writer.isConnected = false
        guard let running = writer.running else { return }
        writer.running = nil
        guard case .append(let plan) = running.transaction.work else { return jobs.append((running.given, nil)) }
        if fault == .doubtIsFailure { return fail(plan, running.hosts, .unavailable("the connection is lost")) }
        writer.doubt = running
    }

    private func fail(_ plan: CommitPlan, _ hosts: [Host], _ error: StorageError) {
        for ((change, _), host) in zip(plan.results, hosts) { writer.results.append((change, host, error)) }
    }

    /// Connects anew, which settles what is in doubt.
    private func reconnect() throws {
        let doubted = writer.doubt.flatMap { doubt -> CommitPlan? in
            if case .append(let plan) = doubt.transaction.work { plan } else { nil }
        }
        let lives = Set(doubted?.parts.values.map(\.life.id) ?? [])
        let raised = fault == .doubtWithoutTerm ? [] : lives
        let node = number
        try database.write(lives, fence: node) { content in
            content.fences[node]?.incarnation += 1
            for id in raised where content.lives[id]?.owner == node { content.lives[id]?.term += 1 }
        }
        if let doubt = writer.doubt, let plan = doubted { settle(doubt, plan) }
        writer.doubt = nil
        writer.isConnected = true
        guard let fence = database.seen.fences[node] else {
            writer.isTaken = true
            return
        }
        writer.incarnation = fence.incarnation
        for life in writer.index.values where !life.isTaken {
            guard let row = database.seen.lives[life.id], row.owner == node, !row.isEnded else { continue }
            try require(row.head >= life.number, "record \(life.number) was acknowledged, and is gone")
        }
    }

    private func settle(_ doubt: Writer.Running, _ plan: CommitPlan) {
        let seen = database.seen
        let unit = doubt.transaction.unit
        let stored = Set(plan.parts.values.filter { holds($0, unit) }.map(\.life.id))
        let isStored = !stored.isEmpty || plan.isCounted && seen.fences[number]?.unit == unit
        if isStored {
            writer.apply(plan, doubt.transaction, stored: stored, hosts: doubt.hosts)
        } else {
            fail(plan, doubt.hosts, .unavailable("the connection was lost"))
        }
        for (director, part) in plan.parts {
            guard let row = seen.lives[part.life.id], row.owner == number else {
                if !part.isNew || stored.contains(part.life.id) { writer.setTaken(director, part.life.id) }
                continue
            }
            if writer.index[director]?.id == part.life.id { writer.index[director]?.term = row.term }
        }
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
