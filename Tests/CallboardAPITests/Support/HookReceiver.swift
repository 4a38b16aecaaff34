import Foundation
import HTTPServer
import HTTPTypes
import Reactor
import Synchronization
import TestSupport

/// The target of hooks: an HTTP server that keeps what it is sent and answers as it is told.
final class HookReceiver: HTTPApplication {
    /// One call.
    struct Received: Sendable {
        let path: String
        let fields: [String: String]
        let body: [UInt8]

        /// The event's identifier.
        var id: String { fields["webhook-id"] ?? "" }

        /// What was sent, an object.
        var json: [String: Any] {
            get throws {
                guard let json = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] else {
                    throw TestClientError(description: "not an object")
                }
                return json
            }
        }
    }

    /// How a call is answered.
    enum Answer: Sendable {
        /// With a status and a body.
        case status(Int, String = "")
        /// Only when the test lets it, by ``release()``; 204 then.
        case hang

        /// A success with a JSON body.
        static func json(_ text: String) -> Answer { .status(200, text) }
    }

    private struct State {
        var port: UInt16 = 0
        var received: [Received] = []
        var held: [Exchange] = []
        var answer: @Sendable (Received) -> Answer = { _ in .status(204) }
    }

    private let state = Mutex(State())

    /// Runs `body` with a receiver on a free port.
    static func run(_ body: (HookReceiver) async throws -> Void) async throws {
        let group = try EventLoopGroup(count: 1)
        let receiver = HookReceiver()
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.shutdownDeadline = .zero
        let server = HTTPServer(configuration: configuration, group: group, application: receiver)
        let port = try await server.start().compactMap(\.port).first ?? 0
        receiver.state.withLock { $0.port = port }
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(receiver))
        } catch {
            result = .failure(error)
        }
        receiver.release()
        _ = await server.shutdown()
        await group.stop()
        try result.get()
    }

    /// The port that it listens on.
    var port: UInt16 { state.withLock { $0.port } }

    /// The URL of a path here.
    func url(_ path: String = "/hook") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Everything that was sent so far.
    var received: [Received] { state.withLock { $0.received } }

    /// Answers from here on as a closure says.
    func answer(_ answer: @escaping @Sendable (Received) -> Answer) {
        state.withLock { $0.answer = answer }
    }

    /// Answers from here on always the same.
    func answer(_ answer: Answer) {
        self.answer { _ in answer }
    }

    /// Waits until so many calls have come.
    @discardableResult
    func wait(_ count: Int) async throws -> [Received] {
        try await eventually("\(count) calls of the receiver") { received.count >= count }
        return received
    }

    /// Answers what was held back.
    func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for exchange in held { exchange.respond(Response(status: .noContent)) }
    }

    func handle(_ exchange: Exchange) {
        var fields: [String: String] = [:]
        for field in exchange.head.fields { fields[field.name.canonicalName] = field.value }
        let received = Received(path: exchange.head.target, fields: fields, body: exchange.body)
        // Once another answer is set, nothing is answered, held or done by the one before.
        let answer = state.withLock { state in
            state.received.append(received)
            let answer = state.answer(received)
            if case .hang = answer { state.held.append(exchange) }
            return answer
        }
        guard case .status(let status, let body) = answer else { return }
        exchange.respond(
            Response(
                status: .init(code: status), fields: [.contentType: "application/json"],
                body: body.isEmpty ? .none : .bytes(Array(body.utf8))))
    }
}
