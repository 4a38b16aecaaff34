import DequeModule
import Notation

/// A node's following of a shared journal, as a value: looks, results and times in, actions out.
///
/// It decides what is looked at, read, taken, adopted, handed over, set aside and unloaded. It has no connection, no thread
/// and no clock. A driver begins a look and takes one action after the other from ``next(_:)``. It reports the
/// result of an action, or its failure, before it asks for the next. Asking for the next action says that
/// the one before is done. Calls in between looks (``handedOver(_:_:)``, ``restart(_:)``) may leave actions as well.
///
/// A look is short: it reads which lives there are and the records behind what is known. Reading a life as a whole,
/// reading what an owner begins with, and taking lives are jobs beside looks; see ``nextJob(of:_:)``.
package struct FollowerMachine: Sendable {
    /// What a driver does next.
    package enum Action: Sendable {
        // In the database.

        /// Open a connection on which other nodes' notifications are heard.
        case connect
        /// Write something that waits for the standbys like a commit: records seen afterwards are as durable as
        /// acknowledged ones. A primary that was just started may show a record that no standby has.
        case waitForStandbys
        /// Read the nodes, the tokens' digest and the lives of a scope; see ``FollowerMachine/looked(_:_:holds:writing:)``.
        case look(LifeDirectory.Scope)
        /// Read records; see ``FollowerMachine/isNext(_:of:)`` and ``FollowerMachine/performed(_:through:)``.
        case fetch([Fetch])
        /// Read the tokens.
        case readTokens
        /// Write this node's state, and notify the others.
        case setState(JournalNode.State)
        /// Have the rows deleted of lives that have ended under nodes that are gone.
        case sweep

        // On this node.

        /// Find out whether a node's port refuses connections; see ``FollowerMachine/refused(_:lease:_:)``.
        case probe(JournalNode, lease: Int)
        /// Note that lives that were begun here are found.
        case found([Int])
        /// Give up the writing of a life.
        case disown(LifeRow)
        /// Tell what shows lives that other nodes have taken them.
        case lose([LifeName])
        /// Wait no more for what is in flight of a life that was to be handed over.
        case letGo(LifeName)
        /// End a life that is over.
        case end(LifeName)
        /// Show a life no more, since it cannot be read; with nil, it can, or is over.
        case setAside(LifeName, because: String?)
        /// Unload lives that nobody needs; see ``FollowerMachine/unloaded(_:)``.
        case unload([LifeRow])
        /// Have lives released, and then given to other nodes; see ``FollowerMachine/handedOver(_:_:)``.
        case release([Handover])
        /// Notify the other nodes of lives.
        case hint([Int])
        /// Tell the nodes and the changed owners of directors, where there is a change.
        case place([Int: JournalNode], owners: [Name: Int?])
        /// Count the lease until then: everything was looked at since it was renewed.
        case extendLease(until: ContinuousClock.Instant)
        /// Tell the callers that have waited for the look: it is over, or has failed.
        case answer(JournalError?)
    }

    /// Records of a life that are to be read.
    package struct Fetch: Sendable, Hashable {
        /// The life.
        package let row: LifeRow
        /// The number of the record before the first.
        package let after: Int
    }

    /// A life that is to be given to another node.
    package struct Handover: Sendable, Hashable {
        /// The life.
        package let row: LifeRow
        /// The node that is to own it.
        package let node: Int
    }

    /// Which node this is.
    package var node: Int { directory.node }
    /// How it follows.
    package var settings: SharingSettings
    /// The lives that are known.
    package var directory: LifeDirectory
    /// The state of the following, without the nodes and owners.
    package internal(set) var status = SharingStatus()

    /// The parts of this look still to be done, in order.
    var works: Deque<Work> = []
    /// The driver's actions before the next part.
    var actions: Deque<Action> = []
    var look: LookUnderway?
    /// The driver's present reading, and the reading of the last of its actions to come.
    var reading: Reading?
    var asked: Reading?
    package var isConnected = false
    /// What is done beside looks.
    var jobs = JobQueue()
    package internal(set) var schedule: LookSchedule
    var unreadable = UnreadableLives()
    /// The lives whose rows the last look at everything could not read, and looks at some lives since: the next one reads them
    /// whether or not they have changed.
    package internal(set) var damagedRows: Set<Int> = []
    /// The lives of which the database has lost records that it had; see ``whole(_:_:)``.
    var setBack: [Int: LifeName] = [:]
    /// The rows of the lives, as the last look at everything has left them.
    package internal(set) var image = LifeImage()
    /// The nodes of the newest look, without the owners.
    package internal(set) var placement = Placement()
    /// Which of them live.
    var watch: NodeWatch
    /// Since when each node has taken part, as this one has seen it.
    var serving: [Int: ContinuousClock.Instant] = [:]
    /// The nodes that were told last.
    var toldNodes: [Int: JournalNode] = [:]
    /// Until when this node holds its lease, as the last look at everything has extended it; nil before the first.
    var heldUntil: ContinuousClock.Instant?
    /// The digest of the tokens that were read last; nil where they have to be read.
    var tokenDigest: [Int]?
    /// Whether it owns directors, from when the other nodes reach it.
    package var takesPart = false
    package internal(set) var isLeaving = false
    let planted: PlantedFaults

    /// Makes the machine of a node that knows nothing yet.
    ///
    /// - Parameter lease: How long a node's lease lasts.
    package init(
        node: Int, _ settings: SharingSettings, lease: Duration, now: ContinuousClock.Instant,
        planted: PlantedFaults = PlantedFaults()
    ) {
        self.settings = settings
        self.planted = planted
        watch = NodeWatch(length: lease, planted)
        directory = LifeDirectory(node: node)
        schedule = LookSchedule(now: now, idle: settings.idle)
    }

    // MARK: Looks

    /// When the next look is due.
    package func deadline(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant { schedule.deadline(now) }

    /// Why callers are refused at this moment without a look; nil where one is made. The last look has just failed.
    package func refusal(_ now: ContinuousClock.Instant) -> String? {
        guard let retryAt = schedule.retryAt, now < retryAt else { return nil }
        return status.failure ?? "the database is away"
    }

    /// Begins a look at what is due: at everything, at lives that were hinted at, or at directors that are asked for.
    ///
    /// - Parameters:
    ///   - names: The directors that callers ask for.
    ///   - isAll: Whether a caller asks for everything.
    ///   - isConnected: Whether the connection is there that the last look has left.
    package mutating func begin(
        _ now: ContinuousClock.Instant, _ names: Set<Name>, isAll: Bool, isConnected: Bool
    ) {
        self.isConnected = isConnected
        look = LookUnderway(began: now, names: names, wasConnected: isConnected)
        // Past the lease a token may have been revoked, and only a look at everything reads the tokens.
        let hasLapsed = heldUntil.map { now >= $0 } ?? true
        let isDue = (hasLapsed || now >= schedule.nextLook) && !planted.has(.hintsAlone)
        if isAll || isDue || !isConnected {
            works = [.look(.all), .end]
        } else if !names.isEmpty || !schedule.hinted.isEmpty {
            works = [.look(.some(ids: schedule.hinted, names: names)), .end]
        } else {
            works = [.end]
        }
    }

    /// The next action; nil where nothing is left to do.
    package mutating func next(_ now: ContinuousClock.Instant) -> Action? {
        finishReading(now)
        while actions.isEmpty, let work = works.popFirst() { perform(work, now) }
        let action = actions.popFirst()
        if actions.isEmpty { (reading, asked) = (asked, nil) }
        return action
    }

    /// Takes note that the driver's last action has failed.
    ///
    /// A connection that turns out to be closed, or on which no answer comes in time, is replaced once, at once: the database
    /// may be well. Lives that cannot be read together for what is stored are read one by one.
    ///
    /// - Parameters:
    ///   - isOfContent: Whether it is about what is stored, and not about the database or the way to it.
    ///   - isLost: Whether the connection is lost.
    package mutating func failed(
        _ error: JournalError, isOfContent: Bool, isLost: Bool, _ now: ContinuousClock.Instant
    ) {
        isConnected = false
        defer { (reading, asked) = (nil, nil) }
        if isOfContent, let rows = reading?.rows, !planted.has(.unreadableFailsLook) {
            look?.wasConnected = false
            return split(rows, error.description, now)
        }
        actions = []
        if isLost, look?.wasConnected == true {
            look?.wasConnected = false
            works = [.look(.all), .end]
            return
        }
        works = []
        look = nil
        schedule.failed(now, retryDelay: settings.retryDelay)
        status.failure = error.description
        actions = [.answer(planted.has(.failedLookAnswers) ? nil : error)]
    }

    // MARK: Between looks

    /// Takes note that another node has stored something of a life.
    package mutating func hint(_ life: Int) { schedule.hinted.insert(life) }

    /// Has the next look be at everything, and come soon.
    package mutating func lookSoon(_ now: ContinuousClock.Instant) { schedule.nextLook = now }

    /// Takes note that a node's port refuses connections, on ``Action/probe(_:lease:)``: the node has ended.
    package mutating func refused(_ node: Int, lease: Int, _ now: ContinuousClock.Instant) {
        if watch.noteGone(node, lease: lease) { lookSoon(now) }
    }

    /// The nodes by number, as the last look at everything has found them.
    package var nodes: [Int: JournalNode] { placement.nodes }

    /// The end of a node's lease, as the last look has found it; nil for a node that was not registered.
    package func lease(of node: Int) -> Int? { watch.lease(of: node) }

    /// Has the next look at everything read the tokens anew: this node has changed them itself.
    ///
    /// Their digest may be what it was at the last look: where a token was made here and another node has revoked it.
    package mutating func forgetTokens() { tokenDigest = nil }

    /// Has a life read anew whose records could not be performed.
    package mutating func restart(_ life: LifeName) {
        if let id = directory.restart(life) { schedule.hinted.insert(id) }
    }

    /// Takes part from now on.
    package mutating func serve(_ now: ContinuousClock.Instant) {
        takesPart = true
        schedule.nextLook = now
    }

    /// Begins to leave: says so, looks at everything, and hands over every life that this node owns.
    ///
    /// The last action is ``Action/release(_:)``, also where it owns none, or ``Action/answer(_:)`` with an error.
    package mutating func leave(_ now: ContinuousClock.Instant, isConnected: Bool) {
        self.isConnected = isConnected
        isLeaving = true
        look = LookUnderway(began: now, names: [], wasConnected: false)
        works = [.setState(.leaving), .look(.all), .giveAll, .end]
    }
}
