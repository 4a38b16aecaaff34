import DirectorLife
import Directors
import Feed
import HTTPServer
import HTTPTypes
import Hosting

/// One method of one resource: the router's entry, the checks before its action runs, and its part of the OpenAPI
/// document.
///
/// The table of routes is the only place where a resource is declared, so that the three cannot drift apart. A class, so
/// that a request carries one reference and not a copy of all that is said here.
final class Route: Sendable {
    /// The request body a route takes.
    enum Body: Sendable {
        /// None; one that comes all the same is ignored.
        case none
        /// JSON after the named schema.
        case json(String)
        /// JSON after the named schema, or nothing.
        case optionalJSON(String)
        /// A merge patch (RFC 7396) after the named schema.
        case mergePatch(String)
        /// Newline-delimited JSON, its lines after the first schema, or JSON after the second.
        case lines(String, orJSON: String)
    }

    /// An answer other than a problem.
    struct Answer: Sendable {
        /// The status.
        let status: Int
        /// When it comes and what it holds.
        let summary: String
        /// Media types and the schema of each; empty where there is no content.
        var content: [(type: String, schema: String)] = []
    }

    /// Changes a draft of a director, and answers.
    typealias Change = @Sendable (Call, inout Mutation) throws(Problem) -> Reply

    /// Follows a director or a view; nil for a request that reads changesets.
    typealias Stream = @Sendable (Call, any FeedSource) throws(Problem) -> (any BodyProducer)?

    /// Reads a director, and answers.
    typealias Read = @Sendable (Call, Reading) throws(Problem) -> Reply

    /// The route's action; its kind decides the state that it may touch.
    enum Action: Sendable {
        /// The server itself answers through the call, now or later; begun on the connection's loop.
        case service(@Sendable (Call, Application) throws(Problem) -> Void)
        /// Creates the director that the path names, or defines it anew; begun on the connection's loop.
        case define(@Sendable (Call, Application) throws(Problem) -> Void)
        /// Reads the director that the path names; on its loop.
        case read(Read)
        /// Changes the director; on its loop, or on a copy beside the loops where the body is long. The answer is sent once
        /// the change is stored.
        case change(Change)
        /// Moves an element of a list to another director, which changes both; begun on the loop of the director that the
        /// path names. It gives the list.
        case transfer(@Sendable (Call) throws(Problem) -> ElementOwner)
        /// Tells subscribers something that is not stored; on the director's loop.
        case announce(Change)
        /// Follows the director as a stream; where that is nil, reads it. On its loop.
        case stream(Stream, otherwise: Read)
        /// Reports events to the director's hooks. The action is given the request's key and answers the call by
        /// ``Application/finish(_:_:on:key:)-(_,Reply,_,_)``, then or later.
        case report(@Sendable (Call, isolated DirectorHost, CommandKey?) throws(Problem) -> Void)

        /// Changes the director by what is long in the making, beside the loops; begun on its loop. It is given the
        /// request's key and answers as ``report`` does.
        case prepare(@Sendable (Call, isolated DirectorHost, CommandKey?) throws(Problem) -> Void)

        /// Whether a director is changed, so that `If-Match` and `Prefer` apply.
        var isMutation: Bool {
            switch self {
            case .define, .change, .transfer, .prepare: true
            case .service, .read, .announce, .stream, .report: false
            }
        }

        /// Whether it is about the list that a reader sees, which may be another one for each reader of a view.
        var isOfList: Bool {
            switch self {
            case .read, .stream, .report: true
            case .service, .define, .change, .transfer, .announce, .prepare: false
            }
        }

        /// Whether a director takes part that keeps the answers to requests with an `Idempotency-Key`.
        var keepsAnswers: Bool {
            switch self {
            case .service, .define: false
            case .read, .change, .transfer, .announce, .stream, .report, .prepare: true
            }
        }
    }

    /// The method.
    let method: HTTPRequest.Method
    /// The path.
    let path: PathTemplate
    /// The requirement on a client: a right, in most cases.
    let requirement: Requirement
    /// The name by which code generators call it.
    let operationID: String
    /// One line.
    let summary: String
    /// Further notes for callers; may be empty.
    let details: String
    /// The query parameters it knows; any other is refused.
    let query: [QueryParameter]
    /// Whether a parameter of the query is required.
    let needsQuery: Bool
    /// The body it takes.
    let body: Body
    /// Its answers that are no problems.
    let answers: [Answer]
    /// Problems of its own, beyond those of every route of its form.
    let failures: [Answer]
    /// True where the answer may be an event stream.
    let isStream: Bool
    /// Whether `Accept` is held against ``mediaTypes``: not where the action does that, nor where all answers lead elsewhere.
    let isNegotiated: Bool
    /// Which node answers, where several share a database.
    let scope: Scope
    /// What it does.
    let action: Action
    /// The media types of its answers. Problems are sent whatever a client takes (RFC 9110, section 15.5.7).
    let mediaTypes: [String]
    /// Whether the first parameter of its path names a director.
    let namesDirector: Bool
    /// Whether the resource is of a director's definition, which a view has of its own: the director itself or an adapter.
    let isOfDefinition: Bool
    /// Whether the resource is an event hook, or a list of them. A view's hooks are kept with the director that it
    /// follows in the end.
    let isOfHooks: Bool
    /// Its counts.
    let metrics = RouteMetrics()

