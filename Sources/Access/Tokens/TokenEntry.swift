import Notation

/// A static token as the server keeps it: everything but its text.
package struct TokenEntry: Hashable, Sendable {
    /// The most bytes of a token's name.
    package static let nameLimit = 200

    /// The token's identifier in the API: `tok_` and sixteen hexadecimal digits.
    package let id: String
    /// What its maker calls it.
    package let name: String
    /// The digest of its text.
    package let digest: TokenDigest
    /// What it allows.
    package let grants: Grants
    /// When it was made, in seconds since 1970.
    package let createdAt: Int
    /// When it ends, in seconds since 1970; nil for one that does not.
    package let expiresAt: Int?
    /// When it was last used, in seconds since 1970 and only about right; nil for one that was not.
    package var lastUsedAt: Int?

    /// Makes an entry.
    package init(
        id: String = TokenEntry.randomID(), name: String, digest: TokenDigest, grants: Grants, createdAt: Int,
        expiresAt: Int? = nil, lastUsedAt: Int? = nil
    ) {
        self.id = id
        self.name = name
        self.digest = digest
        self.grants = grants
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
    }

    /// An identifier that no other token has.
    package static func randomID() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return "tok_" + String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// The static tokens that are known, found by digest and by identifier.
package struct TokenBook: Sendable {
    /// The most tokens that one server keeps.
    package static let limit = 100_000

    private var entries: [TokenDigest: TokenEntry] = [:]
    private var digests: [Name: TokenDigest] = [:]

    /// Makes a book of entries; of two with one identifier the later stays.
    package init(_ entries: [TokenEntry] = []) {
        for entry in entries { insert(entry) }
    }

    /// How many there are.
    package var count: Int { entries.count }

    /// The entries, ordered by when they were made.
    package var sorted: [TokenEntry] {
        entries.values.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    /// The entry of a token's digest. O(1).
    package subscript(digest: TokenDigest) -> TokenEntry? { entries[digest] }

    /// The entry with an identifier. O(1).
    package subscript(id id: String) -> TokenEntry? { digests[id].flatMap { entries[$0] } }

    /// Adds an entry, or puts it in place of the one with its identifier.
    package mutating func insert(_ entry: TokenEntry) {
        remove(id: entry.id)
        entries[entry.digest] = entry
        digests[entry.id] = entry.digest
    }

    /// Removes the entry with an identifier, if there is one.
    @discardableResult
    package mutating func remove(id: String) -> TokenEntry? {
        digests.removeValue(forKey: Name(id)).flatMap { entries.removeValue(forKey: $0) }
    }
    /// Notes when a token was last used; false where it is not known, or was noted within the interval.
    package mutating func noteUse(id: String, at moment: Int, interval: Int) -> Bool {
        guard let digest = digests[id], var entry = entries[digest] else { return false }
        // A time that was stored may be any number, so that nothing is computed of it.
        if let last = entry.lastUsedAt, moment - interval < last, last < moment + interval { return false }
        entry.lastUsedAt = moment
        entries[digest] = entry
        return true
    }
}
