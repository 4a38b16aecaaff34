import Journal

extension Committer {
    /// The most records that one step deletes, and so the most that a commit has to wait for.
    private static let stepRows = 512

    /// Each deletes only what is needed no more at the moment at which it arrives, however late that is.
    enum Delete {
        /// The life does not go on; $1 is its number.
        private static let isOver = "NOT EXISTS (SELECT FROM callboard.lives WHERE life = $1 AND NOT ended)"

        static let records = Statement(
            "delete-records", [.int8, .int8, .int8],
            """
            DELETE FROM callboard.records WHERE life = $1 AND number IN (
                SELECT number FROM callboard.records WHERE life = $1 AND number <= $2 ORDER BY number LIMIT $3)
            AND (\(isOver) OR EXISTS (
                SELECT FROM callboard.snapshots WHERE life = $1 AND number >= $2 AND checksum IS NOT NULL))
            """)
        /// A newer snapshot stands for everything up to $2.
        private static let isReplaced = """
            (\(isOver) OR EXISTS (
                SELECT FROM callboard.snapshots AS newer
                WHERE newer.life = $1 AND newer.number > $2 AND newer.checksum IS NOT NULL))
            """
        static let chunks = Statement(
            "delete-chunks", [.int8, .int8],
            """
            DELETE FROM callboard.chunks WHERE (life, number, chunk) IN (
                SELECT life, number, chunk FROM callboard.chunks WHERE life = $1 AND number <= $2
                ORDER BY number, chunk LIMIT 16) AND \(isReplaced)
            """)
        static let snapshots = Statement(
            "delete-snapshots", [.int8, .int8],
            "DELETE FROM callboard.snapshots WHERE life = $1 AND number <= $2 AND \(isReplaced)")
        static let answers = Statement(
            "delete-answers", [.int8, .int8s, .int8, .int8],
            """
            DELETE FROM callboard.answers WHERE life = $1 AND answer = ANY ($2)
            AND EXISTS (SELECT FROM callboard.fences WHERE node = $3 AND incarnation = $4)
            AND (\(isOver) OR EXISTS (SELECT FROM callboard.lives WHERE life = $1 AND owner = $3))
            """)
        static let allAnswers = Statement(
            "delete-all-answers", [.int8], "DELETE FROM callboard.answers WHERE life = $1 AND \(isOver)")
        static let deliveries = Statement(
            "delete-deliveries", [.int8, .int8],
            """
            DELETE FROM callboard.deliveries WHERE delivery IN (
                SELECT delivery FROM callboard.deliveries WHERE life = $1 LIMIT $2) AND \(isOver)
            """)
        static let life = Statement(
            "delete-life", [.int8], "DELETE FROM callboard.lives WHERE life = $1 AND ended")
    }

    /// Does one short piece of the background work; one that fails is tried again later.
    ///
    /// - Returns: How many records were deleted.
    package mutating func doUpkeep() throws -> Int {
        guard let step = machine.upkeep.first else { return 0 }
        guard let connection else { throw DatabaseFault.unreachable("there is no connection") }
        func run(_ calls: [StatementCall]) throws -> Int { try runAlone(calls, connection).last?.changed ?? 0 }
        switch step {
        case .records(let life, let number):
            let count = try run([Delete.records(Parameters(life, number, Self.stepRows))])
            if count < Self.stepRows { machine.upkeep.finishFirst() }
            return count
        case .snapshots(let life, let number):
            let parameters = Parameters(life, number)
            // The row goes first: a snapshot that is complete has all of its chunks.
            if try run([Delete.snapshots(parameters), Delete.chunks(parameters)]) < 16 { machine.upkeep.finishFirst() }
        case .answers(let life, let answers):
            var parameters = Parameters(life)
            parameters.add(answers)
            parameters.add(machine.fence.node)
            parameters.add(machine.fence.incarnation)
            _ = try run([
                SnapshotWrite.fenceNode(Parameters(machine.fence.node, machine.fence.incarnation)),
                Delete.answers(parameters),
            ])
            machine.upkeep.finishFirst()
        case .deliveries(let life):
            if try run([Delete.deliveries(Parameters(life, Self.stepRows))]) < Self.stepRows {
                machine.upkeep.finishFirst()
            }
        case .life(let life):
            _ = try run([Delete.allAnswers(Parameters(life)), Delete.life(Parameters(life))])
            machine.upkeep.finishFirst()
        }
        return 0
    }
}
