import Journal

/// A snapshot that is being written.
struct SnapshotDraft: Sendable {
    let life: Int
    let head: SnapshotHead
    /// The bytes of the log that it replaces; an estimate where later records have been stored.
    let covered: Int
    var chunks = 0
    var bytes = 0
}

extension Committer {
    private enum Write {
        static let begin = Statement(
            "begin-snapshot", [.int8, .int8],
            """
            INSERT INTO callboard.snapshots (life, number, chunks, bytes) VALUES ($1, $2, 0, 0)
            ON CONFLICT (life, number) DO UPDATE SET chunks = 0, bytes = 0, checksum = NULL
            """)
        static let clear = Statement(
            "clear-chunks", [.int8, .int8], "DELETE FROM callboard.chunks WHERE life = $1 AND number = $2")
        static let chunk = Statement(
            "put-chunk", [.int8, .int8, .int8, .bytes, .int8],
            "INSERT INTO callboard.chunks VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING")
        static let finish = Statement(
            "finish-snapshot", [.int8, .int8, .int8, .int8, .int8],
            "UPDATE callboard.snapshots SET chunks = $3, bytes = $4, checksum = $5 WHERE life = $1 AND number = $2")
    }

    /// Inserts the row of a snapshot that is not complete yet.
    ///
    /// Snapshots are not fenced: what the records up to a number lead to is the same whoever stores it.
    mutating func beginSnapshot(_ head: SnapshotHead) throws -> SnapshotDraft {
        guard let life = index.lives[head.director], life.epoch == head.epoch, head.number <= life.number,
            life.snapshot.map({ $0.number < head.number }) ?? true
        else {
            let place = RecordPlace(director: head.director, epoch: head.epoch, number: head.number, step: nil)
            throw index.conflict(place, index.lives[head.director])
        }
        let parameters = Parameters(life.id, head.number)
        try runSnapshot([Write.clear(parameters), Write.begin(parameters)])
        let floor = life.snapshot?.number ?? 0
        index.change(head.director, id: life.id) { $0.isSnapshotting = true }
        return SnapshotDraft(
            life: life.id, head: head,
            covered: life.logBytes * (head.number - floor) / max(1, life.number - floor))
    }

    /// Stores the next chunk of a snapshot.
    mutating func append(_ payload: [UInt8], to draft: SnapshotDraft) throws -> SnapshotDraft {
        var draft = draft
        try check(draft)
        let sum = RowChecksum.chunk(
            life: draft.life, number: draft.head.number, chunk: draft.chunks, payload: payload)
        var parameters = Parameters(draft.life, draft.head.number, draft.chunks)
        parameters.add(payload)
        parameters.add(sum)
        try runSnapshot([Write.chunk(parameters)])
        draft.chunks += 1
        draft.bytes += payload.count
        return draft
    }

    /// Completes a snapshot, which replaces the one before.
    mutating func finish(_ draft: SnapshotDraft) throws {
        try check(draft)
        let number = draft.head.number
        let sum = RowChecksum.snapshot(life: draft.life, number: number, chunks: draft.chunks, bytes: draft.bytes)
        try runSnapshot([Write.finish(Parameters(draft.life, number, draft.chunks, draft.bytes, sum))])
        index.change(draft.head.director, id: draft.life) { life in
            life.snapshot = LifeIndex.Snapshot(number: number, bytes: draft.bytes)
            life.isSnapshotting = false
            life.retryAt = 0
            life.logBytes = max(0, life.logBytes - draft.covered)
        }
        upkeep.add(.records(life: draft.life, through: number))
        upkeep.add(.snapshots(life: draft.life, through: number - 1))
    }

    /// Abandons a snapshot; its rows are deleted with the next one of the life.
    mutating func abandon(_ draft: SnapshotDraft) {
        let threshold = settings.snapshotThreshold
        index.change(draft.head.director, id: draft.life) { life in
            life.isSnapshotting = false
            life.retryAt = life.logBytes + threshold / 4
        }
    }

    /// Refuses a snapshot whose life has ended.
    private func check(_ draft: SnapshotDraft) throws {
        guard index.lives[draft.head.director]?.id == draft.life else {
            throw JournalError.superseded("the director \(draft.head.director.debugDescription) has been deleted")
        }
    }

    private mutating func runSnapshot(_ calls: [StatementCall]) throws {
        guard let connection else { throw DatabaseFault.unreachable("there is no connection") }
        _ = try runAlone(calls, connection)
    }
}
