import DirectorLife
import Directors

extension SimulatedDirector {
    /// Tells a node what became of its oldest record.
    func deliver(to node: Node, isSnapshotDue: Bool) throws {
        guard let result = journal.nextResult(for: node) else { return }
        let node = result.node
        if let error = result.error {
            try lose(result.written, error, at: node)
        } else {
            try accept(result.written, at: node, isSnapshotDue: isSnapshotDue)
        }
        try require(
            node.pending.first.map { $0.written != nil } ?? true, "a command waits for nothing and is not answered")
        if case .superseded = result.error, node !== owner { node.resign() }
    }

    private func accept(_ written: Written, at node: Node, isSnapshotDue: Bool) throws {
        try require(journal.log[node.told] === written, "a node is told of a record that is not its next one")
        var expected = ExpectedEffects()
        if written.isChange {
            expected = ExpectedEffects(from: node.stored, to: written.model)
            expected.isSnapshot = isSnapshotDue && !written.model.isDeleted
        }
        learn(written, at: node)
        var actions: [LifeAction] = []
        node.subject?.stored(isSnapshotDue: isSnapshotDue, into: &actions)
        try handle(actions, at: node, expected)
        if written.model.isDeleted { try end(at: node) }
    }

    /// Takes note that a record of the log is what the node shows.
    private func learn(_ written: Written, at node: Node) {
        node.told += 1
        if written.isChange {
            node.stored = written.model
            node.storedNumber += 1
        }
        if let answer = written.answer {
            node.notes[answer.key.name] = answer.note
            node.begun[answer.key.name] = nil
        }
    }

    private func lose(_ written: Written, _ error: StorageError, at node: Node) throws {
        var expected = ExpectedEffects()
        let isFirst = node.pending.first?.isLost == false
        if isFirst { node.pending[0].isLost = true }
        if isFirst, written.isChange {
            for index in node.pending.indices { node.pending[index].isLost = true }
            expected.isForgotten = node.stored == nil
            node.working = node.stored
            node.workingNumber = node.storedNumber
        }
        if let key = written.answer?.key { node.begun[key.name] = nil }
        var actions: [LifeAction] = []
        node.subject?.lost(error, into: &actions)
        try handle(actions, at: node, expected)
        if expected.isForgotten { try end(at: node) }
    }

    /// Lets go of a life that is over.
    private func end(at node: Node) throws(Violation) {
        guard let life = node.subject?.life else { return }
        try require(
            life.phase.refusal(isRead: true) == .over && life.phase.refusal(isRead: false) == .over,
            "a life goes on after its end")
        try require(node.pending.isEmpty, "a command is not answered at the end")
        node.forget()
    }

    // MARK: Other nodes

    /// Has a node perform the next record of the log; one that has records of its own under way waits for those.
    func follow(at node: Node) throws {
        guard node.isUp, node !== owner, node.pending.isEmpty, node.told < journal.log.count else { return }
        node.resign()
        let written = journal.log[node.told]
        guard node.subject != nil else {
            let state = try Fixture.state(following: written.record)
            let answers = written.record.answer.map { [$0] } ?? []
            let subject = Subject(recovered: state, answers: answers, fault)
            node.begin(subject, stored: nil, working: written.model, number: 0)
            learn(written, at: node)
            node.workingNumber = node.storedNumber
            return try check(node)
        }
        let expected =
            written.isChange ? ExpectedEffects(from: node.stored, to: written.model) : ExpectedEffects()
        learn(written, at: node)
        node.working = node.stored
        node.workingNumber = node.storedNumber
        var actions: [LifeAction] = []
        try node.subject?.follow(written.record, into: &actions)
        try handle(actions, at: node, expected)
        if written.model.isDeleted { try end(at: node) }
    }

    /// Makes a node the one that writes, where it has followed everything.
    func takeOver(_ node: Node) {
        guard node.isUp, node !== owner, node.pending.isEmpty, node.told == journal.log.count else { return }
        owner = node
        node.isWriter = true
    }

    /// Kills a node.
    func stop(_ node: Node, durable: Int) throws(Violation) {
        try journal.lose(node, durable: durable, owner: owner)
        node.isUp = false
        node.forget()
        for subscriber in subscribers where subscriber.node === node { subscriber.disconnect() }
    }

    /// Starts a node, which reads the journal.
    func start(_ node: Node, fromSnapshot: Bool, now: Int) throws {
        node.isUp = true
        node.isWriter = node === owner
        node.told = journal.log.count
        guard let model = journal.model else { return }
        let snapshot = fromSnapshot ? journal.snapshot : nil
        let first = snapshot?.count ?? journal.lifeStart + 1
        var state = try snapshot?.state ?? Fixture.state(following: journal.log[journal.lifeStart].record)
        for written in journal.log[first...] {
            for entry in written.record.entries { _ = try state.perform(entry) }
            state.note(number: written.record.number)
        }
        let answers = journal.log[journal.lifeStart...].compactMap(\.record.answer).filter { $0.expires > now }
        node.begin(
            Subject(recovered: state, answers: answers, fault), stored: model, working: model, number: state.number)
        for case (let key, let note)? in journal.log[journal.lifeStart...].map(\.answer) { node.notes[key.name] = note }
        try check(node)
    }
}
