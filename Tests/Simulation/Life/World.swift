import DirectorLife

/// The directors of one history, and what happens to them.
struct World {
    fileprivate let directors: [SimulatedDirector]
    /// The time in seconds since 1970.
    fileprivate var now = 1_000_000

    init(_ history: History, fault: Fault?) throws {
        directors = try (0..<history.names).map { _ in
            try SimulatedDirector(nodes: history.nodes, isEmpty: history.isEmpty, fault: fault)
        }
    }

    fileprivate mutating func take(_ step: Step) throws {
        let director = directors[step.name % directors.count]
        let node = director.nodes[step.node % director.nodes.count]
        switch step.action {
        case .wait(let hours): now += hours * 3600
        case .stop(let durable):
            for director in directors { try director.stop(director.nodes[node.index], durable: durable) }
        case .start(let fromSnapshot):
            for director in directors where !director.nodes[node.index].isUp {
                try director.start(director.nodes[node.index], fromSnapshot: fromSnapshot, now: now)
            }
        default: try director.take(step.action, at: node, now: now)
        }
    }
}

extension History {
    func violation(fault: Fault?) -> String? {
        var place = "at the beginning"
        do {
            var world = try World(self, fault: fault)
            for (index, step) in steps.enumerated() {
                place = "in step \(index + 1)"
                try world.take(step)
            }
            place = "at the end"
            for director in world.directors { try director.settle(now: world.now) }
            return nil
        } catch {
            return "\(place): \(error)"
        }
    }
}

extension SimulatedDirector {
    /// Does what happens to this director alone.
    func take(_ action: Step.Action, at node: Node, now: Int) throws {
        switch action {
        case .command(let command, let key): try send(command, key, to: node, now: now)
        case .beginQuestion(let key): try beginQuestion(key, at: node, now: now)
        case .endQuestion(let isAnswered): try endQuestion(isAnswered: isAnswered, at: node, now: now)
        case .store(let count): for _ in 0..<count { try journal.store(from: node, owner: owner) }
        case .fail: try journal.store(from: node, owner: owner, error: .full("there is no room"))
        case .deliver(let count, let isSnapshotDue):
            for _ in 0..<count { try deliver(to: node, isSnapshotDue: isSnapshotDue) }
        case .follow(let count): for _ in 0..<count { try follow(at: node) }
        case .takeOver: takeOver(node)
        case .connect(let index): try connect(subscribers[index], to: node)
        case .disconnect(let index): subscribers[index].disconnect()
        case .stop, .start, .wait: break
        }
        for node in nodes where node.isTouched { try checkNumbers(node) }
    }

    /// Lets everything come to its end, and checks what is there then and that it goes on.
    func settle(now: Int) throws {
        for node in nodes where !node.isUp { try start(node, fromSnapshot: true, now: now) }
        try drain(now: now)
        if journal.model == nil { try send(.create, nil, to: owner, now: now) }
        try drain(now: now)
        for node in nodes where node.subject != nil { try checkKeys(of: node, now: now) }
        let before = journal.log.count
        try send(.set, Key(name: 0, fingerprint: 2), to: owner, now: now + AnswerStore.lifetime)
        try drain(now: now)
        try require(journal.log.count == before + 1, "a command at the end is not taken")
        for subscriber in subscribers {
            try connect(subscriber, to: owner)
            try require(subscriber.node != nil, "a subscriber is left waiting")
        }
        for node in nodes { try check(node) }
    }

    /// Checks that every key is answered, or as good as new.
    private func checkKeys(of node: Node, now: Int) throws {
        for name in 0..<2 {
            _ = try isNew(Key(name: name, fingerprint: 0), at: node, now: now)
            try require(node.begun[name] == nil, "a key stays in flight")
        }
    }

    /// Stores everything and tells everyone.
    private func drain(now: Int) throws {
        for node in nodes {
            while !node.questions.isEmpty { try endQuestion(isAnswered: false, at: node, now: now) }
        }
        while !journal.queue.isEmpty { try journal.store(from: owner, owner: owner) }
        while !journal.results.isEmpty { try deliver(to: owner, isSnapshotDue: false) }
        for node in nodes where node !== owner {
            while node.told < journal.log.count {
                let told = node.told
                try follow(at: node)
                try require(node.told > told, "a node does not follow")
            }
        }
        for node in nodes { try require(node.pending.isEmpty, "a command is not answered at the end") }
    }
}
