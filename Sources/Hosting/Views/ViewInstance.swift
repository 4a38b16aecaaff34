import DirectorLife
import Directors
import Feed
import HTTPWire
import HashTreeCollections
import JSONValues
import Notation
import Reactor
import Synchronization
import Views

/// One list that a view makes of its source, for all readers who bind the same values.
///
/// It lives on the loop of the view's director. The source tells it of every version through the loop's queue, after the
/// version has gone out to the source's own subscribers, and never waits for it. It has the stored state, the retained
/// versions and the feed that a director has, so that reads and streams do not know the difference. Nothing of it is
/// stored: it is made anew from the source's published version, which is made anew from its records.
///
/// An instance is of one life of its source and of one definition. It ends where either is another one: its clients
/// come back, and the next instance has another epoch.
package actor ViewInstance: SourceFollower {
    /// The name of the view's director.
    package nonisolated let name: String
    /// The epoch of the ids of its versions.
    package nonisolated let epoch: String
    /// The loop that it lives on.
    package nonisolated let loop: EventLoop
    /// The rule with the bound values.
    package nonisolated let plan: ViewPlan
    /// The part of the source that it needs; nil for the whole.
    nonisolated let part: ViewPart?
    /// The definition, as readers see it.
    private nonisolated let derivation: Derivation
    /// The view's director.
    nonisolated let host: DirectorHost
    /// The list that it follows; nil if there is no such director.
    nonisolated let source: (any ViewSource)?
    /// The view, unless a query selects the list, and the views that it follows in their order: hooks of their own are theirs.
    private nonisolated let views: [ViewLife]
    /// The principal whose bound it counts for; nil for none.
    nonisolated let principal: String?
    nonisolated let environment: HostEnvironment
    nonisolated let numbers: Mutex<Numbers>

    var publisher: FeedPublisher
    var openings: OpeningCache
    var searches = ChangeSearches()
    var followers: ViewFollowers?

    /// The list; nil before the source's first message, and while a thread works on it.
    private var view: View?
    /// The director that readers see; nil where it has to be made anew.
    private var made: Director?
    private(set) var versions: VersionHistory
    /// The source's definition, with the view's own adapters in place of its.
    private(set) var definition = SourceDefinition()
    private var sourceDefinition = SourceDefinition() {
        didSet { definition = sourceDefinition.overlaid(by: adapters) }
    }
    private var definitionVersion: Int?
    /// Whether there is a list to read.
    private var isBuilt = false
    var inbox = SourceInbox<ViewInstance>()
    /// Readers who wait for the first list.
    private var waiting: [@Sendable (isolated ViewInstance) -> Void] = []
    private(set) var ending: FeedEnd?
    private var lastUse: LoopInstant
    private var viewMemory = 0
    private var countedBytes = 0
    private var countedEvaluations = 0
    /// The totals, and the elements that an expression has failed on.
    package private(set) var facts = DerivedFacts(totals: nil, faults: nil)
    /// Elements that expressions were evaluated on so far.
    package private(set) var evaluations = 0

    /// Versions that any thread may read.
    struct Numbers {
        /// The version that has changed the view last.
        var changed = 0
        /// The source's newest version that the list shows.
        var seen = 0
        /// The newest version that the division has told, or is about to.
        var expected = 0
        /// The division of the source that tells of the view's part; nil where the source tells of all.
        var division: DividedSource?
    }

    /// Makes an instance, which has nothing to read before ``begin()``.
    init(
        of host: DirectorHost, _ plan: ViewPlan, _ derivation: Derivation, epoch: String, source: (any ViewSource)?,
        principal: String?, environment: HostEnvironment
    ) {
        self.derivation = derivation
        (name, loop, self.host) = (host.name, host.loop, host)
        (self.plan, self.epoch, self.source) = (plan, epoch, source)
        part = ViewPart(plan)
        let isSelected = plan.definition.source.isVerbatim(host.name)
        views = (isSelected ? [] : [host.viewLife]) + ((source as? ViewInstance)?.views ?? [])
        (self.principal, self.environment) = (principal, environment)
        numbers = Mutex(Numbers())
        publisher = FeedPublisher(feed: environment.feed)
        openings = OpeningCache(maxBytes: environment.feed.windowBytes)
        let empty = PublishedState(version: 0, list: View(plan, of: PublishedState(version: 0, list: ListState())).list)
        versions = VersionHistory(
            first: empty, adapters: AdapterRegistry(cells: [], headerFooters: []), retention: environment.feed.retention
        )
        lastUse = loop.now
    }

    /// Follows the source, and counts idle time from now. From any thread.
    nonisolated func begin() {
        send { instance in
            instance.touch()
            instance.host.enter(instance) { host, instance in host.keep(instance) }
            instance.watchIdleness(after: instance.environment.views.limits.idle)
            instance.takeDefinition()
        }
        if let source {
            source.attach(self)
        } else {
            send { $0.beginWithoutSource() }
        }
    }

    /// The view that a reader has described in a query; nil for one of the director's own definition.
    package nonisolated var selection: JSONValue? {
        sourceName.isVerbatim(host.name) ? derivation.definition : nil
    }

    /// The director from which the list follows in the end, through other views or at once; nil if there is none.
    package nonisolated var origin: DirectorHost? {
        if let view = source as? ViewInstance { view.origin } else { source as? DirectorHost }
    }

    /// Whether all sections are the origin's.
    private nonisolated var keepsSections: Bool {
        plan.keepsSections && ((source as? ViewInstance)?.keepsSections ?? true)
    }

    /// The name of the director that it follows.
    package nonisolated var sourceName: String { plan.definition.source }

    // MARK: Reading

    /// What readers see.
    package var stored: LifeState {
        LifeState(
            director: director, versions: versions, definitionVersion: definitionVersion,
            number: versions.newest.version)
    }

    /// Whether a stream or another view follows it.
    package var isFollowed: Bool { !publisher.isEmpty || followers != nil }

    /// Whether its readers have to come back: the view, its definition or its source is another one, or gone.
    package var isOver: Bool { ending != nil }

    /// Runs something once the list shows what the source had published before the call, as ``whenReady(at:_:)`` does. From any
    /// thread.
    ///
    /// The source tells its views through their loops' queues. A reader who knows that a version is published waits behind
    /// what was told of it, on whatever loop the source lives.
    package nonisolated func whenCurrent(
        at version: Int? = nil, _ body: @escaping @Sendable (isolated ViewInstance) -> Void
    ) {
        afterSource { $0.settle { $0.whenReady(at: version, body) } }
    }

    /// Runs something behind all messages of what the source has published before the call.
    nonisolated func afterSource(_ body: @escaping @Sendable (isolated ViewInstance) -> Void) {
        guard let source else { return send(body) }
        source.whenSettled {
            if let division = self.division {
                division.send { $0.settle { _ in self.send(body) } }
            } else {
                self.send(body)
            }
        }
    }

    /// Runs something once there is a list, and one for a version if that can be found.
    ///
    /// - Parameters:
    ///   - version: A version that is read or resumed from; nil for the newest.
    ///   - body: Called once, on the loop: at once where there is nothing to wait for.
    package func whenReady(at version: Int? = nil, _ body: @escaping @Sendable (isolated ViewInstance) -> Void) {
        touch()
        guard isBuilt || ending != nil else { return waiting.append { $0.whenReady(at: version, body) } }
        versions.extend(through: seenVersion)
        guard let version, version < versions.oldest, versions.state(at: version) == nil, ending == nil, let source
        else { return body(self) }
        source.find(version, for: self) { instance, found in
            guard let found, found.variables != nil || !instance.plan.readsVariables else { return body(instance) }
            let plan = instance.plan
            let make: @Sendable () -> PublishedState = {
                View(plan, of: found.state, variables: found.variables ?? [:]).published
            }
            let take: @Sendable (isolated ViewInstance, PublishedState) -> Void = { instance, state in
                instance.versions.add(found: state)
                body(instance)
            }
            if !instance.runBeside(found.state.list.memory, make, then: take) { take(instance, make()) }
        }
    }

    func touch() { lastUse = loop.now }

    /// Reads a report that a UI makes of this list.
    ///
    /// - Throws: The errors of `Director.read(_:at:keepsSections:)`.
    /// - Returns: Nil where the version that it names is not retained.
    package func read(_ report: EventReport) throws(DirectorError) -> ViewedReport? {
        guard let state = versions.state(at: report.version ?? versions.newest.version) else { return nil }
        return try director.read(report, at: state, keepsSections: keepsSections, through: views)
    }

    // MARK: Following

    func handle(_ message: SourceNews) {
        switch message {
        case .beginning(let versions):
            // The whole list, after a part of it.
            if isBuilt, let newest = versions.last { update(to: newest) } else { begin(versions) }
        case .version(let version): update(to: version)
        case .defined(let definition):
            let before = director
            sourceDefinition = definition.withoutTargets
            define(since: before)
            // What a query selects has the properties of the director itself.
            if selection != nil { takeDefinition() }
        case .refresh: refresh()
        case .ended: retire(.moved)
        }
    }

    /// Makes the list of the oldest version, and brings it to the newest: so every version can be read, and resumed from,
    /// as if the instance had been there.
    private func begin(_ versions: [SourceVersion]) {
        let known = Array(versions.trimmingPrefix { plan.readsVariables && $0.variables == nil })
        guard let newest = known.last else { return }
        let replay = ViewReplay(
            plan, name: name, epoch: epoch, retention: environment.feed.retention, adapters: adapters)
        update(nil as View?, cost: SourceVersion.cost(ofAll: known)) { view in
            replay.shown(known, &view)
        } then: { instance, view, versions in
            instance.view = view
            if let view = instance.view, let versions { instance.show(view, versions, newest) }
        }
    }

    private func update(to version: SourceVersion) {
        guard isBuilt else { return begin([version]) }
        let variables = version.variables ?? [:]
        // Taken out, so that it is changed in its place.
        update(view.take(), cost: version.cost) { view in
            view?.apply(version.state, variables: variables)
        } then: { instance, view, change in
            instance.view = view
            if let view = instance.view { instance.show(view, change, version) }
        }
    }

    // MARK: Publishing

    private func show(_ view: View, _ versions: VersionHistory, _ version: SourceVersion) {
        sourceDefinition = version.definition.withoutTargets
        self.versions = versions
        definitionVersion = versions.newest.version
        isBuilt = true
        facts = DerivedFacts(view)
        made = nil
        note(view, seen: version.state.version)
        finishWaiting()
    }

    /// Shows the empty list of a view whose source is not there.
    private func beginWithoutSource() {
        isBuilt = true
        made = nil
        finishWaiting()
    }

    private func finishWaiting() {
        let bodies = waiting
        waiting = []
        for body in bodies { body(self) }
    }

    private func show(_ view: View, _ change: ViewChange?, _ version: SourceVersion) {
        if let change {
            let published = change.published(
                as: name, epoch: epoch, animations: version.animations, causes: version.causes)
            let frame = publisher.isEmpty ? nil : EventFrame.changeset(published)
            var retained: RetainedChangeset?
            if versions.retention.admits(published) {
                retained = frame.map { .encoded($0) } ?? RetainedChangeset(published)
            }
            let dropped = versions.append(
                PublishedState(version: change.version, list: view.list), adapters: definition.adapters,
                changeset: retained, causes: published.causes)
            openings.clear(oldestRetained: versions.oldest)
            if !dropped.isEmpty { BackgroundRelease.release(dropped, afterTurnOf: loop) }
            facts = DerivedFacts(view)
            made = nil
            environment.views.versions.add()
            note(view, seen: version.state.version)
            if let frame { publisher.append(frame, version: change.version) }
        } else {
            versions.extend(through: version.state.version)
            // Elements may fail that were left out before.
            facts = DerivedFacts(view)
            made = nil
            note(view, seen: version.state.version)
        }
        tell(version)
    }

    /// Tells the followers of a version. A version that has left the list as it was is told, too.
    private func tell(_ version: SourceVersion) {
        guard let followers else { return }
        let state = PublishedState(version: version.state.version, list: versions.newest.list)
        // A view has no variables: its source's are for those who may read that one.
        followers.tell(
            .version(
                SourceVersion(
                    state: state, variables: [:], definition: definition, change: version.change,
                    causes: version.causes, oldest: versions.oldest)))
    }

    /// Counts what the list has cost, and publishes its numbers.
    private func note(_ view: View, seen: Int) {
        evaluations = view.evaluations
        environment.views.evaluations.add(evaluations - countedEvaluations)
        countedEvaluations = evaluations
        viewMemory = view.memory
        count(bytes: memory)
        let changed = versions.newest.version
        numbers.withLock { ($0.changed, $0.seen) = (changed, max($0.seen, seen)) }
    }

    /// The memory that the instance takes beside its source, estimated: that of the view, its own values where it shows parts of
    /// them, and the retained versions.
    package var memory: Int {
        4_096 + viewMemory + versions.bytes + (plan.definition.shownFields == nil ? 0 : versions.newest.list.memory)
    }

    private func count(bytes: Int) {
        environment.views.bytes.add(bytes - countedBytes, ordering: .relaxed)
        countedBytes = bytes
    }

    /// The director that readers see. It is made when somebody asks: most versions of most instances are read by nobody
    /// before the next.
    private var director: Director {
        if let made { return made }
        let state = versions.newest
        let director = Director(
            restoring: name, epoch: epoch, properties: properties, adapters: definition.adapters,
            hooks: definition.hooks.shown(at: views),
            working: WorkingState(restoring: state.list, revision: state.version, variables: [:]),
            published: state, limits: .none, derivation: derivation
        ).adding(facts)
        made = director
        return director
    }

    private var properties = DirectorProperties(defaultsOf: .table)
    /// The view's own adapters.
    private var adapters = AdapterRegistry(cells: [], headerFooters: [])

    /// Tells subscribers what the view is, where its properties or the source's adapters have changed.
    private func define(since before: Director) {
        made = nil
        openings.clear(oldestRetained: versions.oldest)
        // Views of this one may have hooks of their own, which it does not show.
        followers?.tell(.defined(definition))
        guard isBuilt, let frame = director.definitionFrame(since: before) else { return }
        definitionVersion = versions.newest.version
        publisher.append(frame, version: versions.newest.version)
    }

    /// Takes the properties and adapters that the view's director has now, and tells subscribers.
    func takeDefinition() {
        host.enter(self) { host, instance in
            let (properties, adapters) = (host.stored.director.properties, host.stored.director.adapters)
            instance.enter { $0.take(properties, adapters) }
        }
    }

    private func take(_ properties: DirectorProperties, _ adapters: AdapterRegistry) {
        // The adapters of a director at which a query selects a list come with the list.
        let adapters = selection == nil ? adapters : self.adapters
        guard self.properties != properties || self.adapters != adapters else { return }
        let before = director
        (self.properties, self.adapters) = (properties, adapters)
        definition = sourceDefinition.overlaid(by: adapters)
        define(since: before)
    }

    private func refresh() {
        let version = versions.newest.version
        let event = StreamEvent.refresh(director: name, version: version, elements: nil)
        publisher.append(event.frame(epoch: epoch, version: version), version: version)
        followers?.tell(.refresh)
    }

    // MARK: Ending

    /// Ends the instance: its streams end, and come back unless the view is gone.
    func retire(_ end: FeedEnd) {
        guard ending == nil else { return }
        ending = end
        environment.views.remove(self)
        source?.detach(self)
        host.detach(self)
        let frame = end == .over ? StreamEvent.deleted(name) : StreamEvent.moved(name)
        publisher.append(frame, version: versions.newest.version, end: end)
        publisher.releaseAll()
        followers?.tell(.ended)
        followers = nil
        environment.views.noteReleased(countedBytes, on: loop)
        count(bytes: 0)
        finishWaiting()
        clearInbox()
        BackgroundRelease.release(stored, afterTurnOf: loop)
        view = nil
    }

    /// Lets go of the instance once nobody has read it for as long as it stays.
    private func watchIdleness(after delay: Duration) {
        loop.schedule(after: delay) { [weak self] in self?.enter { $0.endIfIdle() } }
    }

    private func endIfIdle() {
        guard ending == nil else { return }
        let idle = environment.views.limits.idle
        if !publisher.isEmpty || followers != nil || !waiting.isEmpty || inbox.isAwaited { lastUse = loop.now }
        let rest = lastUse &+ idle.nanoseconds
        guard rest <= loop.now else { return watchIdleness(after: .nanoseconds(Int64(clamping: rest &- loop.now))) }
        retire(.moved)
    }
}

extension DerivedFacts {
    /// The totals and faults of a view.
    fileprivate init(_ view: View) {
        let faults = view.faults
        self.init(totals: view.totalsText, faults: faults.count > 0 ? faults.json : nil)
    }
}
