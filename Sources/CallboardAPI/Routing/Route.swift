import HTTPTypes

/// One method of one resource: what the router finds, what is checked before its action runs, and what the OpenAPI
/// document says of it.
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

    /// Who answers.
    enum Action: Sendable {
        /// The server itself: runs on the connection's loop and answers through the call.
        case server(@Sendable (Call, Application) throws(Problem) -> Void)
        /// The director that the path's first parameter names: runs on the director's loop.
        case director(@Sendable (Call, isolated DirectorHost) throws(Problem) -> Outcome)
        /// The same director, once others have done their part: the action, which is given the request's
        /// `Idempotency-Key`, answers the call by `DirectorHost.finish`, then or later.
        case directorLater(@Sendable (Call, isolated DirectorHost, String?) throws(Problem) -> Void)

        /// Whether no director takes part, which keeps the answers to requests with an `Idempotency-Key`.
        var isServers: Bool {
            if case .server = self { true } else { false }
        }
    }

    /// The method.
    let method: HTTPRequest.Method
    /// The path.
    let path: PathTemplate
    /// The name by which code generators call it.
    let operationID: String
    /// One line.
    let summary: String
    /// What else a caller must know; may be empty.
    let details: String
    /// The query parameters it knows; any other is refused.
    let query: [QueryParameter]
    /// The body it takes.
    let body: Body
    /// What it answers when all goes well.
    let answers: [Answer]
    /// Problems of its own, beyond those of every route of its form.
    let failures: [Answer]
    /// True where it changes a director, so that `If-Match` and `Prefer` apply.
    let isMutation: Bool
    /// True where the answer may be an event stream, so that `Accept` is not held against JSON.
    let isStream: Bool
    /// What it does.
    let action: Action
    /// The media types of its answers, problems included.
    let mediaTypes: [String]
    /// Its counts.
    let metrics = RouteMetrics()

    /// Declares a route; what is left out is empty or false.
    init(
        method: HTTPRequest.Method, path: PathTemplate, operationID: String, summary: String, details: String = "",
        query: [QueryParameter] = [], body: Body = .none, answers: [Answer], failures: [Answer] = [],
        isMutation: Bool = false, isStream: Bool = false, action: Action
    ) {
        self.method = method
        self.path = path
        self.operationID = operationID
        self.summary = summary
        self.details = details
        self.query = query
        self.body = body
        self.answers = answers
        self.failures = failures
        self.isMutation = isMutation
        self.isStream = isStream
        self.action = action
        let types = answers.flatMap { $0.content.map(\.type) }
        // Who takes JSON takes an answer without content; the problem it may become is JSON too.
        mediaTypes = (types.isEmpty ? ["application/json"] : types) + ["application/problem+json"]
    }
}

extension Route {
    /// The same route with counts of its own.
    func copy() -> Route {
        Route(
            method: method, path: path, operationID: operationID, summary: summary, details: details, query: query,
            body: body, answers: answers, failures: failures, isMutation: isMutation, isStream: isStream, action: action
        )
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
