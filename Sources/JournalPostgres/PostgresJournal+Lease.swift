import Journal

// What renewing the lease has found.
extension PostgresJournal {
    /// Takes note of what renewing the lease has found.
    func note(_ finding: LeaseKeeper.Finding) {
        switch finding {
        case .renewed(let facts, let end):
            shared.withLock { shared in
                shared.writing.renewed(until: end)
                guard let facts else { return }
                let lead = shared.facts.clockLead
                shared.facts = facts
                shared.facts.clockLead = facts.clockLead ?? lead
            }
            if status != .ok { queueProbe() }
        case .registered(let end):
            shared.withLock { $0.writing.renewed(until: end) }
            change(.registered)
        case .away(let error): fail(error)
        case .taken:
            thread.committer.withLock { $0.machine.isTaken = true }
            noteTaken()
        }
    }

    /// Takes note that this server's registration is gone. A node registers again, and goes on.
    func noteTaken() {
        guard settings.sharing == nil else { return fail(Committer.unregistered) }
        fail(CommitterMachine.takenOver)
        let action = shared.withLock { shared in
            defer { shared.whenTaken = nil }
            shared.isTaken = true
            return shared.whenTaken
        }
        action?()
    }

    /// Queues a look whether storing works again.
    private func queueProbe() {
        enqueue { journal in
            try journal.thread.committer.withLock { try $0.perform { try $0.probe() } }
            journal.thread.state.withLock { $0.recover() }
        }
    }
}
