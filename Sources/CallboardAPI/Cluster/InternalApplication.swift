import Directors
import HTTPServer
import HTTPTypes

/// What answers on the internal listener: requests that other nodes pass on, and nothing else.
final class InternalApplication: HTTPApplication {
    private let application: Application
    private let key: HookSecret
    private let interval = LogInterval()

    /// Makes the internal side of an application.
    init(_ application: Application, key: HookSecret) {
        self.application = application
        self.key = key
    }

    func handle(_ exchange: Exchange) {
        guard let (request, principal) = ForwardedRequest.read(exchange, key: key) else { return refuse(exchange) }
        if let message = NodeMessage(request.head.method, request.head.target),
            let cluster = application.environment.cluster
        {
            return perform(message, request, cluster)
        }
        application.handle(request, forwardedBy: principal)
    }

    func admit(_ exchange: Exchange) -> Int {
        if !ForwardedRequest.isSigned(exchange.head, key: key) { refuse(exchange) }
        return .max
    }

    private func refuse(_ exchange: Exchange) {
        if interval.isDue {
            application.logger.warning(
                "a request on the internal port is not signed with the nodes' secret, or was made long ago",
                metadata: ["peer": "\(exchange.remoteAddress)"])
        }
        exchange.respond(
            Response(
                status: .forbidden, fields: [.contentType: "text/plain", .callboardStranger: "1"],
                body: .bytes(Self.refusal)))
    }

    private static let refusal = Array(
        ("This port is for the other nodes of the cluster: the request is not signed with their secret, or their clocks "
            + "differ by more than five minutes.\n").utf8)
}
