import CallboardClient
import Foundation
import Testing

@testable import CallboardProgram

@Suite("Backups", .timeLimit(.minutes(2)))
struct BackupTests {
    private let fixture: DataFolderFixture

    init() throws {
        fixture = try DataFolderFixture()
    }

    private var copy: String { fixture.file("copy.db") }

    @Test("a backup of a running server holds what was stored, is whole, and can be served elsewhere")
    func running() async throws {
        try await fixture.withServer { callboard in
            try await DataFolderFixture.load(callboard, 0..<100)
            let report = try BackupCommand.backup(fixture.data, to: copy)
            #expect(report.file == copy)
            #expect(report.bytes > 0)
            #expect(report.line.contains("\"\(copy)\""))
            #expect(report.json.value(at: "/bytes")?.numberValue?.int == report.bytes)
            // The server goes on, and the backup stays what it was.
            try await DataFolderFixture.load(callboard, 50..<60)
        }
        #expect(try CheckCommand.check(copy).json.value(at: "/elements") == 100)
        let other = fixture.file("other")
        let restored = try RestoreCommand.restore(copy, to: other, overwriting: false)
        #expect(restored.file == other + "/callboard.db")
        try await fixture.withServer(data: other) { callboard in
            let identifiers = try await DataFolderFixture.identifiers(callboard)
            #expect(identifiers == (0..<100).map(String.init))
            // It can be changed from there on.
            try await DataFolderFixture.load(callboard, 0..<5)
        }
    }

    @Test("a backup into a folder is named callboard.db, and overwrites nothing", arguments: [true, false])
    func overwriting(isFolder: Bool) async throws {
        try await fixture.fill()
        let target = isFolder ? fixture.path : copy
        let made = try BackupCommand.backup(fixture.data, to: target).file
        #expect(made == (isFolder ? fixture.file("callboard.db") : copy))
        let before = try Data(contentsOf: URL(fileURLWithPath: made))
        let error = await programError { try BackupCommand.backup(fixture.data, to: target) }
        #expect(error?.status == .cannotCreate)
        #expect(error?.message == "\"\(made)\" is there already")
        #expect(try Data(contentsOf: URL(fileURLWithPath: made)) == before)
        #expect(await exitStatus { try await BackupCommand.parse([fixture.data, target]).run() } == 73)
    }

    @Test("a damaged folder is not backed up, and no file is left")
    func damaged() async throws {
        try await fixture.fill()
        #expect(try DataFolderFixture.damage(fixture.database, at: "findable 7."))
        let error = await programError { try BackupCommand.backup(fixture.data, to: copy) }
        #expect(error?.status == .dataError)
        #expect(error?.message.contains("\"numbers\"") == true && error?.advice?.contains("callboard check") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.path) == ["data"])
    }

    @Test("a folder that is missing, empty or of a newer version is refused, and so is a target without a folder")
    func refused() async throws {
        let missing = await programError { try BackupCommand.backup(fixture.data, to: copy) }
        #expect(missing?.status == .noInput)
        let empty = await programError { try BackupCommand.backup(fixture.path, to: copy) }
        #expect(empty?.status == .configuration)
        try await fixture.fill()
        let lost = await programError { try BackupCommand.backup(fixture.data, to: fixture.file("no/copy.db")) }
        #expect(lost?.status == .cannotCreate && lost?.message.contains(fixture.file("no")) == true)
        try DataFolderFixture.setSchemaVersion(99, of: fixture.database)
        let newer = await programError { try BackupCommand.backup(fixture.data, to: copy) }
        #expect(newer?.status == .configuration && newer?.message.contains("schema version 99") == true)
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test("a restoration replaces what is there only where it is told to")
    func restoring() async throws {
        try await fixture.fill()
        _ = try BackupCommand.backup(fixture.data, to: copy)
        try await fixture.withServer { try await DataFolderFixture.load($0, 0..<3) }
        let error = await programError { try RestoreCommand.restore(copy, to: fixture.data, overwriting: false) }
        #expect(error?.status == .cannotCreate && error?.advice?.contains("--overwrite") == true)
        #expect(try await fixture.count() == 3)
        #expect(await exitStatus { try await RestoreCommand.parse([copy, fixture.data]).run() } == 73)
        #expect(await exitStatus { try await RestoreCommand.parse([copy, fixture.data, "--overwrite"]).run() } == 0)
        #expect(try await fixture.count() == 100)
    }

    @Test("nothing is restored below a running server")
    func locked() async throws {
        try await fixture.fill()
        _ = try BackupCommand.backup(fixture.data, to: copy)
        try await fixture.withServer { callboard in
            let error = await programError { try RestoreCommand.restore(copy, to: fixture.data, overwriting: true) }
            #expect(error?.status == .configuration)
            #expect(error?.message.contains("has the data folder open") == true)
            let identifiers = try await DataFolderFixture.identifiers(callboard)
            #expect(identifiers.count == 100)
        }
    }

    @Test("a backup that is damaged, missing or of a newer version is not restored, and what is there stays")
    func badBackup() async throws {
        try await fixture.fill()
        _ = try BackupCommand.backup(fixture.data, to: copy)
        #expect(try DataFolderFixture.damage(copy, at: "findable 7."))
        let damaged = await programError { try RestoreCommand.restore(copy, to: fixture.data, overwriting: true) }
        #expect(damaged?.status == .dataError && damaged?.advice?.contains("nothing was replaced") == true)
        try DataFolderFixture.setSchemaVersion(99, of: copy)
        let newer = await programError { try RestoreCommand.restore(copy, to: fixture.data, overwriting: true) }
        #expect(newer?.status == .configuration)
        let missing = fixture.file("missing.db")
        let none = await programError { try RestoreCommand.restore(missing, to: fixture.data, overwriting: true) }
        #expect(none?.status == .noInput && none?.message.contains(missing) == true)
        #expect(try CheckCommand.check(fixture.data).json.value(at: "/elements") == 100)
    }
}
