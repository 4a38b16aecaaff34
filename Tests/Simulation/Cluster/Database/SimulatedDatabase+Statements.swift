import DirectorLife
import Journal

// What transactions do, as the statements of the journal in a database do it.
extension SimulatedDatabase {
    /// Decides what a transaction writes. Its rows are locked, so that what it has found stays as it is.
    func evaluate(_ transaction: Transaction) throws(Violation) {
        switch transaction.work {
        case .append(let append): try store(append, transaction)
        case .give(_, let lives): give(lives, transaction)
        case .raise(let attempt):
            let (node, fault) = (transaction.node, fault)
            transaction.effect = { _ = $0.fence(node, attempt, fault) }
        }
    }

    private func store(_ append: Append, _ transaction: Transaction) throws(Violation) {
        let sent = transaction.fence
        let isCounted = append.plan.isCounted
        transaction.isOurs =
            !isCounted || seen.fences[sent.node]?.incarnation == sent.incarnation || fault == .noFence
        let isMarked = isCounted && transaction.isOurs
        let mark: (inout Content) -> Void = { if isMarked { $0.fences[sent.node]?.unit = sent.unit } }
        transaction.effect = mark
        let found = append.parts.compactMap { part -> (Append.Part, Content.Life)? in
            guard let life = row(of: part, transaction) else { return nil }
            let isAsGiven = life.term == part.life.term && life.head == part.before && !life.isEnded
            return isAsGiven || fault == .noFence ? (part, life) : nil
        }
        transaction.found = Set(found.map(\.1.id))
        if append.plan.isPair, found.count < append.parts.count, fault != .storesHalfPair { return }
        var changed: [Content.Life] = []
        for (part, row) in found {
            var life = row
            for change in part.changes where change.step != nil { try add(change, part, transaction, to: &life) }
            for answer in part.answers {
                try checkKey(answer.change, life)
                life.answers.append(answer)
            }
            life.isEnded = part.isEnded
            changed.append(life)
        }
        transaction.effect = { content in
            mark(&content)
            for life in changed { content.put(life) }
        }
    }

    /// The row that a part's records go to; nil for a life that cannot begin.
    private func row(of part: Append.Part, _ transaction: Transaction) -> Content.Life? {
        guard part.isNew else { return seen.lives[part.life.id] }
        guard transaction.isOurs, seen.life(named: part.life.director) == nil else { return nil }
        return Content.Life(id: part.life.id, name: part.life.name, owner: transaction.node, term: 1)
    }

    private func add(
        _ change: Change, _ part: Append.Part, _ transaction: Transaction, to life: inout Content.Life
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
                change: change, term: part.life.term, node: transaction.node, unit: transaction.fence.unit,
                sequence: nextSequence(), model: model))
    }

    private func checkKey(_ change: Change, _ life: Content.Life) throws(Violation) {
        try require(
            !life.answers.contains { $0.change.key == change.key }, "the key \(change.key ?? -1) is carried out twice")
    }

    private func give(_ lives: [(life: LifeIndex.Life, node: Int)], _ transaction: Transaction) {
        let stored = lives.filter { given, _ in
            seen.lives[given.id].map { $0.term == given.term && $0.owner == transaction.node && !$0.isEnded } ?? false
        }
        transaction.isOurs = true
        transaction.found = Set(stored.map(\.life.id))
        transaction.effect = { content in
            for (life, node) in stored { content.take(life.id, by: node) }
        }
    }

    /// Makes a node the owner of lives whose owner is gone; `lease` is what it has seen of their owners' leases.
    func take(_ rows: [LifeRow], by node: Int, lease: (Int) -> Int?) throws -> Set<Int> {
        var taken: Set<Int> = []
        let nodes = nodes
        try write(Set(rows.map(\.id))) { content in
            for row in rows {
                guard let life = content.lives[row.id], life.term == row.term, !life.isEnded,
                    nodes[life.owner].map({ $0.lease == lease(life.owner) }) ?? true
                else { continue }
                content.take(row.id, by: node)
                taken.insert(row.id)
            }
        }
        return taken
    }

    /// What is found of a transaction in doubt.
    func evidence(
        of doubt: TransactionInDoubt, _ lastUnit: Int?, _ terms: [Int: Int]
    ) -> CommitterMachine.Evidence {
        let logged = doubt.logged.filter { sought in
            guard let life = seen.lives[sought.id], life.head >= sought.number, life.pruned < sought.number else {
                return false
            }
            let entry = life.log[sought.number - 1]
            return entry.term == sought.term && entry.unit == doubt.unit
        }
        let answered = doubt.answers.filter { sought in
            seen.lives[sought.life]?.answers.contains {
                $0.id == sought.row.id && $0.change.record.answer == sought.row.answer
            } ?? false
        }
        let covered = doubt.logged.filter { sought in
            seen.lives[sought.id].map { $0.isEnded || $0.pruned >= sought.number } ?? true
        }
        let stored = Set(logged.map(\.id) + answered.map(\.life))
        return CommitterMachine.Evidence(
            lastUnit: lastUnit, terms: terms, stored: stored, covered: Set(covered.map(\.id)).subtracting(stored))
    }
}

extension Content {
    /// Takes over what a transaction has written of a life. A snapshot may have been stored since it ran.
    fileprivate mutating func put(_ life: Life) {
        if !storesUnnoted { note(life.id) }
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
    ///
    /// - Returns: The newest transaction of the node, nil where its fence is gone, and the lives' new terms.
    mutating func fence(
        _ node: Int, _ attempt: CommitterMachine.Attempt, _ planted: SurroundingFault?
    ) -> (lastUnit: Int?, terms: [Int: Int]) {
        let fence = fences[node]
        if fence.map({ $0.incarnation >= attempt.incarnation }) ?? (planted == .termsWithFence) { return (nil, [:]) }
        fences[node]?.incarnation = attempt.incarnation
        var terms: [Int: Int] = [:]
        for id in attempt.lives where lives[id]?.owner == node {
            lives[id]?.term += 1
            note(id)
            terms[id] = lives[id]?.term
        }
        return (fence?.unit, terms)
    }

    /// Makes a node the owner of a life.
    mutating func take(_ id: Int, by node: Int) {
        lives[id]?.owner = node
        lives[id]?.term += 1
        note(id)
    }
}
