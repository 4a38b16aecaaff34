import Journal

/// Rows that are no longer needed, and are deleted a few at a time between commits.
struct Upkeep {
    /// A piece of the work.
    enum Step {
        /// Records of a life up to a number.
        case records(life: Int, through: Int)
        /// Snapshots of a life up to a number, whether complete or not, with their chunks.
        case snapshots(life: Int, through: Int)
        /// Answers of a life.
        case answers(life: Int, [Int])
        /// Notifications of a life that has ended, which its owner has not come to forget.
        case deliveries(Int)
        /// Everything of a life that has ended.
        case life(Int)
    }

    /// The most records that one step deletes, and so the most that a commit has to wait for.
    static let stepRows = 512

    private(set) var steps: [Step] = []

    /// Whether there is nothing to do.
    var isEmpty: Bool { steps.isEmpty }

    /// The next piece.
    var first: Step? { steps.first }

    /// Adds a piece.
    mutating func add(_ step: Step) { steps.append(step) }

    /// Has answers deleted.
    mutating func forget(_ answers: [Int], of life: Int) {
        if !answers.isEmpty { steps.append(.answers(life: life, answers)) }
    }

    /// Has everything of a life deleted, the life itself at last.
    mutating func end(_ life: Int) {
        steps += [.records(life: life, through: .max), .snapshots(life: life, through: .max), .life(life)]
    }

    /// Has everything deleted of a life that has ended under a server that is gone; nothing where that is to be done already.
    mutating func endAbandoned(_ life: Int) {
        guard !steps.contains(where: { $0.life == life }) else { return }
        steps.append(.deliveries(life))
        end(life)
    }

    /// Leaves what is to be done for a life to its next owner, which finds it by itself.
    mutating func leave(_ life: Int) {
        steps.removeAll { $0.life == life }
    }

    /// Removes the first piece, which is done.
    mutating func finishFirst() {
        if !steps.isEmpty { steps.removeFirst() }
    }
}

extension Committer {
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
    mutating func doUpkeep() throws -> Int {
        guard let step = upkeep.first else { return 0 }
        guard let connection else { throw DatabaseFault.unreachable("there is no connection") }
        func run(_ calls: [StatementCall]) throws -> Int { try runAlone(calls, connection).last?.changed ?? 0 }
        switch step {
        case .records(let life, let number):
            let count = try run([Delete.records(Parameters(life, number, Upkeep.stepRows))])
            if count < Upkeep.stepRows { upkeep.finishFirst() }
            return count
        case .snapshots(let life, let number):
            let parameters = Parameters(life, number)
            // The row goes first: a snapshot that is complete has all of its chunks.
            if try run([Delete.snapshots(parameters), Delete.chunks(parameters)]) < 16 { upkeep.finishFirst() }
        case .answers(let life, let answers):
            var parameters = Parameters(life)
            parameters.add(answers)
            parameters.add(fence.node)
            parameters.add(fence.incarnation)
            _ = try run([
                SnapshotWrite.fenceNode(Parameters(fence.node, fence.incarnation)), Delete.answers(parameters),
            ])
            upkeep.finishFirst()
        case .deliveries(let life):
            if try run([Delete.deliveries(Parameters(life, Upkeep.stepRows))]) < Upkeep.stepRows {
                upkeep.finishFirst()
            }
        case .life(let life):
            _ = try run([Delete.allAnswers(Parameters(life)), Delete.life(Parameters(life))])
            upkeep.finishFirst()
        }
        return 0
    }
}
