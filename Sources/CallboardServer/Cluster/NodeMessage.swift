import CallboardAPI
import DirectorLife
import Directors
import Dispatch
import HTTPServer
import HTTPTypes
import Hosting
import JSONValues
import Journal

/// The messages between nodes besides forwarded requests, as requests with methods of their own.
enum NodeMessage {
    /// Subscribers of a life are to be told of an announcement; the content is the event's.
    case announce(StreamEvent.Name, LifeName, version: Int)
    /// Everything that is stored is to be looked at, tokens too; answered once that is done.
    case look

    // Tokens that are written here: the initialiser fails for nothing else.
    // swift-format-ignore: NeverForceUnwrap
    private static let lookMethod = HTTPRequest.Method("LOOK")!
    private static let announcements: [StreamEvent.Name] = [.refresh, .scroll]

    /// Reads the head of a request; nil where it is one that was passed on.
    init?(_ method: HTTPRequest.Method, _ target: String) {
        if method == Self.lookMethod {
            self = .look
            return
        }
        guard let event = Self.announcements.first(where: { $0.method == method.rawValue }) else { return nil }
        let parts = target.split(separator: "/", maxSplits: 2)
        guard parts.count == 3, let version = Int(parts[1]), let bytes = Base64.decode(parts[2]) else { return nil }
        let life = LifeName(director: String(decoding: bytes, as: UTF8.self), epoch: String(parts[0]))
        self = .announce(event, life, version: version)
    }

    /// The method and the target.
    var text: String {
        switch self {
        case .announce(let event, let life, let version):
            "\(event.method) \(life.epoch)/\(version)/\(Base64.encode(Array(life.director.utf8)))"
        case .look: "\(Self.lookMethod.rawValue) /"
        }
    }
}

extension StreamEvent.Name {
    /// The method of the message that has another node announce the event.
    fileprivate var method: String { rawValue.uppercased() }
}

extension Peers: ClusterPeers {
    func announce(
        _ event: StreamEvent.Name, of life: LifeName, payload: [UInt8], version: Int, to nodes: [JournalNode]
    ) {
        send(.announce(event, life, version: version), payload, to: nodes, within: Self.timeouts.change) { node in
            // Whoever misses it shows what it has; nothing of the list is lost.
            self.logger.debug(
                "an announcement was not carried to a node", metadata: ["node": "\(node.name)", "event": "\(event)"])
        } completion: {
        }
    }

    func look(at nodes: [JournalNode], completion: @escaping @Sendable () -> Void) {
        send(.look, [], to: nodes, within: Self.timeouts.look, missed: { _ in }, completion: completion)
    }

    /// Sends a message to several nodes.
    ///
    /// - Parameters:
    ///   - missed: Called for each node that has not done it.
    ///   - completion: Called once all have answered or can be waited for no longer.
    private func send(
        _ message: NodeMessage, _ body: [UInt8], to nodes: [JournalNode], within timeout: Duration,
        missed: @escaping @Sendable (JournalNode) -> Void, completion: @escaping @Sendable () -> Void
    ) {
        let request = ForwardedRequest(message.text)
        let group = DispatchGroup()
        for node in nodes {
            group.enter()
            send(request, body, to: node, within: timeout) { outcome in
                if case .answered(let reply) = outcome, reply.isNoContent {} else { missed(node) }
                group.leave()
            }
        }
        group.notify(queue: .global(), execute: completion)
    }
}

extension InternalApplication {
    /// Does what another node has asked for.
    func perform(_ message: NodeMessage, _ request: Exchange, _ cluster: Cluster) {
        switch message {
        case .announce(let event, let life, let version):
            cluster.show(event, request.body, of: life, version: version)
            request.respond(Response(status: .noContent))
        case .look:
            cluster.journal.look(at: nil) { error in
                request.respond(Response(status: error == nil ? .noContent : .serviceUnavailable))
            }
        }
    }
}
