import Access
import CallboardAPI
import Directors
import HTTPClient
import HTTPServer
import HTTPTypes
import Hosting
import JSONValues
import Journal
import Logging
import Metrics
import Reactor
import Synchronization

/// The other nodes' internal listeners, as this node reaches them: requests for directors that they own are passed on.
///
/// libcurl on a loop of its own, with kept connections. Requests to one node are bounded, and beyond that refused at
/// once: load is shed before a queue grows. Any thread.
final class Peers: NodeForwarding {
    /// How long the owner may take to answer a change, and an event, which may ask a hook's target; and how long another
    /// node may take to look at what is stored.
    static let timeouts = (change: Duration.seconds(10), event: Duration.seconds(60), look: Duration.seconds(2))
    /// How long a connection may take to be made.
    static let connectTimeout = Duration.seconds(2)

    /// Requests that were passed on, and those of them that got no answer.
    let forwarded = Counter()
    let failures = Counter()

    /// This node's number, once it has one.
    let node = Atomic(0)
    private let keys: NodeKeys
    /// Names this process to the other nodes.
    private let name = RandomIdentifier.uuid()
    private let sequences = Mutex(PeerSequences())
    private let loop: EventLoop
    private let client: HTTPClient
    let logger: Logger
    private let interval = LogInterval()
    /// Whether nodes speak TLS to each other.
    private let isSecure: Bool

    /// Makes a way to other nodes; its loop runs from here on.
    ///
    /// - Parameters:
    ///   - maxList: The largest request that a node takes. A request of that size is passed on, too.
    ///   - trust: Gives connections the certificates to show and to trust; nil for nodes without TLS.
    init(secret: SharedSecret, maxList: Int, trust: TLSContextHook?, logger: Logger) throws {
        keys = NodeKeys(secret)
        isSecure = trust != nil
        self.logger = logger
        loop = try EventLoop(name: "peers")
        // Requests that wait are counted in `server.maxBufferedBytes` as well.
        let maxBytes = max(256 << 20, maxList)
        var configuration = HTTPClientConfiguration(version: Application.version)
        configuration.concurrencyPerTarget = 256
        configuration.maxConcurrent = 2048
        configuration.maxWaitingPerTarget = 4096
        configuration.maxWaiting = 16_384
        configuration.maxWaitingBytes = maxBytes
        configuration.maxAnswerBytes = maxBytes
        configuration.connectTimeout = Self.connectTimeout
        configuration.trust = trust
        // What another authority has vouched for before does not go on.
        configuration.resumesSessions = false
        // Which nodes there are is the database's to say, and they are inside of the network: no address is refused.
        client = try HTTPClient(loop: loop, rules: nil, configuration: configuration)
    }

    func forward(
        _ exchange: Exchange, of principal: Principal, target: String?, asksHooks: Bool, to node: JournalNode,
        completion: @escaping @Sendable (ForwardOutcome) -> Void
    ) {
        forwarded.add()
        let request = ForwardedRequest(exchange, principal, target: target)
        let timeout = asksHooks ? Self.timeouts.event : Self.timeouts.change
        send(request, exchange.body, to: node, within: timeout) { outcome in
            switch outcome {
            case .unreachable(let reason), .unanswered(let reason):
                self.failures.add()
                guard self.interval.isDue else { break }
                self.logger.warning(
                    "a request could not be passed on", metadata: ["node": "\(node.name)", "reason": "\(reason)"])
            case .answered, .moved: break
            }
            completion(outcome)
        }
    }

    /// Signs a request and sends it.
    ///
    /// - Parameter tries: How often it may be sent: again only where it cannot have been carried out, with a new number.
    func send(
        _ request: ForwardedRequest, _ body: [UInt8], to node: JournalNode, within timeout: Duration, tries: Int = 3,
        completion: @escaping @Sendable (ForwardOutcome) -> Void
    ) {
        let url: HTTPURL
        do {
            url = try HTTPURL(node.url + ForwardedRequest.path)
        } catch {
            return completion(.unreachable("the node \(node.name) has the invalid address \(node.url.quoted)"))
        }
        if let fault = fault(of: url, node) { return completion(.unreachable(fault)) }
        let (epoch, number) = sequences.withLock { $0.next(for: node.number) }
        let envelope = NodeEnvelope(
            request: request, from: self.node.load(ordering: .relaxed), to: node.number, sender: name, epoch: epoch,
            number: number, time: StoreClock.now())
        let (fields, signature) = envelope.signed(body, with: keys)
        var message = ClientRequest(
            url: url, fields: fields, body: body, urgency: .question, sender: "", timeout: timeout)
        message.wantsFields = true
        let sent = message
        loop.execute { [loop, client] in
            LoopContext.run(on: loop) { _ in
                let result = await client.send(sent)
                guard let outcome = self.outcome(result, of: node, signature, epoch: epoch) else {
                    guard tries > 1 else { return completion(.unreachable("the node \(node.name) is starting again")) }
                    return self.send(
                        request, body, to: node, within: timeout, tries: tries - 1, completion: completion)
                }
                completion(outcome)
            }
        }
    }

