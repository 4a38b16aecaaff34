import HTTPServer
import HTTPTypes
import HTTPWire
import JSONValues
import Reactor

/// One request on its way through the server: what was asked, checked against its route, and the means to answer.
///
/// A class, so that handing it from the router to the director and back copies one reference.
final class Call: Sendable {
    /// The request and its connection.
    let exchange: Exchange
    /// What the router found.
    let route: Route
    /// Who makes the request.
    let principal: Principal
    /// The path's parameters, decoded, in the order of the template.
    let parameters: [String]
    /// The query, checked against the route.
    let query: Query
    /// The server as a whole.
    let application: Application
    /// When the request was handed over.
    let start: LoopInstant
    /// Whether another node has passed it on.
    let isForwarded: Bool
    /// How many seconds old what is answered may be, where the database could not be asked; nil for what is current.
    let staleness: Int?

    /// Makes a call; the application does so for each request.
    init(
        exchange: Exchange, route: Route, principal: Principal, parameters: [String], query: Query,
        application: Application, start: LoopInstant, isForwarded: Bool = false, staleness: Int? = nil
    ) {
        self.exchange = exchange
        self.route = route
        self.principal = principal
        self.parameters = parameters
        self.query = query
        self.application = application
        self.start = start
        self.isForwarded = isForwarded
        self.staleness = staleness
    }

    /// The same call, answered with what was current some seconds ago.
    func stale(by seconds: Int) -> Call {
        Call(
            exchange: exchange, route: route, principal: principal, parameters: parameters, query: query,
            application: application, start: start, isForwarded: isForwarded, staleness: seconds)
    }

    /// The request's content as JSON.
    ///
    /// - Throws: 400 with the offset where it is not JSON; 422 where an object has a member twice.
    func document() throws(Problem) -> JSONDocument {
        do {
            return try JSONDocument(exchange.body)
        } catch {
            throw Problem(error, in: exchange.body)
        }
    }

    /// The request's path, by which a problem names the occurrence.
    var instance: String { String(exchange.head.target.prefix { $0 != "?" }) }

    /// A request field's value; several lines are joined by commas (RFC 9110, section 5.3).
    subscript(field: HTTPField.Name) -> String? {
        exchange.head.fields.value(of: field)
    }

    /// Answers; from any thread. Content that takes long is made on a thread beside the loops.
    ///
    /// If too many such answers wait, the client of a read is told to ask again. A change has happened, and is answered
    /// all the same: its content is made here.
    func answer(_ reply: Reply) {
        let reply = reply.telling == .content && isNarrowed(reply.status) ? narrowed(reply) : reply
        guard reply.longContent != nil else { return send(reply) }
        if application.longAnswers.run({ self.send(reply.made) }) { return }
        if route.isMutation { send(reply.made) } else { answer(.tooManyLongAnswers) }
    }

    /// Whether the answer is to be without the director's content: the route has asked for another right than `read`.
    ///
    /// A report is answered with what its hooks say; a refusal that is kept for repetitions tells of the list.
    private func isNarrowed(_ status: HTTPResponse.Status) -> Bool {
        switch route.action {
        case .define, .change, .transfer, .announce, .prepare: hidesContent
        case .report: status.code >= 400 && hidesContent
        case .service, .read, .stream: false
        }
    }

    private func narrowed(_ reply: Reply) -> Reply {
        var reply = reply.withoutContent
        // A PUT that has created something says so (RFC 9110, section 9.3.4).
        if reply.status == .created, route.method != .put { reply.status = .noContent }
        return reply
    }

    private func send(_ reply: Reply) {
        var fields = HTTPFields()
        // Appending skips the search that setting a field makes; none of these is there yet.
        fields.reserveCapacity(5)
        fields.append(reply.isStorable ? .noCache : .noStore)
        if reply.hasContent {
            fields.append(
                reply.contentType == "application/json"
                    ? .json : HTTPField(name: .contentType, value: reply.contentType))
        }
        if let etag = reply.etag { fields.append(HTTPField(name: .eTag, value: etag)) }
        // The same address gives a stream to a client that asks for one.
        if case .stream = route.action { fields.append(HTTPField(name: .vary, value: "Accept")) }
        if let cookie = reply.cookie { fields.append(HTTPField(name: .setCookie, value: cookie)) }
        if let location = reply.location { fields.append(HTTPField(name: .location, value: location)) }
        if let staleness { fields.append(HTTPField(name: .callboardStale, value: String(staleness))) }
        for field in reply.furtherFields { fields.append(field) }
        // The node that took the request notes what came of it.
        if isForwarded, reply.outcome != .done {
            fields.append(HTTPField(name: .callboardOutcome, value: reply.outcome.rawValue))
        }
        application.responder.finish(exchange, route: route, start: start, status: reply.status, fields: &fields)
        // Noted first: of two requests of one client, the earlier one's line comes first.
        if !route.method.isSafe, reply.status.code < 400 || Self.isNoted(refused: reply.status) {
            note(reply.status, reply)
        }
        exchange.respond(Response(status: reply.status, fields: fields, body: reply.content))
    }

    /// Whether a problem that another node has answered is noted, as one of this node's is.
    private static func isNoted(refused status: HTTPResponse.Status) -> Bool {
        switch status {
        case .unauthorized, .forbidden, .tooManyRequests, .gatewayTimeout: true
        default: false
        }
    }

    private func note(_ status: HTTPResponse.Status, _ reply: Reply? = nil) {
        // The node that took the request notes it.
        guard let audit = application.audit, !isForwarded else { return }
        audit.note(
            AuditEntry(
                principal: principal, exchange: exchange, route: route,
                subject: reply?.subject ?? AuditEntry.Subject(route, parameters),
                target: AuditEntry.Subject(targetOf: self), status: status, etag: reply?.etag,
                outcome: reply?.outcome ?? .done))
    }

    /// Answers with a problem; from any thread.
    func answer(_ problem: Problem) {
        let problem = problem.told(to: self)
        // What is not known to have been stored may have been.
        let isInDoubt = problem.status == .gatewayTimeout && !route.method.isSafe
        if problem.concernsAccess || isInDoubt {
            note(problem.status)
        }
        application.responder.answer(problem, to: exchange, route: route, start: start)
    }

    /// Begins an event stream; from any thread.
    func stream(from producer: any BodyProducer) {
        var fields = HTTPFields()
        fields[.contentType] = "text/event-stream"
        fields[.cacheControl] = "no-store, no-transform"
        fields[.xAccelBuffering] = "no"
        if let staleness { fields[.callboardStale] = String(staleness) }
        application.responder.finish(exchange, route: route, start: start, status: .ok, fields: &fields)
        // Its last event says that the connection closes.
        exchange.stream(ResponseHead(status: .ok, fields: fields), from: producer, closesConnection: true)
    }
}
