import DequeModule
import Notation

extension FollowerMachine {
    /// A part of a look.
    enum Work: Sendable {
        case connect
        case look(LifeDirectory.Scope)
        case fetch([Fetch])
        case retryUnreadable
        case loadAsked
        /// Loads what this node would take over, where there is nothing else to do: of the lives that have changed, or of all.
        case loadAhead(Set<Int>?)
        case tokens([Int])
        case takeOrphans
        case give
        case giveAll
        case sweep
        case unloadIdle
        case tellPlacement
        case hint([Int])
        case setState(JournalNode.State)
        case end
    }

    /// A look that has begun.
    struct LookUnderway: Sendable {
        let began: ContinuousClock.Instant
        let names: Set<Name>
        /// Whether the connection was there before, and was not replaced yet.
        var wasConnected: Bool
        /// The facts from before the newest reading of lives.
        var handoversInDoubt: Set<Int> = []
        /// The lease that counts once everything was looked at; nil for a look at some lives.
        var leaseEnd: ContinuousClock.Instant?
        /// How long until the first lease of another node may run out.
        var wakeUp = Duration.zero
    }

    /// Does a part of a look, as far as no action of the driver's is needed.
    mutating func perform(_ work: Work, _ now: ContinuousClock.Instant) {
        switch work {
        case .connect: connect()
        case .look(let scope): beginReading(scope)
        case .fetch(let fetches): fetch(fetches, now)
        case .retryUnreadable: retryUnreadable(now)
        case .loadAsked:
            let asked = directory.asked(for: look?.names ?? [])
            if !planted.has(.asksUnloaded) { load(asked, now) }
        case .loadAhead(let changed): loadAhead(changed)
        case .tokens(let digest):
            guard digest != tokenDigest else { return }
            ask(.readTokens, reading: .tokens(digest))
        case .takeOrphans: takeOrphans()
        case .give: give(now)
        case .giveAll: release(misplaced(limit: .max))
        case .sweep: sweep(now)
        case .unloadIdle: unloadIdle(now)
        case .tellPlacement: tellPlacement()
        case .hint(let ids): actions.append(.hint(ids))
        case .setState(let state): ask(.setState(state))
        case .end: endLook(now)
        }
    }

    /// Has the driver do something in the database.
    mutating func ask(_ action: Action, reading: Reading? = nil) {
        connect()
        asked = reading
        actions.append(action)
    }

    private mutating func connect() {
        guard !isConnected else { return }
        isConnected = true
        if !planted.has(.trustsImage) { image.forget() }
        actions.append(.connect)
        if !planted.has(.noBarrier) { actions.append(.waitForStandbys) }
    }

    private mutating func beginReading(_ scope: LifeDirectory.Scope) {
        switch scope {
        case .all: schedule.hinted = []
        case .some(let ids, _): schedule.hinted.subtract(ids)
        }
        ask(.look(scope), reading: .look(scope))
    }

    private mutating func loadAhead(_ changed: Set<Int>?) {
        guard settings.loadsAhead else { return }
        let heirs = placement.heirs
        guard let changed, heirs == jobs.heirs else {
            jobs.heirs = heirs
            jobs.ahead = directory.inheritable(placement).map(\.id).sorted()[...]
            return
        }
        jobs.ahead += directory.inheritable(changed, heirs).map(\.id).sorted()
    }

    private mutating func sweep(_ now: ContinuousClock.Instant) {
        let living = placement.nodes.values.filter(\.isLiving).map(\.number)
        guard now >= schedule.nextSweep, living.min() == node else { return }
        schedule.nextSweep = now + settings.sweepInterval
        ask(.sweep)
    }

    private mutating func unloadIdle(_ now: ContinuousClock.Instant) {
        guard now >= schedule.nextUnload else { return }
        schedule.nextUnload = now + settings.idle
        let rows = directory.idle(placement)
        if !rows.isEmpty { actions.append(.unload(rows)) }
    }

    /// Takes note that a life of another node's has left memory.
    package mutating func unloaded(_ id: Int) {
        guard !planted.has(.followsUnloaded) else { return }
        directory.unloaded(id)
        status.unloads += 1
    }

    private mutating func tellPlacement() {
        let changes = directory.takeChangedOwners()
        guard !changes.isEmpty || placement.nodes != toldNodes else { return }
        toldNodes = placement.nodes
        actions.append(.place(placement.nodes, owners: changes))
    }

    private mutating func endLook(_ now: ContinuousClock.Instant) {
        if let look, let leaseEnd = look.leaseEnd {
            heldUntil = leaseEnd
            actions.append(.extendLease(until: leaseEnd))
            if !isReloading { status.lookedAt = look.began }
            schedule.nextLook = now + min(settings.lookInterval, look.wakeUp)
        }
        look = nil
        schedule.retryAt = nil
        status.failure = nil
        actions.append(.answer(nil))
    }
}

/// When what is due.
package struct LookSchedule: Sendable {
    /// Lives whose looks are due, by what has been notified.
    package internal(set) var hinted: Set<Int> = []
    /// When everything is to be looked at again.
    var nextLook: ContinuousClock.Instant
    /// Until when nothing is looked at: the last attempt failed.
    var retryAt: ContinuousClock.Instant?
    /// When rows are looked for again that nobody else deletes.
    var nextSweep: ContinuousClock.Instant
    /// When lives are looked for again that can leave memory.
    var nextUnload: ContinuousClock.Instant

    init(now: ContinuousClock.Instant, idle: Duration) {
        (nextLook, nextSweep, nextUnload) = (now, now, now + idle)
    }

    func deadline(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        max(hinted.isEmpty ? nextLook : now, retryAt ?? now)
    }

    mutating func failed(_ now: ContinuousClock.Instant, retryDelay: Duration) {
        (retryAt, nextLook) = (now + retryDelay, now)
    }
}
