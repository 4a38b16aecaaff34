import CallboardAPI
import CallboardServer
import Foundation
import HTTPTestSupport
import Journal
import Logging
import Testing

extension CallboardConfiguration {
    /// Settings for a test: a free port, and what the tests run over.
    static var test: CallboardConfiguration {
        var configuration = CallboardConfiguration()
        configuration.loops = 2
        configuration.server.port = 0
        configuration.server.allowsCleartextHTTP2 = TestTransport.isHTTP2
        if let files = TestCertificateFiles.current {
            configuration.tls.certificate = files.chain
            configuration.tls.key = files.key
        }
        return configuration
    }
}

/// A whole server on a free port of the loopback address, for one test.
struct TestServer {
    let service: CallboardService
    let port: UInt16

    /// Runs `body` against a new server and shuts it down afterwards, whatever happens.
    static func run(
        journal: any Journal = MemoryJournal(),
        _ adjust: (inout CallboardConfiguration) -> Void = { _ in },
        _ body: (TestServer) async throws -> Void
    ) async throws {
        try await run(adjust, body) { configuration, logger in
            try CallboardService(configuration: configuration, journal: journal, logger: logger)
        }
    }

    /// Runs `body` against a server that keeps its directors in a folder.
    static func run(
        folder: String, _ adjust: (inout CallboardConfiguration) -> Void = { _ in },
        _ body: (TestServer) async throws -> Void
    ) async throws {
        try await run(adjust, body) { configuration, logger in
            var configuration = configuration
            configuration.storage.data = folder
            configuration.storage.snapshotBytes = 4096
            return try CallboardService.open(configuration, logger: logger)
        }
    }

    private static func run(
        _ adjust: (inout CallboardConfiguration) -> Void, _ body: (TestServer) async throws -> Void,
        _ make: (CallboardConfiguration, Logger) throws -> CallboardService
    ) async throws {
        var configuration = CallboardConfiguration.test
        configuration.server.shutdownDeadline = .seconds(2)
        // A client that does not close its connection once all is said is waited for as long, which is within the deadline.
        configuration.server.lingerTimeout = .milliseconds(500)
        // A machine that is busy for longer is no client that is slow.
        configuration.server.headTimeout = .seconds(600)
        configuration.server.bodyTimeout = .seconds(600)
        configuration.server.writeStallTimeout = .seconds(600)
        adjust(&configuration)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let service = try make(configuration, logger)
        let addresses = try await service.start()
        let server = TestServer(service: service, port: addresses.compactMap(\.port).first ?? 0)
        do {
            try await body(server)
        } catch {
            await service.shutdown()
            throw error
        }
        await service.shutdown()
    }

    /// One request on a connection of its own.
    @discardableResult
    func send(
        _ method: String, _ target: String, _ body: String? = nil, headers: [String: String] = [:]
    ) throws -> TestResponse {
        let connection = try TestConnection(port: port)
        return try connection.send(method, target, body, headers: headers)
    }

    /// A table director `d` with an adapter for the model `M`, whose values are their own identifiers.
    func makeDirector(_ name: String = "d", identifier: String = "{id}", content: String = "null") throws {
        try send("PUT", "/v1/directors/\(name)", #"{"kind":"table"}"#).expect(201)
        try send(
            "PUT", "/v1/directors/\(name)/adapters/M",
            #"{"cell":"Cell","identifier":"\#(identifier)","content":\#(content)}"#
        ).expect(201)
    }
}
