import DirectorLife
import Directors
import Feed
import HTTPWire
import Reactor
import Views

/// How a view publishes its versions and its definition.
extension ViewInstance {
    /// Shows the first list, with the versions that lead to it.
    func show(_ view: View, _ versions: VersionHistory, _ version: SourceVersion) {
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
    func beginWithoutSource() {
        isBuilt = true
        made = nil
        finishWaiting()
    }

    /// Has the readers go on who wait for the first list.
    func finishWaiting() {
        let bodies = waiting
        waiting = []
        for body in bodies { body(self) }
    }

    /// Publishes a change of the list; with none, the list stands for the source's version as it is.
    func show(_ view: View, _ change: ViewChange?, _ version: SourceVersion) {
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

    /// Counts the memory that the instance takes now.
    func count(bytes: Int) {
        environment.views.bytes.add(bytes - countedBytes, ordering: .relaxed)
        countedBytes = bytes
    }

    /// The director that readers see. It is made when somebody asks: most versions of most instances are read by nobody
    /// before the next.
    var director: Director {
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

    /// Tells subscribers what the view is, where its properties or the source's adapters have changed.
    func define(since before: Director) {
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

    /// Tells subscribers that cells are to be made anew.
    func refresh() {
        let version = versions.newest.version
        let event = StreamEvent.refresh(director: name, version: version, elements: nil)
        publisher.append(event.frame(epoch: epoch, version: version), version: version)
        followers?.tell(.refresh)
    }
}

extension DerivedFacts {
    /// The totals and faults of a view.
    fileprivate init(_ view: View) {
        let faults = view.faults
        self.init(totals: view.totalsText, faults: faults.count > 0 ? faults.json : nil)
    }
}
