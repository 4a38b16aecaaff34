import DirectorLife
import Feed
import HTTPTypes
import Hosting
import Journal
import Notation
import Reactor
import Synchronization

// A request on a node among several: reads and streams wait for one look at the journal, and are answered here; commands
// go to the director's owner, one hop away.
extension Application {
    /// How long a request waits for a look: longer than a look may take before it has failed.
    private static let lookPatience = Duration.seconds(5)

    /// Has a request answered where it belongs.
    func dispatch(_ call: Call, _ cluster: Cluster) throws(Problem) {
        switch call.route.action {
        case .service, .read, .stream: try read(call, cluster)
        case .define, .change, .transfer, .announce, .report, .prepare: carry(call, cluster)
        }
    }

    private func read(_ call: Call, _ cluster: Cluster) throws(Problem) {
        switch call.route.scope {
        case .anyNode where call.route.namesDirector:
            let names = withSources([call.parameters[0]])
            let isAsked = askOwners(of: [call.parameters[0]], for: call, cluster) {
                self.look(at: names, cluster, call)
            }
            if isAsked { return }
            guard names.allSatisfy({ cluster.isCurrent($0) }) else { return look(at: names, cluster, call) }
            if isStoring(names) { return readSettled(names, cluster, call) }
            if isHere(names, call) { try runHere(call) } else { look(at: names, cluster, call) }
        case .everything: look(at: nil, cluster, call)
        case .queriedDirectors:
            let names = call.query.all("director")
            let known = withSources(names)
            let isAsked = askOwners(of: names, for: call, cluster) { self.look(at: known, cluster, call) }
            if !isAsked { look(at: known, cluster, call) }
        case .owner: carry(call, cluster)
        case .everyNode(let gathered) where call.isForwarded:
            if gathered.isOfAll { look(at: nil, cluster, call) } else { try runHere(call) }
        case .anyNode, .queriedNode, .oneNode, .everyNode: try readWithoutLook(call, cluster)
        }
    }

    /// Answers what needs no look while the lease lasts. After that another node may have revoked the request's credential,
    /// and a look is made first; the metrics are answered even if it fails, since they are wanted most then.
    private func readWithoutLook(_ call: Call, _ cluster: Cluster) throws(Problem) {
        guard !cluster.hasLease, call.route.requirement != .nothing else { return try gather(call, cluster) }
        look(at: nil, cluster, call) { error in
            do throws(Problem) {
                if let error {
                    guard case .queriedNode = call.route.scope else { throw .away(error) }
                } else {
                    try self.authenticateAgain(call)
                }
                try self.gather(call, cluster)
            } catch {
                call.answer(error)
            }
        }
    }

    /// Answers for a director that this node owns, once what is in flight of it is settled.
    private func readSettled(_ names: [String], _ cluster: Cluster, _ call: Call) {
        settle(names, call) { error in
            if let error { return call.answer(.away(error)) }
            // It may have been lost meanwhile.
            guard names.allSatisfy({ cluster.isCurrent($0) }), self.isHere(names, call) else {
                return self.look(at: names, cluster, call)
            }
            self.finish(call)
        }
    }

    /// Waits until what is in flight of directors to the journal is settled, no longer than ``lookPatience``: other nodes may
    /// have shown it already, and nobody is to be shown less after that.
    ///
    /// - Parameter completion: Called once, on the call's loop.
    func settle(
        _ names: [String], _ call: Call, completion: @escaping @Sendable (StorageError?) -> Void
    ) {
        let hosts = names.compactMap { environment.registry.host(named: $0) }.filter(\.isStoring)
        guard !hosts.isEmpty else { return completion(nil) }
        Self.settle(
            hosts[...],
            completion: patiently(call, "whether this node's newest change is stored is not known yet", completion))
    }

    /// A completion for something that a request waits for, no longer than ``lookPatience``.
    ///
    /// - Parameters:
    ///   - reason: Why it is unavailable when that time is over.
    ///   - completion: Called once, on the call's loop.
    /// - Returns: What is to be called, from any thread.
    private func patiently(
        _ call: Call, _ reason: String, _ completion: @escaping @Sendable (StorageError?) -> Void
    ) -> @Sendable (StorageError?) -> Void {
        let loop = call.exchange.loop
        let done = Once(completion)
        let timer = loop.schedule(after: Self.lookPatience) { done(.unavailable(reason)) }
        return { error in
            loop.execute {
                timer.cancel()
                done(error)
            }
        }
    }

    /// Waits for one director after the other.
    private static func settle(
        _ hosts: ArraySlice<DirectorHost>, completion: @escaping @Sendable (StorageError?) -> Void
    ) {
        guard let host = hosts.first else { return completion(nil) }
        host.whenSettled { error in
            if let error { completion(error) } else { settle(hosts.dropFirst(), completion: completion) }
        }
    }

    /// Answers here, or asks the nodes that the route's scope names.
    private func gather(_ call: Call, _ cluster: Cluster) throws(Problem) {
        guard !call.isForwarded else { return try runHere(call) }
        switch call.route.scope {
        case .queriedNode: try askQueried(call, cluster)
        case .oneNode: try askEach(call, cluster)
        case .everyNode(let gathered): try askAll(call, cluster, gathered)
        case .anyNode, .everything, .queriedDirectors, .owner: try runHere(call)
        }
    }

    /// Refuses a credential that was good when the request came, and is not after a look.
    func authenticateAgain(_ call: Call) throws(Problem) {
        if let fault = access.fault(of: call.principal) { throw .credentialRefused(fault) }
    }

