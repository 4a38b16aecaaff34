import DirectorLife
import Journal

/// Several nodes on one database, with their clients; everything that happens to them is checked.
final class ClusterWorld {
    /// How long a lease lasts.
    static let lease = 8

    /// What is planted in the nodes' decisions, or around them.
    let planted: PlantedFault?
    let surrounding: SurroundingFault?
    let database: SimulatedDatabase
    var slots: [ClusterNode] = []
    let subscribers: [ClusterSubscriber]
    let names: [String]
    var now = 0
    /// The numbers of the newest command and the newest life.
    var commands = 0
    var lives: Int
    /// What clients were told of last, or have read, by name; and all that they were told of.
    private var newest: [String: Acknowledged] = [:]
    private var acknowledged: [Change] = []
    /// The changes that belong together.
    var pairs: [(Change, Change)] = []

    init(_ history: ClusterHistory, fault: ClusterFault?) throws {
        if case .decision(let fault)? = fault { planted = fault } else { planted = nil }
        if case .surrounding(let fault)? = fault { surrounding = fault } else { surrounding = nil }
        database = SimulatedDatabase(surrounding)
        names = Array(ClusterFixture.names.prefix(history.names))
        subscribers = names.flatMap { [ClusterSubscriber(name: $0), ClusterSubscriber(name: $0)] }
        lives = ClusterFixture.names.count - 1
        for slot in 0..<history.nodes { slots.append(try enter(at: slot, .serving)) }
        let owner = slots[history.owner % history.nodes].number
        let first = database.takeLives()
        let ids = names.indices.map { first + $0 }
        try database.write([]) { content in
            for (index, (record, _)) in ClusterFixture.first.prefix(names.count).enumerated() {
                content.begin(Change(record, .create, number: 0, key: nil), id: ids[index], owner: owner)
            }
        }
        for node in slots {
            try node.lookThrough(atAll: true)
            while !node.messages.isEmpty { try node.handleMessage() }
        }
    }

    /// A time by every machine's clock.
    func instant(_ later: Int = 0) -> ContinuousClock.Instant { Self.beginning + .seconds(now + later) }

    private static let beginning = ContinuousClock.now

    /// Enters a node among those that share the database.
    private func enter(at slot: Int, _ state: JournalNode.State = .joining) throws -> ClusterNode {
        let number = database.takeNode()
        let time = now + database.clockLead
        if !database.nodes.values.contains(where: { $0.node.expiresAt > time }) {
            // Nobody lives: those who are gone are removed.
            database.unregisterAll()
        }
        try register(number, at: slot, state, incarnation: 1)
        return ClusterNode(number, self)
    }

    private func register(_ number: Int, at slot: Int, _ state: JournalNode.State, incarnation: Int) throws {
        database.register(number, at: slot, state, until: now + Self.lease)
        let nodes = database.nodes
        try database.write([]) { content in
            content.fences = content.fences.filter { nodes[$0.key] != nil }
            if content.fences[number] == nil {
                content.fences[number] = Content.Fence(incarnation: incarnation, unit: 0)
            }
        }
    }

    /// Starts a node in the place of one that was killed.
    func start(_ slot: Int) throws {
        guard slots[slot].condition == .killed else { return }
        slots[slot] = try enter(at: slot)
        try slots[slot].lookThrough(atAll: true)
    }

    /// Kills a node: what it has sent may still run.
    func kill(_ node: ClusterNode) {
        guard node.condition != .killed else { return }
        node.condition = .killed
        for subscriber in subscribers where subscriber.request?.node === node || subscriber.node == node.number {
            subscriber.disconnect()
        }
        guard node.follower.isLeaving else { return }
        database.unregister(node.number)
    }

    /// Tries to connect to a node, for another one: only one that is killed refuses.
    func probe(_ number: Int, lease: Int, for other: ClusterNode) {
        let found = node(numbered: number)
        guard found == nil || found?.condition == .paused && surrounding == .pausedRefuses else { return }
        other.follower.refused(number, lease: lease, instant())
    }

    func node(numbered number: Int) -> ClusterNode? {
        slots.first { $0.number == number && $0.condition != .killed }
    }

    func subscribers(of host: Host) -> [ClusterSubscriber] { subscribers.filter { $0.host === host } }

