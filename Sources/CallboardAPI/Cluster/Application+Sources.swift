import Hosting
import Journal
import Reactor

// Sources that are asked when somebody reads: the owner of the director asks them, whichever node is read from.

extension DirectorHost {
    /// Whether sources are asked before a request is answered: not for a version of the past, nor for an answer that may be
    /// old.
    nonisolated func asksSources(for call: Call) -> Bool {
        hasSourcesAtRead && isOwned && call.wantsNewest
    }
}

extension Call {
    /// Whether the answer is to be what is there now.
    fileprivate var wantsNewest: Bool { query["version"] == nil && staleness == nil }

    /// Whether changesets are read as JSON, and not followed.
    var readsChangesets: Bool { ["since", "from", "to"].contains { query[$0] != nil } }
}

extension Application {
    /// Has the owners of directors ask sources before a read that this node answers, where another node owns them.
    ///
    /// A stream does not wait: what differs comes as a changeset. If an owner does not answer, nothing is asked.
    ///
    /// - Parameter answer: Answers the request; called once, on the connection's loop.
    /// - Returns: False, with nothing done, where no owner is to be asked.
    func askOwners(
        of names: [String], for call: Call, _ cluster: Cluster, then answer: @escaping @Sendable () -> Void
    ) -> Bool {
        guard call.route.asksSources, !call.isForwarded, call.wantsNewest, let peers else { return false }
        let asked = names.compactMap { name -> (target: String, node: JournalNode)? in
            guard let host = environment.registry.host(named: name), host.hasSourcesAtRead, !host.isOwned,
                case .node(let node) = cluster.destination(of: name)
            else { return nil }
            let path = Location.path("v1", "directors", name, "changesets")
            return ("\(path)?since=\(host.newestVersion)", node)
        }
        guard !asked.isEmpty else { return false }
        let isFollowing =
            switch call.route.action {
            case .stream: !call.readsChangesets
            default: call.route.isStream
            }
        let countdown = Countdown(asked.count) { call.exchange.loop.execute(answer) }
        if isFollowing { countdown.end() }
        for (target, node) in asked { peers.forward(call, target: target, to: node) { _ in countdown.step() } }
        return true
    }
}
