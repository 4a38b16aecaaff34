import Directors
import Dispatch
import Foundation
import Journal
import Notation
import Synchronization

// Who owns what: taking directors whose owner is gone, adopting what was given, handing over what belongs elsewhere.
extension LifeFollower {
    private enum Own {
        /// Takes lives from nodes whose leases have run out. The row's lock waits for what the earlier owner has sent, and
        /// the term fences off what it sends later.
        static let take = Statement(
            "take-orphans", [.int8, .int8s, .int8s],
            """
            UPDATE callboard.lives SET owner = $1, term = lives.term + 1
            FROM unnest($2::bigint[], $3::bigint[]) AS given (life, term)
            WHERE lives.life = given.life AND lives.term = given.term AND NOT ended AND NOT EXISTS (
                SELECT FROM callboard.nodes WHERE node = lives.owner AND expires > clock_timestamp())
            RETURNING lives.life
            """)
        static let deliveryBlock = Statement(
            "take-delivery-block", "SELECT nextval('callboard.delivery_blocks')")
        static let abandoned = Statement(
            "find-abandoned",
            """
            SELECT life FROM callboard.lives WHERE ended AND NOT EXISTS (
                SELECT FROM callboard.nodes WHERE node = lives.owner AND expires > clock_timestamp())
            ORDER BY life LIMIT 256
            """)
        static let setState = Statement(
            "set-state", [.int8, .int8, .text],
            "UPDATE callboard.nodes SET state = $2, url = $3 WHERE node = $1 RETURNING node")
    }

    /// Numbers for notifications that one block has.
    private static let deliveryBlockSize = 1 << 32

    func serve(at url: String) {
        enqueue { [self] in
            servedURL = url
            nextLook = .now
        }
    }

    private func setState(_ state: JournalNode.State) throws {
        guard let connection else { return }
        var parameters = Parameters(node, state.rawValue)
        parameters.add(servedURL ?? "")
        _ = try connection.run([Own.setState(parameters), HintSender.notify("all")], within: settings.deadline)
    }

    /// Takes directors whose owner is gone, and hands over those that belong to another node.
    func takeAndGive() throws {
        guard servedURL != nil, !isLeaving else { return }
        let placement = status.withLock { $0.placement }
        guard placement.nodes[node]?.isServing == true else {
            // The notification has this node look again, too.
            if placement.nodes[node]?.state == .joining { try setState(.serving) }
            return
        }
        try takeOrphans(placement)
        // A node that comes and goes should not move directors back and forth.
        let settled = ContinuousClock.now - sharing.settling
        guard placement.nodes.values.allSatisfy({ !$0.isServing || (serving[$0.number] ?? .now) <= settled }) else {
            return
        }
        release(directory.misplaced(placement, limit: sharing.handoverBatch))
    }

    private func takeOrphans(_ placement: Placement) throws {
        let orphans = directory.orphans(placement).sorted { $0.id < $1.id }
        guard !orphans.isEmpty, let connection else { return }
        var parameters = Parameters(node)
        parameters.add(orphans.map(\.id))
        parameters.add(orphans.map(\.term))
        let warnings = connection.warnings
        let rows = try connection.run([Own.take(parameters)], within: settings.deadline)[0].rows
        guard connection.warnings == warnings else {
            throw DatabaseFault.lost("the database's wait for a standby was cancelled")
        }
        guard !rows.isEmpty else { return }
        let taken = Set(try rows.map { try $0.integer(0, "a row of lives") })
        status.withLock { $0.takeovers += taken.count }
        try look(at: taken, [])
        journal.hint(Array(taken))
    }

    /// Makes this node the writer of lives that are its own by the journal, and of which it has every record.
    ///
    /// The rows that a new owner begins with are read at one moment: between the look and this read, another node may
    /// have taken a life, and this node must not write under that node's term.
    func adopt(_ ids: [Int]) throws {
        let inDoubt = journal.shared.withLock { $0.handoversInDoubt }
        let ids = ids.filter { !inDoubt.contains($0) }
        let rows = ids.compactMap { directory.lives[$0]?.row }
        guard !rows.isEmpty else { return }
        let firstDelivery = try takeDeliveryBlock()
        try readEach(rows, { $0 }, { try take($0.map(\.id), firstDelivery) })
        tellPlacement()
    }

