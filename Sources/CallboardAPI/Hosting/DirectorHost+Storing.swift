import Directors
import Journal

/// Something that has been done and is to be answered once everything before it, and it itself, is stored.
struct Underway: Sendable {
    /// What was done.
    let outcome: Outcome
    /// Who asked for it.
    let asker: Asker
    /// The key by which its repetition is known.
    let key: String?
    /// The director after it.
    let director: Director
    /// The number of its record; nil where it has none and only waits for those before.
    let number: Int?
    /// Whether the journal is asked to store something of it.
    let isStored: Bool
    /// Why it did not happen after all: something before it was not stored.
    var loss: JournalError?
}

extension DirectorHost {
    /// Gives what was done to the journal; what needs no storing is answered after what is being stored.
    ///
    /// - Parameters:
    ///   - outcome: What was done.
    ///   - asker: Who asked for it.
    ///   - key: The key by which its repetition is known, if any: an `Idempotency-Key`, or an event's.
    func store(_ outcome: Outcome, for asker: Asker, key: String?) {
        var outcome = outcome
        if key != nil { outcome.reply = outcome.reply.copied }
        let answer = key.map { StoredAnswer($0, fingerprint: asker.fingerprint, outcome.reply) }
        let isChange = !outcome.entries.isEmpty
        guard isChange || answer != nil || !underWay.isEmpty else { return deliver(outcome, asker) }
        if isChange { lastNumber += 1 }
        if let key { idempotency.begin(key, fingerprint: asker.fingerprint) }
        let entries = outcome.entries
        outcome.dropOperations()
        underWay.append(
            Underway(
                outcome: outcome, asker: asker, key: key, director: director, number: isChange ? lastNumber : nil,
                isStored: isChange || answer != nil))
        guard isChange || answer != nil else { return }
        // An answer by itself bears the number of the change before it: it is worth nothing if that one is lost.
        let record = JournalRecord(
            director: name, epoch: epoch, entries: entries, number: lastNumber, answer: answer)
        loopJournal.assumeIsolated { $0.append(record, of: self) }
    }

    /// Answers a request that was refused; with a key, once the refusal is stored too.
    func refuse(_ call: Call, _ problem: Problem, key: String?) {
        guard let key, problem.status.code < 500 else { return call.answer(problem) }
        store(Outcome(reply: problem.reply(to: call)), for: .call(call), key: key)
    }

    /// Answers a request that took its time; with a key, once the answer is stored.
    func finish(_ call: Call, _ reply: Reply, key: String?) {
        guard let key else { return call.answer(reply) }
        if case .living = phase { return store(Outcome(reply: reply), for: .call(call), key: key) }
        // A life that is over, or about to be, keeps no answers any more.
        idempotency.abandon(key)
        call.answer(reply)
    }

    /// Answers a request that took its time and was refused. A refusal that may not last is not kept: its key is as good
    /// as new.
    func finish(_ call: Call, _ problem: Problem, key: String?) {
        if let key, problem.status.code < 500, problem.retryAfter == nil {
            return finish(call, problem.reply(to: call), key: key)
        }
        if let key { idempotency.abandon(key) }
        call.answer(problem)
    }

    /// Takes note of what became of the oldest record under way; the journal settles them in order.
    func settle(_ result: Result<JournalSequence, JournalError>) {
        // What only waited stands in front once what it waited for is settled, so the first one is a record's.
        guard let first = underWay.popFirst() else { return }
        if let loss = first.loss {
            lose(first, loss)
        } else {
            switch result {
            case .success: accept(first)
            // Nothing stands on an answer: what was done after it is stored or not by itself.
            case .failure(let error) where first.number == nil: lose(first, error)
            case .failure(let error): loseAll(from: first, error)
            }
        }
        while let next = underWay.first, !next.isStored {
            underWay.removeFirst()
            if let loss = next.loss { lose(next, loss) } else { deliver(next.outcome, next.asker) }
        }
    }

    private func accept(_ done: Underway) {
        stored = done.director
        if let number = done.number {
            storedNumber = number
            counters.mutations.add()
        }
        if let key = done.key { idempotency.remember(key, fingerprint: done.asker.fingerprint, done.outcome.reply) }
        if case .beginning = phase { beginLiving() }
        deliver(done.outcome, done.asker)
        if done.number != nil, journal.isSnapshotDue(for: name), !isDeleted { snapshot() }
    }

    private func beginLiving() {
        phase = .living
        counters.retainedVersions.add(history.count)
    }

    /// Goes back to what is stored: this record was not, and what was done after it stood on it.
    private func loseAll(from first: Underway, _ error: JournalError) {
        for index in underWay.indices { underWay[index].loss = error }
        director = stored
        lastNumber = storedNumber
        switch phase {
        case .beginning: forget()
        case .ending: phase = .living
        case .living, .over: break
        }
        lose(first, error)
    }

    private func lose(_ lost: Underway, _ error: JournalError) {
        if let key = lost.key { idempotency.abandon(key) }
        lost.asker.tell(error)
    }

    /// Has the journal make a snapshot of what is stored, so that its log can be cut.
    private func snapshot() {
        journal.snapshot(storedCapture, after: storedNumber)
    }

    /// Shows what was done, which is stored now, to subscribers, and tells who asked for it.
    func deliver(_ outcome: Outcome, _ asker: Asker) {
        if let version = outcome.definitionVersion { definitionVersion = version }
        for event in outcome.events { append(event) }
        if outcome.outdatesAnswers { answerCache.clear() }
        asker.tell(outcome)
        outcome.afterwards?()
    }
}
