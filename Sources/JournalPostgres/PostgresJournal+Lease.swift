import Journal

// What renewing the lease has found.
extension PostgresJournal {
    /// Takes note of what renewing the lease has found.
    func note(_ finding: LeaseKeeper.Finding) {
        switch finding {
        case .renewed(let facts, let end):
            shared.withLock { shared in
                shared.facts = facts
                shared.renewedEnd = end
            }
            if status != .ok { queueProbe() }
        case .away(let error): fail(error)
        case .taken:
            committer.withLock { $0.isTaken = true }
            noteTaken()
        }
    }

    func noteTaken() {
        fail(Committer.takenOver)
        let action = shared.withLock { shared in
            defer { shared.whenTaken = nil }
            shared.isTaken = true
            return shared.whenTaken
        }
        action?()
    }
}
