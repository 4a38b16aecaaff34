import Directors
import HTTPTypes
import HTTPWire
import Reactor

extension Application {
    /// `GET /v1/changesets?director=a&director=b`.
    func followDirectors(_ call: Call) throws(Problem) {
        guard ContentNegotiation.accepts(call[.accept], anyOf: [ContentNegotiation.eventStream]) else {
            throw Problem(
                .notAcceptable, "not-acceptable", "No representation is acceptable",
                "This resource answers text/event-stream, which Accept does not take.")
        }
        var hosts: [DirectorHost] = []
        for name in call.query.all("director") where !hosts.contains(where: { $0.name == name }) {
            guard let host = registry.host(named: name) else {
                throw .notFound("There is no director \"\(name)\"; PUT /v1/directors/… makes one.")
            }
            hosts.append(host)
        }
        guard hosts.count <= configuration.feed.maxDirectorsPerStream else {
            throw .unprocessable(
                "One stream carries at most \(configuration.feed.maxDirectorsPerStream) directors, not \(hosts.count).")
        }
        call.stream(from: try subscription(to: hosts, call))
    }

    /// A stream on these directors, as the request's query and fields want it.
    func subscription(to hosts: [DirectorHost], _ call: Call) throws(Problem) -> Subscription {
        guard let streams = streams(on: call.exchange.loop) else {
            throw Problem(
                .internalServerError, "internal", "The server made a mistake", "The connection's loop is not known.")
        }
        var terms = SubscriptionTerms()
        if let id = call[.lastEventID] ?? call.query["lastEventId"], !id.isEmpty {
            terms.token = ResumeToken(parsing: id)
        }
        terms.snapshot = call.query["snapshot"].flatMap(SubscriptionTerms.Snapshot.init) ?? .full
        terms.catchUp = call.query["catchup"].flatMap(SubscriptionTerms.CatchUp.init) ?? .one
        return Subscription(
            loop: call.exchange.loop, streams: streams, hosts: hosts, terms: terms,
            preamble: StreamEvents.preamble(retry: jitteredRetry))
    }

    /// A random time between the configured bounds, so that clients do not come back all at once.
    private var jitteredRetry: Duration {
        let low = configuration.feed.retryMin.nanoseconds / 1_000_000
        let high = max(low, configuration.feed.retryMax.nanoseconds / 1_000_000)
        return .milliseconds(Int64(UInt64.random(in: low...high)))
    }
}

extension EventFrame {
    private static let changesetPrefix = "event: changeset\ndata: ".utf8.count

    /// Where the JSON of a changeset stands in the frame's bytes: its event is written in `DirectorHost`.
    var changesetJSON: Range<Int> {
        (body.lowerBound + Self.changesetPrefix)..<(body.upperBound - 1)
    }
}
