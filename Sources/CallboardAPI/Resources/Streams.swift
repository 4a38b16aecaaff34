import DirectorLife
import Directors
import Feed
import HTTPTypes
import HTTPWire
import Hosting
import Notation
import Reactor

extension Application {
    /// `GET /v1/changesets?director=a&director=b`.
    func followDirectors(_ call: Call) throws(Problem) {
        guard ContentNegotiation.accepts(call[.accept], anyOf: [ContentNegotiation.eventStream]) else {
            throw Problem(
                .notAcceptable, "This resource answers text/event-stream, which Accept does not take.")
        }
        var known: Set<Name> = []
        let names = call.query.all("director").filter { known.insert(Name($0)).inserted }
        guard names.count <= configuration.feed.maxDirectorsPerStream else {
            throw .unprocessable(
                "One stream carries at most \(configuration.feed.maxDirectorsPerStream) directors, not \(names.count).")
        }
        var hosts: [any FeedSource] = []
        for name in names where call.principal.grants.allow(.read, on: name) {
            guard let host = try host(named: name) else { continue }
            hosts.append(host.view == nil ? host : try instance(of: host, for: call))
        }
        known.subtract(texts: hosts.map(\.name))
        let others = names.filter { known.contains(Name($0)) }
        // Who comes back has a right to the others: a 404 would make a browser give up all of them. What may not be read
        // is answered alike, whether it is there or not.
        if let missing = others.first, hosts.isEmpty || lastEventID(call) == nil { throw .noDirector(missing) }
        call.stream(from: try subscription(to: hosts, without: others, call))
    }

    /// `GET …/changesets`: a stream, or a list where the query or `Accept` asks for one; nil for that.
    func followDirector(_ call: Call, _ host: any FeedSource) throws(Problem) -> Subscription? {
        guard !call.readsChangesets, ContentNegotiation.accepts(call[.accept], anyOf: [ContentNegotiation.eventStream])
        else {
            if call.query[QueryParameter.ticket.name] != nil {
                throw .badRequest("A ticket opens event streams and nothing else: ask for text/event-stream.")
            }
            return nil
        }
        if call.query.hasParameters, host is DirectorHost { throw .withoutParameters(host.name) }
        return try subscription(to: [host], call)
    }

    /// The id that a client wants to resume after.
    private func lastEventID(_ call: Call) -> String? {
        if let id = call[.lastEventID] ?? call.query["lastEventId"], !id.isEmpty { return id }
        return nil
    }

    /// A stream on these directors, as the request's query and fields want it.
    ///
    /// - Parameters:
    ///   - hosts: The directors that are there, at least one.
    ///   - others: Directors of a returning client that were deleted meanwhile, or that it may not read any more; the
    ///     client is told of them first.
    ///   - call: The request.
    func subscription(
        to hosts: [any FeedSource], without others: [String] = [], _ call: Call
    ) throws(Problem) -> Subscription {
        guard let streams = streams(on: call.exchange.loop) else {
            throw Problem(
                .internal, "The connection's loop is not known.")
        }
        var terms = SubscriptionTerms()
        terms.token = lastEventID(call).map { ResumeToken(parsing: $0) }
        let epochs = Set(hosts.map(\.epoch))
        terms.hasUnknownPlaces = terms.token?.places.contains { !epochs.contains($0.epoch) } ?? false
        terms.snapshot = call.query["snapshot"].flatMap(SubscriptionTerms.Snapshot.init) ?? .full
        terms.catchUp = call.query["catchup"].flatMap(SubscriptionTerms.CatchUp.init) ?? .one
        return Subscription(
            loop: call.exchange.loop,
            identity: StreamIdentity(number: call.exchange.id, since: WallTime.now().milliseconds), streams: streams,
            sources: hosts, terms: terms,
            preamble: [EventFrame(ServerSentEvent(retry: configuration.feed.jitteredRetry))]
                + others.map { name in
                    call.principal.grants.allow(.read, on: name)
                        ? StreamEvent.deleted(name) : StreamEvent.end(director: name, reason: .forbidden).frame(id: nil)
                },
            isShared: hosts.count + others.count > 1, permit: try permit(of: call))
    }

    /// Whether the call's stream may go on.
    private func permit(of call: Call) throws(Problem) -> (any StreamPermit)? {
        let permit = access.permit(for: call.principal, try limits.lease(call))
        return environment.cluster.map { ClusterPermit(permit, $0) } ?? permit
    }
}
