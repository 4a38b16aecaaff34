import DirectorLife
import Directors
import Journal

// Commands: carried out where the life's role is owner, and passed on once from elsewhere.
extension ClusterNode {
    /// Takes a command.
    func take(_ command: Command, key: Int?, of name: String, isForwarded: Bool = false) throws {
        guard runs else { return }
        guard let host = hosts[name] else {
            if let owner = follower.directory.life(named: name)?.row.owner, owner != number {
                guard !isForwarded else { return }
                return try world.node(numbered: owner)?.take(command, key: key, of: name, isForwarded: true) ?? ()
            }
            if case .create = command { try create(name, key: key) }
            return
        }
        if case .create = command { return }
        if let refusal = host.life.refusal(isRead: false) {
            guard refusal == .elsewhere, !isForwarded, let owner = follower.directory.life(named: name)?.row.owner,
                owner != number
            else { return }
            try world.node(numbered: owner)?.take(command, key: key, of: name, isForwarded: true)
            return
        }
        if let key, host.life.lookUp(ClusterFixture.key(key), now: 0) != .new { return }
        world.commands += 1
        var draft = host.life.draft(cause: Fixture.cause(ofCommand: world.commands))
        try draft.perform(command, number: world.commands)
        try commit(draft, command, key: key, to: host)
    }

    private func create(_ name: String, key: Int?) throws {
        world.commands += 1
        world.lives += 1
        let (life, draft) = Fixture.creating(life: world.lives, of: name)
        let host = Host(life)
        hosts[name] = host
        try commit(draft, .create, key: key, to: host)
    }

    /// Takes a command that changes every director, where this node owns them and nothing of them is in flight.
    func takePair() throws {
        let found = world.names.compactMap { hosts[$0] }
        guard runs, found.count == 2,
            found.allSatisfy({ $0.life.refusal(isRead: false) == nil && !$0.life.hasInFlight })
        else { return }
        world.commands += 1
        var parts: [(Change, Host)] = []
        for host in found {
            var draft = host.life.draft(cause: Fixture.cause(ofCommand: world.commands))
            try draft.perform(.set, number: world.commands)
            if let change = try commit(draft, .set, key: nil, to: host, isPart: true) { parts.append((change, host)) }
        }
        guard parts.count == 2 else { throw Violation("half of a pair has no record") }
        writer.queue.append(.pair(parts[0], parts[1]))
        world.pairs.append((parts[0].0, parts[1].0))
    }

    @discardableResult
    private func commit(
        _ draft: LifeDraft, _ command: Command, key: Int?, to host: Host, isPart: Bool = false
    ) throws -> Change? {
        let number = world.commands
        var actions: [LifeAction] = []
        let answer = key.map { ClusterFixture.key($0).answer(Array("\(number)".utf8), now: 0) }
        let id = host.life.commit(draft, answer: answer, into: &actions)
        var change: Change?
        for case .store(let record) in actions {
            let found = Change(record, command, number: number, key: key)
            if !isPart { writer.queue.append(.change(found, host)) }
            change = found
        }
        host.requesters.append((id, change, nil))
        try perform(actions, of: host)
        return change
    }

    /// Has a reader wait until what is in flight of a director is settled.
    func settle(_ reader: WaitingReader, _ host: Host) throws {
        var actions: [LifeAction] = []
        let id = host.life.commit(host.life.draft(cause: nil), into: &actions)
        host.requesters.append((id, nil, reader))
        try perform(actions, of: host)
    }

    /// Stores a snapshot of what is stored of a director, and deletes the records that it stands for.
    func storeSnapshot(of name: String) throws {
        guard runs, committer.isConnected, writer.running == nil, let host = hosts[name],
            let life = committer.index.lives[name], life.name == host.name, host.life.phase == .living,
            host.life.stored.number <= life.number
        else { return }
        let state = host.life.stored
        try database.write([]) { content in
            guard let row = content.lives[life.id], !row.isEnded, row.snapshot?.number ?? 0 < state.number else {
                return
            }
            content.lives[life.id]?.snapshot = state
            content.lives[life.id]?.pruned = state.number
        }
    }
}
