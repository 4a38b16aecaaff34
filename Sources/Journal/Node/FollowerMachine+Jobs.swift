import Notation

// What takes long or waits for others, beside looks: taking lives, reading them as a whole, and reading what an owner begins
// with. A look asks for it and does not wait: the lease counts on while a long list is read.
extension FollowerMachine {
    /// Something that is done on a thread and a connection of its own.
    package enum Job: Sendable, Hashable {
        /// Make this node the owner of lives whose owner is gone, unless the owner has renewed its lease since; with the
        /// end of each owner's lease as it was seen. See ``FollowerMachine/took(_:)``.
        case take([LifeRow], leases: [Int: Int])
        /// Read lives as a whole, at one moment; see ``FollowerMachine/loaded(_:number:)``.
        case load([LifeRow])
        /// Read what an owner of lives begins with, at one moment; see ``FollowerMachine/mayAdopt(_:owner:term:number:)``.
        case adopt([LifeRow])
    }

    /// Which jobs are done one after the other: no taking waits until a long list is read.
    package enum Lane: Sendable, CaseIterable {
        /// Taking lives.
        case taking
        /// Reading them.
        case loading
    }

    /// Lives that are read at one moment.
    static let portion = 8

    /// Begins the next job of a lane, to be reported by ``finished(_:)`` or ``failed(_:of:isOfContent:_:)``, between two looks.
    ///
    /// - Returns: Nil where there is none, or one is under way.
    package mutating func nextJob(of lane: Lane, _ now: ContinuousClock.Instant) -> Job? {
        guard jobs.underway[lane] == nil else { return nil }
        let job = lane == .taking ? nextTaking() : nextReading(now)
        jobs.underway[lane] = job
        return job
    }

    private mutating func nextTaking() -> Job? {
        let rows = jobs.orphans
        jobs.orphans = []
        guard !rows.isEmpty, !isLeaving else { return nil }
        let leases = rows.map { ($0.owner, watch.lease(of: $0.owner) ?? 0) }
        return .take(rows, leases: Dictionary(leases) { first, _ in first })
    }

    private mutating func nextReading(_ now: ContinuousClock.Instant) -> Job? {
        if let retryAt = jobs.retryAt, now < retryAt { return nil }
        while let ids = jobs.adoptions.popPortion(Self.portion * 8) {
            let rows = rows(ids) { _ in true }
            if !rows.isEmpty { return .adopt(rows) }
        }
        while let ids = jobs.loads.popPortion(Self.portion) {
            let rows = rows(ids) { _ in true }
            if !rows.isEmpty { return .load(rows) }
        }
        while !jobs.ahead.isEmpty {
            let ids = jobs.ahead.prefix(Self.portion)
            jobs.ahead = jobs.ahead.dropFirst(ids.count)
            let rows = rows(Array(ids)) { $0.standing == .unloaded }.filter { !unreadable.isSetAside($0.id, now) }
            if !rows.isEmpty { return .load(rows) }
        }
        return nil
    }

    private func rows(_ ids: [Int], where isWanted: (LifeDirectory.Life) -> Bool) -> [LifeRow] {
        ids.compactMap { id in directory.lives[id].flatMap { isWanted($0) ? $0.row : nil } }
    }

    /// Whether a job is under way or waits to be begun.
    package var hasJobs: Bool {
        !jobs.underway.isEmpty || !jobs.orphans.isEmpty || !jobs.loads.isEmpty || !jobs.adoptions.isEmpty
            || !jobs.ahead.isEmpty
    }

    /// When a job that has failed is tried again; nil where none waits for that.
    package var jobsRetryAt: ContinuousClock.Instant? { jobs.underway[.loading] == nil && hasJobs ? jobs.retryAt : nil }

    /// Whether nothing is being read that a caller waits for.
    ///
    /// - Parameter names: The directors that the caller asks for; nil for all of those that are here.
    package func isReady(_ names: [String]?) -> Bool {
        if planted.has(.answersUnloaded) { return true }
        guard let names else { return !isReloading }
        return names.allSatisfy { name in directory.ids[Name(name)].map { !jobs.isLoading($0) } ?? true }
    }

    /// Whether a life is read anew that is shown here: what is shown of it is older than the newest look.
    var isReloading: Bool {
        jobs.loading.contains { id in directory.lives[id].map { $0.standing != .unloaded } ?? false }
    }

    // MARK: What is wanted

    /// Has lives read as a whole, but for those that are set aside.
    mutating func load(_ rows: [LifeRow], _ now: ContinuousClock.Instant) {
        for row in rows where !unreadable.isSetAside(row.id, now) {
            directory.awaitLoad(row)
            if !jobs.isLoading(row.id) { jobs.loads.add(row.id) }
        }
    }

    /// Has this node become the writer of lives that are loaded and its own.
    mutating func adopt(_ ids: [Int], _ now: ContinuousClock.Instant) {
        let inDoubt = planted.has(.handoverIsFailure) ? [] : look?.handoversInDoubt ?? []
        for id in ids where !inDoubt.contains(id) && !unreadable.isSetAside(id, now) {
            if !jobs.isLoading(id) && !jobs.isAdopting(id) { jobs.adoptions.add(id) }
        }
    }

    // MARK: Results

    /// Takes note that a life was read as a whole, up to a number.
    ///
    /// - Returns: False where it is over, or is to be handed over: what was read is dropped.
    package mutating func loaded(_ row: LifeRow, number: Int) -> Bool {
        guard let known = directory.lives[row.id], known.standing != .releasing else { return false }
        directory.loaded(known.row, number: number)
        jobs.loads.remove(row.id)
        noteReadable(row.id)
        status.loads += 1
        // Nothing was read of it meanwhile.
        schedule.hinted.insert(row.id)
        return true
    }

