import DirectorLife
import Journal

// The end of a history: everything comes to rest, and goes on working.
extension ClusterWorld {
    /// Lets everything come to its end, and checks what is there then and that it goes on.
    func settle() throws {
        (database.damaged, database.damagedRows) = ([], [])
        for (slot, node) in slots.enumerated() {
            if node.follower.isLeaving { kill(node) }
            if node.condition == .paused { node.condition = .runs }
            if node.condition == .killed { try start(slot) }
        }
        try rest()
        let before = commands
        for (index, name) in names.enumerated() {
            let node = slots[index % slots.count]
            let command = database.seen.life(named: name) == nil ? Command.create : .append(isReloaded: true)
            try node.take(command, key: nil, of: name)
        }
        try require(commands == before + names.count, "a command at the end is not taken")
        try rest()
        try checkAcknowledged()
        for name in names {
            let newest = database.seen.life(named: name)?.log.last?.change
            try require(newest?.outcome == .acknowledged, "a command at the end is not stored")
        }
        for node in slots { for host in node.hosts.values { try checkWhole(host) } }
        try checkSubscribers()
    }

    /// Lets nodes work until nothing is left to do.
    private func rest() throws {
        var reason = ""
        for _ in 0..<8 {
            for transaction in database.open
            where !slots.contains(where: { $0.writer.running?.transaction === transaction }) {
                try database.finish(transaction)
            }
            try wait(Self.lease + 1)
            for slot in slots.indices {
                try start(slot)
                try work(slots[slot])
            }
            try checkTouched()
            let unrests = slots.compactMap { node in unrest(of: node).map { "node \(node.number) \($0)" } }
            guard let first = unrests.first else { return }
            reason = first
        }
        throw Violation("nothing comes to rest: \(reason)")
    }

    /// Has a node do all that it has to do, and look once.
    private func work(_ node: ClusterNode) throws {
        try finish(node)
        try node.finishLook()
        for life in node.hints { node.follower.hint(life) }
        node.hints = []
        // Everything is due by the time that has passed.
        try node.lookThrough(atAll: false, takes: true, gives: true)
        try finish(node)
    }

    private func finish(_ node: ClusterNode) throws {
        while !node.messages.isEmpty || !node.isIdle {
            while !node.messages.isEmpty { try node.handleMessage() }
            try node.write()
        }
    }

    private func checkSubscribers() throws {
        for (index, subscriber) in subscribers.enumerated() where subscriber.host == nil {
            let node = slots[index % slots.count]
            node.waiting.append(.connect(subscriber.ask(node)))
        }
        for node in slots { try work(node) }
        for subscriber in subscribers {
            try require(
                subscriber.state.version == database.seen.life(named: subscriber.name)?.log.last?.model.version,
                "a subscriber does not come to the newest version")
        }
    }
}
