import CallboardAPI
import CallboardServer
import DirectorLife
import Directors
import Foundation
import Journal
import JournalSQLite
import Logging
import Testing

@Suite("Stopping")
struct StoppingTests {
    /// Runs a server on a data folder, with time enough to stop in order.
    private func run(_ folder: String, _ body: (TestServer) throws -> Void) async throws {
        var configuration = CallboardConfiguration.test
        configuration.server.shutdownDeadline = .seconds(120)
        configuration.storage.data = folder
        configuration.storage.snapshotBytes = 1 << 20
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let service = try CallboardService.open(configuration, logger: logger)
        let port = try await service.start().compactMap(\.port).first ?? 0
        let result = Result { try body(TestServer(service: service, port: port)) }
        await service.shutdown()
        try result.get()
    }

    @Test("a stop leaves a snapshot where the log is long, so that the next start has nothing to perform again")
    func snapshotAtStop() async throws {
        let folder = NSTemporaryDirectory() + "callboard-stopping-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func recover() throws -> RecoveryReport {
            let open = try DataFolder(path: folder).open()
            defer { open.journal.close() }
            return try Recovery(
                of: open.journal, limits: DirectorLimits(), retention: VersionRetention(count: 10, bytes: 1 << 20)
            ).report
        }
        try await run(folder) { server in
            try server.makeDirector()
            try server.send("POST", "/v1/directors/d/sections", #"{"id":"s"}"#).expect(201)
        }
        // A short log stays: a server that changed little has nothing to write when it stops.
        #expect(try recover().snapshots == 0)
        try await run(folder) { server in
            for number in 1...40 {
                let text = String(repeating: "x", count: 5000)
                try server.send(
                    "POST", "/v1/directors/d/sections/s/elements", #"{"value":{"id":"e\#(number)","text":"\#(text)"}}"#
                ).expect(201)
            }
        }
        let report = try recover()
        #expect(report.snapshots == 1)
        #expect(report.records == 0)
        #expect(report.elements == 40)
    }
}
