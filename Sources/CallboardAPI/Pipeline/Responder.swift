import Access
import Directors
import HTTPServer
import HTTPTypes
import Logging
import Notation
import Reactor

/// Turns replies and problems into responses: adds what every answer carries, counts it and logs it. Any thread.
final class Responder: Sendable {
    /// Requests that no route took.
    let unmatched = RouteMetrics()

    private let cors: CORSPolicy
    private let logger: Logger
    private let logsEveryRequest: Bool
    private let requestPrefix = String(Epoch.random().prefix(6)) + "-"

    /// Makes a responder.
    init(cors: CORSPolicy, logger: Logger) {
        self.cors = cors
        self.logger = logger
        logsEveryRequest = logger.logLevel <= .debug
    }

    /// Adds what every answer carries, counts it and logs it.
    func finish(
        _ exchange: Exchange, route: Route?, start: LoopInstant, status: HTTPResponse.Status, fields: inout HTTPFields
    ) {
        // A load balancer asks each second whether the server is ready; why it is not is logged where it comes about.
        let isLogged = logsEveryRequest || status.code >= 500 && route?.operationID != "isReady"
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
                "id": "\(id)", "method": "\(exchange.head.method.rawValue)",
                "target": "\(Self.logged(exchange.head.target))",
                "status": .number(status.code), "microseconds": .number(taken), "peer": "\(exchange.remoteAddress)",
            ])
    }

    /// Answers with a problem.
    func answer(_ problem: Problem, to exchange: Exchange, route: Route?, start: LoopInstant) {
        var fields = HTTPFields()
        fields[.contentType] = "application/problem+json"
        // Some statuses may be kept by a cache unless told otherwise, such as 404, 405, 410 and 501 (RFC 9110, section 15.1).
        fields[.cacheControl] = "no-store"
        if !problem.allowed.isEmpty {
            fields[.allow] = problem.allowed.map(\.rawValue).joined(separator: ", ")
        }
        if let seconds = problem.retryAfter { fields[.retryAfter] = String(seconds) }
        if let challenge = problem.challenge { fields[.wwwAuthenticate] = challenge }
        if problem.endsSession { fields[.setCookie] = SessionCookie.clearing }
        if let encoding = problem.acceptEncoding { fields[.acceptEncoding] = encoding }
        finish(exchange, route: route, start: start, status: problem.status, fields: &fields)
        let instance = String(exchange.head.target.prefix { $0 != "?" })
        exchange.respond(
            Response(status: problem.status, fields: fields, body: .bytes(problem.body(instance: instance))))
    }

    /// Answers OPTIONS with the methods of a resource, and a browser's preflight with what it may do.
    func answerOptions(_ exchange: Exchange, _ methods: [HTTPRequest.Method], start: LoopInstant) {
        var fields = HTTPFields()
        fields[.allow] = methods.map(\.rawValue).joined(separator: ", ")
        finish(exchange, route: nil, start: start, status: .noContent, fields: &fields)
        cors.applyPreflight(methods: methods, to: &fields)
        exchange.respond(Response(status: .noContent, fields: fields))
    }

    /// A target as the log shows it: without tokens, and without the values of what is no parameter here and may be one.
    private static func logged(_ target: String) -> String {
        guard let mark = target.firstIndex(of: "?") else { return target.partShownInLogs }
        let members = target[target.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let shown = members.map { member in
            // As the query is read: a name may be percent-encoded.
            let name = member.prefix { $0 != "=" }
            let read = PercentEncoding.decode(name, plusIsSpace: true) ?? String(name)
            let isSecret = ["access_token", "token", "ticket"].contains(read.lowercased())
            return isSecret ? "\(read)=…" : String(member).partShownInLogs
        }
        return String(target[..<mark]).partShownInLogs + "?" + shown.joined(separator: "&")
    }

    /// Counts and logs a request that the HTTP server itself has refused.
    func noteRefusal(_ status: HTTPResponse.Status, reason: String, remoteAddress: String) {
        unmatched.record(status: status.code, microseconds: 0)
        logger.debug(
            "refused a request",
            metadata: ["status": .number(status.code), "reason": "\(reason)", "peer": "\(remoteAddress)"])
    }

    /// The client's own name for the request where it is a sane one and no credential, otherwise a new one.
    private func requestID(_ exchange: Exchange) -> String {
        if let given = exchange.head.fields.value(of: .requestID), (1...128).contains(given.utf8.count),
            given.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), given.partShownInLogs == given
        {
            return given
        }
        return name(ofRequest: exchange.id)
    }

    /// The server's name for a request: no other one has it, after a restart neither.
    func name(ofRequest number: UInt64) -> String { requestPrefix + String(number) }

    /// The number of a request that the server has named; nil for another text.
    func number(ofRequest name: String) -> UInt64? {
        guard name.hasPrefix(requestPrefix), let number = UInt64(name.dropFirst(requestPrefix.count)) else {
            return nil
        }
        return name == self.name(ofRequest: number) ? number : nil
    }
}