    /// Whether it takes a body.
    var takesBody: Bool {
        if case .none = body { false } else { true }
    }

    /// Whether a request may publish without `reload` in its query.
    let publishes: Bool
    /// Whether sources are asked for elements before the action runs: those that are asked at a reload, or by readers.
    let asksSources: Bool

    /// Whether the body is a merge patch.
    var takesMergePatch: Bool {
        if case .mergePatch = body { true } else { false }
    }

    /// Whether the body may be newline-delimited JSON.
    var takesLines: Bool {
        if case .lines = body { true } else { false }
    }

    /// Whether the answer to a request with an `Idempotency-Key` is kept. A PUT is repeated safely by itself, but for one
    /// that is refused by what has been there before it.
    var takesKey: Bool {
        if case .prepare = action { return true }
        return method == .post && action.keepsAnswers
    }

    /// Whether it changes a director, so that `If-Match` and `Prefer` apply.
    var isMutation: Bool { action.isMutation }

    /// Declares a route; what is left out is empty or false.
    init(
        method: HTTPRequest.Method, path: PathTemplate, requires requirement: Requirement, operationID: String,
        summary: String, details: String = "", query: [QueryParameter] = [], body: Body = .none, answers: [Answer],
        failures: [Answer] = [],
        isStream: Bool = false, publishes: Bool = false, asksSources: Bool = false, scope: Scope = .anyNode,
        action: Action
    ) {
        self.method = method
        self.path = path
        namesDirector = path.parameterNames.first == "director"
        self.requirement = requirement
        self.operationID = operationID
        self.summary = summary
        self.details = details
        let mayBeStale = Self.mayBeStale(action, scope, method, namesDirector)
        var query = query
        if mayBeStale, !query.contains(where: { $0.name == "stale" }) { query.append(.stale) }
        isOfHooks = path.leadsToHooks && requirement == .right(.hooks)
        isOfDefinition = path == PathTemplate("/v1/directors/{director}") || path.leadsToAdapters
        if namesDirector, action.isOfList { query.append(.parameters) }
        self.query = query
        needsQuery = query.contains(where: \.isRequired)
        self.body = body
        self.answers = answers
        self.failures = failures
        self.isStream = isStream
        self.publishes = publishes
        self.asksSources = asksSources
        isNegotiated = !isStream && !answers.allSatisfy { (300...399).contains($0.status) }
        self.scope = scope
        self.action = action
        let types = answers.flatMap { $0.content.map(\.type) }
        // A client that takes JSON, or problems alone, takes an answer without content.
        mediaTypes = types.isEmpty ? ["application/json", "application/problem+json"] : types
    }
}

extension Route {
    /// Whether a node among several answers by itself after a look at the database, and so may have an older state.
    private static func mayBeStale(
        _ action: Action, _ scope: Scope, _ method: HTTPRequest.Method, _ namesDirector: Bool
    ) -> Bool {
        switch (action, scope) {
        case (.read, .anyNode), (.stream, .anyNode): true
        case (.service, .anyNode): namesDirector && method == .get
        case (_, .everything), (_, .queriedDirectors): method == .get
        default: false
        }
    }

    /// The same route with counts of its own.
    func copy() -> Route {
        Route(
            method: method, path: path, requires: requirement, operationID: operationID, summary: summary,
            details: details, query: query.filter { $0.name != QueryParameter.parameters.name }, body: body,
            answers: answers, failures: failures, isStream: isStream,
            publishes: publishes, asksSources: asksSources, scope: scope, action: action)
    }
}

extension Route.Answer {
    /// An answer with a JSON body after a schema.
    static func json(_ status: Int, _ summary: String, _ schema: String) -> Self {
        Self(status: status, summary: summary, content: [("application/json", schema)])
    }

    /// An answer without content.
    static func empty(_ status: Int, _ summary: String) -> Self {
        Self(status: status, summary: summary)
    }
}
