import DirectorLife
import Directors
import Feed
import Reactor

// A director as the source of views, and as the keeper of a view's definition.

extension DirectorHost: ViewSource {
    nonisolated func whenSettled(_ body: @escaping @Sendable () -> Void) { send { _ in body() } }

    func whenListed(at _: Int?, _ body: @escaping @Sendable (isolated DirectorHost) -> Void) { body(self) }

    func newestForViews() -> SourceVersion? {
        guard feedEnd == nil else { return nil }
        let versions = stored.versions
        // What was published last is in a recovered director what it has, if that is all that is known.
        let variables = versions.retained.last?.variables.byName ?? stored.director.working.variables
        return SourceVersion(
            state: versions.newest, variables: variables, definition: definitionForViews,
            retained: versions.retained.last?.changeset, causes: versions.retained.last?.causes ?? CauseList(),
            oldest: versions.oldest)
    }

    func earlierForViews() -> [SourceVersion] {
        let versions = stored.versions
        return versions.retained(withinBytes: SourceVersion.bound(of: versions)).dropLast().map {
            SourceVersion($0, hooks: stored.director.hooks)
        }
    }

    func retainedForViews(at version: Int) -> SourceVersion? {
        guard feedEnd == nil, let retained = stored.versions.retained(at: version) else { return nil }
        return SourceVersion(retained, hooks: stored.director.hooks)
    }

    /// The part of the director's definition that views take.
    var definitionForViews: SourceDefinition {
        SourceDefinition(adapters: stored.director.adapters, hooks: stored.director.hooks)
    }

    /// A version as views are told of it, though it need not be the newest any more.
    func sourceVersion(_ change: PublishedChange, _ facts: PublishedFacts) -> SourceVersion {
        SourceVersion(
            state: facts.state, variables: facts.variables.byName,
            definition: SourceDefinition(adapters: facts.adapters, hooks: stored.director.hooks),
            change: change, causes: change.causes, oldest: stored.versions.oldest)
    }

    /// Ends what follows the director, and its own instances where it is a view.
    func endViews(_ end: FeedEnd) {
        if view == nil { followers?.tell(.ended) }
        followers = nil
        if view != nil { environment.views.end(of: self, end) }
    }

    /// Names this life, for the hooks that a view has of its own.
    package nonisolated var viewLife: ViewLife { ViewLife(name: name, epoch: epoch) }

    /// Keeps the director of a view loaded as long as the view has an instance. It tells the instance nothing by that.
    func keep(_ instance: ViewInstance) {
        guard view != nil else { return }
        if isRetired || life.phase == .over { return instance.send { $0.retire(.moved) } }
        var followers = self.followers.take() ?? ViewFollowers()
        followers.add(instance)
        self.followers = followers
        publishFacts()
    }

    /// Has instances follow the definition that is stored now.
    func updateView(_ view: HostedView) {
        let director = stored.director
        guard let derivation = director.derivation else { return }
        if view.update(derivation) { environment.views.end(of: self, .moved) }
        guard knownDefinition?.properties != director.properties || knownDefinition?.adapters != director.adapters
        else {
            return
        }
        knownDefinition = (director.properties, director.adapters)
        for instance in environment.views.instances(of: self) { instance.send { $0.takeDefinition() } }
    }
}

extension SourceVersion {
    /// The bytes of changesets that a new view is brought through. They cost about what the source's newest list costs.
    static func bound(of versions: VersionHistory) -> Int { max(LongEvent.threshold, versions.newest.list.memory) }

    /// A retained version of a director.
    fileprivate init(_ retained: RetainedVersion, hooks: HookRegistry) {
        self.init(
            state: retained.state, variables: retained.variables.byName,
            definition: SourceDefinition(adapters: retained.adapters, hooks: hooks), retained: retained.changeset,
            causes: retained.causes)
    }
}