    /// Tells other nodes that there is something to be looked at; they may not hear it.
    func hint(_ lives: Set<Int>, from node: ClusterNode) {
        for other in slots where other !== node && other.condition != .killed {
            other.hints += lives.filter { !other.hints.contains($0) }.sorted()
        }
    }

    /// Lets time pass, in which each node that runs renews its lease.
    func wait(_ ticks: Int) throws {
        now += ticks
        for node in slots where node.runs { try renew(node) }
    }

    /// Has a node renew its lease; one that has no row any more registers again.
    func renew(_ node: ClusterNode) throws {
        let end = instant(Self.lease)
        guard let slot = slots.firstIndex(where: { $0 === node }) else { return }
        if let row = database.nodes[node.number] {
            database.register(node.number, at: slot, row.node.state, until: now + Self.lease)
        } else {
            try register(node.number, at: slot, .joining, incarnation: 0)
            node.writing.note(.registered)
        }
        node.writing.renewed(until: end)
    }

    /// Has every node lose its connections, since the primary is gone.
    func loseConnections() throws {
        for node in slots where node.condition != .killed {
            node.loseConnection()
            try node.loseJobs()
            try node.loseLook(isAway: true)
            for host in node.hosts.values { host.isTouched = true }
        }
    }

    // MARK: What clients are told

    /// A client is told that its command is stored.
    func acknowledge(_ change: Change) throws(Violation) {
        change.outcome = .acknowledged
        try require(
            database.durable.holds(change), "command \(change.number) is acknowledged, and the standby lacks it")
        acknowledged.append(change)
        let found = Acknowledged(
            life: database.seen.order(of: change.life), number: change.record.number, isEnd: change.step == .ends)
        note(found, of: change.life.director)
    }

    /// A client is told that its command did not happen.
    func fail(_ change: Change) throws(Violation) {
        change.outcome = .failed
        try require(!database.seen.holds(change), "command \(change.number) is answered with an error, and is stored")
    }

    /// What a client has to see that asks now.
    func newestKnown(of name: String) -> Acknowledged? { newest[name] }

    /// Checks what a client reads.
    func checkRead(of name: String, at node: ClusterNode, _ expected: Acknowledged?) throws(Violation) {
        // A director that cannot be read is refused.
        guard !node.setAside.contains(name) else { return }
        guard let host = node.hosts[name], host.life.refusal(isRead: true) == nil else {
            guard let expected else { return }
            let isThere = database.seen.life(named: name).map { $0.order == expected.life }
            return try require(isThere != true, "a client does not find a director that is there")
        }
        let life = database.seen.order(of: host.name)
        // Whoever asks after this sees no less.
        defer { note(Acknowledged(life: life, number: host.life.stored.number, isEnd: false), of: name) }
        guard let expected else { return }
        if life != expected.life { return try require(life > expected.life, "a client reads an earlier life") }
        try require(!expected.isEnd, "a client reads a director that was deleted")
        try require(
            host.life.stored.number >= expected.number,
            "a client reads record \(host.life.stored.number), and \(expected.number) was acknowledged or read")
    }

    private func note(_ found: Acknowledged, of name: String) {
        if let earlier = newest[name], (earlier.life, earlier.number) >= (found.life, found.number) { return }
        newest[name] = found
    }

    /// Checks that what clients were told of is stored.
    func checkAcknowledged() throws(Violation) {
        for change in acknowledged {
            try require(database.seen.holds(change), "command \(change.number) was acknowledged, and is lost")
        }
        for (one, other) in pairs {
            try require(
                database.seen.holds(one) == database.seen.holds(other), "half of command \(one.number) is stored")
        }
    }
}

extension Content {
    /// Begins a life that every node knows.
    fileprivate mutating func begin(_ change: Change, id: Int, owner: Int) {
        var life = Life(id: id, name: change.life, owner: owner, term: 1)
        let model = ClusterFixture.model(of: change.life)
        life.log = [Entry(change: change, term: 1, node: owner, unit: 0, sequence: 0, model: model)]
        lives[id] = life
        note(id)
    }

    /// Whether a command is stored.
    fileprivate func holds(_ change: Change) -> Bool {
        guard let life = life(change.life) else { return false }
        guard change.step != nil else { return life.answers.contains { $0.change === change } }
        let index = change.record.number - 1
        return life.log.indices.contains(index) && life.log[index].change === change
    }
}
