import DirectorLife
import Directors
import Feed
import HTTPWire
import Journal
import Reactor
import Synchronization

/// Runs one director's `DirectorLife` on one event loop: passes it commands and the journal's results, and performs the
/// resulting actions.
///
/// The director's name picks the loop, and whatever touches the director runs there, one thing after the other. A
/// connection of the same loop enters without a hop; any other comes through the loop's queue.
package actor DirectorHost: LoopActor {
    /// The director's name.
    package nonisolated let name: String
    /// Which life of that name.
    package nonisolated let epoch: String
    /// The loop that the director lives on.
    package nonisolated let loop: EventLoop

    /// The rule of a view; nil for a director with content of its own, for as long as it lives.
    package nonisolated let view: HostedView?
    /// The views that follow the director; nil for none.
    var followers: ViewFollowers? { didSet { life.hasViews = followers != nil } }
    /// The properties and adapters that the instances of a view have been told; nil at the beginning.
    var knownDefinition: (properties: DirectorProperties, adapters: AdapterRegistry)?
    /// The facts that any thread may read.
    nonisolated let board: HostBoard

    /// The answers of hooks' targets about the newest version.
    var answerCache = AnswerCache()
    /// The sources that are asked every so often, while this node owns the director.
    var polledSources: [HookLevel: PolledSource] = [:]

    /// Whether the director has sources that are asked when somebody reads.
    var asksAtRead = false
    /// Readers that wait for such sources, which are being asked while there are any.
    var sourceReaders: [WaitingCommand] = []

    // SAFETY: a life is a value that knows no host and calls nobody: it asks for actions, which are done once it has changed.
    @exclusivity(unchecked) private(set) var life: DirectorLife
    var publisher: FeedPublisher
    var openings: OpeningCache
    var searches = ChangeSearches()
    private var requesters = Requesters()
    // SAFETY: actions are added by a life, as above, or exchanged for those that are due.
    @exclusivity(unchecked) private var actions: [LifeAction] = []
    /// The actions that are being done, the next one last; kept for its memory.
    // SAFETY: an action is taken out before it is done.
    @exclusivity(unchecked) private var due: [LifeAction] = []
    // SAFETY: it is read or written in one step.
    @exclusivity(unchecked) private var isRunning = false
    private var snapshots = SnapshotTurns()
    var turns = LongCommandTurns<WaitingCommand>()
    /// Records that are kept back, in order, until that of a command on a pair of directors is handed to the journal; nil at
    /// any other time.
    var heldRecords: [LifeRecord]?
    /// The newest version when a long command has changed the list; nil if none has.
    var longChangeVersion: Int?
    // SAFETY: a tally is numbers, and adds to counters.
    @exclusivity(unchecked) private var tally = DirectorTally()
    /// Whether another host has the director's name, or none has: whoever comes here comes too late.
    // SAFETY: it is read or written in one step.
    @exclusivity(unchecked) private(set) var isRetired = false
    /// Told once nothing is in flight any more, since another node is to own the director.
    private var releasing: (@Sendable () -> Void)?
    let environment: HostEnvironment
    private let journal: LoopJournal

    /// Makes the host of a director that has not been stored yet.
    package init(_ director: Director, loop: EventLoop, environment: HostEnvironment) {
        self.init(
            DirectorLife(creating: director, retention: environment.feed.retention), loop: loop,
            environment: environment)
    }

    /// Makes the host of a director that was read from the journal.
    package init(recovered: RecoveredDirector, loop: EventLoop, environment: HostEnvironment) {
        self.init(
            DirectorLife(recovered: recovered.state, answers: recovered.answers), loop: loop, environment: environment)
    }

    /// Makes the host of a director that another node owns.
    package init(following recovered: RecoveredDirector, loop: EventLoop, environment: HostEnvironment) {
        self.init(DirectorLife(following: recovered.state), loop: loop, environment: environment)
    }

    private init(_ life: DirectorLife, loop: EventLoop, environment: HostEnvironment) {
        name = life.name
        epoch = life.epoch
        view = life.working.derivation.map { HostedView($0) }
        self.life = life
        self.loop = loop
        asksAtRead = life.stored.director.hooks.hasSourcesAtRead
        board = HostBoard(
            HostBoard.Facts(
                version: life.stored.versions.newest.version, isOwned: life.role == .owner,
                isLiving: life.phase == .living, isStoring: life.hasInFlight, isStreaming: false,
                asksAtRead: asksAtRead))
        self.environment = environment
        journal = environment.journal(on: loop)
        publisher = FeedPublisher(feed: environment.feed)
        openings = OpeningCache(maxBytes: environment.feed.windowBytes)
        tally.note(
            versions: life.stored.versions.count, bytes: life.stored.versions.bytes, in: life.phase,
            environment.counters)
    }

    // MARK: Reading

    /// The stored state, as an immutable copy: readers see this.
    package var stored: LifeState { life.stored }

    /// The entity tag of the stored state.
    package var tag: String { life.tag() }

    /// On how many loops the director has subscribers, or some on the way.
    package var hubCount: Int { publisher.count }

    /// Why the director takes no command, or no read, at this moment; nil where it does.
    package func refusal(isRead: Bool) -> LifeRefusal? {
        DirectorLife.refusal(isRead: isRead, life.ending, life.role, life.phase)
    }

    /// Whether this node writes the director's records, a moment ago; from any thread.
    package nonisolated var isOwned: Bool { board.isOwned }

    /// Whether the director's beginning is stored, and its end not in flight to the journal, a moment ago; from any thread.
    /// Otherwise another node may have begun a director of the name.
    package nonisolated var isLiving: Bool { board.facts.isLiving }

    /// Whether something is in flight to the journal, a moment ago; from any thread. Other nodes may have seen it already.
    package nonisolated var isStoring: Bool { board.facts.isStoring }

    /// Whether somebody subscribes, or is on the way, a moment ago; from any thread.
    package nonisolated var isStreaming: Bool { board.facts.isStreaming }

    /// Publishes the facts that any thread may read.
    func publishFacts() {
        // One fact after the other, as in the initializer: the life as an argument is copied, inlined or not.
        board.publish(
            HostBoard.Facts(
                version: life.stored.versions.newest.version, isOwned: life.role == .owner,
                isLiving: life.phase == .living, isStoring: life.hasInFlight,
                isStreaming: !publisher.isEmpty || followers != nil, asksAtRead: asksAtRead))
    }

    // MARK: Commands

    /// Begins a command; see `DirectorLife.draft(cause:)`.
    package func draft(cause: String? = nil) -> LifeDraft {
        // As the life does it, without a copy of the life.
        LifeDraft(life.working, published: life.stored.versions.newest, cause: cause)
    }

    /// Accepts a command.
    ///
    /// - Parameters:
    ///   - draft: What it did.
    ///   - answer: The answer to keep for its repetitions; nil where it has no key.
    ///   - completion: Called once, on this loop, when the command and all before it are stored; with an error where it
    ///     did not happen. At once, before this returns, where nothing has to be waited for.
    package func commit(
        _ draft: LifeDraft, answer: StoredAnswer? = nil, completion: @escaping @Sendable (StorageError?) -> Void
    ) {
        let id = life.commit(draft, answer: answer, into: &actions)
        requesters.add(id, completion)
        run()
    }

    /// Whether nodes of an earlier version may be unable to read what a command stores.
    ///
    /// - Complexity: The cost of `LifeDraft.contentVersion(since:)` while such nodes may run; else O(1).
    package func isUnreadableForEarlierNodes(_ draft: LifeDraft) -> Bool {
        guard let known = environment.cluster?.contentVersion, known < ContentVersion.newest else { return false }
        return draft.contentVersion(since: life.working) > known
    }

    /// Looks up what a command's key means.
    package func lookUp(_ key: CommandKey) -> AnswerStore.Lookup { life.lookUp(key, now: StoreClock.now()) }

    /// Notes that a command with this key waits for others before it is committed or abandoned.
    package func begin(_ key: CommandKey) { life.begin(key) }

    /// Gives up a command that was begun.
    package func abandon(_ key: CommandKey) { life.abandon(key) }

    /// Takes note of what became of the oldest record in flight.
    func settle(_ result: Result<Void, StorageError>) {
        let number = life.stored.number
        switch result {
        case .success:
            life.stored(isSnapshotDue: environment.journal.isSnapshotDue(for: name), into: &actions)
        case .failure(let error):
            life.lost(error, into: &actions)
        }
        if life.stored.number != number { environment.counters.mutations.add() }
        catchUp { life, actions throws in try life.catchUp(into: &actions) }
    }

    // MARK: Other nodes

    /// Takes no command any more.
    ///
    /// - Parameter completion: Called once when nothing is in flight.
    package func resign(then completion: (@Sendable () -> Void)? = nil) {
        releasing?()
        releasing = completion
        catchUp { life, _ in life.resign() }
    }

    /// Answers the commands that wait for storing as in doubt.
    package func leaveInDoubt() {
        for completion in requesters.takeAll() {
            completion(.inDoubt("the database has not answered while this node's lease has run out"))
        }
    }

    /// Lets go of the director since another host has its name now, or none: its streams end, and come back to the one that
    /// has it then.
    package func retire() {
        publisher.append(StreamEvent.moved(name), version: life.stored.versions.newest.version, end: .moved)
        publisher.releaseAll()
        isRetired = true
        endViews(.moved)
        note(in: .over)
        BackgroundRelease.release(life.stored, afterTurnOf: loop)
    }

    /// Changes the life by what other nodes have done, and does what it asks for.
    func catchUp(_ change: (inout DirectorLife, inout [LifeAction]) throws -> Void) {
        let role = life.role
        defer { if life.role != role, !life.stored.director.hooks.isEmpty { followSources(afterStart: true) } }
        do {
            try change(&life, &actions)
        } catch {
            environment.cluster?.cannotFollow(LifeName(director: name, epoch: epoch), error)
        }
        run()
        if let releasing, !life.hasInFlight {
            self.releasing = nil
            releasing()
        }
    }

    /// Counts what is retained for the director now.
    private func note(in phase: DirectorLife.Phase) {
        tally.note(
            versions: life.stored.versions.count, bytes: life.stored.versions.bytes, in: phase, environment.counters)
    }

    // MARK: Actions

    /// Does what the life has asked for, in order, and what it asks for meanwhile.
    private func run() {
        publishFacts()
        if let view { updateView(view) }
        // Before anyone is answered: who has an answer finds the gauges as it says.
        note(in: isRetired ? .over : life.phase)
        guard !isRunning else { return }
        isRunning = true
        while !actions.isEmpty {
            swap(&actions, &due)
            due.reverse()
            while let action = due.popLast() { perform(action) }
        }
        isRunning = false
    }

    private func perform(_ action: consuming LifeAction) {
        switch action {
        case .store(let record): if heldRecords == nil { store(record) } else { heldRecords?.append(record) }
        case .publish(let change): publish(change)
        case .outdateAnswers: answerCache.clear()
        case .hooksChanged(let changes):
            environment.hooks?.dispatcher.note(changes, director: name, epoch: epoch)
            followSources()
            // The director's own subscribers are not told of them.
            if changes.areOfViews { followers?.tell(.defined(definitionForViews)) }
        case .answer(let id, let error): requesters.take(id)?(error)
        case .snapshot(let state): snapshot(state)
        case .release(let states): BackgroundRelease.release(states, afterTurnOf: loop)
        case .releaseAll(let state): BackgroundRelease.release(state, afterTurnOf: loop)
        case .forget:
            environment.registry.remove(self)
            endViews(.over)
        }
    }

    /// Hands a record to the journal.
    func store(_ record: consuming LifeRecord) {
        journal.onLoop((record, self)) { $0.append($1.0, of: $1.1) }
    }

    /// Has a snapshot made; of several that are asked for while one is being made, the newest.
    private func snapshot(_ state: LifeState) {
        guard snapshots.want() else { return }
        makeSnapshot(of: state)
    }

    private func makeSnapshot(of state: LifeState) {
        environment.journal.snapshot(state) { [weak self] in self?.send { $0.snapshotHasEnded() } }
    }

    private func snapshotHasEnded() {
        switch snapshots.end(isLiving: life.phase == .living) {
        case .snapshot: makeSnapshot(of: life.stored)
        case .tell(let waiting): for completion in waiting { completion() }
        }
    }

    /// Has a snapshot made where the next start would be much quicker with it, and calls back once none is being made.
    ///
    /// - Parameter isLong: Whether the log is long; one that costs much to perform again has a snapshot too.
    package func shortenLog(isLong: Bool, then completion: @escaping @Sendable () -> Void) {
        if !snapshots.isMaking, isLong || life.stored.isReplayWorthSnapshot, life.refusal(isRead: false) == nil {
            snapshot(life.stored)
        }
        if !snapshots.wait(completion) { completion() }
    }

    private func publish(_ change: StreamChange) {
        openings.clear(oldestRetained: life.stored.versions.oldest)
        switch change {
        case .published(let version):
            // Where nobody listens, a changeset that is too long to be retained is never encoded.
            let frame = version.frame ?? (publisher.isEmpty ? nil : version.encoded)
            environment.counters.versions.add()
            tally.note(evaluations: life.stored.director.evaluations, environment.counters)
            environment.counters.changesetBytes.add(frame?.chunk.count ?? 0)
            if let frame { publisher.append(frame, version: version.change.version) }
            if let followers, let facts = version.facts {
                followers.tell(.version(sourceVersion(version.change, facts)))
            }
        case .defined(let frame, let version):
            publisher.append(frame, version: version)
            if view == nil { followers?.tell(.defined(definitionForViews)) }
        case .announced(let event, let version):
            publisher.append(event.frame, version: version)
            // An element stands elsewhere in a view, or not at all.
            if event.name == .refresh { followers?.tell(.refresh) }
            environment.cluster?.announce(event.name, of: self, Array(event.frame.json), version: version)
        case .ended(let version):
            publisher.append(StreamEvent.deleted(name), version: version, end: .over)
            publisher.releaseAll()
        }
    }
}