    private func take(_ ids: [Int], _ firstDelivery: Int) throws {
        guard let connection else { return }
        try connection.atOneMoment(within: settings.deadline) {
            let (loaded, source) = try read(ids, connection)
            let deliveries = try deliveries(of: ids, connection)
            for life in loaded.index.lives.values {
                // Otherwise there is a record that was not seen yet, or another owner: the next look has it.
                guard loaded.owners[life.id] == node, directory.lives[life.id]?.number == life.number else { continue }
                let inheritance = Inheritance(
                    answers: try source.answers(of: life.director),
                    deliveries: (deliveries[life.director] ?? []).filter { $0.address.epoch == life.epoch },
                    firstDelivery: firstDelivery, ownership: life.term)
                journal.own(life, loaded.upkeep)
                directory.adopted(life.id)
                observer?.own(life.name, inheritance)
            }
        }
    }

    private func deliveries(of lives: [Int], _ connection: Connection) throws -> [Name: [Delivery]] {
        var deliveries: [Name: [Delivery]] = [:]
        try connection.stream(Delivery.selection(of: lives), within: settings.deadline) { row in
            try leavingOutDamage {
                let delivery = journal.here(try Delivery(row))
                deliveries[delivery.address.director, default: []].append(delivery)
            }
        }
        return deliveries
    }

    /// The first number of a block for new notifications.
    func takeDeliveryBlock() throws -> Int {
        guard let connection else { throw DatabaseFault.unreachable("there is no connection") }
        let row = try connection.run([Own.deliveryBlock()], within: settings.deadline)[0].first
        return (try row?.integer(0, "the sequence of blocks") ?? 0) * Self.deliveryBlockSize
    }

    func restart(_ life: LifeName) {
        enqueue { [self] in
            if let id = directory.restart(life) { hinted.insert(id) }
        }
    }

    // MARK: Sweeping

    /// Has the rows of directors deleted that ended under nodes that are gone, now and then, by one of the nodes.
    func sweep() throws {
        let living = status.withLock { $0.placement.nodes.values.filter(\.isLiving).map(\.number) }
        guard .now >= nextSweep, living.min() == node, let connection else { return }
        nextSweep = .now + sharing.sweepInterval
        let rows = try connection.run([Own.abandoned()], within: settings.deadline)[0].rows
        guard !rows.isEmpty else { return }
        journal.change(.abandoned(try rows.map { try $0.integer(0, "a row of lives") }))
    }

    // MARK: Handing over

    /// Has lives released here, and then given to other nodes.
    private func release(_ lives: [(row: LifeRow, node: Int)], completion: (@Sendable () -> Void)? = nil) {
        guard !lives.isEmpty, let observer else { return completion?() ?? () }
        for life in lives { directory.setReleasing(life.row.id, true) }
        observer.release(lives.map(\.row.name)) { [self] in
            journal.handOver(lives.map { (id: $0.row.id, director: $0.row.name.director, node: $0.node) }) { given in
                self.enqueue {
                    self.handedOver(lives.map(\.row.id), given)
                    completion?()
                }
            }
        }
    }

    /// Takes note of lives that were handed over, each with the number of its newest record; nil where that is not known.
    private func handedOver(_ ids: [Int], _ given: [Int: Int]?) {
        for id in ids {
            if let number = given?[id] {
                directory.given(id, number: number)
            } else {
                // Where it is this node's still, it is adopted again.
                if let life = directory.lives[id] { journal.disown(life.row) }
                directory.setReleasing(id, false)
            }
        }
        status.withLock { $0.handovers += given?.count ?? 0 }
        hinted.formUnion(ids)
        if let given { journal.hint(Array(given.keys)) }
    }

    func leave(within limit: Duration) {
        let done = DispatchSemaphore(value: 0)
        enqueue { [self] in
            isLeaving = true
            do {
                try setState(.leaving)
                try lookAtAll([], loading: .zero)
            } catch {
                connection = nil
                done.signal()
                return
            }
            let placement = status.withLock { $0.placement }
            let owned = directory.misplaced(placement, limit: .max)
            release(owned) { done.signal() }
        }
        _ = done.wait(timeout: .now() + .milliseconds(Int(limit / .milliseconds(1))))
    }
}
