import DirectorLife
import Journal

// What transactions do, as the statements of the journal in a database do it.
extension SimulatedDatabase {
    /// Decides what a transaction writes. Its rows are locked, so that what it has found stays as it is.
    func evaluate(_ transaction: Transaction) throws(Violation) {
        switch transaction.work {
        case .append(let plan): try append(plan, transaction)
        case .give(let given): give(given, transaction)
        case .raise(let lives): raise(lives, transaction)
        }
    }

    private func raise(_ lives: Set<Int>, _ transaction: Transaction) {
        let (node, fault) = (transaction.node, fault)
        transaction.effect = { content in
            content.fence(node, incarnation: transaction.incarnation, raising: lives, fault)
        }
    }

    private func append(_ plan: CommitPlan, _ transaction: Transaction) throws(Violation) {
        let node = transaction.node
        let fence = seen.fences[node]
        transaction.isOurs = !plan.isCounted || fence?.incarnation == transaction.incarnation || fault == .noFence
        var changed: [Content.Life] = []
        for part in plan.parts.values {
            guard var life = row(of: part, transaction) else { continue }
            if fault != .noFence {
                guard life.term == part.life.term, life.head == part.before, !life.isEnded else { continue }
            }
            for change in part.changes where change.step != nil { try add(change, part, transaction, to: &life) }
            for answer in part.answers {
                try checkKey(answer.change, life)
                life.answers.append(answer)
            }
            life.isEnded = part.isEnded
            changed.append(life)
        }
        transaction.stored = Set(changed.map(\.id))
        let isCounted = plan.isCounted && transaction.isOurs
        transaction.effect = { content in
            if isCounted { content.fences[node]?.unit = transaction.unit }
            for life in changed { content.put(life) }
        }
    }

    /// The row that a part's records go to; nil for a life that cannot begin.
    private func row(of part: CommitPlan.Part, _ transaction: Transaction) -> Content.Life? {
        guard part.isNew else { return seen.lives[part.life.id] }
        guard transaction.isOurs, seen.life(named: part.life.name.director) == nil else { return nil }
        return Content.Life(id: part.life.id, name: part.life.name, owner: transaction.node, term: 1)
    }

    private func add(
        _ change: Change, _ part: CommitPlan.Part, _ transaction: Transaction, to life: inout Content.Life
    ) throws(Violation) {
        try require(
            change.record.number == life.head + 1,
            "record \(change.record.number) of \(life.name.epoch) is stored behind record \(life.head)")
        try require(part.life.term >= life.log.last?.term ?? 0, "a term falls")
        try require(part.life.term == life.term, "something is stored under an old term")
        try require(life.owner == transaction.node, "something is stored by another node than the owner")
        try require(change.outcome != .failed, "something is stored that was answered with an error")
        var model = life.log.last?.model ?? ClusterFixture.model(of: life.name)
        if life.head > 0 { _ = model.perform(change.command, number: change.number) }
        life.log.append(
            Content.Entry(
                change: change, term: part.life.term, node: transaction.node, unit: transaction.unit,
                sequence: nextSequence(), model: model))
    }

    private func checkKey(_ change: Change, _ life: Content.Life) throws(Violation) {
        try require(
            !life.answers.contains { $0.change.key == change.key }, "the key \(change.key ?? -1) is carried out twice")
    }

    private func give(_ given: [(life: Int, term: Int, to: Int)], _ transaction: Transaction) {
        var stored: [(life: Int, to: Int)] = []
        for (id, term, to) in given {
            guard let life = seen.lives[id], life.term == term, life.owner == transaction.node, !life.isEnded else {
                continue
            }
            stored.append((id, to))
        }
        transaction.isOurs = true
        transaction.stored = Set(stored.map(\.life))
        transaction.effect = { content in
            for (life, to) in stored { content.take(life, by: to) }
        }
    }
}

extension Content {
    /// Takes over what a transaction has written of a life. A snapshot may have been stored since it ran.
    fileprivate mutating func put(_ life: Life) {
        guard lives[life.id] != nil else {
            lives[life.id] = life
            return
        }
        lives[life.id]?.log = life.log
        lives[life.id]?.answers = life.answers
        lives[life.id]?.isEnded = life.isEnded
    }

    /// Fences off what a node has sent before an attempt to connect, and raises the terms of lives; nothing where a later
    /// attempt has done so.
    mutating func fence(_ node: Int, incarnation: Int, raising raised: Set<Int>, _ fault: ClusterFault?) {
        guard let fence = fences[node] else { return }
        if fault == .attemptsCountLate {
            fences[node]?.incarnation += 1
        } else {
            guard fence.incarnation < incarnation else { return }
            fences[node]?.incarnation = incarnation
        }
        for id in raised where lives[id]?.owner == node { lives[id]?.term += 1 }
    }

    /// Makes a node the owner of a life.
    mutating func take(_ id: Int, by node: Int) {
        lives[id]?.owner = node
        lives[id]?.term += 1
    }
}
