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

    /// The newest version that is stored; see ``newestVersion``.
    private nonisolated let newest: Atomic<Int>
    /// See ``isOwned``, ``isStoring`` and ``isLiving``.
    private nonisolated let owned: Atomic<Bool>
    private nonisolated let storing = Atomic<Bool>(false)
    private nonisolated let living: Atomic<Bool>
    /// See ``isStreaming``.
    private nonisolated let streaming = Atomic<Bool>(false)
    /// Messages on their way to the loop that end the ownership.
    private nonisolated let losses = Atomic<Int>(0)

    /// The answers of hooks' targets about the newest version.
    var answerCache = AnswerCache()

    private var life: DirectorLife
    private var publisher: FeedPublisher
    private var openings: OpeningCache
    private var requesters = Requesters()
    private var actions: [LifeAction] = []
    private var isRunning = false
    /// Whether a snapshot is being made, and whether another one is asked for meanwhile.
    private var isSnapshotting = false
    private var isSnapshotWanted = false
    /// The callers that wait until no snapshot is being made.
    private var awaitingSnapshot: [@Sendable () -> Void] = []
    /// The callers that wait for the changeset from one version to another.
    private var comparing: [Range<Int>: [@Sendable (Opening.Event.Content) -> Void]] = [:]
    private var tally = DirectorTally()
    /// Whether another host has the director's name, or none has: whoever comes here comes too late.
    private var isRetired = false
    /// Told once nothing is in flight any more, since another node is to own the director.
    private var releasing: (@Sendable () -> Void)?
    private let environment: HostEnvironment
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
        self.life = life
        self.loop = loop
        newest = Atomic(life.stored.versions.newest.version)
        owned = Atomic(life.role == .owner)
        living = Atomic(life.phase == .living)
        self.environment = environment
        journal = environment.journal(on: loop)
        publisher = FeedPublisher(feed: environment.feed)
        openings = OpeningCache(maxBytes: environment.feed.windowBytes)
        note(in: life.phase)
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
    package nonisolated var isOwned: Bool {
        owned.load(ordering: .acquiring) && losses.load(ordering: .acquiring) == 0
    }

    /// Whether the director's beginning is stored, and its end not in flight to the journal, a moment ago; from any thread.
    /// Otherwise another node may have begun a director of the name.
    package nonisolated var isLiving: Bool { living.load(ordering: .acquiring) }

    /// Whether something is in flight to the journal, a moment ago; from any thread. Other nodes may have seen it already.
    package nonisolated var isStoring: Bool { storing.load(ordering: .relaxed) }

    /// Whether somebody subscribes, or is on the way, a moment ago; from any thread.
    package nonisolated var isStreaming: Bool { streaming.load(ordering: .relaxed) }

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

    /// Performs records that another node has stored.
    package func follow(_ records: [LifeRecord]) {
        catchUp { life, actions throws in try life.follow(records, into: &actions) }
    }

    /// Owns the director from now on; see `DirectorLife.inherit(answers:limits:ownership:into:)`.
    package func inherit(_ answers: [StoredAnswer], limits: DirectorLimits, ownership: Int) {
        catchUp { life, actions throws in
            try life.inherit(answers: answers, limits: limits, ownership: ownership, into: &actions)
        }
    }

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

    /// Does something that ends this node's ownership on the director's loop; from here on it is not owned, before the loop
    /// comes to it. From any thread.
    package nonisolated func lose(_ body: @escaping @Sendable (isolated DirectorHost) -> Void) {
        losses.add(1, ordering: .acquiringAndReleasing)
        send { host in
            body(host)
            host.losses.subtract(1, ordering: .releasing)
        }
    }

    /// Takes no command any more, since another node has taken the director: what is in flight is not waited for.
    package func loseOwnership() {
        catchUp { life, actions throws in
            life.resign()
            life.dropInFlight(.inDoubt("another node has taken the director meanwhile"), into: &actions)
            try life.catchUp(into: &actions)
        }
    }

    /// Ends the director, which was deleted on another node.
    package func endElsewhere() {
        catchUp { life, actions in life.end(.over, into: &actions) }
    }

    /// Ends the director here, since another life has its name. If the director goes on, it is read anew: its streams
    /// are not told of an end, and come back.
    package func displace() {
        if life.ending == nil { retire() }
        catchUp { life, actions in life.end(.displaced, into: &actions) }
    }

    /// Lets go of the director since another host has its name now, or none: its streams end, and come back to the one that
    /// has it then.
    package func retire() {
        publisher.append(StreamEvent.moved(name), version: life.stored.versions.newest.version, end: .moved)
        publisher.releaseAll()
        isRetired = true
        note(in: .over)
        BackgroundRelease.release(life.stored, afterTurnOf: loop)
    }

    /// Tells subscribers of this node to draw anew, as the owner has told its own.
    ///
    /// - Parameters:
    ///   - payload: The event's JSON form.
    ///   - version: The version that it refers to. If a later one is shown, everything is drawn anew: positions in
    ///     the list have changed.
    package func show(refresh payload: [UInt8], version: Int) {
        let newest = life.stored.versions.newest.version
        guard life.role == .follower, life.phase == .living, version <= newest else { return }
        let event = StreamEvent.refresh(director: name, version: newest, elements: nil)
        let frame =
            version == newest
            ? event.frame(epoch: epoch, version: newest, payload: payload) : event.frame(epoch: epoch, version: newest)
        publisher.append(frame, version: newest)
    }

    /// Changes the life by what other nodes have done, and does what it asks for.
    private func catchUp(_ change: (inout DirectorLife, inout [LifeAction]) throws -> Void) {
        do {
            try change(&life, &actions)
        } catch {
            environment.cluster?.cannotFollow(LifeName(director: name, epoch: epoch), error)
        }
        owned.store(life.role == .owner, ordering: .releasing)
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
        storing.store(life.hasInFlight, ordering: .relaxed)
        living.store(life.phase == .living, ordering: .releasing)
        // Before anyone is answered: who has an answer finds the gauges as it says.
        note(in: isRetired ? .over : life.phase)
        guard !isRunning else { return }
        isRunning = true
        var index = 0
        while index < actions.count {
            let action = actions[index]
            index += 1
            perform(action)
        }
        actions.removeAll(keepingCapacity: true)
        isRunning = false
    }

    private func perform(_ action: LifeAction) {
        switch action {
        case .store(let record): journal.onLoop((record, self)) { $0.append($1.0, of: $1.1) }
        case .publish(let change): publish(change)
        case .outdateAnswers: answerCache.clear()
        case .hooksChanged(let changes): environment.hooks?.dispatcher.note(changes, director: name, epoch: epoch)
        case .answer(let id, let error): requesters.take(id)?(error)
        case .snapshot(let state): snapshot(state)
        case .release(let states): BackgroundRelease.release(states, afterTurnOf: loop)
        case .releaseAll(let state): BackgroundRelease.release(state, afterTurnOf: loop)
        case .forget: environment.registry.remove(self)
        }
    }

    /// Has a snapshot made; of several that are asked for while one is being made, the newest.
    private func snapshot(_ state: LifeState) {
        guard !isSnapshotting else {
            isSnapshotWanted = true
            return
        }
        isSnapshotting = true
        environment.journal.snapshot(state) { [weak self] in self?.send { $0.snapshotHasEnded() } }
    }

    private func snapshotHasEnded() {
        isSnapshotting = false
        if isSnapshotWanted, life.phase == .living {
            isSnapshotWanted = false
            return snapshot(life.stored)
        }
        for completion in awaitingSnapshot { completion() }
        awaitingSnapshot = []
    }

    /// Has a snapshot made where the next start would be much quicker with it, and calls back once none is being made.
    ///
    /// - Parameter isLong: Whether the log is long; one that costs much to perform again has a snapshot too.
    package func shortenLog(isLong: Bool, then completion: @escaping @Sendable () -> Void) {
        if !isSnapshotting, isLong || life.stored.isReplayWorthSnapshot, life.refusal(isRead: false) == nil {
            snapshot(life.stored)
        }
        if isSnapshotting { awaitingSnapshot.append(completion) } else { completion() }
    }

    private func publish(_ change: StreamChange) {
        openings.clear(oldestRetained: life.stored.versions.oldest)
        switch change {
        case .published(let version):
            // Where nobody listens, a changeset that is too long to be retained is never encoded.
            let frame = version.frame ?? (publisher.isEmpty ? nil : version.encoded)
            newest.store(version.change.version, ordering: .relaxed)
            environment.counters.versions.add()
            tally.note(evaluations: life.stored.director.evaluations, environment.counters)
            environment.counters.changesetBytes.add(frame?.chunk.count ?? 0)
            if let frame { publisher.append(frame, version: version.change.version) }
        case .defined(let frame, let version): publisher.append(frame, version: version)
        case .refreshed(let frame, let version):
            publisher.append(frame, version: version)
            environment.cluster?.refreshed(self, Array(frame.json), version: version)
        case .ended(let version):
            publisher.append(StreamEvent.deleted(name), version: version, end: .over)
            publisher.releaseAll()
        }
    }
}

