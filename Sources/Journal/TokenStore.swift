import Access
import DirectorLife

/// The store of static tokens, as safe as the records of directors.
///
/// One owner writes to it, keeps all tokens in memory, and reads them once, when it starts. The texts of tokens are not
/// known here; an entry has the digest of one.
package protocol TokenStore: Sendable {
    /// All tokens, ordered by when they were made and then by identifier. Blocks while it reads.
    ///
    /// - Throws: ``JournalError/damaged(_:)`` where what is stored is not what was written; no token is returned then.
    func tokens() throws(JournalError) -> [TokenEntry]

    /// Stores changes in their order, all or none, and then calls `completion` once.
    ///
    /// Callable from any thread. The completions come in the order of the calls, those of failures too: on a thread of
    /// the store's or, where nothing has to be waited for, on the caller's before this call returns. Changes that are
    /// reported failed can never be found after a restart.
    ///
    /// Fails with `StorageError.superseded(_:)` where a token would have the digest of another one.
    func write(_ changes: [TokenChange], completion: @escaping @Sendable (Result<Void, StorageError>) -> Void)
}

/// A change of what is stored of tokens; making it twice is the same as making it once.
package enum TokenChange: Sendable, Hashable {
    /// This is how a token is from now on: a new one, or in place of the one with its identifier.
    case put(TokenEntry)
    /// There is no token with this identifier any more; nothing happens where there was none.
    case remove(id: String)
    /// The token was last used at this time, in seconds since 1970; nothing happens where there is no such token.
    case used(id: String, at: Int)

    /// The identifier of the token that it is about.
    package var id: String {
        switch self {
        case .put(let entry): entry.id
        case .remove(let id), .used(let id, _): id
        }
    }

    /// About how many bytes storing it takes, for bounds.
    ///
    /// - Complexity: O(*n*) in the patterns of the grants.
    package var size: Int {
        switch self {
        case .put(let entry):
            entry.grants.list.reduce(128 + entry.name.utf8.count) { size, grant in
                grant.directors.reduce(size + 128) { $0 + $1.description.utf8.count + 3 }
            }
        case .remove, .used: 64
        }
    }
}

extension StorageError {
    /// Why a token is not stored whose digest is that of another one.
    package static func digestTaken(by id: String) -> StorageError {
        .superseded("the token \(id) has the digest of another token")
    }
}