    /// Answers once everything that was acknowledged before is here.
    ///
    /// If the database cannot be asked, the answer is 503. With `stale=allowed` it is what is here, with its age, while the
    /// lease lasts; after that a credential may have been revoked.
    private func look(at names: [String]?, _ cluster: Cluster, _ call: Call) {
        look(at: names, cluster, call) { error in
            let names = names ?? []
            // The look may have loaded a view, whose source is to be as new as the view.
            let known = self.withSources(names)
            if error == nil, known.count > names.count { return self.look(at: known, cluster, call) }
            if let error {
                guard cluster.mayBeStale(call), self.isHere(names, call) else {
                    return call.answer(.away(error))
                }
                return self.finish(call.stale(by: cluster.staleness))
            }
            if let problem = cluster.problem(of: names) { return call.answer(problem) }
            self.settle(names, call) { error in
                if let error { return call.answer(.away(error)) }
                self.finish(call, isAfterLook: true)
            }
        }
    }

    /// Makes a look, of which the end is not waited for longer than ``lookPatience``; it loads the directors that it names.
    ///
    /// - Parameter completion: Called once, on the call's loop.
    func look(
        at names: [String]?, _ cluster: Cluster, _ call: Call, completion: @escaping @Sendable (StorageError?) -> Void
    ) {
        let reason = "the database has not answered in time, or the director is still being read"
        cluster.journal.look(at: names, completion: patiently(call, reason, completion))
    }

    /// Whether directors are here, at least as new as the client of a stream has seen them: otherwise nothing may be said
    /// of them without a look.
    private func isHere(_ names: [String], _ call: Call) -> Bool {
        let token = call.resumeToken
        return names.allSatisfy { name in
            guard let host = environment.registry.host(named: name) else { return false }
            return token?.version(in: host.epoch).map { $0 <= host.newestVersion } ?? (token == nil)
        }
    }

    /// The director of a name on this node; nil where there is none on any node.
    ///
    /// - Throws: 503 where it is not loaded any more though it was a moment ago: nothing may be said of it.
    func host(named name: String) throws(Problem) -> DirectorHost? {
        if let host = environment.registry.host(named: name) { return host }
        guard environment.cluster?.knows(name) == true else { return nil }
        throw .unavailable(
            .notLoaded, "This node has let go of the director \(name.quoted). Ask again.")
    }

    /// Directors, and behind them those that views among them follow, each once; as far as they are loaded here.
    func withSources(_ names: [String]) -> [String] {
        // Most directors are no views, and reads of them pay for nothing more.
        guard names.contains(where: { environment.registry.host(named: $0)?.view != nil }) else { return names }
        var (all, known) = (names, Set(names.map { Name($0) }))
        var index = 0
        while index < all.count {
            if let view = environment.registry.host(named: all[index])?.view, known.insert(Name(view.source)).inserted {
                all.append(view.source)
            }
            index += 1
        }
        return all
    }

    private func isStoring(_ names: [String]) -> Bool {
        names.contains { environment.registry.host(named: $0)?.isStoring ?? false }
    }

    func finish(_ call: Call, isAfterLook: Bool = false) {
        do throws(Problem) {
            if isAfterLook { try authenticateAgain(call) }
            try runHere(call)
        } catch {
            call.answer(error)
        }
    }
}

extension Call {
    /// The position after which a stream's client resumes; nil if it begins anew.
    fileprivate var resumeToken: ResumeToken? {
        (self[.lastEventID] ?? query["lastEventId"]).map { ResumeToken(parsing: $0) }
    }
}

extension Cluster {
    /// Whether a request may be answered with what is here although the look before has failed.
    func mayBeStale(_ call: Call) -> Bool { call.query["stale"] == "allowed" && hasLease }

    /// Why one of some directors can be neither read nor changed here: 503.
    func problem(of directors: some Sequence<String>) -> Problem? {
        for name in directors {
            guard let reason = fault(of: name) else { continue }
            return .unavailable(
                .unreadable,
                "This node cannot read the stored data of the director \(name.quoted) (\(reason)). It tries again "
                    + "every few seconds, and serves the other directors. GET /readyz names all such directors.")
        }
        return nil
    }
}

extension Problem {
    /// This node cannot see what other nodes have stored: 503.
    static func away(_ error: StorageError) -> Problem {
        .unavailable(
            .away, "This node cannot see what other nodes have stored (\(error)). Ask another node, or ask again.")
    }
}

/// Calls a function with the first of several results; on one loop.
private final class Once: Sendable {
    private let isDone = Atomic<Bool>(false)
    private let completion: @Sendable (StorageError?) -> Void

    init(_ completion: @escaping @Sendable (StorageError?) -> Void) {
        self.completion = completion
    }

    func callAsFunction(_ error: StorageError?) {
        if !isDone.exchange(true, ordering: .relaxed) { completion(error) }
    }
}

/// Ends streams when the node's lease has run out: what other nodes store is not seen here any more.
final class ClusterPermit: StreamPermit {
    /// Whether the stream may go on for its credential.
    let inner: (any StreamPermit)?
    private let cluster: Cluster

    /// Makes the permit of a stream that has one already, or none.
    init(_ inner: (any StreamPermit)?, _ cluster: Cluster) {
        self.inner = inner
        self.cluster = cluster
    }

    var endReason: StreamEvent.EndReason? {
        cluster.hasLease ? inner?.endReason : .closing
    }
}
