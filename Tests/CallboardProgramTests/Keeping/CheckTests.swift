import CallboardClient
import Foundation
import Testing

@testable import CallboardProgram

@Suite("Checking data folders", .timeLimit(.minutes(2)))
struct CheckTests {
    private let fixture: DataFolderFixture

    init() throws {
        fixture = try DataFolderFixture()
    }

    @Test("a whole folder is said to be whole, with what it holds, and is left as it was")
    func whole() async throws {
        try await fixture.fill()
        let before = try Data(contentsOf: URL(fileURLWithPath: fixture.database))
        let report = try CheckCommand.check(fixture.data)
        #expect(report.status == .success)
        #expect(report.lines.count == 2)
        #expect(report.lines.first?.hasPrefix("\"\(fixture.data)\" is whole: ") == true)
        #expect(report.lines.last?.hasPrefix("it holds 1 director, 100 elements, ") == true)
        #expect(report.json.value(at: "/isWhole") == true)
        #expect(report.json.value(at: "/elements") == 100)
        #expect(report.json.value(at: "/problems") == [])
        #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.database)) == before)
        #expect(await exitStatus { try await CheckCommand.parse([fixture.data]).run() } == 0)
    }

    @Test("every damaged record is named with its director", arguments: [[7], [7, 93], [7, 38, 93]])
    func damaged(numbers: [Int]) async throws {
        try await fixture.fill()
        for number in numbers {
            #expect(try DataFolderFixture.damage(fixture.database, at: "findable \(number)."))
        }
        let report = try CheckCommand.check(fixture.data)
        #expect(report.status == .dataError)
        #expect(report.check.problems.count == numbers.count)
        #expect(report.lines.first == "\"\(fixture.data)\" is damaged in \(Count.of(numbers.count, "place")):")
        let places = report.lines.filter { $0.hasPrefix("  record ") && $0.contains("\"numbers\"") }
        #expect(Set(places).count == numbers.count)
        // The first line says that they are damaged.
        #expect(places.allSatisfy { !$0.contains("damaged") })
        #expect(report.lines.last?.contains("callboard restore") == true)
        #expect(report.json.value(at: "/isWhole") == false)
        #expect(report.json.value(at: "/problems/0/director") == "numbers")
        #expect(await exitStatus { try await CheckCommand.parse([fixture.data, "--json"]).run() } == 65)
    }

    @Test("a file that is no database is damaged as a whole")
    func noDatabase() async throws {
        try await fixture.fill()
        try Data(repeating: 0x41, count: 10_000).write(to: URL(fileURLWithPath: fixture.database))
        let report = try CheckCommand.check(fixture.data)
        #expect(report.status == .dataError)
        #expect(report.lines.contains { $0.hasPrefix("  the header of the database file: ") })
    }

    @Test("a folder that a running server has open is refused, whatever name it goes by", arguments: [true, false])
    func locked(isFolder: Bool) async throws {
        try await fixture.withServer { _ in
            let path = isFolder ? fixture.data : fixture.database
            let error = await programError { try CheckCommand.check(path) }
            #expect(error?.status == .configuration)
            #expect(error?.message.contains("process \(getpid()) has the data folder open") == true)
        }
        #expect(try CheckCommand.check(fixture.data).isWhole)
    }

    @Test("a folder that is not there, or has nothing in it, is refused and not made")
    func missing() async throws {
        let error = await programError { try CheckCommand.check(fixture.data) }
        #expect(error?.status == .noInput)
        #expect(error?.message.contains(fixture.data) == true && error?.advice?.contains("--data") == true)
        #expect(!FileManager.default.fileExists(atPath: fixture.data))
        let empty = await programError { try CheckCommand.check(fixture.path) }
        #expect(empty?.status == .configuration)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.path).isEmpty)
        #expect(await exitStatus { try await CheckCommand.parse([fixture.data]).run() } == 66)
    }

    @Test("a folder of a newer version is refused")
    func newer() async throws {
        try await fixture.fill()
        try DataFolderFixture.setSchemaVersion(99, of: fixture.database)
        let error = await programError { try CheckCommand.check(fixture.data) }
        #expect(error?.status == .configuration)
        #expect(error?.message.contains("schema version 99") == true)
    }

    @Test(
        "the folder is the argument's, else the environment's, else callboard-data",
        arguments: [
            ("a", ["CALLBOARD_DATA": "b"], "a"), (nil, ["CALLBOARD_DATA": "b"], "b"),
            (nil, ["CALLBOARD_DATA": ""], "callboard-data"), (nil, [:], "callboard-data"),
        ] as [(String?, [String: String], String)])
    func folder(argument: String?, environment: [String: String], expected: String) throws {
        #expect(try DataPath.resolve(argument, environment: environment) == expected)
    }

    @Test("a server that keeps nothing has no folder to work on")
    func memory() async {
        let error = await programError { try DataPath.resolve(nil, environment: ["CALLBOARD_DATA": "memory"]) }
        #expect(error?.status == .configuration)
    }
}
