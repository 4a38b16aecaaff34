import Foundation
import GRDB
import Journal

/// A snapshot that is being written.
package struct SnapshotDraft: Sendable {
    let id: Int
    let life: Int
    /// Which opening of the database it was begun in: a later one deletes its chunks as left over.
    let opening: Int
    let head: SnapshotHead
    /// The row of its first chunk; the others follow it without gaps, since one snapshot is written at a time.
    let first: Int
    /// The bytes of the log that it replaces; an estimate where later records have been stored.
    let covered: Int
    var chunks = 0
    var bytes = 0
}

extension Committer {
    /// Inserts the row of a snapshot that is not complete yet.
    package mutating func beginSnapshot(_ head: SnapshotHead) throws -> SnapshotDraft {
        var draft: SnapshotDraft?
        try transaction { committer, db in
            guard var life = committer.rowIndex.lives[head.director], life.epoch == head.epoch,
                head.number <= life.number, life.snapshot.map({ $0.number < head.number }) ?? true
            else { throw committer.rowIndex.conflict(head) }
            committer.rowIndex.counters.snapshot += 1
            let id = committer.rowIndex.counters.snapshot
            let first = committer.rowIndex.counters.chunk + 1
            try db.execute(
                sql: "INSERT INTO snapshots VALUES (?, ?, ?, ?, 0, 0, 0, 0)",
                arguments: [id, life.id, head.number, first])
            let floor = life.snapshot?.number ?? 0
            let share = Double(head.number - floor) / Double(max(1, life.number - floor))
            let covered = Int(Double(life.logBytes) * min(1, share))
            draft = SnapshotDraft(
                id: id, life: life.id, opening: committer.openings, head: head, first: first, covered: covered)
            life.isSnapshotting = true
            committer.rowIndex.put(life)
        }
        guard let draft else { throw JournalError.unavailable("the snapshot could not be begun") }
        return draft
    }

    /// Stores the next chunk of a snapshot.
    package mutating func append(_ payload: [UInt8], to draft: SnapshotDraft) throws -> SnapshotDraft {
        var draft = draft
        try transaction { committer, db in
            try committer.check(draft)
            committer.rowIndex.counters.chunk += 1
            let chunk = committer.rowIndex.counters.chunk
            try db.cachedStatement(sql: "INSERT INTO chunks VALUES (?, ?, ?)")
                .execute(arguments: [chunk, Data(payload), Checksum.chunk(chunk, payload: payload)])
            draft.chunks += 1
            draft.bytes += payload.count
        }
        logGrowth += payload.count
        return draft
    }

    /// Completes a snapshot, which replaces the one before.
    package mutating func finish(_ draft: SnapshotDraft) throws {
        let snapshot = RowIndex.Snapshot(
            id: draft.id, number: draft.head.number, first: draft.first, chunks: draft.chunks, bytes: draft.bytes)
        try transaction { committer, db in
            try committer.check(draft)
            let sum = Checksum.snapshot(
                draft.id, life: draft.life, number: snapshot.number, first: snapshot.first, chunks: snapshot.chunks,
                bytes: snapshot.bytes)
            try db.execute(
                sql: "UPDATE snapshots SET chunks = ?, bytes = ?, isComplete = 1, checksum = ? WHERE snapshot = ?",
                arguments: [snapshot.chunks, snapshot.bytes, sum, snapshot.id])
            try db.execute(
                sql: "DELETE FROM snapshots WHERE life = ? AND snapshot <> ?", arguments: [draft.life, snapshot.id])
            committer.rowIndex.keep(snapshot, of: draft.head.director, covering: draft.covered)
        }
    }

    /// Refuses a snapshot whose life has ended, or that was begun before the database was opened again.
    private func check(_ draft: SnapshotDraft) throws {
        guard rowIndex.lives[draft.head.director]?.id == draft.life else { throw rowIndex.conflict(draft.head) }
        guard draft.opening == openings else {
            throw JournalError.unavailable("the database was opened again while the snapshot was written")
        }
    }

    /// Abandons a snapshot; its rows are deleted later.
    package mutating func abandon(_ draft: SnapshotDraft) {
        guard draft.opening == openings else { return }
        let rows = draft.first..<(rowIndex.counters.chunk + 1)
        if !rows.isEmpty { rowIndex.freed.append(rows) }
        guard var life = rowIndex.lives[draft.head.director], life.id == draft.life else { return }
        life.isSnapshotting = false
        life.retryAt = life.logBytes + settings.snapshotThreshold / 4
        rowIndex.put(life)
        // Its row is deleted with the next snapshot of the life or, at the latest, with the life.
    }
}
