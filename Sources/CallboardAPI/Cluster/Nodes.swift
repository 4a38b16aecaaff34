import Directors
import Foundation
import HTTPTypes
import Hosting
import JSONValues
import Journal
import Metrics

extension Application {
    /// `GET /v1/nodes`.
    func listNodes(_ call: Call) {
        guard let cluster = environment.cluster else {
            return call.answer(Reply(body: ListForm.nodes.list([PlacedNode]())))
        }
        // What is known of the nodes is wanted most while the database is away.
        look(at: nil, cluster, call) { error in
            let call = error == nil ? call : call.stale(by: cluster.staleness)
            call.answer(Reply(body: ListForm.nodes.list(cluster.nodes.listed(by: cluster.node))))
        }
    }

    /// The status of a server that takes requests: the node among several, and warnings, one a line; empty if there is
    /// nothing to report.
    ///
    /// - Throws: 503 where it takes none, or cannot store changes.
    func readiness() throws(Problem) -> String {
        guard isReady else {
            throw Problem(
                .notReady, "It takes no requests at this moment; ask again.")
        }
        let node = try nodeReadiness()
        var warnings = environment.journal.warnings
        if case .failing(let reason, let since) = environment.journal.status {
            let text = "cannot be written to since \(since.formatted(.iso8601)) (\(reason))"
            guard environment.cluster != nil else {
                throw Problem(
                    .notStored,
                    "The journal \(text). What is stored can be read; changes are refused until "
                        + "\(configuration.storageRemedy).")
            }
            // Every node has the same database: with none in front of the readers, reading would end as well.
            warnings.append("the journal \(text): changes are refused")
        }
        if let version = environment.cluster?.contentVersion, version < ContentVersion.newest {
            warnings.append(
                "nodes of an earlier version may share the database: views, and members and events that are new in this "
                    + "version, are refused until `callboard cluster upgrade`")
        }
        if let late = environment.cluster?.lateLook { warnings.append(late) }
        for (director, reason) in environment.cluster?.unreadable ?? [] {
            warnings.append("the director \(director.quoted) cannot be read and is set aside: \(reason)")
        }
        return node + warnings.map { "warning: \($0)\n" }.joined()
    }

    /// The status of a node among several; empty for a single server.
    private func nodeReadiness() throws(Problem) -> String {
        guard let cluster = environment.cluster else { return "" }
        let status = cluster.journal.sharingStatus
        guard cluster.hasLease else {
            throw Problem(
                .away,
                "Its lease has run out: other nodes take over what it owned."
                    + (status.failure.map { " The last look failed: \($0)." } ?? ""))
        }
        let owned = status.placement.counts[cluster.node] ?? 0
        let name = status.placement.nodes[cluster.node]?.name ?? ""
        return "node: \(cluster.node) (\(name)), owns \(owned) of \(status.placement.owners.count) directors\n"
    }

    /// Declares the metrics of a node among several.
    func declareMetrics(of cluster: Cluster) {
        metrics.add { [unowned cluster, registry = environment.registry] text in
            let status = cluster.journal.sharingStatus
            let lag = status.lookedAt.map { Int($0.duration(to: .now) / .seconds(1)) } ?? 0
            let lease = ContinuousClock.now.duration(to: cluster.journal.leaseEnd) / .seconds(1)
            text.single(
                "callboard_cluster_nodes", .gauge, "Nodes that take part.",
                status.placement.nodes.values.count(where: \.isServing))
            text.single(
                "callboard_cluster_directors_owned", .gauge, "Directors that this node owns.",
                status.placement.counts[cluster.node] ?? 0)
            text.single(
                "callboard_cluster_directors_loaded", .gauge, "Directors that this node has in memory.",
                registry.count)
            text.single(
                "callboard_cluster_directors_unreadable", .gauge, "Directors that this node cannot read.",
                cluster.unreadable.count)
            text.single(
                "callboard_cluster_loads_total", .counter, "Directors that were read as a whole.", status.loads)
            text.single(
                "callboard_cluster_unloads_total", .counter,
                "Directors of other nodes that have left memory since nobody asked for them.", status.unloads)
            text.single(
                "callboard_cluster_lag_records", .gauge,
                "Records of other nodes that were stored and not performed here at the last look.", status.lagRecords)
            text.single("callboard_cluster_lag_seconds", .gauge, "Seconds since the last look that succeeded.", lag)
            text.single(
                "callboard_cluster_lease_seconds", .gauge, "Seconds for which the node's lease lasts.",
                max(0, Int(lease)))
            text.single(
                "callboard_cluster_looks_total", .counter, "Looks at what other nodes have stored.", status.looks)
            text.single(
                "callboard_cluster_takeovers_total", .counter,
                "Directors taken from nodes that were gone.", status.takeovers)
            text.single(
                "callboard_cluster_handovers_total", .counter, "Directors handed over to other nodes.",
                status.handovers)
            text.single(
                "callboard_cluster_losses_total", .counter, "Directors that another node has taken.", status.losses)
            text.single(
                "callboard_cluster_restarts_total", .counter,
                "Directors that were read anew since records in between were not there any more.", status.restarts)
        }
    }
}

extension Cluster {
    /// A sentence without its full stop about looks that fail or are stuck while the lease still lasts; nil where the last one
    /// is no older than a node that is well has it.
    fileprivate var lateLook: String? {
        let age = staleness
        if let failure = journal.sharingStatus.failure {
            return
                "the last look at the database has failed (\(failure)), and the one before is \(age) s old: reading other "
                + "nodes' directors is refused"
        }
        return age > 3
            ? "a look at the database is stuck: this node last saw other nodes' directors \(age) s ago" : nil
    }
}

extension Placement {
    /// The nodes that live, by number.
    fileprivate func listed(by node: Int) -> [PlacedNode] {
        let counts = counts
        return nodes.values.sorted { $0.number < $1.number }.filter(\.isLiving).map { entry in
            PlacedNode(node: entry, isSelf: entry.number == node, directors: counts[entry.number] ?? 0)
        }
    }
}

/// A node as the list of nodes shows it.
struct PlacedNode: AnswerObject {
    let node: JournalNode
    let isSelf: Bool
    let directors: Int

    static let form = AnswerForm<Self>(
        AnswerField("node") { $0.node.number },
        AnswerField("name") { $0.node.name },
        AnswerField("url", "The address at which the other nodes reach it.") { $0.node.url },
        AnswerField("state", as: .choice(["joining", "serving", "leaving"])) { "\($0.node.state)" },
        AnswerField("self", "Whether it is the node that answers.") { $0.isSelf },
        AnswerField("expiresAt", "When its lease ends.") { WallTime(seconds: $0.node.expiresAt) },
        AnswerField("directors", "How many it owns.") { $0.directors })
}
