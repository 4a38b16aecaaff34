import DirectorLife
import Directors
import Journal

// The loop: what its queue has is done in order, and each life's actions after each message.
extension ClusterNode {
    /// Does the oldest message.
    func handleMessage() throws {
        guard !messages.isEmpty else { return }
        let message = messages.removeFirst()
        switch message {
        case .settle(let host, let error): try settle(host, error)
        case .follow(let host, let records):
            let records = world.surrounding == .ownRecordsTwice ? renumber(records, host) : records
            try change(host) { life, actions throws in try life.follow(records, into: &actions) }
        case .resign(let host, let release):
            host.losses = max(0, host.losses - 1)
            finish(host.releasing)
            host.releasing = release
            try change(host) { life, _ in life.resign() }
        case .lose(let host):
            host.losses = max(0, host.losses - 1)
            try change(host) { life, actions throws in
                life.resign()
                life.dropInFlight(.inDoubt("another node has taken the director"), into: &actions)
                try life.catchUp(into: &actions)
            }
        case .inherit(let host, let answers, let ownership):
            try change(host) { life, actions throws in
                try life.inherit(
                    answers: world.surrounding == .answersNotInherited ? [] : answers, limits: .none,
                    ownership: ownership,
                    into: &actions)
            }
        case .end(let host, let ending):
            if ending == .over {
                host.losses = max(0, host.losses - 1)
            } else if host.life.ending == nil {
                for subscriber in world.subscribers(of: host) { subscriber.disconnect() }
            }
            try change(host) { life, actions in life.end(ending, into: &actions) }
        case .retire(let host): for subscriber in world.subscribers(of: host) { subscriber.disconnect() }
        case .read, .connect: try world.answerLooked(message, at: self)
        }
    }

    private func settle(_ host: Host, _ error: StorageError?) throws {
        var actions: [LifeAction] = []
        if let error {
            host.life.lost(error, into: &actions)
        } else {
            host.life.stored(isSnapshotDue: false, into: &actions)
        }
        try change(host, actions) { life, actions throws in try life.catchUp(into: &actions) }
    }

    /// Changes a life by what other nodes have done, and does what it asks for.
    private func change(
        _ host: Host, _ actions: [LifeAction] = [], _ change: (inout DirectorLife, inout [LifeAction]) throws -> Void
    ) throws {
        var actions = actions
        do {
            try change(&host.life, &actions)
        } catch {
            throw Violation("what another node has stored cannot be performed: \(error)")
        }
        host.isOwner = host.life.role == .owner
        try perform(actions, of: host)
        if !host.life.hasInFlight {
            finish(host.releasing)
            host.releasing = nil
        }
    }

    /// Queues that lives are given to other nodes, once all of them are released.
    private func finish(_ release: Release?) {
        guard let release else { return }
        release.left -= 1
        if release.left == 0 { queueGiving(release) }
    }

    /// Queues that released lives are given to other nodes.
    func queueGiving(_ release: Release) {
        writer.queue.append(.give(release.lives))
    }

    /// Does what a life has asked for.
    func perform(_ actions: [LifeAction], of host: Host) throws {
        host.isTouched = true
        for action in actions {
            switch action {
            case .publish(let change):
                for subscriber in world.subscribers(of: host) { try subscriber.take(change, of: host, world) }
            case .answer(let id, let error): try answer(id, error, of: host)
            case .forget: if hosts[host.name.director] === host { hosts[host.name.director] = nil }
            case .store, .outdateAnswers, .hooksChanged, .snapshot, .release, .releaseAll: break
            }
        }
    }

    private func answer(_ id: CommandID, _ error: StorageError?, of host: Host) throws {
        guard let requester = host.requesters.first, requester.id == id else {
            throw Violation("a command is answered twice or too early")
        }
        host.requesters.removeFirst()
        if let reader = requester.reader {
            if case .inDoubt? = error { return refuse([reader.message]) }
            return try world.answer(reader, at: self)
        }
        guard let change = requester.change else { return }
        switch error {
        case nil: try world.acknowledge(change)
        case .inDoubt?: change.outcome = .inDoubt
        case _?: try world.fail(change)
        }
    }

    /// Numbers what was performed here already as if it came next.
    private func renumber(_ records: [LifeRecord], _ host: Host) -> [LifeRecord] {
        guard let first = records.first, first.number <= host.life.stored.number else { return records }
        let distance = host.life.stored.number + 1 - first.number
        return records.map {
            LifeRecord(
                director: $0.director, epoch: $0.epoch, number: $0.number + distance, entries: $0.entries)
        }
    }
}