// MARK: - Streams

extension DirectorHost: FeedSource {
    package nonisolated var newestVersion: Int { newest.load(ordering: .relaxed) }

    package nonisolated func open(
        _ terms: SubscriptionTerms, on loop: EventLoop, isLate: Bool,
        completion: @escaping @Sendable (Opening, FeedHub) -> Void
    ) {
        send { $0.answer(terms, on: loop, isLate: isLate, completion) }
    }

    private func answer(
        _ terms: SubscriptionTerms, on loop: EventLoop, isLate: Bool,
        _ completion: @escaping @Sendable (Opening, FeedHub) -> Void
    ) {
        let end: FeedEnd? = isRetired ? .moved : life.phase == .over ? .over : nil
        let position = publisher.nextSequence
        let builder = OpeningBuilder(
            state: life.stored, terms: terms, isLate: isLate, counters: environment.counters)
        let hub = publisher.hub(on: loop, addingPlace: !isLate) { [weak self] hub, ended in
            self?.send { $0.release(hub, ended: ended) }
        }
        streaming.store(true, ordering: .relaxed)
        if end == nil, let held = builder.longChangeStart {
            return findChange(since: held) { change in
                let events = builder.events(since: held, endingWith: change)
                completion(Opening(events: events, position: position), hub)
            }
        }
        let events = end.map { builder.farewell($0) } ?? builder.events(&openings)
        completion(Opening(events: events, position: position, end: end), hub)
    }

