import CallboardAPI
import HTTPServer
import HTTPTypes
import Logging
import Reactor

/// A node whose database cannot be reached yet, in place of the server: it says that it waits, and refuses everything else.
package final class WaitingNode: HTTPApplication {
    private let group: EventLoopGroup
    private let certificates: CertificateWatch?

    private init(_ configuration: CallboardConfiguration, _ logger: Logger) throws {
        group = try EventLoopGroup(count: 1)
        certificates = configuration.tls.isOn ? try CertificateWatch(configuration.tls, logger: logger) : nil
    }

    /// Listens where the server will, until the returned closure is called.
    ///
    /// - Throws: The system's error about the address, or a fault of the certificates.
    package static func start(
        _ configuration: CallboardConfiguration, logger: Logger
    ) async throws -> @Sendable () async -> Void {
        let node = try WaitingNode(configuration, logger)
        var settings = configuration.api.server
        settings.tls = node.certificates?.certificates
        let server = HTTPServer(configuration: settings, group: node.group, application: node)
        do {
            _ = try await server.start()
        } catch {
            await node.group.stop()
            throw error
        }
        return {
            _ = await server.shutdown()
            await node.group.stop()
        }
    }

    package func handle(_ exchange: Exchange) {
        let path = exchange.head.target.prefix { $0 != "?" }
        if path == "/livez" {
            return exchange.respond(
                Response(
                    status: .ok, fields: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
                    body: .bytes(Array(Application.alive.utf8))))
        }
        let problem = Problem(
            .notReady,
            "This node waits for its database, which cannot be reached; its log says why. Ask another node, or ask again."
        )
        exchange.respond(
            Response(
                status: problem.status,
                fields: [.contentType: "application/problem+json", .cacheControl: "no-store", .retryAfter: "1"],
                body: .bytes(problem.body(instance: String(path)))))
    }
}
