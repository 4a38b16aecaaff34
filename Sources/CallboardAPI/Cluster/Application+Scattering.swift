import HTTPTypes
import Hosting
import JSONValues
import Journal
import Synchronization

// What each node knows of its own alone: deliveries, which the owner of their director makes, and streams, which are
// connections. Whoever is asked asks all nodes, itself among them, and answers with what they say together.
extension Application {
    /// Asks all nodes, where the route is about what each of them has.
    ///
    /// - Returns: False where this node answers by itself.
    func scatter(_ call: Call, _ cluster: Cluster) -> Bool {
        guard !call.isForwarded, let peers else { return false }
        let nodes = cluster.nodes.nodes.values.filter { $0.isLiving && !$0.url.isEmpty }.sorted {
            $0.number < $1.number
        }
        switch call.route.operationID {
        case "listDeliveries":
            gather(call, peers, nodes, list: (name: "deliveries", order: "createdAt"))
        case "listStreams":
            gather(call, peers, nodes, list: (name: "streams", order: "since"))
        case "readDelivery", "retryDelivery", "removeDelivery", "closeStream":
            ask(call, peers, nodes[...])
        default: return false
        }
        return true
    }

    /// Asks one node after the other until one knows what the request is about.
    private func ask(_ call: Call, _ peers: Peers, _ nodes: ArraySlice<JournalNode>) {
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

    /// Asks all nodes for their lists up to the page that is wanted, and answers with that page of all of them together.
    ///
    /// - Parameter list: The member of the answer, and the member of its elements that it is ordered by.
    private func gather(_ call: Call, _ peers: Peers, _ nodes: [JournalNode], list: (name: String, order: String)) {
        let (offset, limit) = call.query.page
        let target = call.exchange.head.target
        let path = String(target.prefix { $0 != "?" })
        let kept = target.dropFirst(path.count + 1).split(separator: "&").filter {
            !$0.hasPrefix("offset=") && !$0.hasPrefix("limit=")
        }
        let whole =
            path + "?"
            + (kept + ["offset=0", "limit=\(min(offset + limit, Self.largestPage))"])
            .joined(separator: "&")
        let box = Gathered(count: nodes.count)
        for node in nodes {
            peers.forward(call, target: whole, to: node) { outcome in
                let done = box.state.withLock { state -> (parts: [Reply], failure: String?)? in
                    state.left -= 1
                    switch outcome {
                    case .answered(let reply): state.parts.append(reply)
                    case .moved: break
                    case .unreachable(let reason), .unanswered(let reason): state.failure = reason
                    }
                    return state.left == 0 ? (state.parts, state.failure) : nil
                }
                guard let done else { return }
                self.answer(call, done.parts, done.failure, list, offset, limit)
            }
        }
    }

    private func answer(
        _ call: Call, _ parts: [Reply], _ failure: String?, _ list: (name: String, order: String), _ offset: Int,
        _ limit: Int
    ) {
        // A page that lacks a node's part would look like the whole.
        if let failure { return call.answer(.incomplete(failure)) }
        if let refused = parts.first(where: { $0.status != .ok }) { return call.answer(refused) }
        var total = 0
        var elements: [(order: String, body: [UInt8])] = []
        for part in parts {
            guard let root = try? JSONDocument(part.body).root, let all = root[list.name] else { continue }
            total += root["total"]?.int ?? 0
            for element in all.elements {
                elements.append((element[list.order]?.string ?? "", JSONValue(element).bytes))
            }
        }
        elements.sort { $0.order < $1.order }
        let page = elements.dropFirst(offset).prefix(limit)
        call.answer(
            Reply(body: Coding.page(list.name, page, offset: offset, limit: limit, total: total) { $1.raw($0.body) }))
    }
}

/// What several nodes have said.
private final class Gathered: Sendable {
    struct State {
        var left: Int
        var parts: [Reply] = []
        var failure: String?
    }

    let state: Mutex<State>

    init(count: Int) {
        state = Mutex(State(left: count))
    }
}

extension Problem {
    /// A node has not said what it has: 503.
    fileprivate static func incomplete(_ reason: String) -> Problem {
        var problem = Problem(
            .serviceUnavailable, "incomplete", "A node has not answered",
            "The list has parts on all nodes, and one could not be asked (\(reason)). Ask again.")
        problem.retryAfter = 1
        return problem
    }
}
