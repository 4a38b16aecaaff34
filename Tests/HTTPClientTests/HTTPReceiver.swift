import HTTPServer
import HTTPTypes
import Reactor
import Synchronization
import Testing

@testable import HTTPClient

/// A receiver of webhooks on a port of this machine, which remembers what came.
final class HTTPReceiver: Sendable {
    /// What came.
    struct Received: Sendable {
        let method: String
        let target: String
        let authority: String?
        let fields: HTTPFields
        let body: [UInt8]
        let peer: SocketAddress
    }

    private struct Application: HTTPApplication {
        let received = Kept<Received>()
        let answer: @Sendable (Exchange) -> Void

        func handle(_ exchange: Exchange) {
            received.add(
                Received(
                    method: exchange.head.method.rawValue, target: exchange.head.target,
                    authority: exchange.head.authority, fields: exchange.head.fields, body: exchange.body,
                    peer: exchange.peer))
            answer(exchange)
        }
    }

    private let application: Application
    private let group: EventLoopGroup
    private let server: HTTPServer
    private let address: SocketAddress

    private init(_ answer: @escaping @Sendable (Exchange) -> Void) async throws {
        application = Application(answer: answer)
        group = try EventLoopGroup(count: 1)
        var configuration = ServerConfiguration(port: 0)
        configuration.shutdownDeadline = .zero
        server = HTTPServer(configuration: configuration, group: group, application: application)
        address = try #require(try await server.start().first)
    }

    /// What came up to now, in order.
    var received: [Received] { application.received.all }

    var port: UInt16 { address.port ?? 0 }

    func url(_ path: String = "/hook", host: String = "127.0.0.1") throws -> HTTPURL {
        try HTTPURL("http://\(host):\(port)\(path)")
    }

    /// Runs `body` with a receiver that answers by `answer`, 204 unless given; no transport may be connected then.
    static func run(
        answering answer: @escaping @Sendable (Exchange) -> Void = { $0.respond(Response(status: .noContent)) },
        _ body: (HTTPReceiver) async throws -> Void
    ) async throws {
        let receiver = try await HTTPReceiver(answer)
        do {
            try await body(receiver)
        } catch {
            Issue.record(error)
        }
        #expect(openSockets(to: receiver.port) == 0)
        _ = await receiver.server.shutdown()
        await receiver.group.stop()
    }
}

/// Values gathered from any thread, in order.
final class Kept<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    var all: [Value] { values.withLock { $0 } }

    func add(_ value: Value) { values.withLock { $0.append(value) } }

    /// Takes everything out.
    func takeAll() -> [Value] {
        values.withLock { values in
            defer { values = [] }
            return values
        }
    }
}
