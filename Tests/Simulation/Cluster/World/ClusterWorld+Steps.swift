import DirectorLife
import Journal

extension ClusterHistory {
    func violation(fault: ClusterFault?) -> String? {
        var place = "at the beginning"
        do {
            let world = try ClusterWorld(self, fault: fault)
            // A subscriber and the node that it waits for hold each other.
            defer { for subscriber in world.subscribers { subscriber.disconnect() } }
            for (index, step) in steps.enumerated() {
                place = "in step \(index + 1)"
                try world.take(step)
                try world.checkTouched()
            }
            place = "at the end"
            try world.settle()
            return nil
        } catch {
            return "\(place): \(error)"
        }
    }
}

extension ClusterWorld {
    func take(_ step: ClusterStep) throws {
        let slot = step.node % slots.count
        let node = slots[slot]
        let name = names[step.name % names.count]
        switch step.action {
        case .proceed, .replicate, .restartPrimary, .failOver: try take(step.action)
        case .start: try start(slot)
        case .kill: kill(node)
        case .pause: if node.runs { node.condition = .paused }
        case .goOn: if node.condition == .paused { node.condition = .runs }
        case .wait(let ticks): try wait(ticks)
        case .setClock(let lead): database.clockLead = lead
        case .damage(let isRow):
            guard let life = database.seen.life(named: name) else { return }
            if isRow { database.damageRow(life.id) } else { database.damaged.insert(life.id) }
        case .mend: (database.damaged, database.damagedRows) = ([], [])
        case .disconnect(let index): subscribers[index % subscribers.count].disconnect()
        default: if node.runs { try take(step.action, at: node, name) }
        }
    }

    /// Does what happens to the database.
    private func take(_ action: ClusterStep.Action) throws {
        switch action {
        case .proceed(let index):
            guard !database.open.isEmpty else { return }
            let transaction = database.open[index % database.open.count]
            if transaction.stage == .sent { try database.run(transaction) } else { try database.finish(transaction) }
        case .replicate: database.replicate()
        case .restartPrimary:
            database.restart()
            try loseConnections()
        case .failOver:
            database.failOver()
            try loseConnections()
        default: break
        }
    }

    /// Does what happens at a node that runs.
    private func take(_ action: ClusterStep.Action, at node: ClusterNode, _ name: String) throws {
        switch action {
        case .command(let command, let key): try node.take(command, key: key, of: name)
        case .pair: try node.takePair()
        case .write(let count): for _ in 0..<count { try node.write() }
        case .loseAnswer: node.loseAnswer()
        case .handle(let count): for _ in 0..<count { try node.handleMessage() }
        case .look(let takes, let gives):
            try node.finishLook()
            try node.lookThrough(atAll: true, takes: takes, gives: gives)
        case .beginLook(let takes, let gives): try node.beginLook(atAll: true, takes: takes, gives: gives)
        case .goOnLooking(let count): for _ in 0..<count { try node.goOnLooking() }
        case .work(let count): for _ in 0..<count { try node.work() }
        case .loseJobs: try node.loseJobs()
        case .hint(let index, let isRepeated): try hear(index, isRepeated, node)
        case .loseHints: node.hints = []
        case .loseLook(let isAway): try node.loseLook(isAway: isAway)
        case .leave: try node.leave()
        case .renew: try renew(node)
        case .snapshot: try node.storeSnapshot(of: name)
        case .unload(let isForced): node.unload(name, isForced: isForced)
        case .read: try answer(.read(name, newestKnown(of: name)), at: node)
        case .connect(let index):
            let subscriber = subscribers[index % subscribers.count]
            guard subscriber.host == nil, subscriber.request == nil else { return }
            try answer(.connect(subscriber.ask(node)), at: node)
        default: break
        }
    }

    /// Has a node answer a client: where it owns the director and has its lease, once what is in flight is settled, else
    /// after its next look.
    func answer(_ message: Message, at node: ClusterNode, isSettled: Bool = false) throws {
        guard let name = message.name, let host = node.hosts[name], host.isOwned,
            host.life.phase == .living || host.life.phase == .deleting && surrounding == .readsEnding
                || host.life.phase == .creating && surrounding == .readsUnborn,
            node.hasLease
        else { return node.waiting.append(message) }
        if !isSettled, host.life.phase == .living, try settle(message, host, at: node, hasLooked: false) { return }
        try show(message, at: node)
    }

    /// Has a node answer a client for whom it has looked, once what is in flight is settled.
    func answerLooked(_ message: Message, at node: ClusterNode) throws {
        if let host = message.name.flatMap({ node.hosts[$0] }), try settle(message, host, at: node, hasLooked: true) {
            return
        }
        try show(message, at: node)
    }

    /// Has a node answer a client that has waited.
    func answer(_ reader: WaitingReader, at node: ClusterNode) throws {
        if reader.hasLooked {
            try show(reader.message, at: node)
        } else {
            try answer(reader.message, at: node, isSettled: true)
        }
    }

    /// Has a client wait where something is in flight.
    private func settle(
        _ message: Message, _ host: Host, at node: ClusterNode, hasLooked: Bool
    ) throws -> Bool {
        guard host.life.hasInFlight, surrounding != .readsInFlight else { return false }
        try node.settle(WaitingReader(message: message, hasLooked: hasLooked), host)
        return true
    }

    private func show(_ message: Message, at node: ClusterNode) throws {
        switch message {
        case .read(let name, let expected): try checkRead(of: name, at: node, expected)
        case .connect(let request):
            try request.subscriber.connect(to: node.hosts[request.subscriber.name], by: request, self)
        default: break
        }
    }

    private func hear(_ index: Int, _ isRepeated: Bool, _ node: ClusterNode) throws {
        guard !node.hints.isEmpty, node.callers == nil else { return }
        let position = index % node.hints.count
        node.follower.hint(node.hints[position])
        if !isRepeated { node.hints.remove(at: position) }
        try node.lookThrough(atAll: false)
    }
}
