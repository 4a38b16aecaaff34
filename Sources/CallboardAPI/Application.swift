import Access
import Feed
import HTTPServer
import HTTPTypes
import Hosting
import Journal
import Logging
import Metrics
import Reactor
import Synchronization

/// The application behind the HTTP server: takes each request through the pipeline to whoever answers it.
///
/// Immutable but for the directors in its registry, and shared by all loops. `handle` runs on the connection's loop;
/// a request for a director of the same loop is answered without a hop, any other goes through that loop's queue.
package final class Application: HTTPApplication {
    /// The settings.
    let configuration: APIConfiguration
    /// The directors, their loops and their journal.
    package let environment: HostEnvironment
    /// The log.
    package let logger: Logger
    /// All routes, for `/metrics` and `/openapi.json`.
    let routes: [Route]
    /// The metrics, in the order of the `/metrics` page.
    package let metrics = MetricsRegistry()
    /// The numbers of that page during the last hour.
    let history: MetricsHistory
    /// The thread that makes the `/metrics` page, beside the loops.
    let metricsThreads = WaitingThreads(name: "metrics", limit: 1, maxWaiting: 16)
    /// The thread that takes readings of that page. A reading that hangs on a disk takes no place from a reader.
    let historyThreads = WaitingThreads(name: "history", limit: 1, maxWaiting: 0)
    /// Threads that make answers as long as a list: a few at a time, which bounds their memory.
    let longAnswers = WaitingThreads(name: "answers", limit: 2, maxWaiting: 64)
    /// A thread that reads whole lists: one at a time, which bounds its memory.
    let contentThreads = WaitingThreads(name: "content", limit: 1, maxWaiting: 16)
    /// Threads that carry out changes with long bodies: a few at a time, which bounds their memory.
    let changeThreads = WaitingThreads(name: "changes", limit: 2, maxWaiting: 64)
    /// Finds the route of a request.
    let router: Router
    /// Refuses requests that are not for this server, or come from another site's page.
    let admission: Admission
    /// Turns replies and problems into responses, counts them and logs them.
    let responder: Responder

    /// Who may do what.
    package let access: AccessControl

    /// Holds tokens and addresses to their bounds.
    let limits: RequestLimits
    /// Notes what was changed and refused; nil where that is not asked for.
    package let audit: AuditLog?

    /// The way to other nodes; nil for a server by itself.
    let peers: (any NodeForwarding)?

    private let ready = Atomic<Bool>(false)
    private let streams: [ObjectIdentifier: LoopStreams]
    private let credentials: [ObjectIdentifier: LoopCredentials]

    /// Makes an application without directors.
    ///
    /// - Parameters:
    ///   - configuration: The settings.
    ///   - group: The loops of directors and connections.
    ///   - journal: Where mutations and tokens are stored.
    ///   - secret: What the nodes of a cluster share; nil for a server by itself.
    ///   - peers: The way to other nodes; nil for a server by itself.
    ///   - logger: The log.
    /// - Throws: `JournalError` where the tokens that are stored cannot be read.
    package init(
        configuration: APIConfiguration, group: EventLoopGroup, journal: any Journal,
        secret: SharedSecret? = nil, peers: (any NodeForwarding)? = nil, logger: Logger
    ) throws(JournalError) {
        self.configuration = configuration
        self.logger = logger
        history = MetricsHistory(metrics)
        self.peers = peers
        access = try AccessControl(configuration.access, store: journal.tokens, secret: secret, logger: logger)
        limits = RequestLimits(configuration.limits)
        if let path = configuration.access.auditFile {
            do {
                audit = try AuditLog(path: path, metrics: metrics, logger: logger)
            } catch {
                throw .refused("audit.file: \(error)")
            }
        } else {
            audit = nil
        }
        credentials = Dictionary(
            uniqueKeysWithValues: group.loops.map { (ObjectIdentifier($0), LoopCredentials(loop: $0)) })
        routes = Route.all
        router = Router(routes)
        let cors = CORSPolicy(configuration.cors)
        admission = Admission(hosts: HostPolicy(configuration), sites: SitePolicy(cors))
        responder = Responder(cors: cors, logger: logger)
        let streams = group.loops.map { LoopStreams(loop: $0, heartbeat: configuration.feed.heartbeat) }
        self.streams = Dictionary(uniqueKeysWithValues: streams.map { (ObjectIdentifier($0.loop), $0) })
        RouteMetrics.declare(routes, unmatched: responder.unmatched, in: metrics)
        environment = HostEnvironment(
            group: group, journal: journal, feed: configuration.feed, views: configuration.views,
            metrics: metrics)
        metrics.gauge("callboard_subscribers", "Event streams open now.") {
            streams.reduce(0) { $0 + $1.count.load(ordering: .relaxed) }
        }
        metrics.add { text in
            if let metrics = journal.metrics { metrics.write(to: &text, status: journal.status) }
        }
    }

    /// The event streams of a loop; nil for a loop of another group.
    func streams(on loop: EventLoop) -> LoopStreams? {
        streams[ObjectIdentifier(loop)]
    }

    /// The credentials that a loop has seen; nil for a loop of another group.
    func credentials(on loop: EventLoop) -> LoopCredentials? {
        credentials[ObjectIdentifier(loop)]
    }

    /// The caller of event hooks' targets; nil if the server has none, as in some tests.
    var hooks: HookCaller? { environment.hooks }

    /// True between the start and the beginning of the end; `/readyz` says so.
    var isReady: Bool { ready.load(ordering: .relaxed) }

    /// Says whether the server takes requests.
    package func setReady(_ isReady: Bool) {
        ready.store(isReady, ordering: .relaxed)
    }

    /// Declares the metrics of the HTTP server in front.
    package func attach(_ server: HTTPServer) {
        server.statistics.declare(in: metrics)
    }

    /// Has the targets of event hooks called, and declares the metrics of that.
    package func attach(_ caller: HookCaller) {
        environment.attach(caller)
        if let audit { caller.desk.tell { audit.note(AuditEntry($0)) } }
        caller.declareMetrics(in: metrics)
    }

    /// Has directors shared with other nodes, and declares the metrics of that.
    package func attach(_ cluster: Cluster) {
        environment.attach(cluster)
        declareMetrics(of: cluster)
    }

    /// The event streams of all loops.
    var allStreams: [LoopStreams] { Array(streams.values) }

    /// Event streams open now, on all loops.
    var subscribers: Int {
        streams.values.reduce(0) { $0 + $1.count.load(ordering: .relaxed) }
    }
}
