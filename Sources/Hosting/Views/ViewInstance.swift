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
    nonisolated let derivation: Derivation
    /// The view's director.
    nonisolated let host: DirectorHost
    /// The list that it follows; nil if there is no such director.
    nonisolated let source: (any ViewSource)?
    /// The view, unless a query selects the list, and the views that it follows in their order: hooks of their own are theirs.
    nonisolated let views: [ViewLife]
    /// The principal whose bound it counts for; nil for none.
    nonisolated let principal: String?
    nonisolated let environment: HostEnvironment
    nonisolated let numbers: Mutex<Numbers>

    var publisher: FeedPublisher
    var openings: OpeningCache
    var searches = ChangeSearches()
    var followers: ViewFollowers?

    /// The list; nil before the source's first message, and while a thread works on it.
    var view: View?
    /// The director that readers see; nil where it has to be made anew.
    var made: Director?
    var versions: VersionHistory
    /// The source's definition, with the view's own adapters in place of its.
    var definition = SourceDefinition()
    var sourceDefinition = SourceDefinition() {
        didSet { definition = sourceDefinition.overlaid(by: adapters) }
    }
    var definitionVersion: Int?
    /// Whether there is a list to read.
    var isBuilt = false
    var inbox = SourceInbox<ViewInstance>()
    /// Readers who wait for the first list.
    var waiting: [@Sendable (isolated ViewInstance) -> Void] = []
    var ending: FeedEnd?
    var lastUse: LoopInstant
    var viewMemory = 0
    var countedBytes = 0
    var countedEvaluations = 0
    /// The totals, and the elements that an expression has failed on.
    package internal(set) var facts = DerivedFacts(totals: nil, faults: nil)
    /// Elements that expressions were evaluated on so far.
    package internal(set) var evaluations = 0

    /// The view's own properties.
    var properties = DirectorProperties(defaultsOf: .table)
    /// The view's own adapters.
    var adapters = AdapterRegistry(cells: [], headerFooters: [])

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
    nonisolated var keepsSections: Bool {
        plan.keepsSections && ((source as? ViewInstance)?.keepsSections ?? true)
    }

    /// The name of the director that it follows.
    package nonisolated var sourceName: String { plan.definition.source }
}
