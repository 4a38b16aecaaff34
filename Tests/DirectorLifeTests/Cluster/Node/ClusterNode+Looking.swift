import DirectorLife
import Journal
import Notation

/// A look under way, by the next thing that it does.
struct Look {
    enum Phase {
        /// Compare what was read with what is known.
        case compare([LifeRow], LifeDirectory.Scope)
        case fetch([(row: LifeRow, after: Int)], loads: [LifeRow], adoptions: [Int])
        case load([LifeRow], adoptions: [Int])
        /// Read what an owner begins with.
        case read([Int])
        case adopt([Content.Life])
        /// Take directors whose owner is gone.
        case take
        /// Hand over what belongs elsewhere.
        case give
    }

    var phase: Phase
    /// Whether owners may change with it.
    var takes: Bool
    var gives: Bool
    /// The directors that are asked for.
    var names: Set<Name>
    /// Who is told when it is over.
    let waiting: [Message]
    /// The lease that counts once everything was looked at; nil for a look at some lives.
    let leaseEnd: Int?
    /// What was begun before it, and not found by any look.
    let begun: [Int: LifeName]
}

// A look: rows of lives in, steps out, done one after the other, with whatever other threads do in between.
extension ClusterNode {
    /// Begins a look at all lives, or at those that were hinted at.
    func beginLook(atAll isAll: Bool, takes: Bool = false, gives: Bool = false) throws {
        guard runs, look == nil else { return }
        for (lives, given) in jobs { handedOver(lives, given) }
        jobs = []
        let isAll = isAll || !isConnected
        let names = Set(texts: waiting.compactMap(\.name))
        guard isAll || !hinted.isEmpty || !names.isEmpty else { return }
        if !isConnected {
            // The barrier: nothing is shown that the standby has not got.
            if fault != .noBarrier { try database.write([], fence: number) { _ in } }
            isConnected = true
        }
        defer { waiting = [] }
        if isAll { nodes = database.nodes.mapValues { $0.at(world.now) } }
        look = Look(
            phase: isAll ? .compare(rows { _ in true }, .all) : some(hinted, names), takes: isAll && takes,
            gives: isAll && gives, names: names, waiting: waiting,
            leaseEnd: isAll ? renewedEnd : nil, begun: fault == .endUnseen ? [:] : begun)
        hinted = []
    }

    private func rows(_ isLookedAt: (Content.Life) -> Bool) -> [LifeRow] {
        database.seen.lives.values.filter { !$0.isEnded && isLookedAt($0) }.map(\.row)
    }

    private func some(_ ids: Set<Int>, _ names: Set<Name>) -> Look.Phase {
        .compare(
            rows { ids.contains($0.id) || names.contains($0.name.director) }, .some(ids: ids, names: names))
    }

    /// Does the next thing of a look.
    func goOnLooking() throws {
        guard runs, let look else { return }
        switch look.phase {
        case .compare(let rows, let scope): try compare(rows, scope)
        case .fetch(let fetches, let loads, let adoptions): try fetch(fetches, loads, adoptions)
        case .load(let rows, let adoptions): try load(rows, adoptions)
        case .read(let ids):
            let ids = ids.filter { !writer.handoversInDoubt.contains($0) || fault == .handoverIsFailure }
            self.look?.phase = .adopt(ids.compactMap { database.seen.lives[$0] }.filter { !$0.isEnded })
        case .adopt(let lives): adopt(lives)
        case .take: try takeOrphans()
        case .give:
            if look.gives { give(directory.misplaced(placement, limit: 1).map { ($0.row, $0.node) }) }
            messages += look.waiting
            leaseEnd = look.leaseEnd ?? leaseEnd
            self.look = nil
        }
    }

    /// Looks, from beginning to end.
    func lookThrough(atAll isAll: Bool, takes: Bool = false, gives: Bool = false) throws {
        try beginLook(atAll: isAll, takes: takes, gives: gives)
        while look != nil, runs { try goOnLooking() }
    }

    /// Loses the follower's connection, and what a look had still to do.
    func loseLook() {
        isConnected = false
        look = nil
    }

    // MARK: Steps

