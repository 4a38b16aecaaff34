import DirectorLife
import Journal
import Notation

/// What the following thread has read, and its machine does not know of yet.
enum Found {
    case rows(FollowerMachine.Found)
    case records([(row: LifeRow, records: [LifeRecord])])
    case lives([(row: LifeRow, state: LifeState, number: Int)])
    case ownership([Content.Life])
    case taken(Set<Int>)
}

// The driver of the machine that the server runs: each reading takes its time, in which other threads go on.
extension ClusterNode {
    /// Begins a look, and goes on with it to its first reading.
    ///
    /// - Parameters:
    ///   - isAll: Whether a caller asks for everything.
    ///   - takes: Whether directors are taken whose owner is gone.
    ///   - gives: Whether those are handed over as well that belong elsewhere.
    func beginLook(atAll isAll: Bool, takes: Bool = false, gives: Bool = false) throws {
        guard runs, callers == nil else { return }
        for (lives, given) in jobs {
            follower.handedOver(lives, given)
            try performActions()
        }
        jobs = []
        follower.settings.settling = gives ? .zero : .seconds(1_000_000)
        follower.takesPart = takes || gives
        let asking = waiting + loading.filter(isReady)
        loading = loading.filter { !isReady($0) }
        let names = Set(texts: asking.compactMap(\.name))
        (callers, waiting) = (asking, [])
        follower.begin(world.instant(), names, isAll: isAll, isConnected: follower.isConnected)
        try performActions()
    }

    /// Takes what was read, and goes on to the next reading; after the look, goes on with the jobs beside it.
    func goOnLooking() throws {
        guard runs else { return }
        if callers != nil { try performActions() } else { try work() }
    }

    func performActions() throws {
        if let found { try take(found) }
        found = nil
        while let action = follower.next(world.instant()) {
            if case .answer(let error) = action { return try answerCallers(error) }
            do throws(JournalError) {
                found = try read(action)
                if found != nil { return }
                try write(action)
            } catch {
                follower.failed(error, isOfContent: error.isOfContent, isLost: isAway, world.instant())
                continue
            }
            try perform(action)
        }
    }

    /// Looks, from beginning to end, with the jobs that come of it and the looks that these ask for.
    func lookThrough(atAll isAll: Bool, takes: Bool = false, gives: Bool = false) throws {
        try beginLook(atAll: isAll, takes: takes, gives: gives)
        try finishLook()
        for _ in 0..<100 where runs && (follower.hasJobs || !follower.schedule.hinted.isEmpty) {
            for _ in 0..<2 * FollowerMachine.Lane.allCases.count { try work() }
            try beginLook(atAll: false, takes: takes, gives: gives)
            try finishLook()
        }
    }

    func finishLook() throws { while callers != nil, runs { try goOnLooking() } }

    /// Hands everything over, and takes nothing any more.
    func leave() throws {
        guard runs, callers == nil, !follower.isLeaving else { return }
        callers = []
        follower.leave(world.instant(), isConnected: follower.isConnected)
        try finishLook()
    }

    /// Loses the follower's connection, and what was read with it; the database may be away for longer than that.
    func loseLook(isAway: Bool) throws {
        guard callers != nil else {
            follower.isConnected = false
            return
        }
        found = nil
        follower.failed(.unavailable("the connection is lost"), isOfContent: false, isLost: true, world.instant())
        self.isAway = isAway
        defer { self.isAway = false }
        if isAway { try finishLook() }
    }

    private func answerCallers(_ error: JournalError?) throws {
        defer { callers = nil }
        if world.planted == .globalCursor { cursor = database.seen.newestSequence }
        guard let error else {
            messages += (callers ?? []).filter(isReady)
            loading += (callers ?? []).filter { !isReady($0) }
            return
        }
        try require(!error.isOfContent, "a look fails for what is stored of one director: \(error)")
        refuse(callers ?? [])
    }

    private func isReady(_ caller: Message) -> Bool { follower.isReady(caller.name.map { [$0] } ?? []) }

    /// Refuses those who wait for a director to be loaded.
    func refuseLoading() {
        refuse(loading)
        loading = []
    }

    func refuse(_ callers: [Message]) {
        for case .connect(let request) in callers { request.subscriber.disconnect() }
    }

    // MARK: The database

    private func read(_ action: FollowerMachine.Action) throws(JournalError) -> Found? {
        if isAway { throw .unavailable("the database is away") }
        switch action {
        case .look(let scope):
            let changed = changed(scope)
            let rows = database.seen.lives.values.filter {
                !$0.isEnded && changed?.contains($0.id) ?? scope.has($0)
            }.map(database.row)
            for case .damaged(let id, _, _) in rows { foundDamaged.insert(id) }
            for case .life(let row) in rows { foundDamaged.remove(row.id) }
            guard case .all = scope else { return .rows(.init(writing.lookStart, rows: rows)) }
            let nodes = database.nodes.values.map { row in
                let isConnected = world.slots.contains { $0.number == row.node.number && $0.condition == .runs }
                let node = row.node.with(isLiving: row.node.expiresAt > world.now + database.clockLead)
                return FollowerMachine.FoundNode(node, lease: row.lease, isConnected: isConnected)
            }
            return .rows(
                .init(
                    writing.lookStart, rows: rows, nodes: nodes, changed: changed, position: database.seen.newestNote))
        case .fetch(let fetches):
            return .records(try fetches.map { fetch throws(JournalError) in (fetch.row, try records(fetch)) })
        default: return nil
        }
    }