    private func release(_ hub: FeedHub, ended: Int) {
        publisher.release(hub, ended: ended)
        streaming.store(!publisher.isEmpty, ordering: .relaxed)
    }

    // MARK: Long changesets

    /// Finds the changeset from a version to the newest on a thread beside the loops, once for all who ask meanwhile.
    /// If too many comparisons wait, it is found here.
    ///
    /// - Parameter completion: Called on the director's loop, now or later.
    private func findChange(
        since held: PublishedState, _ completion: @escaping @Sendable (Opening.Event.Content) -> Void
    ) {
        if let change = openings.longChange(from: held.version) { return completion(change) }
        let (director, newest) = (life.stored.director, life.stored.versions.newest)
        let causes = life.stored.versions.causes(after: held.version, through: newest.version)
        let span = held.version..<newest.version
        comparing[span, default: []].append(completion)
        guard comparing[span]?.count == 1 else { return }
        let find: @Sendable () -> Opening.Event.Content = {
            OpeningBuilder.content(of: director.change(from: held, to: newest, causes: causes))
        }
        let isTaken = environment.comparisons.run {
            let change = find()
            self.send { $0.changeWasFound(change, over: span) }
        }
        if !isTaken { changeWasFound(find(), over: span) }
    }

    private func changeWasFound(_ change: Opening.Event.Content, over span: Range<Int>) {
        if life.stored.versions.newest.version == span.upperBound {
            openings.keep(longChange: change, from: span.lowerBound)
        }
        for completion in comparing.removeValue(forKey: span) ?? [] { completion(change) }
    }
}
