import DirectorLife
import Directors
import HashTreeCollections
import JSONValues
import Notation
import Reactor
import Views

/// A published version of a source, with all that a view of it reads.
struct SourceVersion: Sendable {
    /// The version.
    var state: PublishedState
    /// The variables when it was published; nil where that is not known any more.
    let variables: TreeDictionary<Name, JSONValue>?
    /// The adapters of the version, and the hooks now.
    var definition: SourceDefinition
    /// The way to it from the version before; nil where only the version is known.
    var change: PublishedChange?
    /// The changeset of a version that a new view is brought through.
    var retained: RetainedChangeset?
    /// The mutations that it is the first to show.
    var causes = CauseList()
    /// The oldest version that the source retains.
    var oldest = 0

    /// The animations that its reload's caller wished.
    ///
    /// - Complexity: O(1), but O(*n*) in the length of a retained changeset.
    var animations: Animations? { if let change { change.animations } else { retained?.animations } }
}

/// The facts that subscribers are told of a source beside its list.
struct SourceDefinition: Sendable {
    /// The adapters.
    var adapters = AdapterRegistry(cells: [], headerFooters: [])
    /// The hooks; see ``withoutTargets``.
    var hooks = HookRegistry()

    /// The same with hooks that tell their events alone, which is what a view's readers may know.
    ///
    /// - Complexity: O(*h*) in the number of hooks.
    var withoutTargets: SourceDefinition { SourceDefinition(adapters: adapters, hooks: hooks.withoutTargets) }

    /// The same with a view's own adapters in place of the source's.
    ///
    /// - Complexity: O(*a*) in the number of the view's adapters.
    func overlaid(by own: AdapterRegistry) -> SourceDefinition {
        SourceDefinition(adapters: adapters.overlaid(by: own), hooks: hooks)
    }
}

/// The messages of a source to the views that follow it.
enum SourceNews: Sendable {
    /// The retained versions, oldest first: the first message.
    case beginning([SourceVersion])
    /// A version was published.
    case version(SourceVersion)
    /// The adapters or hooks are others.
    case defined(SourceDefinition)
    /// Visible cells are to be drawn anew.
    case refresh
    /// The source is gone, or lives elsewhere.
    case ended
}

/// A list that views follow: a director, or another view.
protocol ViewSource: LoopActor {
    /// Which life of the list.
    nonisolated var epoch: String { get }
    nonisolated var environment: HostEnvironment { get }
    /// The lists that follow; nil for none, which costs nothing.
    var followers: ViewFollowers? { get set }
    /// Runs something, in any isolation, once the list shows what was published before the call. From any thread.
    nonisolated func whenSettled(_ body: @escaping @Sendable () -> Void)
    /// Runs something once there is a list, and a version of it if that can be found.
    func whenListed(at version: Int?, _ body: @escaping @Sendable (isolated Self) -> Void)
    /// The newest version; nil where the list is gone.
    func newestForViews() -> SourceVersion?
    /// The versions before the newest that a view is brought through, oldest first; see `SourceVersion.bound(of:)`.
    func earlierForViews() -> [SourceVersion]
    /// A retained version; nil where it is not known, or its variables are not.
    func retainedForViews(at version: Int) -> SourceVersion?
    /// Publishes the facts that any thread may read.
    func publishFacts()
}

extension ViewSource {
    /// Begins to tell a view of what is published. Its first message has the versions that it is brought through. From any
    /// thread.
    nonisolated func attach(_ view: ViewInstance) {
        send { source in source.whenListed(at: nil) { $0.add(view, part: view.part) } }
    }

    /// Tells a view of the whole list from now on. On the source's loop.
    nonisolated func addAgain(_ view: ViewInstance) {
        enter(view) { source, view in source.add(view, part: nil) }
    }

    /// Tells a division nothing any more. On the source's loop.
    nonisolated func release(_ division: DividedSource, isRefused: Bool) {
        enter(division) { source, division in source.change { $0.remove(division, isRefused: isRefused) } }
    }

    private func add(_ view: ViewInstance, part: ViewPart?) {
        guard let newest = newestForViews() else { return view.send { $0.take(.ended) } }
        var followers = self.followers.take() ?? ViewFollowers()
        func beginning() -> SourceNews {
            .beginning(earlierForViews().filter { $0.state.version < newest.state.version } + [newest])
        }
        if let part, let division = followers.division(by: part.rule, of: self, beginning) {
            division.join(view, part.key)
        } else {
            followers.add(view)
            view.tell(beginning())
        }
        self.followers = followers
        publishFacts()
    }

    /// Tells a view nothing any more. From any thread.
    nonisolated func detach(_ view: ViewInstance) {
        send { source in
            view.division?.leave(view)
            source.change { $0.remove(view) }
        }
    }

    /// Changes the followers.
    func change(_ change: (inout ViewFollowers) -> Void) {
        // Taken out, so that it is changed in its place.
        guard var changed = followers.take() else { return }
        change(&changed)
        followers = changed.isEmpty ? nil : changed
        publishFacts()
    }

    /// Finds a retained version for a view; the completion is called on the view's loop.
    nonisolated func find(
        _ version: Int, for view: ViewInstance,
        completion: @escaping @Sendable (isolated ViewInstance, SourceVersion?) -> Void
    ) {
        send { source in
            source.whenListed(at: version) { source in
                let found = source.retainedForViews(at: version)
                view.send { completion($0, found) }
            }
        }
    }
}