    /// Whether this node may write a life, of which was read what an owner begins with.
    ///
    /// All of it was read at one moment: another node may have taken the life before that, or since, and this node must not
    /// write under that node's term.
    ///
    /// - Parameters:
    ///   - owner: The owner at that moment.
    ///   - term: The ownership at that moment.
    ///   - number: The number of the newest record at that moment.
    package func mayAdopt(_ id: Int, owner: Int?, term: Int, number: Int) -> Bool {
        guard let known = directory.lives[id], known.standing != .releasing else { return false }
        // Otherwise there is a record that was not seen yet, or another owner: the next look has it.
        let isOwn = owner == node || planted.has(.adoptsTaken)
        // A look may have found another owner since.
        let isNewest = known.row.owner == node && known.row.term <= term || planted.has(.adoptsLate)
        return isOwn && isNewest && (known.number == number || planted.has(.adoptsUnread))
    }

    /// Takes note that this node writes a life from now on.
    package mutating func adopted(_ id: Int) { directory.adopted(id) }

    /// Takes note that a job is done, after its results.
    package mutating func finished(_ lane: Lane) {
        if case .adopt(let rows)? = jobs.underway[lane] {
            for row in rows where directory.lives[row.id]?.standing == .followed { schedule.hinted.insert(row.id) }
        }
        jobs.underway[lane] = nil
        if lane == .loading { jobs.retryAt = nil }
    }

    /// Takes note that a job has failed, which is tried again. If what is stored cannot be read, the lives are read one by one
    /// then, and a single life is set aside.
    ///
    /// - Parameter isOfContent: Whether it is about what is stored, and not about the database or the way to it.
    package mutating func failed(
        _ error: JournalError, of lane: Lane, isOfContent: Bool, _ now: ContinuousClock.Instant
    ) {
        guard let job = jobs.underway.removeValue(forKey: lane) else { return }
        if !isOfContent, lane == .loading { jobs.retryAt = now + settings.retryDelay }
        switch job {
        // The next look asks again.
        case .take: break
        case .load(let rows):
            if isOfContent, rows.count == 1 { return setAside(rows[0], error.description, now) }
            jobs.loads.addFirst(rows.map(\.id), isAlone: isOfContent)
        case .adopt(let rows):
            if isOfContent, rows.count == 1 { return setAside(rows[0], error.description, now) }
            jobs.adoptions.addFirst(rows.map(\.id), isAlone: isOfContent)
        }
    }
}

/// A node's jobs beside its looks.
struct JobQueue: Sendable {
    /// Lives that are to be read as a whole: somebody waits for them.
    var loads = LifeQueue()
    /// Lives of which is to be read what an owner begins with.
    var adoptions = LifeQueue()
    /// Lives that this node would take over, and that are read where there is nothing else to do.
    var ahead: ArraySlice<Int> = []
    /// The nodes that these were found among.
    var heirs: Set<Int> = []
    /// Lives whose owner is gone.
    var orphans: [LifeRow] = []
    /// The jobs that are under way.
    var underway: [FollowerMachine.Lane: FollowerMachine.Job] = [:]
    /// When reading is tried again, which has failed.
    var retryAt: ContinuousClock.Instant?

    /// The lives that are read as a whole, or are to be.
    var loading: [Int] {
        guard case .load(let rows)? = underway[.loading] else { return loads.ids }
        return rows.map(\.id) + loads.ids
    }

    /// Whether a life is read as a whole, or is to be because somebody waits for it.
    func isLoading(_ id: Int) -> Bool {
        if loads.contains(id) { return true }
        guard case .load(let rows)? = underway[.loading] else { return false }
        return rows.contains { $0.id == id }
    }

    /// Whether what an owner of a life begins with is read at this moment.
    func isAdopting(_ id: Int) -> Bool {
        guard case .adopt(let rows)? = underway[.loading] else { return false }
        return rows.contains { $0.id == id }
    }
}

/// Numbers of lives in an order, each once.
struct LifeQueue: Sendable {
    /// The numbers, in their order.
    private(set) var ids: [Int] = []
    private var members: Set<Int> = []
    /// The lives that are taken by themselves.
    private var alone: Set<Int> = []

    var isEmpty: Bool { ids.isEmpty }

    func contains(_ id: Int) -> Bool { members.contains(id) }

    /// Adds a life at the end, unless it is there.
    mutating func add(_ id: Int) { if members.insert(id).inserted { ids.append(id) } }

    /// Puts lives before all others.
    mutating func addFirst(_ ids: [Int], isAlone: Bool) {
        for id in ids { remove(id) }
        members.formUnion(ids)
        if isAlone { alone.formUnion(ids) }
        self.ids = ids + self.ids
    }

    /// Removes a life.
    mutating func remove(_ id: Int) {
        guard members.remove(id) != nil else { return }
        alone.remove(id)
        ids.removeAll { $0 == id }
    }

    /// Takes the first lives, so many at most; one that is taken by itself is not among others. Nil where there is none.
    mutating func popPortion(_ count: Int) -> [Int]? {
        guard let first = ids.first else { return nil }
        let portion = alone.contains(first) ? [first] : Array(ids.prefix(count).prefix { !alone.contains($0) })
        ids.removeFirst(portion.count)
        members.subtract(portion)
        alone.subtract(portion)
        return portion
    }
}
