import HTTPServer
import HTTPTypes
import HTTPWire
import Hosting
import Notation
import Reactor

extension Application {
    /// Takes a request through the steps: admit, authenticate, route, authorize, negotiate, run.
    ///
    /// Each step throws the problem that the request is answered with where it goes no further.
    package func handle(_ exchange: Exchange) {
        handle(exchange, isLastTry: false)
    }

    /// Takes the head of a request through the steps before its content is read; a resource that takes no content reads some
    /// all the same, and ignores it.
    package func admit(_ exchange: Exchange) -> Int {
        handle(exchange, isLastTry: false)
        guard let path = RequestPath(target: exchange.head.target),
            case .route(let route, _) = router.match(exchange.head.method, path.segments), route.takesBody
        else { return Self.ignoredContent }
        return .max
    }

    /// How many bytes of content may be sent to a resource that takes none.
    private static let ignoredContent = 64 << 10

    /// Takes a request that another node has admitted through the rest of the steps.
    package func handle(_ exchange: Exchange, forwardedBy principal: Principal) {
        handle(exchange, isLastTry: true, forwardedBy: principal)
    }

    /// Takes a request through the steps; the last try is that of a request that has waited for an issuer's keys, or for
    /// the tokens of other nodes.
    func handle(_ exchange: Exchange, isLastTry: Bool, forwardedBy sender: Principal? = nil) {
        // The time at the start of the loop's turn, which is when the request's last bytes came.
        let start = exchange.loop.now
        var found: Route?
        var asker: Principal?
        var named: [String] = []
        do throws(Problem) {
            guard let principal = try admit(exchange, isLastTry: isLastTry, forwardedBy: sender) else { return }
            asker = principal
            let path = try path(of: exchange)
            switch try router.destination(exchange.head, path) {
            case .options(let methods):
                guard exchange.extent != .head else { return }
                responder.answerOptions(exchange, methods, start: start)
            case .route(let route, let parameters):
                found = route
                named = parameters
                try principal.authorize(route, parameters)
                let query = try ContentNegotiation.check(exchange, path, for: route)
                if query.flag("reload"), let name = parameters.first { try principal.require(.mutate, on: name) }
                guard exchange.extent != .head else { return }
                let call = Call(
                    exchange: exchange, route: route, principal: principal, parameters: parameters, query: query,
                    application: self, start: start, isForwarded: sender != nil)
                try run(call)
            }
        } catch {
            if error.concernsAccess, sender == nil {
                audit?.note(
                    AuditEntry(
                        principal: asker, exchange: exchange, route: found,
                        subject: found.flatMap { AuditEntry.Subject($0, named) }, status: error.status))
            }
            responder.answer(error, to: exchange, route: found, start: start)
        }
    }

    /// Admits a request and finds out who makes it; nil where it waits.
    ///
    /// - Parameter sender: The principal, if another node has authenticated the request.
    private func admit(
        _ exchange: Exchange, isLastTry: Bool, forwardedBy sender: Principal?
    ) throws(Problem) -> Principal? {
        if let sender { return sender }
        try admission.check(exchange)
        let isCounted = exchange.extent == .admitted
        if !isLastTry, !isCounted { try limits.admit(exchange) }
        guard let principal = try principal(of: exchange, isLastTry: isLastTry) else { return nil }
        if !isCounted { try limits.admit(principal, on: exchange.loop) }
        return principal
    }

    package func refused(_ status: HTTPResponse.Status, reason: String, remoteAddress: String) {
        responder.noteRefusal(status, reason: reason, remoteAddress: remoteAddress)
    }

    /// The principal; nil if the request waits. Files that are open to everybody ask nobody.
    private func principal(of exchange: Exchange, isLastTry: Bool) throws(Problem) -> Principal? {
        if !exchange.head.target.hasPrefix("/v1/"), let path = RequestPath(target: exchange.head.target),
            case .route(let route, _) = router.match(exchange.head.method, path.segments), route.requirement == .open
        {
            return access.isOpen ? .everybody : access.anonymous
        }
        return try authenticate(exchange, isLastTry: isLastTry)
    }

    private func path(of exchange: Exchange) throws(Problem) -> RequestPath {
        guard let path = RequestPath(target: exchange.head.target) else {
            throw .badRequest("The path is not percent-encoded UTF-8.")
        }
        return path
    }
}

/// Refuses requests that are not for this server, or that a page of another site has a browser send.
struct Admission: Sendable {
    /// Which hosts requests may name.
    let hosts: HostPolicy
    /// Which web pages may change something.
    let sites: SitePolicy

    /// Refuses with 421 or 403.
    func check(_ exchange: Exchange) throws(Problem) {
        guard hosts.serves(exchange.head.authority, from: exchange.peer) else {
            throw HostPolicy.refusal(of: exchange.head.authority)
        }
        try sites.check(exchange.head)
    }
}

extension Router {
    /// Where a request leads to.
    enum Destination {
        /// To a route, with the path's parameters.
        case route(Route, parameters: [String])
        /// To nothing but the methods that the resource has, which OPTIONS asks for.
        case options([HTTPRequest.Method])
    }

    /// Finds where a request leads to.
    ///
    /// - Throws: 404 for a path that is no resource's, 405 with the methods for a method that the resource has not.
    func destination(_ head: RequestHead, _ path: RequestPath) throws(Problem) -> Destination {
        if head.method == .options, head.target == "*" {
            return .options([.get, .head, .put, .post, .patch, .delete, .options])
        }
        switch match(head.method, path.segments) {
        case .route(let route, let parameters):
            // Only percent-encoding brings one in.
            guard path.hasEscapes else { return .route(route, parameters: parameters) }
            for (name, text) in zip(route.path.parameterNames, parameters)
            where !OpenAPISchemas.addresses.contains(name) && Name.hasASCIIControls(text) {
                throw .badRequest("The path's \(name) has a control character; no name has one.")
            }
            return .route(route, parameters: parameters)
        case .wrongMethod(let allowed):
            if head.method == .options { return .options(allowed) }
            var problem = Problem(
                .methodNotAllowed,
                "\(head.method.rawValue) is not one of: \(allowed.map(\.rawValue).joined(separator: ", ")).")
            problem.allowed = allowed
            throw problem
        case .unknown:
            throw .notFound("No resource has this path; GET /openapi.json lists them all.")
        }
    }
}
