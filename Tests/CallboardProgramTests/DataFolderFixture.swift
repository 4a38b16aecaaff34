import CallboardAPI
import CallboardClient
import CallboardServer
import Foundation
import Logging

@testable import CallboardProgram

/// A folder for one test that goes when the test ends, with servers that keep their data in it.
final class DataFolderFixture: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("callboard-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The servers' data folder.
    var data: String { file("data") }

    /// The database in it.
    var database: String { file("data/callboard.db") }

    func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file into the folder.
    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    }

    /// Runs a server on the data folder, or on another, for as long as `body` takes.
    func withServer(
        data: String? = nil, isolation: isolated (any Actor)? = #isolation, _ body: (Callboard) async throws -> Void
    ) async throws {
        var configuration = CallboardConfiguration()
        configuration.server.port = 0
        configuration.storage.data = data ?? self.data
        let service = try CallboardService.open(
            configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let result: Result<Void, any Error>
        do {
            let address = try await service.start().first.map { "http://\($0)" } ?? ""
            result = .success(try await body(try Callboard(server: address)))
        } catch {
            result = .failure(error)
        }
        await service.shutdown()
        try result.get()
    }

    /// Fills the data folder: one director of 100 elements, each with a text that can be found in the file.
    func fill() async throws {
        try await withServer { try await Self.load($0, 0..<100) }
    }

    /// How many elements a server finds in the data folder.
    func count() async throws -> Int {
        var count = 0
        try await withServer { count = try await Self.identifiers($0).count }
        return count
    }

    /// Loads elements with these numbers.
    static func load(_ callboard: Callboard, _ numbers: Range<Int>) async throws {
        var loader = Loader(director: callboard.director("numbers"), model: "N", cell: "NCell")
        // Ten in a request, so that they are stored in several records.
        for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 10) {
            let records = (start..<min(start + 10, numbers.upperBound)).map { number in
                LoadRecord(
                    place: .init(record: number + 1, line: nil),
                    value: ["id": .number(JSONNumber(number)), "text": .string("findable \(number).")], section: "all")
            }
            _ = try await loader.load(
                LoadContent(LoadedRecords(records: records), rule: nil, titles: nil, fallback: "all"))
            loader.appends = true
        }
    }

    /// The identifiers of all elements of the director that ``load(_:_:)`` fills.
    static func identifiers(_ callboard: Callboard) async throws -> [String] {
        try await callboard.director("numbers").sections(limit: 1000).value.items.flatMap { $0.elements.map(\.id) }
    }

    /// Changes one bit of the byte at which a text begins; false where the file does not have it.
    ///
    /// Wherever it stands: SQLite leaves copies behind in the unused parts of pages.
    static func damage(_ file: String, at text: String) throws -> Bool {
        let url = URL(fileURLWithPath: file)
        var bytes = try Data(contentsOf: url)
        var isFound = false
        while let place = bytes.range(of: Data(text.utf8)) {
            bytes[place.lowerBound] ^= 1
            isFound = true
        }
        try bytes.write(to: url)
        return isFound
    }

    /// Gives a closed database the schema version that a later program might have made (SQLite's header, offset 60).
    static func setSchemaVersion(_ version: UInt8, of file: String) throws {
        let url = URL(fileURLWithPath: file)
        var bytes = try Data(contentsOf: url)
        bytes.replaceSubrange(60..<64, with: [0, 0, 0, version])
        try bytes.write(to: url)
    }
}

/// What a piece of work throws as ``ProgramError``; nil where it throws nothing or something else.
func programError<Value>(_ work: () async throws -> Value) async -> ProgramError? {
    do {
        _ = try await work()
        return nil
    } catch {
        return error as? ProgramError
    }
}

/// The status that the program would end with after this work.
func exitStatus(_ work: () async throws -> Void) async -> Int32 {
    do {
        try await work()
        return ExitStatus.success.rawValue
    } catch {
        return CallboardCommand.exitCode(for: error).rawValue
    }
}
