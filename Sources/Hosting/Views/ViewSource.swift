import Directors
import HashTreeCollections
import JSONValues
import Notation
import Reactor

/// A published version of a source, with all that a view of it reads.
struct SourceVersion: Sendable {
    /// The version.
    let state: PublishedState
    /// The variables when it was published; nil where that is not known any more.
    let variables: TreeDictionary<Name, JSONValue>?
    /// The adapters and hooks now.
    let definition: SourceDefinition
    /// The way to it from the version before; nil at the beginning.
    var change: PublishedChange?
}

/// What subscribers are told of a source beside its list.
struct SourceDefinition: Sendable {
    /// The adapters.
    var adapters = AdapterRegistry(cells: [], headerFooters: [])
    /// The hooks; see ``withoutTargets``.
    var hooks = HookRegistry()

    /// The same with hooks that tell their events alone, which is what a view's readers may know.
    ///
    /// - Complexity: O(*h*) in the number of hooks.
    var withoutTargets: SourceDefinition { SourceDefinition(adapters: adapters, hooks: hooks.withoutTargets) }
}

/// The messages of a source to the views that follow it.
enum SourceNews: Sendable {
    /// A version was published; also the first message.
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
    /// The views that follow; nil for none, which costs nothing.
    var followers: ViewFollowers? { get set }
    /// Runs something once there is a list, and a version of it if that can be found.
    func whenListed(at version: Int?, _ body: @escaping @Sendable (isolated Self) -> Void)
    /// The newest version; nil where the list is gone.
    func newestForViews() -> SourceVersion?
    /// A retained version; nil where it is not known, or its variables are not.
    func retainedForViews(at version: Int) -> SourceVersion?
    /// Publishes the facts that any thread may read.
    func publishFacts()
}

extension ViewSource {
    /// Begins to tell a view of what is published; its first message is the newest version. From any thread.
    nonisolated func attach(_ view: ViewInstance) {
        send { source in source.whenListed(at: nil) { $0.add(view) } }
    }

    private func add(_ view: ViewInstance) {
        guard let newest = newestForViews() else { return view.send { $0.take(.ended) } }
        var followers = followers ?? ViewFollowers()
        followers.add(view)
        self.followers = followers
        publishFacts()
        view.send { $0.take(.version(newest)) }
    }

    /// Tells a view nothing any more. From any thread.
    nonisolated func detach(_ view: ViewInstance) {
        send { source in
            source.followers?.remove(view)
            if source.followers?.isEmpty == true { source.followers = nil }
            source.publishFacts()
        }
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

/// The views that follow a source.
struct ViewFollowers {
    private var views: [ObjectIdentifier: ViewInstance] = [:]

    /// Whether there are none.
    var isEmpty: Bool { views.isEmpty }

    /// Adds a view.
    mutating func add(_ view: ViewInstance) { views[ObjectIdentifier(view)] = view }

    /// Removes a view.
    mutating func remove(_ view: ViewInstance) { views[ObjectIdentifier(view)] = nil }

    /// Tells every view, each in its loop's queue: whoever tells never waits for a view.
    ///
    /// - Complexity: O(*v*) in the number of views.
    func tell(_ news: SourceNews) {
        for view in views.values { view.send { $0.take(news) } }
    }
}
