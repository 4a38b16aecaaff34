import HTTPTypes
import Hosting
import JSONValues
import Journal
import Synchronization

// What each node knows of its own alone: deliveries and the state of hooks, which the owner of their director has, and
// streams, which are connections. Whoever is asked asks all nodes, itself among them, and answers with what they say
// together.
extension Application {
    /// Asks one node after the other until one knows what the request is about.
    func askEach(_ call: Call, _ cluster: Cluster) throws(Problem) {
        guard let peers else { return try runHere(call) }
        ask(call, peers, cluster.reachable[...])
    }

    private func ask(_ call: Call, _ peers: any NodeForwarding, _ nodes: ArraySlice<JournalNode>) {
        guard let node = nodes.first else {
            return call.answer(.notFound("No node has what the path names, \(call.parameters[0].quoted)."))
        }
        peers.forward(call, to: node) { outcome in
            call.exchange.loop.execute {
                switch outcome {
                case .answered(let reply) where reply.status != .notFound: call.answer(reply)
                case .answered, .moved, .unreachable: self.ask(call, peers, nodes.dropFirst())
                case .unanswered(let reason): call.answer(.unanswered(call.parameters[0], reason))
                }
            }
        }
    }

    // MARK: Lists

    /// The most that a node can be asked for at once: what lies behind is not reached by pages of all nodes together.
    private static let largestPage = 10_000

    /// Asks the node that the query names.
    func askQueried(_ call: Call, _ cluster: Cluster) throws(Problem) {
        guard let text = call.query["node"], text != String(cluster.node), let peers else { return try runHere(call) }
        guard let node = cluster.reachable.first(where: { String($0.number) == text }) else {
            throw .notFound("There is no node \(text) that lives; GET /v1/nodes lists them.")
        }
        peers.forward(call, to: node) { outcome in
            switch outcome {
            case .answered(let reply): call.answer(reply)
            case .unreachable(let reason), .unanswered(let reason): call.answer(.incomplete(reason))
            case .moved: call.answer(.incomplete("the node \(node.name) has passed it on"))
            }
        }
    }

    /// Asks all nodes for their lists up to the page that is wanted, and answers with that page of all of them together.
    func askAll(_ call: Call, _ cluster: Cluster, _ wanted: Route.Gathered) throws(Problem) {
        guard let peers else { return try runHere(call) }
        let nodes = cluster.reachable
        let target = call.targetOfWhole(upTo: Self.largestPage)
        let parts = NodeParts(count: nodes.count)
        for node in nodes {
            peers.forward(call, target: target, to: node) { outcome in
                if let all = parts.add(outcome, of: node) { call.answer(all, wanted, cluster) }
            }
        }
    }
}

extension Cluster {
    /// The nodes that can be asked, this one among them, by number.
    fileprivate var reachable: [JournalNode] {
        nodes.nodes.values.filter { $0.isLiving && !$0.url.isEmpty }.sorted { $0.number < $1.number }
    }

    /// Whether a node is the one whose word counts of a director: its owner, or the one that is about to be.
    func counts(_ node: Int, of director: String) -> Bool {
        switch destination(of: director) {
        case .here: node == self.node
        case .node(let owner): node == owner.number
        case .nobody, .unknown: node == nodes.preferred(for: director) ?? self.node
        }
    }
}

extension Call {
    /// The path and query that ask for a list from its beginning to the end of the page that is wanted.
    fileprivate func targetOfWhole(upTo bound: Int) -> String {
        let (offset, limit) = query.page
        let target = exchange.head.target
        let path = String(target.prefix { $0 != "?" })
        let kept = target.dropFirst(path.count + 1).split(separator: "&").filter {
            !$0.hasPrefix("offset=") && !$0.hasPrefix("limit=")
        }
        return path + "?" + (kept + ["offset=0", "limit=\(min(offset + limit, bound))"]).joined(separator: "&")
    }

    /// Answers with a page of what all nodes have said.
    fileprivate func answer(_ parts: NodeParts.All, _ wanted: Route.Gathered, _ cluster: Cluster) {
        // A page that lacks a node's part would look like the whole.
        if let failure = parts.failure { return answer(.incomplete(failure)) }
        if let refused = parts.replies.first(where: { $0.reply.status != .ok }) { return answer(refused.reply) }
        var totals: [Int] = []
        var elements: [(order: String, body: [UInt8])] = []
        for (node, reply) in parts.replies {
            guard let root = try? JSONDocument(reply.body).root, let all = root[wanted.list.name] else { continue }
            // No node has so many that the sum of all could overflow.
            totals.append(min(max(0, root["total"]?.int ?? 0), 1 << 40))
            for element in all.elements {
                if wanted.isOfAll, !cluster.counts(node.number, of: element["director"]?.string ?? "") { continue }
                elements.append((element[wanted.order]?.string ?? "", JSONValue(element).bytes))
            }
        }
        let total = totals.reduce(0, +)
        // What is of one order keeps that of its node.
        let ordered = elements.enumerated().sorted {
            ($0.element.order, $0.offset) < ($1.element.order, $1.offset)
        }
        let (offset, limit) = query.page
        let page = ordered.dropFirst(offset).prefix(limit)
        answer(
            Reply(
                body: wanted.list.page(page, offset: offset, limit: limit, total: total) {
                    $1.raw($0.element.body)
                }))
    }
}

/// The answers of several nodes; any thread.
private final class NodeParts: Sendable {
    /// All answers, or the reason why one is missing.
    struct All {
        var replies: [(node: JournalNode, reply: Reply)] = []
        var failure: String?
    }

    private let state: Mutex<(left: Int, all: All)>

    init(count: Int) {
        state = Mutex((count, All()))
    }

    /// Takes note of what a node has said.
    ///
    /// - Returns: All answers, if this was the last one.
    func add(_ outcome: ForwardOutcome, of node: JournalNode) -> All? {
        state.withLock { state in
            state.left -= 1
            switch outcome {
            case .answered(let reply): state.all.replies.append((node, reply))
            case .moved: break
            case .unreachable(let reason), .unanswered(let reason): state.all.failure = reason
            }
            return state.left == 0 ? state.all : nil
        }
    }
}

extension Problem {
    /// A node has not said what it has: 503.
    fileprivate static func incomplete(_ reason: String) -> Problem {
        .unavailable(
            .incomplete,
            "A node that holds the answer, or a part of it, could not be asked (\(reason)). Ask again.")
    }
}
