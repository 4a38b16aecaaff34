import DirectorLife
import Directors

extension SimulatedDirector {
    /// Sends a command to a node; one that does not write hands it on to the owner.
    func send(_ command: Command, _ key: Key?, to node: Node, now: Int) throws {
        let node = node.isUp && node.isWriter ? node : owner
        guard node.isUp else { return }
        commands += 1
        if case .create = command { return try create(at: node, key, now: now) }
        let cause = Fixture.cause(ofCommand: commands)
        guard try isAdmitted(at: node), var model = node.working, var draft = node.subject?.life.draft(cause: cause)
        else { return }
        if let key, try !isNew(key, at: node, now: now) { return }
        let isRefused = (try? node.subject?.perform(command, number: commands, on: &draft)) == nil
        if case .failingBatch = command {
            try require(isRefused, "a batch is taken that has to be refused")
            return
        }
        try require(!isRefused, "a command is refused")
        let isChange = model.perform(command, number: commands)
        try require(isChange == draft.isChange, "a command is stored that changes nothing, or one that does is not")
        var expected = ExpectedEffects()
        if case .refresh = command { expected.isRefreshed = true }
        try commit(draft, model, key, isChange: isChange, at: node, expected, now: now)
    }

    /// Checks that a node takes commands when it has to.
    func isAdmitted(at node: Node) throws(Violation) -> Bool {
        guard let subject = node.subject, let working = node.working else { return false }
        let isAdmitted = node.stored != nil && !working.isDeleted
        try require(
            (subject.life.phase.refusal(isRead: false) == nil) == isAdmitted, "a command is refused or taken wrongly")
        try require(
            (subject.life.phase.refusal(isRead: true) == nil) == (node.stored != nil), "a read is refused wrongly")
        return isAdmitted
    }

    /// Checks what a key means, and says whether its command is to be carried out.
    func isNew(_ key: Key, at node: Node, now: Int) throws(Violation) -> Bool {
        let found = node.subject?.life.lookUp(Fixture.key(key), now: now)
        let expected = node.meaning(of: key, now: now)
        try require(
            found == expected, "the key \(key.name) means \(found.map { "\($0)" } ?? "nothing"), not \(expected)")
        return expected == .new
    }

    private func create(at node: Node, _ key: Key?, now: Int) throws {
        guard node.subject == nil else { return }
        life += 1
        let (life, draft) = Fixture.creating(life: life)
        let model = Model(life: self.life)
        node.begin(Subject(life, fault), stored: nil, working: model, number: 0)
        try commit(draft, model, key, isChange: true, at: node, ExpectedEffects(), now: now)
    }

    private func commit(
        _ draft: LifeDraft, _ model: Model, _ key: Key?, isChange: Bool, at node: Node, _ expected: ExpectedEffects,
        now: Int
    ) throws {
        let (body, expires) = (Array("\(commands)".utf8), now + AnswerStore.lifetime)
        let answer = key.map { (key: $0, note: Note(fingerprint: $0.fingerprint, body: body, expires: expires)) }
        var actions: [LifeAction] = []
        let id = node.subject?.commit(draft, answer: answer.map { Fixture.answer($0, $1) }, into: &actions)
        guard let id else { return }
        try require(id.value > node.lastID, "an id is given twice")
        node.lastID = id.value
        if isChange {
            node.working = model
            node.workingNumber += 1
        }
        if let key { node.begun[key.name] = key.fingerprint }
        let isStored = isChange || key != nil
        var expected = expected
        expected.isStored = isStored
        let written = try written(actions, model, answer, isChange: isChange, at: node, now: now)
        let isAnswered = !isStored && node.pending.isEmpty
        node.pending.append(Node.Pending(id: id, written: written))
        try handle(actions, at: node, expected)
        if isAnswered { try require(node.pending.isEmpty, "a command is not answered that waits for nothing") }
        if let written { journal.append(written, from: node) }
    }

    /// The record that a commit hands over, checked.
    private func written(
        _ actions: [LifeAction], _ model: Model, _ answer: (key: Key, note: Note)?, isChange: Bool, at node: Node,
        now: Int
    ) throws(Violation) -> Written? {
        var written: Written?
        for case .store(let record) in actions {
            try require(record.number == node.workingNumber, "the record's number is not \(node.workingNumber)")
            try require(record.epoch == model.epoch, "the record is of another life")
            try require(record.entries.isEmpty != isChange, "the record has no entries, or ones that nobody made")
            written = Written(record, model, isChange: isChange, answer: answer, time: now)
        }
        return written
    }

    // MARK: Questions

    /// Begins a command that waits for others.
    func beginQuestion(_ key: Key, at node: Node, now: Int) throws {
        let node = node.isUp && node.isWriter ? node : owner
        guard node.isUp, try isAdmitted(at: node), try isNew(key, at: node, now: now) else { return }
        node.subject?.life.begin(Fixture.key(key))
        node.begun[key.name] = key.fingerprint
        node.questions.append(key)
    }

    /// Commits the answer of the oldest question, or gives it up; it is given up where no command is taken.
    func endQuestion(isAnswered: Bool, at node: Node, now: Int) throws {
        guard !node.questions.isEmpty, let model = node.working else { return }
        let key = node.questions.removeFirst()
        guard isAnswered, try isAdmitted(at: node), let draft = node.subject?.life.draft() else {
            node.subject?.life.abandon(Fixture.key(key))
            node.begun[key.name] = nil
            return
        }
        commands += 1
        try commit(draft, model, key, isChange: false, at: node, ExpectedEffects(), now: now)
    }
}
