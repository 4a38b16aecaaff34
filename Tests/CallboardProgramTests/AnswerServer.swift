import Foundation
import HTTPServer
import HTTPTypes
import Reactor
import Synchronization

/// A server on a free port that notes each request and answers as the test says.
final class AnswerServer: HTTPApplication {
    /// What came.
    struct Request: Equatable {
        var method: String
        var target: String
        var authorization: String?
    }

    private let list = Mutex<[Request]>([])
    private let answer: @Sendable (Request) -> Response

    init(_ answer: @escaping @Sendable (Request) -> Response) { self.answer = answer }

    /// What has come so far.
    var requests: [Request] { list.withLock { $0 } }

    func handle(_ exchange: Exchange) {
        let request = Request(
            method: exchange.head.method.rawValue, target: exchange.head.target,
            authorization: exchange.head.fields[.authorization])
        list.withLock { $0.append(request) }
        exchange.respond(answer(request))
    }

    /// Runs a server for as long as `body` takes, which gets its address.
    ///
    /// - Parameter tls: what it is encrypted with, where it is.
    /// - Returns: What has come.
    @discardableResult
    func run(
        tls: ServerCertificates? = nil, _ body: (String, AnswerServer) async throws -> Void
    ) async throws -> [Request] {
        var configuration = ServerConfiguration(host: "127.0.0.1", port: 0)
        configuration.tls = tls
        configuration.shutdownDeadline = .seconds(1)
        let group = try EventLoopGroup(count: 1)
        let server = HTTPServer(configuration: configuration, group: group, application: self)
        let result: Result<Void, any Error>
        do {
            let address = try await server.start().first.map { "\(tls == nil ? "http" : "https")://\($0)" } ?? ""
            result = .success(try await body(address, self))
        } catch {
            result = .failure(error)
        }
        _ = await server.shutdown()
        await group.stop()
        try result.get()
        return requests
    }
}

extension Response {
    /// An answer with a JSON text.
    static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(status: status, fields: [.contentType: "application/json"], body: .bytes(Array(text.utf8)))
    }

    /// A list of no directors.
    static var noDirectors: Response { .json(#"{"directors":[],"offset":0,"total":0}"#) }

    /// What a server answers to a token that it does not accept.
    static func unauthorized(_ reason: String) -> Response {
        var response = Response.problem(.unauthorized, detail: reason).callboards
        response.fields[.wwwAuthenticate] = #"Bearer error="invalid_token", error_description="\#(reason)""#
        return response
    }

    /// A redirect that keeps the method.
    static func redirect(to address: String) -> Response {
        Response(status: .temporaryRedirect, fields: [.location: address])
    }
}

extension Response {
    /// A problem as a Callboard server itself says it: what has no type of its own may be of anything between.
    var callboards: Response {
        guard case .bytes(let bytes) = body else { return self }
        var response = self
        let text = String(decoding: bytes, as: UTF8.self)
        response.body = .bytes(
            Array(text.replacingOccurrences(of: "about:blank", with: "urn:callboard:problem:x").utf8))
        return response
    }
}
