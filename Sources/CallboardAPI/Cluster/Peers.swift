import Access
import Directors
import HTTPServer
import HTTPTypes
import Hosting
import JSONValues
import Journal
import Logging
import Metrics
import Reactor
import Synchronization
import Webhooks

/// The other nodes' internal listeners, as this node reaches them: requests for directors that they own are passed on.
///
/// libcurl on a loop of its own, with kept connections. Requests to one node are bounded, and beyond that refused at
/// once: load is shed before a queue grows. Any thread.
final class Peers: Sendable {
    /// What came of passing a request on.
    enum Outcome: Sendable {
        /// The owner's answer.
        case answered(Reply)
        /// The node does not own the director, or not any more: nothing has happened.
        case moved
        /// The node could not be reached: nothing has happened. A sentence without its full stop.
        case unreachable(String)
        /// There is no answer, and the request may have been carried out.
        case unanswered(String)
    }

    /// The field of an answer that says that nothing has happened, since another node owns the director.
    static let movedField = "callboard-moved"
    /// The field of an answer to a request that was not signed with the nodes' secret.
    static let strangerField = "callboard-stranger"
    /// How long the owner may take to answer a change, and an event, which may ask a hook's target; and how long another
    /// node may take to look at what is stored.
    static let timeouts = (change: Duration.seconds(10), event: Duration.seconds(60), look: Duration.seconds(2))
    /// How long a connection may take to be made.
    static let connectTimeout = Duration.seconds(2)

    /// Requests that were passed on, and those of them that got no answer.
    let forwarded = Counter()
    let failures = Counter()

    let key: HookSecret
    private let loop: EventLoop
    private let transport: CurlTransport
    let logger: Logger
    private let interval = LogInterval()

    /// Makes a way to other nodes; its loop runs from here on.
    init(secret: SharedSecret, logger: Logger) throws {
        key = try ForwardedRequest.key(of: secret)
        self.logger = logger
        loop = try EventLoop(name: "peers")
        var configuration = TransportConfiguration(version: CallboardService.version)
        configuration.concurrencyPerTarget = 256
        configuration.maxConcurrent = 2048
        configuration.maxWaitingPerTarget = 4096
        configuration.maxWaiting = 16_384
        configuration.maxWaitingBytes = 256 << 20
        configuration.maxAnswerBytes = 256 << 20
        configuration.connectTimeout = Self.connectTimeout
        // Which nodes there are is the database's to say, and they are inside of the network.
        let everywhere = try ["0.0.0.0/0", "::/0", "loopback"].map { try AddressRule($0) }
        transport = try CurlTransport(
            loop: loop, policy: AddressPolicy(allowing: everywhere), configuration: configuration)
    }

    /// Passes a request on.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - target: The path and query in place of the request's own; nil for those.
    ///   - node: The node.
    ///   - completion: Called once, on the peers' loop.
    func forward(
        _ call: Call, target: String? = nil, to node: JournalNode, completion: @escaping @Sendable (Outcome) -> Void
    ) {
        forwarded.add()
        let fields = ForwardedRequest.fields(call.exchange, call.principal, target: target, key: key)
        var timeout = Self.timeouts.change
        switch call.route.action {
        case .report, .prepare: timeout = Self.timeouts.event
        default: break
        }
        send(fields, call.exchange.body, to: node, within: timeout) { outcome in
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

    /// Sends what is signed already.
    func send(
        _ fields: [WebhookField], _ body: [UInt8], to node: JournalNode, within timeout: Duration,
        completion: @escaping @Sendable (Outcome) -> Void
    ) {
        let url: WebhookURL
        do {
            url = try WebhookURL(node.url + ForwardedRequest.path)
        } catch {
            return completion(.unreachable("the node \(node.name) has the address \(node.url.quoted), which is none"))
        }
        var request = WebhookRequest(
            url: url, fields: fields, body: body, urgency: .question, sender: "", timeout: timeout)
        request.wantsFields = true
        let sent = request
        loop.execute { [loop, transport] in
            LoopContext.run(on: loop) { _ in completion(Outcome(await transport.send(sent), of: node)) }
        }
    }

    /// Ends what is under way.
    func stop() async {
        await transport.shutdown()
        await loop.stopAndWait()
    }
}

extension Peers.Outcome {
    fileprivate init(_ result: Result<WebhookResponse, WebhookFailure>, of node: JournalNode) {
        switch result {
        case .success(let response):
            func has(_ name: String) -> Bool { response.fields.contains { $0.name == name } }
            if has(Peers.strangerField) {
                self = .unreachable("the node \(node.name) does not know this node's secret, or the clocks differ")
            } else {
                self = has(Peers.movedField) ? .moved : .answered(Reply(response))
            }
        case .failure(let failure):
            switch failure {
            case .refused, .unresolved, .queueFull, .notConnected, .notSecure, .invalidField, .cancelled,
                .timedOut(_, during: .queue), .timedOut(_, during: .lookUp), .timedOut(_, during: .connection):
                self = .unreachable("\(failure)")
            case .timedOut, .cutOff, .unreadable, .answerTooLarge, .shutDown:
                self = .unanswered("\(failure)")
            }
        }
    }
}

extension Reply {
    /// Fields that this node writes by itself.
    private static let own: Set = [
        "content-type", "etag", "location", "content-length", "date", "connection", "keep-alive", "transfer-encoding",
        "x-request-id", "x-content-type-options", "vary", "cache-control",
    ]

    /// The answer of another node, to be given as this one's.
    fileprivate init(_ response: WebhookResponse) {
        func value(_ name: String) -> String? { response.fields.first { $0.name == name }?.value }
        self.init(
            status: HTTPResponse.Status(code: response.status), body: response.body,
            contentType: value("content-type") ?? "application/json", etag: value("etag"), location: value("location"),
            isStorable: value("cache-control") != "no-store",
            // The node that has carried it out has left out what is not to be told.
            telling: .nothing)
        furtherFields = response.fields.compactMap { field in
            guard !Self.own.contains(field.name), !field.name.hasPrefix("access-control-"),
                let name = HTTPField.Name(field.name)
            else { return nil }
            return HTTPField(name: name, value: field.value)
        }
    }
}
