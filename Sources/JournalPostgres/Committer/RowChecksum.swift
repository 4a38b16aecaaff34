import Access
import Directors
import Journal

/// The checksums of rows, over all columns that never change, so that no row can be taken for another.
enum RowChecksum {
    /// The checksums of rows that both databases store alike; the other rows are hashed with its `sum`.
    static let rows = RowChecksums(seed: 0x4342_5031, holder: "row")

    static func life(_ life: Int, director: String, epoch: String) -> Int {
        rows.sum(1, life) { hash in
            hash.combine(director)
            hash.combine(epoch)
        }
    }

    /// Without the term and the unit, which say who has stored the record and nothing of what it holds.
    static func record(life: Int, number: Int, step: Int, payload: [UInt8]) -> Int {
        // Without a closure: this one is computed for each record.
        var hash = StableHash(seed: rows.seed)
        hash.combine(2)
        hash.combine(life)
        hash.combine(number)
        hash.combine(step)
        hash.combine(payload)
        return Int(truncatingIfNeeded: hash.value)
    }

    static func snapshot(life: Int, number: Int, chunks: Int, bytes: Int) -> Int {
        rows.sum(3, life, number, chunks, bytes) { _ in }
    }

    static func chunk(life: Int, number: Int, chunk: Int, payload: [UInt8]) -> Int {
        rows.sum(4, life, number, chunk) { $0.combine(payload) }
    }

    static func answer(life: Int, _ value: StoredAnswerRow) -> Int {
        rows.sum(5, life, value.id, Int(truncatingIfNeeded: value.answer.fingerprint), value.answer.expires) { hash in
            hash.combine(value.answer.key)
            hash.combine(value.answer.body)
        }
    }
}
