import Directors
import HTTPServer
import HTTPTypes
import Journal
import Logging
import Reactor
import Synchronization

/// Takes each request from the HTTP server to the director that answers it.
///
/// Immutable but for the directors in its registry, and shared by all loops. `handle` runs on the connection's loop;
/// a request for a director of the same loop is answered without a hop, any other goes through that loop's queue.
package final class Application: HTTPApplication {
    /// The settings.
    let configuration: CallboardConfiguration
    /// The directors by name.
    let registry: DirectorRegistry
    /// The loops that directors live on.
    let group: EventLoopGroup
    /// Where mutations are stored.
    let journal: any Journal
    /// The log.
    let logger: Logger
    /// All routes, for `/metrics` and `/openapi.json`.
    let routes: [Route]
    /// Requests that no route took.
    let unmatched = RouteMetrics()
    /// Counts of the directors' work.
    let counters = DirectorCounters()
    /// Where the `/metrics` page is made.
    let metricsThreads = WaitingThreads(name: "metrics", limit: 1, maxWaiting: 16)

    /// The OpenAPI document.
    let openAPI: [UInt8]

    private let router: Router
    private let logsEveryRequest: Bool
    private let ready = Atomic<Bool>(false)
    private let server = Mutex<HTTPServer?>(nil)
    private let caller = Mutex<HookCaller?>(nil)
    private let cors: CORSPolicy
    private let hosts: HostPolicy
    private let sites: SitePolicy
    private let streams: [ObjectIdentifier: LoopStreams]
    private let journals: [ObjectIdentifier: LoopJournal]
    private let requestPrefix = String(Epoch.random().prefix(6)) + "-"

    /// Makes an application without directors.
    package init(
        configuration: CallboardConfiguration, group: EventLoopGroup, journal: any Journal, logger: Logger
    ) {
        self.configuration = configuration
        self.group = group
        self.journal = journal
        self.logger = logger
        logsEveryRequest = logger.logLevel <= .debug
        registry = DirectorRegistry()
        routes = Route.all
        router = Router(routes)
        openAPI = OpenAPIDocument.make(routes, version: CallboardService.version)
        cors = CORSPolicy(configuration.cors)
        hosts = HostPolicy(configuration)
        sites = SitePolicy(cors)
        streams = Dictionary(
            uniqueKeysWithValues: group.loops.map {
                (ObjectIdentifier($0), LoopStreams(loop: $0, heartbeat: configuration.feed.heartbeat))
            })
        journals = Dictionary(
            uniqueKeysWithValues: group.loops.map { (ObjectIdentifier($0), LoopJournal(loop: $0, journal: journal)) })
    }

    /// Takes over the directors that were read from the journal, each on its loop, before the server listens.
    func adopt(_ recovered: [RecoveredDirector]) {
        for director in recovered {
            let loop = group.loop(forName: director.director.name)
            let host = DirectorHost(recovered: director, loop: loop, application: self)
            // There is nobody yet who could have taken the name, and a bound that was lowered since loses nothing.
            _ = registry.insert(host, bound: .max)
        }
    }

    /// The event streams of a loop; `nil` for a loop of another group.
    func streams(on loop: EventLoop) -> LoopStreams? {
        streams[ObjectIdentifier(loop)]
    }

    /// The way of a loop's directors to the journal.
    func journal(on loop: EventLoop) -> LoopJournal {
        journals[ObjectIdentifier(loop)] ?? LoopJournal(loop: loop, journal: journal)
    }

    /// True between the start and the beginning of the end; `/readyz` says so.
    var isReady: Bool { ready.load(ordering: .relaxed) }

    /// Says whether the server takes requests.
    func setReady(_ isReady: Bool) {
        ready.store(isReady, ordering: .relaxed)
    }

    /// Makes the server's statistics known to `/metrics`.
    func attach(_ server: HTTPServer) {
        self.server.withLock { $0 = server }
    }

    /// Gives the application what calls the targets of event hooks.
    func attach(_ caller: HookCaller) {
        self.caller.withLock { $0 = caller }
    }

    /// What calls the targets of event hooks; nil where the server has none, as in some tests.
    var hooks: HookCaller? {
        caller.withLock { $0 }
    }

    /// What the HTTP server has seen.
    var statistics: ServerStatistics? {
        server.withLock { $0 }?.statistics
    }

    /// Event streams open now, on all loops.
    var subscribers: Int {
        streams.values.reduce(0) { $0 + $1.count.load(ordering: .relaxed) }
    }

    // MARK: Requests

    package func handle(_ exchange: Exchange) {
        // The time at the start of the loop's turn, which is when the request's last bytes came.
        let start = exchange.loop.now
        do throws(Problem) {
            guard hosts.serves(exchange.head.authority, from: exchange.peer) else {
                throw HostPolicy.refusal(of: exchange.head.authority)
            }
            try sites.check(exchange.head)
        } catch {
            return answer(error, to: exchange, route: nil, start: start)
        }
        guard let path = RequestPath(target: exchange.head.target) else {
            return answer(.badRequest("The path is not percent-encoded UTF-8."), to: exchange, route: nil, start: start)
        }
        if exchange.head.method == .options { return answerOptions(exchange, path: path, start: start) }
        switch router.match(exchange.head.method, path.segments) {
        case .unknown:
            answer(Self.unknownPath, to: exchange, route: nil, start: start)
        case .wrongMethod(let allowed):
            var problem = Problem(
                .methodNotAllowed, "method-not-allowed", "The resource does not have this method",
                "\(exchange.head.method.rawValue) is not one of: \(allowed.map(\.rawValue).joined(separator: ", ")).")
            problem.allowed = allowed
            answer(problem, to: exchange, route: nil, start: start)
        case .route(let route, let parameters):
            do throws(Problem) {
                let query = try check(exchange, path: path, route: route)
                let call = Call(
                    exchange: exchange, route: route, parameters: parameters, query: query, application: self,
                    start: start)
                try run(call)
            } catch {
                answer(error, to: exchange, route: route, start: start)
            }
        }
    }

    package func refused(_ status: HTTPResponse.Status, reason: String, remoteAddress: String) {
        unmatched.record(status: status.code, microseconds: 0)
        logger.debug(
            "refused a request",
            metadata: ["status": "\(status.code)", "reason": "\(reason)", "peer": "\(remoteAddress)"])
    }

    private static let unknownPath = Problem.notFound("No resource has this path; GET /openapi.json lists them all.")

    /// What can be checked before anyone acts: the query, what the client takes, what it sends.
    private func check(_ exchange: Exchange, path: RequestPath, route: Route) throws(Problem) -> Query {
        if !route.isStream, let accept = exchange.head.fields.value(of: .accept), accept != "*/*" {
            guard ContentNegotiation.accepts(accept, anyOf: route.mediaTypes) else {
                throw Problem(
                    .notAcceptable, "not-acceptable", "No representation is acceptable",
                    "This resource answers \(route.mediaTypes.joined(separator: " or ")); Accept takes none of them.")
            }
        }
        switch route.body {
        case .none: break
        case .json, .optionalJSON, .mergePatch:
            var isMergePatch = false
            if case .mergePatch = route.body { isMergePatch = true }
            if !exchange.body.isEmpty {
                try ContentNegotiation.check(contentEncoding: exchange.head.fields.value(of: .contentEncoding))
                try ContentNegotiation.check(
                    contentType: exchange.head.fields.value(of: .contentType), isMergePatch: isMergePatch)
            }
        }
        return path.query.isEmpty && route.query.isEmpty ? Query() : try Query(path.query, allowed: route.query)
    }

    private func run(_ call: Call) throws(Problem) {
        switch call.route.action {
        case .server(let action):
            try action(call, self)
        case .director(let action):
            let host = try host(of: call)
            if host.loop.isCurrent {
                host.assumeIsolated { $0.run(call, action) }
            } else {
                host.loop.execute { host.assumeIsolated { $0.run(call, action) } }
            }
        case .directorLater(let action):
            let host = try host(of: call)
            if host.loop.isCurrent {
                host.assumeIsolated { $0.runLater(call, action) }
            } else {
                host.loop.execute { host.assumeIsolated { $0.runLater(call, action) } }
            }
        }
    }

    /// The director that the path names.
    private func host(of call: Call) throws(Problem) -> DirectorHost {
        guard let host = registry.host(named: call.parameters[0]) else {
            throw .notFound("There is no director \(call.parameters[0].quoted); PUT /v1/directors/… makes one.")
        }
        return host
    }

    // MARK: Answers

    /// Adds what every answer carries, counts it and logs it.
    func finish(
        _ exchange: Exchange, route: Route?, start: LoopInstant, status: HTTPResponse.Status, fields: inout HTTPFields
    ) {
        let isLogged = logsEveryRequest || status.code >= 500
        // The request's name is sent where it is of use: it is in the log, the client has given it, or something is
        // wrong and someone will ask.
        let isNamed = isLogged || status.code >= 400 || exchange.head.fields.value(of: .requestID) != nil
        let id = isNamed ? requestID(exchange) : ""
        if isNamed { fields.append(HTTPField(name: .requestID, value: id)) }
        if !cors.isOff { cors.apply(origin: exchange.head.fields[.origin], to: &fields) }
        let now = MonotonicClock().now()
        let taken = now > start ? Int((now - start) / 1000) : 0
        (route?.metrics ?? unmatched).record(status: status.code, microseconds: taken)
        guard isLogged else { return }
        logger.log(
            level: status.code >= 500 ? .error : .debug, "request",
            metadata: [
                "id": "\(id)", "method": "\(exchange.head.method.rawValue)", "target": "\(exchange.head.target)",
                "status": "\(status.code)", "microseconds": "\(taken)", "peer": "\(exchange.remoteAddress)",
            ])
    }

    /// Answers with a problem; from any thread.
    func answer(_ problem: Problem, to exchange: Exchange, route: Route?, start: LoopInstant) {
        var fields = HTTPFields()
        fields[.contentType] = "application/problem+json"
        if !problem.allowed.isEmpty {
            fields[.allow] = problem.allowed.map(\.rawValue).joined(separator: ", ")
        }
        if let seconds = problem.retryAfter { fields[.retryAfter] = String(seconds) }
        if let encoding = problem.acceptEncoding { fields[.acceptEncoding] = encoding }
        finish(exchange, route: route, start: start, status: problem.status, fields: &fields)
        let instance = exchange.head.target.prefix { $0 != "?" }
        exchange.respond(
            Response(status: problem.status, fields: fields, body: .bytes(problem.body(instance: String(instance)))))
    }

    private func answerOptions(_ exchange: Exchange, path: RequestPath, start: LoopInstant) {
        let allowed: [HTTPRequest.Method]
        if exchange.head.target == "*" {
            allowed = [.get, .head, .put, .post, .patch, .delete, .options]
        } else {
            switch router.match(.options, path.segments) {
            case .wrongMethod(let methods): allowed = methods
            case .route, .unknown: return answer(Self.unknownPath, to: exchange, route: nil, start: start)
            }
        }
        var fields = HTTPFields()
        fields[.allow] = allowed.map(\.rawValue).joined(separator: ", ")
        finish(exchange, route: nil, start: start, status: .noContent, fields: &fields)
        cors.applyPreflight(methods: allowed, to: &fields)
        exchange.respond(Response(status: .noContent, fields: fields))
    }

    /// The client's own name for the request where it is a sane one, otherwise a new one.
    private func requestID(_ exchange: Exchange) -> String {
        if let given = exchange.head.fields.value(of: .requestID), (1...128).contains(given.utf8.count),
            given.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        {
            return given
        }
        return requestPrefix + String(exchange.id)
    }
}
