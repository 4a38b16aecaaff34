import Access
import DirectorLife
import Notation

/// Changes of tokens that one transaction makes, and the tokens that are stored before it.
///
/// Whether two tokens would have one digest is found here: an error of the database's would undo the whole transaction.
package struct TokenChanges: Sendable {
    /// The stored tokens: the token of a digest, and the digest of a token.
    private var digests: [TokenDigest: String] = [:]
    private var owners: [Name: TokenDigest] = [:]
    /// Tokens as they are from now on; nil for one that is removed.
    package private(set) var entries: [Name: TokenEntry?] = [:]
    /// When tokens were last used that are not otherwise changed.
    package private(set) var uses: [Name: Int] = [:]

    /// Makes the changes of a journal that holds these tokens: none.
    package init(stored: [TokenEntry] = []) {
        for entry in stored { own(entry.digest, by: entry.id) }
    }

    /// Whether nothing is changed.
    package var isEmpty: Bool { entries.isEmpty && uses.isEmpty }

    /// The same tokens without changes that are to be made: for the next transaction.
    package var settled: TokenChanges {
        var copy = self
        (copy.entries, copy.uses) = ([:], [:])
        return copy
    }

    /// Makes all changes of a unit.
    ///
    /// - Throws: `JournalError.superseded(_:)` where a token would have the digest of another one; then none is made.
    package mutating func add(_ changes: [TokenChange]) throws(JournalError) {
        var next = self
        for change in changes {
            switch change {
            case .put(let entry):
                if let owner = next.digests[entry.digest], owner != entry.id {
                    throw .superseded("\(StorageError.digestTaken(by: entry.id))")
                }
                next.disown(entry.id)
                next.own(entry.digest, by: entry.id)
                next.entries[entry.id] = entry
                next.uses[entry.id] = nil
            case .remove(let id):
                next.disown(id)
                next.entries[id] = .some(nil)
                next.uses[id] = nil
            case .used(let id, let time): next.use(id, at: time)
            }
        }
        self = next
    }

    private mutating func use(_ id: String, at time: Int) {
        guard let changed = entries[id] else {
            uses[id] = time
            return
        }
        guard var entry = changed else { return }
        entry.lastUsedAt = time
        entries[id] = entry
    }

    private mutating func own(_ digest: TokenDigest, by id: String) {
        digests[digest] = id
        owners[id] = digest
    }

    private mutating func disown(_ id: String) {
        if let digest = owners.removeValue(forKey: Name(id)) { digests[digest] = nil }
    }
}
