import DirectorLife
import Journal

/// A primary and its standby: what they hold, who sees what, and what a failure leaves.
///
/// A transaction runs, and locks its rows; then the standby gets it, in the order of the log; then it is seen and its
/// sender is answered. A primary that is restarted shows at once what the standby has not got yet.
final class SimulatedDatabase {
    /// What is planted.
    let fault: SurroundingFault?
    /// What everyone sees.
    private(set) var seen = Content()
    /// What the standby has.
    private(set) var durable = Content()
    /// The transactions that the standby has not got, in the order of the log.
    private var log: [Transaction] = []
    /// The transactions that have not come to their end.
    private(set) var open: [Transaction] = []
    private var lastSequence = 0
    private var lastLife = 0

    /// The rows of nodes. A lease waits for no standby; that it may come back with an earlier end is left out.
    private(set) var nodes: [Int: NodeRow] = [:]
    /// How far its clock is ahead.
    var clockLead = 0
    private var lastLease = 0

    /// A row of nodes.
    struct NodeRow {
        var node: JournalNode
        /// The end of its lease, unlike that of any other renewal.
        var lease: Int
    }

    /// Writes a node's row, with a lease that ends after some time; a node has the address of the one whose place it has.
    func register(_ number: Int, at slot: Int, _ state: JournalNode.State, until end: Int) {
        lastLease += 1
        let node = JournalNode(
            number: number, name: "", url: "\(slot)", state: state, expiresAt: end + clockLead, isLiving: true)
        nodes[number] = NodeRow(node: node, lease: lastLease)
    }

    func setState(_ number: Int, _ state: JournalNode.State) {
        guard let row = nodes[number] else { return }
        nodes[number]?.node = JournalNode(
            number: number, name: "", url: row.node.url, state: state, expiresAt: row.node.expiresAt, isLiving: true)
    }

    func unregister(_ number: Int) { nodes[number] = nil }

    func unregisterAll() { nodes = [:] }

    private var lastNode = 0

    init(_ fault: SurroundingFault?) {
        self.fault = fault
        seen.storesUnnoted = fault == .storesUnnoted
        durable.storesUnnoted = seen.storesUnnoted
    }

    /// A number for a node.
    func takeNode() -> Int {
        lastNode += 1
        return lastNode
    }

    /// The first of a block of numbers for lives.
    func takeLives() -> Int {
        defer { lastLife += LifeNumbers.block }
        return lastLife + 1
    }

    // MARK: Damage

    /// The lives that cannot be read, and those whose rows cannot be.
    var damaged: Set<Int> = []
    var damagedRows: Set<Int> = []

    /// Damages the row of a life, by a statement that is noted as any other.
    func damageRow(_ life: Int) {
        damagedRows.insert(life)
        seen.note(life)
        durable.note(life)
    }

    /// Reads something of a life.
    func checkReadable(_ life: Int) throws(JournalError) {
        guard damaged.contains(life) else { return }
        throw .damaged(JournalDamage(director: nil, place: "life \(life)", detail: "it cannot be read"))
    }

    /// A row as a look reads it.
    func row(_ life: Content.Life) -> FollowerMachine.FoundRow {
        guard damagedRows.contains(life.id) else { return .life(life.row) }
        return .damaged(id: life.id, director: life.name.director, reason: "the row cannot be read")
    }

    // MARK: One after the other

    /// Sends a transaction, which does not run yet.
    func send(_ transaction: Transaction) { open.append(transaction) }

    /// Runs a transaction, unless another one has locked what it needs.
    func run(_ transaction: Transaction) throws {
        guard transaction.stage == .sent, blockers(of: transaction).isEmpty else { return }
        try evaluate(transaction)
        seen.draw()
        transaction.stage = .waiting
        log.append(transaction)
    }

    /// Runs a transaction, after those that it waits for, and lets everyone see it.
    func finish(_ transaction: Transaction) throws {
        if transaction.stage == .sent {
            for other in blockers(of: transaction) { try finish(other) }
            try run(transaction)
        }
        guard transaction.stage == .waiting else { return }
        replicate(through: transaction)
        show(transaction)
    }

    private func show(_ transaction: Transaction) {
        transaction.effect(&seen)
        transaction.stage = .seen
        open.removeAll { $0 === transaction }
    }

    /// The transactions that hold what another one needs.
    private func blockers(of transaction: Transaction) -> [Transaction] {
        open.filter { other in
            other !== transaction && other.stage == .waiting
                && (!other.lives.isDisjoint(with: transaction.lives)
                    || !other.begun.isDisjoint(with: transaction.begun)
                    || transaction.isCounted && other.isCounted && other.node == transaction.node)
        }
    }

    /// Gives the standby everything up to a transaction; everything that there is without one.
    func replicate(through last: Transaction? = nil) {
        guard last?.isDurable != true else { return }
        while let first = log.first {
            log.removeFirst()
            first.effect(&durable)
            first.isDurable = true
            if first === last { return }
        }
    }

    /// Writes at once, and waits for the standby: for statements whose answer is not lost, or that are run again.
    ///
    /// - Parameters:
    ///   - lives: The rows that are locked: it waits for those who hold them.
    ///   - fence: The node whose fence is locked.
    func write(_ lives: Set<Int>, fence: Int? = nil, _ change: (inout Content) -> Void) throws {
        for other in open where other.stage == .waiting {
            let holds = !other.lives.isDisjoint(with: lives) || fence == other.node && other.isCounted
            if holds { try finish(other) }
        }
        replicate()
        change(&seen)
        change(&durable)
    }

    func nextSequence() -> Int {
        lastSequence += 1
        return lastSequence
    }

    // MARK: Failures

    /// Restarts the primary: what had run is seen, whether the standby has it or not, and connections are lost.
    func restart() {
        for transaction in open where transaction.stage == .waiting { show(transaction) }
        dropOpen()
    }

    /// Makes the standby the primary: what it had not got is gone, and connections are lost.
    func failOver() {
        seen = durable
        for transaction in open where transaction.isDurable { transaction.stage = .seen }
        log = []
        dropOpen()
    }

    private func dropOpen() {
        for transaction in open where transaction.stage != .seen { transaction.stage = .gone }
        open = []
    }
}
