import Journal

/// A snapshot that is being written.
package struct SnapshotDraft: Sendable {
    let life: Int
    let term: Int
    let head: SnapshotHead
    /// The bytes of the log that it replaces; an estimate where later records have been stored.
    let covered: Int
    var chunks = 0
    var bytes = 0
}

extension Committer {
    /// The statements of a snapshot: each transaction begins with ``fenceNode`` and ``fenceLife``, and none of the others
    /// changes a snapshot that is complete. A message that arrives late changes nothing.
    enum SnapshotWrite {
        /// Holds the server's incarnation: nothing of an earlier connection is stored beside what follows.
        static let fenceNode = Statement(
            "hold-fence", [.int8, .int8],
            "SELECT node FROM callboard.fences WHERE node = $1 AND incarnation = $2 FOR SHARE")
        /// Holds the life's term.
        static let fenceLife = Statement(
            "hold-life", [.int8, .int8],
            "SELECT life FROM callboard.lives WHERE life = $1 AND term = $2 AND NOT ended FOR SHARE")
        /// Parameters of every statement that has it: node, incarnation, life, term, number.
        private static let condition = """
            EXISTS (SELECT FROM callboard.fences WHERE node = $1 AND incarnation = $2)
            AND EXISTS (SELECT FROM callboard.lives WHERE life = $3 AND term = $4 AND NOT ended)
            """
        private static let types: [ValueType] = [.int8, .int8, .int8, .int8, .int8]
        static let clear = Statement(
            "clear-chunks", types,
            """
            DELETE FROM callboard.chunks WHERE life = $3 AND number = $5 AND \(condition) AND NOT EXISTS (
                SELECT FROM callboard.snapshots WHERE life = $3 AND number = $5 AND checksum IS NOT NULL)
            """)
        static let begin = Statement(
            "begin-snapshot", types,
            """
            INSERT INTO callboard.snapshots (life, number, chunks, bytes) SELECT $3, $5, 0, 0 WHERE \(condition)
            ON CONFLICT (life, number) DO UPDATE SET chunks = 0, bytes = 0 WHERE snapshots.checksum IS NULL
            RETURNING number
            """)
        static let chunk = Statement(
            "put-chunk", types + [.int8, .bytes, .int8],
            """
            INSERT INTO callboard.chunks SELECT $3, $5, $6, $7, $8 WHERE \(condition)
            ON CONFLICT DO NOTHING RETURNING chunk
            """)
        static let finish = Statement(
            "finish-snapshot", types + [.int8, .int8, .int8],
            """
            UPDATE callboard.snapshots SET chunks = $6, bytes = $7, checksum = $8
            WHERE life = $3 AND number = $5 AND checksum IS NULL AND \(condition) AND (
                SELECT count(*) = $6 AND coalesce(sum(octet_length(payload)), 0) = $7
                FROM callboard.chunks WHERE life = $3 AND number = $5)
            RETURNING number
            """)
    }

    /// Inserts the row of a snapshot that is not complete yet.
    package mutating func beginSnapshot(_ head: SnapshotHead) throws -> SnapshotDraft {
        guard let life = machine.index.lives[head.director], life.epoch == head.epoch, head.number <= life.number,
            life.snapshot.map({ $0.number < head.number }) ?? true
        else {
            let place = RecordPlace(director: head.director, epoch: head.epoch, number: head.number, step: nil)
            throw machine.index.conflict(place, machine.index.lives[head.director])
        }
        let draft = SnapshotDraft(
            life: life.id, term: life.term, head: head,
            covered: life.logBytes * (head.number - (life.snapshot?.number ?? 0))
                / max(1, life.number - (life.snapshot?.number ?? 0)))
        try runSnapshot([SnapshotWrite.clear(parameters(draft)), SnapshotWrite.begin(parameters(draft))], draft)
        machine.index.change(head.director, id: life.id) { $0.isSnapshotting = true }
        return draft
    }

    private func parameters(_ draft: SnapshotDraft) -> Parameters {
        Parameters(machine.fence.node, machine.fence.incarnation, draft.life, draft.term, draft.head.number)
    }

    /// Stores the next chunk of a snapshot.
    package mutating func append(_ payload: [UInt8], to draft: SnapshotDraft) throws -> SnapshotDraft {
        var draft = draft
        try check(draft)
        let sum = RowChecksum.chunk(
            life: draft.life, number: draft.head.number, chunk: draft.chunks, payload: payload)
        var parameters = parameters(draft)
        parameters.add(draft.chunks)
        parameters.add(payload)
        parameters.add(sum)
        try runSnapshot([SnapshotWrite.chunk(parameters)], draft)
        draft.chunks += 1
        draft.bytes += payload.count
        return draft
    }

    /// Completes a snapshot, which replaces the one before.
    package mutating func finish(_ draft: SnapshotDraft) throws {
        try check(draft)
        let number = draft.head.number
        let sum = RowChecksum.snapshot(life: draft.life, number: number, chunks: draft.chunks, bytes: draft.bytes)
        var parameters = parameters(draft)
        for value in [draft.chunks, draft.bytes, sum] { parameters.add(value) }
        try runSnapshot([SnapshotWrite.finish(parameters)], draft)
        machine.index.change(draft.head.director, id: draft.life) { life in
            life.snapshot = LifeIndex.Snapshot(number: number, bytes: draft.bytes)
            life.isSnapshotting = false
            life.retryAt = 0
            life.logBytes = max(0, life.logBytes - draft.covered)
        }
        machine.upkeep.add(.records(life: draft.life, through: number))
        machine.upkeep.add(.snapshots(life: draft.life, through: number - 1))
    }

    /// Abandons a snapshot; its rows are deleted with the next one of the life.
    package mutating func abandon(_ draft: SnapshotDraft) {
        let threshold = settings.snapshotThreshold
        machine.index.change(draft.head.director, id: draft.life) { life in
            life.isSnapshotting = false
            life.retryAt = life.logBytes + threshold / 4
        }
    }

    /// Refuses a snapshot whose life has ended, or has another owner or term.
    private func check(_ draft: SnapshotDraft) throws {
        guard let life = machine.index.lives[draft.head.director], life.id == draft.life, life.term == draft.term else {
            throw Self.superseded(draft)
        }
    }

    /// Runs statements of which the last shows a row where it has changed something.
    private mutating func runSnapshot(_ calls: [StatementCall], _ draft: SnapshotDraft) throws {
        guard let connection else { throw DatabaseFault.unreachable("there is no connection") }
        let fences = [
            SnapshotWrite.fenceNode(Parameters(machine.fence.node, machine.fence.incarnation)),
            SnapshotWrite.fenceLife(Parameters(draft.life, draft.term)),
        ]
        let last = try runAlone(fences + calls, connection).last
        guard last?.count ?? 0 > 0 else { throw Self.superseded(draft) }
    }

    private static func superseded(_ draft: SnapshotDraft) -> JournalError {
        .superseded(
            "the director \(draft.head.director.debugDescription) is gone, is another server's, or has this snapshot")
    }
}
