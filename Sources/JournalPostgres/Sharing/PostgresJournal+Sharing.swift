import Journal
import Synchronization

// What the follower asks of the journal: which lives are this node's to write.
extension PostgresJournal {
    /// How the journal is shared with other nodes; nil where this server has the database for itself.
    package var sharing: (any SharedJournal)? { follower }

    /// Takes the writing of a life over.
    func own(_ life: LifeIndex.Life, _ upkeep: Upkeep) {
        var life = life
        life.ownership = life.term
        shared.withLock { $0.owned[life.id] = OwnWriting(number: life.number, term: life.term) }
        change(.own(life, upkeep.steps.filter { $0.life == life.id }))
    }

    /// Gives up the writing of a life: its row names another node, or may do so.
    ///
    /// The database fences off statements under way; the index follows once there are none.
    func disown(_ row: LifeRow) {
        shared.withLock { shared in
            shared.owned[row.id] = nil
            shared.begun[row.id] = nil
            shared.beginning.remove(row.name)
        }
        change(.disown(row))
    }

    /// The records acknowledged to this node as the life's writer: none for a life that a commit under way begins, nil
    /// for a life that another node writes.
    func acknowledged(_ row: LifeRow) -> OwnWriting? {
        shared.withLock { shared in
            if let own = shared.owned[row.id] { return own }
            return shared.beginning.contains(row.name) ? OwnWriting(number: 0, term: nil) : nil
        }
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
    func handOver(
        _ lives: [(id: Int, director: String, node: Int)], completion: @escaping @Sendable ([Int: Int]?) -> Void
    ) {
        let lives = lives.sorted { $0.id < $1.id }
        enqueue { journal in
            let result = Result {
                try journal.committer.withLock { committer in
                    _ = try committer.connect()
                    return try committer.handOver(lives)
                }
            }
            let given = try? result.get()
            journal.noteHandovers(hasNew: true)
            journal.shared.withLock { shared in for life in (given ?? [:]).keys { shared.owned[life] = nil } }
            completion(given)
            _ = try result.get()
        } refuse: { _ in
            completion(nil)
        }
    }

    /// Notes the handovers in doubt for the follower: their lives are not adopted before the results are known.
    ///
    /// - Parameter hasNew: Whether there may be one that was not noted yet.
    func noteHandovers(hasNew: Bool = false) {
        guard hasNew || shared.withLock({ !$0.handoversInDoubt.isEmpty }) else { return }
        let inDoubt = committer.withLock { $0.handoversInDoubt }
        shared.withLock { $0.handoversInDoubt = inDoubt }
    }

    /// Tells the other nodes that something of these lives is stored.
    func hint(_ lives: [Int]) { hints?.send(lives) }

    fileprivate static func giveCall(_ parameters: Parameters) -> StatementCall { give(parameters) }
}

extension Committer {
    fileprivate mutating func handOver(_ lives: [(id: Int, director: String, node: Int)]) throws -> [Int: Int] {
        guard let connection else { throw DatabaseFault.unreachable("there is no connection") }
        let owned = lives.compactMap { life in
            index.lives[life.director].flatMap { $0.id == life.id && !$0.isTaken ? ($0, life.node) : nil }
        }
        guard !owned.isEmpty else { return [:] }
        var parameters = Parameters(fence.node)
        parameters.add(owned.map(\.0.id))
        parameters.add(owned.map(\.0.term))
        parameters.add(owned.map(\.1))
        let warnings = connection.warnings
        let rows: [DatabaseRow]
        do throws(DatabaseFault) {
            rows = try runAlone([PostgresJournal.giveCall(parameters)], connection)[0].rows
            guard connection.warnings == warnings else {
                throw .lost("the database's wait for a standby was cancelled")
            }
        } catch {
            if case .lost = error {
                // It may be stored later: until it is known, nobody may take these lives for this node's.
                handoversInDoubt.formUnion(owned.map(\.0.id))
                self.connection = nil
            }
            throw error
        }
        let given = Set(try rows.map { try $0.integer(0, "a row of lives") })
        var numbers: [Int: Int] = [:]
        for (life, _) in owned where given.contains(life.id) {
            numbers[life.id] = life.number
            index.remove(life)
            upkeep.leave(life.id)
        }
        return numbers
    }
}

extension Upkeep.Step {
    /// The life that it is about.
    var life: Int {
        switch self {
        case .records(let life, _), .snapshots(let life, _), .answers(let life, _), .deliveries(let life),
            .life(let life):
            life
        }
    }
}
