import Journal
import Synchronization

// What the follower asks of the journal: which lives are this node's to write.
extension PostgresJournal {
    /// How the journal is shared with other nodes; nil where this server has the database for itself.
    package var sharing: (any SharedJournal)? { follower }

    /// Takes the writing of a life over.
    func own(_ life: LifeIndex.Life, _ upkeep: Upkeep) {
        shared.withLock { $0.writing.own(life, upkeep.steps) }
        start()
    }

    /// Gives up the writing of a life.
    func disown(_ row: LifeRow) {
        shared.withLock { $0.writing.disown(row) }
        start()
    }

    /// Has the writing thread take something over before its next commit; any thread.
    func change(_ change: WritingState.Change) {
        shared.withLock { $0.writing.note(change) }
        start()
    }

    /// Takes over what the follower has found; on the writing thread, with no transaction under way or in doubt.
    func takeChanges() {
        let changes = shared.withLock { $0.writing.takeChanges() }
        guard !changes.isEmpty else { return }
        thread.committer.withLock { committer in for change in changes { committer.machine.take(change) } }
        queueUpkeep()
    }

    private static let give = Statement(
        "hand-over", [.int8, .int8s, .int8s, .int8s],
        """
        UPDATE callboard.lives SET owner = given.owner, term = lives.term + 1
        FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS given (life, term, owner)
        WHERE lives.life = given.life AND lives.term = given.term AND lives.owner = $1 AND NOT ended
        RETURNING lives.life
        """)

    /// Makes other nodes the owners of lives, of which nothing may be in flight.
    ///
    /// - Parameter completion: Called once with the lives that were given, each with the number of its newest record; nil
    ///   where that is not known.
    func handOver(_ lives: [FollowerMachine.Handover], completion: @escaping @Sendable ([Int: Int]?) -> Void) {
        let lives = lives.sorted { $0.row.id < $1.row.id }
        enqueue { journal in
            let result = Result {
                try journal.thread.committer.withLock { try $0.perform { try $0.handOver(lives) } }
            }
            let given = try? result.get()
            journal.noteHandovers(hasNew: true)
            journal.shared.withLock { $0.writing.gave((given ?? [:]).keys) }
            completion(given)
            _ = try result.get()
        } refuse: { _, _ in
            completion(nil)
        }
    }

    /// Notes the handovers in doubt for the follower: their lives are not adopted before the results are known.
    ///
    /// - Parameter hasNew: Whether there may be one that was not noted yet.
    func noteHandovers(hasNew: Bool = false) {
        guard hasNew || shared.withLock({ $0.writing.hasHandoversInDoubt }) else { return }
        let inDoubt = thread.committer.withLock { $0.machine.handoversInDoubt }
        shared.withLock { $0.writing.noteHandovers(inDoubt: inDoubt) }
    }

    /// Tells the other nodes that something of these lives is stored.
    func hint(_ lives: [Int]) { hints?.send(lives) }

    fileprivate static func giveCall(_ parameters: Parameters) -> StatementCall { give(parameters) }
}

extension Committer {
    fileprivate mutating func handOver(_ lives: [FollowerMachine.Handover]) throws -> [Int: Int] {
        guard let connection else { throw DatabaseFault.unreachable("there is no connection") }
        let owned = machine.handable(lives)
        guard !owned.isEmpty else { return [:] }
        var parameters = Parameters(machine.fence.node)
        parameters.add(owned.map(\.life.id))
        parameters.add(owned.map(\.life.term))
        parameters.add(owned.map(\.node))
        let warnings = connection.warnings
        let rows: [DatabaseRow]
        do throws(DatabaseFault) {
            rows = try runAlone([PostgresJournal.giveCall(parameters)], connection)[0].rows
            guard connection.warnings == warnings else {
                throw .lost("the database's wait for a standby was cancelled")
            }
        } catch {
            if case .lost = error {
                machine.loseHandover(owned)
                self.connection = nil
            }
            throw error
        }
        return machine.handedOver(owned, given: Set(try rows.map { try $0.integer(0, "a row of lives") }))
    }
}
