import Access
import CallboardAPI
import HTTPServer
import HTTPTypes
import Journal
import Logging

/// The application of the internal listener: it carries out signed messages of other nodes only.
final class InternalApplication: HTTPApplication {
    private let application: Application
    private let keys: NodeKeys
    private let received = ReplayGuard()
    private let interval = LogInterval()

    /// Makes the internal side of an application.
    init(_ application: Application, secret: SharedSecret) {
        self.application = application
        keys = NodeKeys(secret)
    }

    func handle(_ exchange: Exchange) {
        let read: (envelope: NodeEnvelope, signature: [UInt8])
        do throws(NodeRefusal) {
            read = try NodeEnvelope.read(exchange, with: keys)
        } catch {
            return exchange.respond(refused(error, exchange))
        }
        let (message, signature) = read
        do throws(NodeRefusal) {
            guard let cluster = application.environment.cluster else { throw .addressee }
            try received.admit(message, at: cluster.node, now: StoreClock.now())
            let request = message.request.exchange(carriedBy: exchange) { [keys] response in
                NodeAnswer.signed(response, to: signature, with: keys)
            }
            guard let request else { throw .version }
            if let told = NodeMessage(request.head.method, request.head.target) {
                perform(told, request, cluster)
            } else {
                application.handle(request, forwardedBy: message.request.principal)
            }
        } catch {
            exchange.respond(
                NodeAnswer.signed(
                    refused(error, exchange, from: message.from), to: signature, refusal: error, with: keys))
        }
    }

    func admit(_ exchange: Exchange) -> Int {
        do throws(NodeRefusal) {
            _ = try NodeEnvelope.signedBytes(exchange.head, with: keys)
        } catch {
            exchange.respond(refused(error, exchange))
        }
        return .max
    }

    /// The answer to what is not carried out; the log tells of it, but for a sender that does not know the epoch yet.
    private func refused(_ refusal: NodeRefusal, _ exchange: Exchange, from node: Int? = nil) -> Response {
        var isExpected = false
        if case .epoch = refusal { isExpected = true }
        if !isExpected, interval.isDue {
            var metadata: Logger.Metadata = ["reason": "\(refusal.reason)", "peer": "\(exchange.remoteAddress)"]
            if let node { metadata["node"] = .number(node) }
            application.logger.warning("a message on the internal port is refused", metadata: metadata)
        }
        return Response(
            status: .unauthorized,
            // Nodes of the earlier version know by the last one that nothing has happened.
            fields: [
                .contentType: "application/problem+json", .wwwAuthenticate: "Callboard", .callboardStranger: "1",
            ],
            body: .bytes(refusal.problem.body(instance: ForwardedRequest.path)))
    }
}
