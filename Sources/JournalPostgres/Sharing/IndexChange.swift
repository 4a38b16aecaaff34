import Access
import Journal
import Synchronization

/// The follower's findings for the writing thread, which takes them over between two commits, in their order.
///
/// The follower must not wait for the committer, since a commit may hang: then no look would be made. And nothing of it may
/// be refused, as jobs are while a change is in doubt.
enum IndexChange: Sendable {
    /// This node writes a life from now on; with what is to be deleted of it.
    case own(LifeIndex.Life, [Upkeep.Step])
    /// It writes a life no more.
    case disown(LifeRow)
    /// Lives that have ended under nodes that are gone.
    case abandoned([Int])
    /// The node has registered again, after its registration was gone.
    case registered
    /// The tokens that are stored.
    case tokens([TokenEntry])
}

extension PostgresJournal {
    /// Has the writing thread take something over before its next commit; any thread.
    func change(_ change: IndexChange) {
        shared.withLock { $0.indexChanges.append(change) }
        start()
    }

    /// Takes over what the follower has found; on the writing thread, with no transaction under way or in doubt.
    func takeIndexChanges() {
        let changes = shared.withLock { shared in
            defer { shared.indexChanges = [] }
            return shared.indexChanges
        }
        guard !changes.isEmpty else { return }
        committer.withLock { committer in for change in changes { committer.take(change) } }
    }
}

extension Committer {
    fileprivate mutating func take(_ change: IndexChange) {
        switch change {
        case .own(let life, let steps):
            index.put(life)
            for step in steps { upkeep.add(step) }
        case .disown(let row):
            if let life = index.lives[row.name.director], life.id == row.id { index.remove(life) }
        case .abandoned(let lives):
            for life in lives { upkeep.endAbandoned(life) }
        case .registered:
            // The next connection raises the incarnation: nothing that was sent before is stored later.
            isTaken = false
            connection = nil
        case .tokens(let entries):
            tokens = TokenChanges(stored: entries)
        }
    }
}
