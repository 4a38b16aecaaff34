import Access
import DirectorLife
import Synchronization

/// Keeps tokens in memory: they are gone with the process.
///
/// For a server whose lists may be lost at a restart, and for tests. Storing completes before the call returns and costs
/// one lock.
package final class MemoryTokenStore: TokenStore {
    private struct State {
        var book = TokenBook()
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Makes an empty store.
    package init() {}

    package func tokens() throws(JournalError) -> [TokenEntry] {
        state.withLock { $0.book.sorted }
    }

    package func write(
        _ changes: [TokenChange], completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
    ) {
        let result: Result<Void, StorageError> = state.withLock { state in
            guard !state.isClosed else { return .failure(.unavailable("the store of tokens is closed")) }
            return state.book.make(changes)
        }
        completion(result)
    }

    /// Refuses everything from now on.
    package func close() {
        state.withLock { $0.isClosed = true }
    }
}

extension TokenBook {
    /// Makes all of the changes, or none where one of them fails.
    fileprivate mutating func make(_ changes: [TokenChange]) -> Result<Void, StorageError> {
        var earlier: [(id: String, entry: TokenEntry?)] = []
        for change in changes {
            earlier.append((change.id, self[id: change.id]))
            switch change {
            case .put(let entry):
                if let owner = self[entry.digest], owner.id != entry.id {
                    for (id, entry) in earlier.reversed() { restore(entry, id: id) }
                    return .failure(.digestTaken(by: entry.id))
                }
                insert(entry)
            case .remove(let id): remove(id: id)
            case .used(let id, let time):
                guard var entry = self[id: id] else { continue }
                entry.lastUsedAt = time
                insert(entry)
            }
        }
        return .success(())
    }

    private mutating func restore(_ entry: TokenEntry?, id: String) {
        if let entry { insert(entry) } else { remove(id: id) }
    }
}
