import COpenSSL

/// Remembers tokens that were verified, so that a signature is verified once and not with every request.
///
/// The cache has two generations. New tokens go to the young one; when it has half of the bytes, it becomes the old
/// one, and the old one is forgotten. So a token stays until at least half of the bytes have come after it.
package struct VerifiedTokenCache: Sendable {
    private struct Entry {
        let text: [UInt8]
        let token: VerifiedToken
        let cost: Int
    }

    /// A generation's entries by the hash of the token's text. The hash is seeded for each run of the process, so that
    /// nobody can prepare two texts with one hash; by chance the later one takes the place.
    private struct Generation {
        var entries: [Int: Entry] = [:]
        var bytes = 0

        mutating func remove(_ hash: Int) {
            if let entry = entries.removeValue(forKey: hash) { bytes -= entry.cost }
        }
    }

    /// The most bytes that are kept.
    package let byteLimit: Int
    private var young = Generation()
    private var old = Generation()

    /// Makes an empty cache of so many bytes: the tokens' texts and an estimate of what was read from them.
    package init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// The bytes that are kept.
    package var bytes: Int { young.bytes + old.bytes }

    /// How many tokens are kept.
    package var count: Int { young.entries.count + old.entries.count }

    /// A token that was verified before and has not ended; one that has is dropped.
    ///
    /// - Complexity: O(bytes of the text); nothing is allocated for a text in contiguous memory.
    package mutating func token(for text: some Collection<UInt8>, now: Int) -> VerifiedToken? {
        let hash = Self.hash(of: text)
        guard let entry = young.entries[hash] ?? old.entries[hash], Self.areEqual(text, entry.text) else { return nil }
        guard now < entry.token.expiresAt else {
            young.remove(hash)
            old.remove(hash)
            return nil
        }
        return entry.token
    }

    /// Remembers a token; one that has ended, or is larger than half of the limit, is not kept.
    ///
    /// - Complexity: O(bytes of the text and grants), amortised.
    package mutating func insert(_ token: VerifiedToken, for text: some Collection<UInt8>, now: Int) {
        let cost = text.count + token.estimatedBytes + Self.entryBytes
        guard now < token.expiresAt, cost <= byteLimit / 2 else { return }
        let hash = Self.hash(of: text)
        young.remove(hash)
        old.remove(hash)
        if young.bytes + cost > byteLimit / 2 {
            old = young
            young = Generation()
        }
        young.entries[hash] = Entry(text: Array(text), token: token, cost: cost)
        young.bytes += cost
    }

    /// Forgets everything: where keys or issuers have changed, what was verified may be so no more.
    package mutating func removeAll() {
        young = Generation()
        old = Generation()
    }

    /// What an entry takes in a table that is half empty, and the heads of its arrays.
    private static let entryBytes = 2 * MemoryLayout<Entry>.stride + 128

    private static func hash(of text: some Collection<UInt8>) -> Int {
        var hasher = Hasher()
        // SAFETY: the buffer is read inside the closure only.
        if text.withContiguousStorageIfAvailable({ hasher.combine(bytes: UnsafeRawBufferPointer($0)) }) == nil {
            Array(text).withUnsafeBytes { hasher.combine(bytes: $0) }
        }
        return hasher.finalize()
    }

    private static func areEqual(_ text: some Collection<UInt8>, _ other: [UInt8]) -> Bool {
        text.withContiguousStorageIfAvailable { text in
            // SAFETY: both have as many bytes as are compared.
            text.count == other.count && copenssl_equal(text.baseAddress, other, other.count) != 0
        } ?? text.elementsEqual(other)
    }
}

extension VerifiedToken {
    /// About how many bytes of memory the token takes besides its own fields.
    var estimatedBytes: Int {
        let texts = [issuer, subject, id, keyID].reduce(0) { $0 + ($1?.utf8.count ?? 0) + 32 }
        return grants.list.reduce(texts + 64) { sum, grant in
            // Each pattern is an array of its own with a head of 32 bytes.
            grant.directors.reduce(sum + 64) { $0 + $1.description.utf8.count + 48 }
        }
    }
}