    private func compare(_ rows: [LifeRow], _ scope: LifeDirectory.Scope) throws {
        let steps = directory.note(rows, of: scope, begun: look?.begun ?? [:]) { ownWriting($0) }
        begun = begun.filter { directory.lives[$0.key] == nil }
        for (director, owner) in directory.takeChangedOwners() { owners[director.text] = owner }
        var fetches: [(row: LifeRow, after: Int)] = []
        var (loads, adoptions): ([LifeRow], [Int]) = ([], [])
        for step in steps {
            switch step {
            case .load(let row): loads.append(row)
            case .fetch(let row, let number): fetches.append((row, number))
            case .adopt(let id): adoptions.append(id)
            case .lose(let name):
                if fault != .keepsWriting, let life = directory.life(named: name.director) { disown(life.row) }
                if let host = host(name) { lose(host, .lose(host)) }
            case .letGo(let name):
                if let host = host(name) { lose(host, .lose(host)) }
            case .end(let row):
                if fault == .endUntold, row.owner == number { continue }
                disown(row)
                if let host = host(row.name) { lose(host, .end(host, .over)) }
            }
        }
        if fault == .adoptsUnread {
            let lives = adoptions.compactMap { database.seen.lives[$0] }
            look?.phase = .adopt(lives)
        } else {
            look?.phase = .fetch(fetches, loads: loads, adoptions: adoptions)
        }
    }

    /// Ends the ownership of a host, which other threads see before its loop does.
    func lose(_ host: Host, _ message: Message) {
        if fault != .losesLater { host.losses += 1 }
        messages.append(message)
    }

    private func ownWriting(_ row: LifeRow) -> OwnWriting? {
        guard host(row.name) != nil || fault == .displacedUnseen else { return nil }
        guard let own = owned[row.id] else {
            return beginning.contains(row.name) ? OwnWriting(number: 0, term: nil) : nil
        }
        // What another node has stored since is not read where the head is taken for what is known.
        return fault == .losesWithoutReading ? OwnWriting(number: row.head, term: own.term) : own
    }

    private func fetch(
        _ fetches: [(row: LifeRow, after: Int)], _ loads: [LifeRow], _ adoptions: [Int]
    ) throws {
        var loads = loads
        for (row, number) in fetches {
            let life = database.seen.lives[row.id]
            var records = life?.records(after: number) ?? []
            if fault == .globalCursor, let life { records = records.filter { life.sequence(of: $0) > cursor } }
            guard let first = records.first else {
                if number < row.head { loads.append(row) }
                continue
            }
            guard first.number == number + 1 || fault == .globalCursor else {
                loads.append(row)
                continue
            }
            if let host = host(row.name) { messages.append(.follow(host, records)) }
            directory.fetched(row.id, through: number + records.count)
        }
        if fault == .globalCursor { cursor = database.seen.newestSequence }
        look?.phase = .load(loads, adoptions: adoptions)
    }

    /// Loads what is to be owned, what is asked for, and what would be taken over.
    private func load(_ rows: [LifeRow], _ adoptions: [Int]) throws {
        let asked = fault == .asksUnloaded ? [] : directory.asked(for: look?.names ?? [])
        let ready = look?.leaseEnd == nil || isBusy ? [] : directory.inheritable(placement)
        let others = (asked + ready).filter { row in !rows.contains { $0.id == row.id } }
        for row in rows + Set(others).sorted(by: { $0.id < $1.id }) {
            guard let life = database.seen.lives[row.id], !life.isEnded else { continue }
            let host = Host(DirectorLife(following: try life.load()))
            directory.loaded(row, number: life.head)
            let earlier = hosts.updateValue(host, forKey: row.name.director)
            if let earlier { messages.append(earlier.name == host.name ? .retire(earlier) : .end(earlier, .displaced)) }
        }
        look?.phase = .read(adoptions)
    }

    /// Has a director leave memory that nobody asks for; where `isForced`, also what this node would take over, as where it
    /// has not been loaded yet.
    func unload(_ name: String, isForced: Bool) {
        // Whoever asks for it is answered first.
        guard runs, look == nil, !messages.contains(where: { $0.name == name }) else { return }
        isBusy = isForced
        _ = directory.idle(Placement())
        let idle = directory.idle(isForced ? Placement() : placement)
        guard let row = idle.first(where: { $0.name.director == name }) else { return }
        if let host = host(row.name) {
            let isStreaming = !world.subscribers(of: host).isEmpty && fault != .unloadsSilently
            guard !host.isOwned, !host.life.hasInFlight, !isStreaming else { return }
            hosts[name] = nil
            if fault != .unloadsSilently { messages.append(.retire(host)) }
        }
        if fault != .followsUnloaded { directory.unloaded(row.id) }
    }
}

extension Content {
    /// The number of the newest record of all lives.
    fileprivate var newestSequence: Int { lives.values.compactMap { $0.log.last?.sequence }.max() ?? 0 }
}

extension Content.Life {
    fileprivate func sequence(of record: LifeRecord) -> Int { log[record.number - 1].sequence }
}

extension JournalNode {
    /// The node as a look at a time finds it.
    func at(_ now: Int) -> JournalNode {
        JournalNode(
            number: number, name: name, url: url, state: state, expiresAt: expiresAt, isLiving: expiresAt > now)
    }
}
