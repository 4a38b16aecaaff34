import Access
import Directors
import Journal

/// The checksums of rows, over all columns that never change, so that no row can be taken for another.
enum RowChecksum {
    private static let seed: UInt64 = 0x4342_5031

    static func life(_ life: Int, director: String, epoch: String) -> Int {
        sum(1, life) { hash in
            hash.combine(director)
            hash.combine(epoch)
        }
    }

    /// Without the term and the unit, which say who has stored the record and nothing of what it holds.
    static func record(life: Int, number: Int, step: Int, payload: [UInt8]) -> Int {
        // Without a closure: this one is computed for each record.
        var hash = StableHash(seed: seed)
        hash.combine(2)
        hash.combine(life)
        hash.combine(number)
        hash.combine(step)
        hash.combine(payload)
        return Int(truncatingIfNeeded: hash.value)
    }

    static func snapshot(life: Int, number: Int, chunks: Int, bytes: Int) -> Int {
        sum(3, life, number, chunks, bytes) { _ in }
    }

    static func chunk(life: Int, number: Int, chunk: Int, payload: [UInt8]) -> Int {
        sum(4, life, number, chunk) { $0.combine(payload) }
    }

    static func answer(life: Int, _ value: StoredAnswerRow) -> Int {
        sum(5, life, value.id, Int(truncatingIfNeeded: value.answer.fingerprint), value.answer.expires) { hash in
            hash.combine(value.answer.key)
            hash.combine(value.answer.body)
        }
    }

    static func delivery(_ value: Delivery) -> Int {
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

    /// Without the time of the last use, which need not be exact and changes often.
    static func token(_ value: TokenEntry, grants: String) -> Int {
        sum(7, value.createdAt, value.expiresAt ?? -1, value.expiresAt == nil ? 0 : 1) { hash in
            hash.combine(value.id)
            hash.combine(value.name)
            hash.combine(value.digest.bytes)
            hash.combine(grants)
        }
    }

    private static func sum(_ numbers: Int..., feed: (inout StableHash) -> Void) -> Int {
        var hash = StableHash(seed: seed)
        for number in numbers { hash.combine(number) }
        feed(&hash)
        return Int(truncatingIfNeeded: hash.value)
    }

    /// The damage of a row whose checksum does not match.
    static func fault(_ place: String, director: String? = nil) -> JournalDamage {
        JournalDamage(
            director: director, place: place,
            detail: "its checksum does not match; the row was changed or its disk has lost what was written")
    }
}