    /// Why a node cannot be spoken to at its address, a sentence without its full stop: only one of the two has TLS.
    private func fault(of url: HTTPURL, _ node: JournalNode) -> String? {
        guard url.target.isSecure != isSecure else { return nil }
        let (with, without) = isSecure ? ("this node", "the node \(node.name)") : ("the node \(node.name)", "this node")
        return "\(with) has TLS between nodes, and \(without) has not: set cluster.tlsCertificate, cluster.tlsKey and "
            + "cluster.tlsTrust at all nodes, or at none"
    }

    func meet(_ node: JournalNode) {
        guard let url = try? HTTPURL(node.url), let fault = fault(of: url, node) else { return }
        logger.error(
            "nothing can be passed on between two nodes",
            metadata: ["node": "\(node.name)", "url": "\(node.url)", "reason": "\(fault)"])
    }

    /// A message's outcome; nil if it is to be sent once more with the receiver's epoch.
    ///
    /// A message that names no epoch is never carried out. For other messages only a signed answer that is no refusal
    /// tells the outcome: an intermediary could deliver the message and have it refused somewhere else.
    private func outcome(
        _ result: Result<ClientResponse, ClientFailure>, of node: JournalNode, _ signature: [UInt8], epoch: String?
    ) -> ForwardOutcome? {
        let reason: String
        switch result {
        case .success(let response):
            guard let answer = NodeAnswer(response, to: signature, with: keys) else {
                reason = Self.reason(response, of: node)
                break
            }
            switch answer.refusal {
            case nil:
                let fields = answer.fields.map { (name: $0.name, value: $0.value) }
                return Reply(ofNode: answer.status, fields: fields, body: response.body).map { .answered($0) } ?? .moved
            case .epoch(let known):
                sequences.withLock { $0.note(known, of: node.number) }
                return epoch == nil ? nil : .unanswered("the node \(node.name) has begun a new epoch")
            case .some(let refusal):
                reason = "the node \(node.name) has refused it: \(refusal.reason)"
            }
        case .failure(let failure):
            reason = "\(failure)"
            if !failure.mayHaveArrived {
                // Another process may answer at the node's address next.
                if case .notConnected = failure { sequences.withLock { $0.note(nil, of: node.number) } }
                return .unreachable(reason)
            }
        }
        sequences.withLock { $0.note(nil, of: node.number) }
        return epoch == nil ? .unreachable(reason) : .unanswered(reason)
    }

    /// Why an answer is not signed as a node's, as far as it tells.
    private static func reason(_ response: ClientResponse, of node: JournalNode) -> String {
        response.status == 413
            ? "the node \(node.name) answers 413: its server.maxContent, server.maxBody or server.maxBufferedBytes is less "
                + "than this node's; they have to be the same"
            : "the node \(node.name) has another secret or another version, or its answer was changed"
    }

    /// Takes part in a cluster, and declares how many requests were passed on.
    func join(_ cluster: Cluster, in metrics: MetricsRegistry) {
        node.store(cluster.node, ordering: .relaxed)
        cluster.peers.withLock { $0 = self }
        metrics.counter(
            "callboard_cluster_forwarded_total", "Requests that were passed on to a director's owner."
        ) { [forwarded] in forwarded.current }
        metrics.counter(
            "callboard_cluster_forward_failures_total", "Requests that were passed on and got no answer."
        ) { [failures] in failures.current }
    }

    /// Ends what is under way.
    func stop() async {
        await client.shutdown()
        await loop.stopAndWait()
    }
}

extension ClientFailure {
    /// Whether the receiver may have taken the request.
    fileprivate var mayHaveArrived: Bool {
        switch self {
        case .refused, .unresolved, .queueFull, .notConnected, .notSecure, .invalidField, .cancelled,
            .timedOut(_, during: .queue), .timedOut(_, during: .lookUp), .timedOut(_, during: .connection):
            false
        case .timedOut, .cutOff, .unreadable, .answerTooLarge, .shutDown: true
        }
    }
}