    /// The lives that a look at everything reads, by the notes of changes; nil for all of the scope.
    private func changed(_ scope: LifeDirectory.Scope) -> Set<Int>? {
        guard case .all = scope, let position = follower.image.position(world.instant()) else { return nil }
        return Set(database.seen.notes.filter { $0.value > position }.keys).union(follower.damagedRows)
    }

    private func records(_ fetch: FollowerMachine.Fetch) throws(JournalError) -> [LifeRecord] {
        try database.checkReadable(fetch.row.id)
        guard let life = database.seen.lives[fetch.row.id] else { return [] }
        let records = life.records(after: fetch.after)
        guard world.planted == .globalCursor else { return records }
        return records.filter { life.log[$0.number - 1].sequence > cursor }
    }

    func waitForStandbys() throws(JournalError) {
        do {
            try database.write([], fence: number) { _ in }
        } catch {
            throw .unavailable("\(error)")
        }
        guard database.seen.fences[number] != nil else { throw .unavailable("the registration is gone") }
    }

    private func write(_ action: FollowerMachine.Action) throws(JournalError) {
        switch action {
        case .waitForStandbys: try waitForStandbys()
        case .setState(let state):
            database.setState(number, state)
        default: break
        }
    }

    // MARK: Results

    func take(_ found: Found) throws {
        switch found {
        case .rows(let rows):
            follower.looked(
                rows, world.instant(), holds: { host($0) != nil }, writing: { writing.writing($0) })
        case .records(let lives):
            for (row, records) in lives {
                guard let first = records.first, follower.isNext(first.number, of: row.id) else { continue }
                if let host = host(row.name) { messages.append(.follow(host, records)) }
                follower.performed(row.id, through: first.number + records.count - 1)
            }
        case .lives(let lives):
            for (row, state, number) in lives where follower.loaded(row, number: number) {
                let host = Host(DirectorLife(following: state))
                let earlier = hosts.updateValue(host, forKey: row.name.director)
                if let earlier {
                    messages.append(earlier.name == host.name ? .retire(earlier) : .end(earlier, .displaced))
                }
            }
        case .ownership(let lives):
            for life in lives
            where follower.mayAdopt(life.id, owner: life.owner, term: life.term, number: life.head) {
                adopt(life)
            }
        case .taken(let ids): follower.took(ids)
        }
    }

    private func adopt(_ life: Content.Life) {
        follower.adopted(life.id)
        var index = LifeIndex.Life(
            id: life.id, director: life.name.director, epoch: life.name.epoch, term: life.term, number: life.head)
        index.answer = life.answers.last?.id ?? 0
        writing.own(index, [])
        guard let host = host(life.name) else { return }
        messages.append(.inherit(host, life.answers.compactMap(\.change.record.answer), ownership: life.term))
    }

    // MARK: What is told

    private func perform(_ action: FollowerMachine.Action) throws(Violation) {
        switch action {
        case .found(let lives): writing.found(lives)
        case .disown(let row): writing.disown(row)
        case .lose(let lives): for host in lives.compactMap(host) { lose(host, .lose(host)) }
        case .letGo(let life): if let host = host(life) { lose(host, .lose(host)) }
        case .end(let life): if let host = host(life) { lose(host, .end(host, .over)) }
        case .setAside(let life, nil): setAside.remove(life.director)
        case .setAside(let life, _): setAside.insert(life.director)
        case .release(let lives): try release(lives)
        case .probe(let node, let lease): world.probe(node.number, lease: lease, for: self)
        case .hint(let lives): world.hint(Set(lives), from: self)
        case .extendLease(let end): writing.extendLease(until: end)
        default: break
        }
    }

    /// Ends the ownership of a host, which other threads see before its loop does.
    private func lose(_ host: Host, _ message: Message) {
        if world.surrounding != .losesLater { host.losses += 1 }
        messages.append(message)
    }

    /// Has lives released here, and then given to other nodes.
    private func release(_ lives: [FollowerMachine.Handover]) throws(Violation) {
        let isReadable = follower.isLeaving || !lives.contains { foundDamaged.contains($0.row.id) }
        try require(isReadable, "a director is given away whose row cannot be read")
        guard !lives.isEmpty else { return }
        let hosts = lives.compactMap { host($0.row.name) }
        let release = Release(lives, left: hosts.count)
        guard !hosts.isEmpty, world.surrounding != .givesUnresigned else { return queueGiving(release) }
        for host in hosts { lose(host, .resign(host, release)) }
    }

    /// Unloads a director that nobody asks for. With `isForced`, a director that this node would take over is unloaded too, as
    /// before its first load.
    func unload(_ name: String, isForced: Bool) {
        // Whoever asks for it is answered first.
        guard runs, callers == nil, !messages.contains(where: { $0.name == name }) else { return }
        follower.settings.loadsAhead = !isForced
        _ = follower.directory.idle(Placement())
        let idle = follower.directory.idle(isForced ? Placement() : follower.placement)
        guard let row = idle.first(where: { $0.name.director == name }) else { return }
        if let host = host(row.name) {
            let isSilent = world.surrounding == .unloadsSilently
            let isStreaming = !world.subscribers(of: host).isEmpty && !isSilent
            guard !host.isOwned, !host.life.hasInFlight, !isStreaming else { return }
            hosts[name] = nil
            if !isSilent { messages.append(.retire(host)) }
        }
        follower.unloaded(row.id)
    }
}

extension JournalError {
    /// Whether it is about what is stored.
    var isOfContent: Bool { if case .damaged = self { true } else { false } }
}

extension LifeDirectory.Scope {
    /// Whether a life is looked at.
    fileprivate func has(_ life: Content.Life) -> Bool {
        switch self {
        case .all: true
        case .some(let ids, let names): ids.contains(life.id) || names.contains(life.name.director)
        }
    }
}
