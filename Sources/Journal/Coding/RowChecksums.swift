import Access
import Directors

/// The checksums of stored rows: over all columns that say what a row is, so that no row can be taken for another.
///
/// Each database has a seed of its own, and a number for each kind of row. Deliveries and tokens are the same in both
/// databases; rows whose columns differ, such as lives and snapshots, are hashed by ``sum(_:feed:)`` there.
///
/// Checksums of stored rows never change, since rows of earlier versions are read with them.
package struct RowChecksums: Sendable {
    /// What every hash starts from.
    package let seed: UInt64
    /// The holder of a row, for the text of damage: the file, or the row itself.
    private let holder: String

    /// Makes the checksums of a database.
    package init(seed: UInt64, holder: String) {
        self.seed = seed
        self.holder = holder
    }

    /// Hashes numbers, of which the first is the kind of row, and then what the closure feeds.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    package func sum(_ numbers: Int..., feed: (inout StableHash) -> Void) -> Int {
        var hash = StableHash(seed: seed)
        for number in numbers { hash.combine(number) }
        feed(&hash)
        return Int(truncatingIfNeeded: hash.value)
    }

    /// The checksum of a delivery's row.
    package func delivery(_ value: Delivery) -> Int {
        sum(
            6, value.sequence, value.created.milliseconds, value.state.rawValue, value.attempts,
            value.nextAttempt.milliseconds, value.lastAttempt?.milliseconds ?? -1, value.lastError == nil ? 0 : 1
        ) { hash in
            hash.combine(value.id)
            hash.combine(value.address.description)
            hash.combine(value.lastError ?? "")
            hash.combine(value.body)
        }
    }

    /// The checksum of a token's row, with its grants as they are stored.
    package func token(_ value: TokenEntry, grants: String) -> Int {
        token(
            value.id, name: value.name, digest: value.digest.bytes, grants: grants, created: value.createdAt,
            expires: value.expiresAt)
    }

    /// The checksum of a token's row, from its columns: they may hold what no token has.
    ///
    /// The time of the last use is left out: it need not be exact and changes often, and storing it touches one column.
    package func token(
        _ id: String, name: String, digest: [UInt8], grants: String, created: Int, expires: Int?
    ) -> Int {
        sum(7, created, expires ?? -1, expires == nil ? 0 : 1) { hash in
            hash.combine(id)
            hash.combine(name)
            hash.combine(digest)
            hash.combine(grants)
        }
    }

    /// The damage of a row whose checksum does not match.
    package func fault(_ place: String, director: String? = nil) -> JournalDamage {
        JournalDamage(
            director: director, place: place,
            detail: "its checksum does not match; the \(holder) was changed or its disk has lost what was written")
    }
}
