import DirectorLife
import Feed
import Journal
import Metrics
import Reactor
import Synchronization

/// The shared objects of a server's directors: the registry, the loops, the journal, the settings of feeds, the
/// counters, and the caller of hooks.
package final class HostEnvironment: Sendable {
    /// The directors by name.
    package let registry: DirectorRegistry
    /// The loops that directors live on.
    package let group: EventLoopGroup
    /// Where records are stored.
    package let journal: any Journal
    /// How much directors keep for their subscribers, and how streams behave.
    package let feed: FeedConfiguration
    /// Counts of the directors' work.
    package let counters: DirectorCounters
    /// The instances of views.
    package let views: ViewInstances

    /// The threads that find changesets over many versions, a few at a time.
    let comparisons = WaitingThreads(name: "comparisons", limit: 2, maxWaiting: 64)

    private let caller = Mutex<HookCaller?>(nil)
    private let sharing = Mutex<Cluster?>(nil)
    private let journals: [ObjectIdentifier: LoopJournal]

    /// Makes an environment without directors.
    package init(
        group: EventLoopGroup, journal: any Journal, feed: FeedConfiguration, views: ViewLimits = ViewLimits(),
        metrics: MetricsRegistry
    ) {
        self.views = ViewInstances(views, metrics)
        counters = DirectorCounters(metrics)
        registry = DirectorRegistry { [views = self.views] in views.sourceHasCome(named: $0.name) }
        self.group = group
        self.journal = journal
        self.feed = feed
        journals = Dictionary(
            uniqueKeysWithValues: group.loops.map { (ObjectIdentifier($0), LoopJournal(loop: $0, journal: journal)) })
        metrics.gauge("callboard_directors", "Directors that there are.") { [weak self] in self?.directorCount ?? 0 }
    }

    /// How many directors there are: here, or on all nodes.
    package var directorCount: Int { max(registry.count, cluster?.directorCount ?? 0) }

    /// The way of a loop's directors to the journal.
    func journal(on loop: EventLoop) -> LoopJournal {
        journals[ObjectIdentifier(loop)] ?? LoopJournal(loop: loop, journal: journal)
    }

    /// Gives the directors what calls the targets of their hooks.
    package func attach(_ caller: HookCaller) {
        self.caller.withLock { $0 = caller }
    }

    /// The caller of hooks' targets; nil if the server has none, as in some tests. One lock.
    package var hooks: HookCaller? {
        caller.withLock { $0 }
    }

    /// Has directors shared with other nodes; before the server listens.
    package func attach(_ cluster: Cluster) {
        sharing.withLock { $0 = cluster }
    }

    /// The nodes that directors are shared with; nil for a server by itself. One lock.
    package var cluster: Cluster? {
        sharing.withLock { $0 }
    }

    /// Takes over the directors that were read from the journal, each on its loop, before the server listens.
    package func adopt(_ recovered: [RecoveredDirector]) {
        for director in recovered {
            let loop = group.loop(forName: director.state.director.name)
            let host = DirectorHost(recovered: director, loop: loop, environment: self)
            // Nobody is there yet who could have taken the name, and a bound that was lowered since loses nothing.
            _ = registry.insert(host, bound: .max)
        }
    }
}
