import CallboardAPI
import CallboardClient
import Foundation
import Reactor
import Webhooks

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends what has a body with libcurl on an event loop, and the rest as ever.
///
/// On Linux `URLSession` goes on asking whether a socket takes more after a body has been sent, as fast as it can and until
/// the answer comes: a core that the server would need, two hundred times for a million records.
final class BatchTransport: ClientTransport {
    private let loop: EventLoop
    private let curl: CurlTransport
    private let session = URLSessionTransport()

    private init() throws {
        var configuration = TransportConfiguration(version: CallboardService.version)
        configuration.maxAnswerBytes = 64 << 20
        // There is one request at a time, and it is as long as its list.
        configuration.maxWaitingBytes = .max
        loop = try EventLoop(name: "load")
        // Whoever runs the command says where the server is; a webhook's target is another matter.
        let everywhere = ["0.0.0.0/0", "::/0"].compactMap { AddressRange($0).map(AddressRule.range) }
        curl = try CurlTransport(
            loop: loop, policy: AddressPolicy(allowing: everywhere), configuration: configuration)
    }

    /// Does something with a transport that ends with it.
    static func run<Value: Sendable>(_ body: (BatchTransport) async throws -> Value) async throws -> Value {
        let transport = try BatchTransport()
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(transport))
        } catch {
            result = .failure(error)
        }
        await transport.curl.shutdown()
        await transport.loop.stopAndWait()
        return try result.get()
    }

    /// Sends a request. An answer to one with a body is read whole.
    func open(_ request: URLRequest, bufferLimit: Int) async throws -> TransportResponse {
        guard let posted = WebhookRequest(request) else {
            return try await session.open(request, bufferLimit: bufferLimit)
        }
        switch await curl.send(posted) {
        case .success(let response):
            let body = BufferedByteStream(limit: response.body.count)
            body.receive(response.body)
            body.finish()
            var fields: [String: String] = [:]
            for field in response.fields { fields[field.name.lowercased()] = field.value }
            return TransportResponse(status: response.status, fields: fields, body: body)
        case .failure(.cancelled): throw CancellationError()
        // What libcurl is not given here, such as the address of a metadata service.
        case .failure(.refused), .failure(.invalidField):
            return try await session.open(request, bufferLimit: bufferLimit)
        case .failure(let failure): throw CallboardClient.TransportError.connection(reason: failure.description)
        }
    }
}

extension WebhookRequest {
    /// Makes what libcurl sends of a request; nil where that is no POST or PUT, has no body, or a URL that hooks cannot have.
    fileprivate init?(_ request: URLRequest) {
        guard let method = request.httpMethod, ["POST", "PUT"].contains(method), let body = request.httpBody,
            !body.isEmpty, let url = request.url,
            let target = try? WebhookURL(url.absoluteString)
        else { return nil }
        let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        self.init(
            url: target, fields: fields.map { WebhookField($0.key, $0.value) }, body: Array(body), urgency: .question,
            sender: "", timeout: .seconds(request.timeoutInterval))
        self.method = method
        // The ETag is what a load takes back by what it has made.
        wantsFields = true
    }
}
