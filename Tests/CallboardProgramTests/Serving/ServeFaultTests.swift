import CallboardAPI
import CallboardClient
import Foundation
import Logging
import Testing

@testable import CallboardProgram

@Suite("Servers and their folders", .timeLimit(.minutes(2)))
struct ServeFaultTests {
    private let fixture: DataFolderFixture

    init() throws {
        fixture = try DataFolderFixture()
    }

    /// What opening a server with this folder says.
    private func fault(_ data: String) async -> ProgramError? {
        var settings = ServeSettings()
        settings.configuration.storage.data = data
        return await programError {
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            await (try ServeCommand.open(settings, logger: logger)).shutdown()
        }
    }

    /// The status of `callboard serve` with this folder, which has to be one that it cannot start with.
    private func status(_ data: String) async -> Int32 {
        await exitStatus { try await ServeCommand.parse(["--port", "0", "--data", data]).run() }
    }

    @Test("a folder of 0755 and a database of 0644 are said at the start, with the command that closes the folder")
    func openFolder() async throws {
        try await fixture.fill()
        chmod(fixture.data, 0o755)
        chmod(fixture.database, 0o644)
        let entries = LogCollector.Entries()
        var settings = ServeSettings()
        settings.configuration.storage.data = fixture.data
        let logger = Logger(label: "test") { _ in LogCollector(entries: entries) }
        await (try ServeCommand.open(settings, logger: logger)).shutdown()
        let warnings = entries.all.filter { $0.hasPrefix("warning") }
        #expect(warnings.count == 2)
        #expect(warnings.first?.contains("file=\(fixture.database) mode=0644") == true)
        #expect(
            warnings.last?.contains("command=chmod 700 '\(fixture.data)' folder=\(fixture.data) mode=0755") == true)
    }

    @Test("what was there is there again after a restart")
    func restart() async throws {
        try await fixture.fill()
        #expect(try await fixture.count() == 100)
    }

    @Test("a folder that another server has open names that server, and it goes on")
    func locked() async throws {
        try await fixture.withServer { callboard in
            let error = await fault(fixture.data)
            #expect(error?.status == .configuration)
            #expect(error?.message.contains("process \(getpid()) has the data folder open") == true)
            #expect(error?.advice?.contains("--data") == true)
            #expect(await status(fixture.data) == 78)
            let directors = try await callboard.allDirectors()
            #expect(directors.isEmpty)
        }
    }

    @Test("damage names its place, and is not served")
    func damaged() async throws {
        try await fixture.fill()
        #expect(try DataFolderFixture.damage(fixture.database, at: "findable 7."))
        let error = await fault(fixture.data)
        #expect(error?.status == .dataError)
        #expect(error?.message.contains("of the director \"numbers\" is damaged") == true)
        #expect(error?.advice?.contains("callboard check \(fixture.data)") == true)
        #expect(await status(fixture.data) == 65)
    }

    @Test("a newer schema is refused with both versions")
    func newer() async throws {
        try await fixture.fill()
        try DataFolderFixture.setSchemaVersion(99, of: fixture.database)
        let error = await fault(fixture.data)
        #expect(error?.message.contains("schema version 99") == true)
        #expect(error?.message.contains("this program knows up to") == true)
        #expect(await status(fixture.data) == 78)
    }

    @Test("a folder that cannot be made or written is refused", arguments: ["file", "file/below"])
    func notWritable(name: String) async throws {
        // Permissions would not stop a test that runs as root; a file in the folder's place stops everyone.
        try Data("a file\n".utf8).write(to: URL(fileURLWithPath: fixture.file("file")))
        let error = await fault(fixture.file(name))
        #expect(error?.status == .configuration)
        #expect(error?.message.contains(fixture.file(name)) == true)
        #expect(await status(fixture.file(name)) == 78)
    }
}
