import Access
import CallboardClient
import Foundation
import Testing

@testable import CallboardProgram

@Suite("Tokens of data folders", .timeLimit(.minutes(2)))
struct TokenCommandTests {
    private let fixture: DataFolderFixture

    init() throws {
        fixture = try DataFolderFixture()
    }

    private var folder: TokenFolder {
        get throws { try TokenFolder(fixture.data) }
    }

    private func create(_ name: String, expiresAt: Int? = nil, now: Int = 1000) async throws -> TokenEntry {
        try await folder.create(name: name, grants: .everything, expiresAt: expiresAt, now: now).0
    }

    @Test("tokens are looked for where serve would look for content: in the folder, or in the database of journal.url")
    func places() throws {
        try fixture.write(#"{"journal": {"url": "postgresql://u@h/d"}, "data": "x"}"#, to: "settings.json")
        func name(_ arguments: [String], _ environment: [String: String] = [:]) throws -> String {
            try TokenPlaceOptions.parse(arguments).place(environment: environment).name
        }
        let variables = ["CALLBOARD_JOURNAL_URL": "postgresql://u@other/d", "CALLBOARD_DATA": "y"]
        #expect(try name([]) == "callboard-data")
        #expect(try name([], ["CALLBOARD_DATA": "y"]) == "y")
        #expect(try name([], variables) == "postgresql://u@other/d")
        #expect(try name(["--data", "z"], variables) == "z")
        #expect(try name(["--journal-url", "postgresql://u:secret@third/d"], variables) == "postgresql://u@third/d")
        #expect(try name(["--config", fixture.file("settings.json")]) == "postgresql://u@h/d")
        #expect(try name([], ["CALLBOARD_CONFIG": fixture.file("settings.json")]) == "postgresql://u@h/d")
        #expect(throws: (any Error).self) { try TokenPlaceOptions.parse(["--data", "a", "--journal-url", "b"]) }
        for text in ["a\0b", "a\nb", "\u{1B}[31m", "\u{7F}", "\u{9B}"] {
            #expect(throws: (any Error).self) { try TokenCreateCommand.parse(["--name", text, "--all"]) }
        }
    }

    @Test("a pipe in place of a settings file or a token's file is given up, and one with something in it is read")
    func pipes() async throws {
        let path = fixture.file("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let error = #expect(throws: InputFileError.self) {
            try InputFile.read(path, limit: 10, patience: .milliseconds(20))
        }
        guard case .silent? = error else { throw try #require(error) }
        let writer = Task.detached {
            let file = open(path, O_WRONLY)
            _ = write(file, "hello", 5)
            close(file)
        }
        #expect(try InputFile.read(path, limit: 10) == Array("hello".utf8))
        await writer.value
        #expect(throws: InputFileError.self) { try InputFile.read(fixture.path, limit: 10) }
        #expect(try InputFile.read("/dev/zero", limit: 10).count == 11)
        #expect(try InputFile.read("/dev/null", limit: 10) == [])
    }

    @Test("a token that was made is listed, opens what its text says, and is gone once it was revoked")
    func life() async throws {
        let (entry, token) = try await folder.create(name: "kitchen", grants: .everything, expiresAt: 5000, now: 1000)
        #expect(entry.digest == token.digest && entry.createdAt == 1000 && entry.expiresAt == 5000)
        let second = try await create("second", now: 2000)
        #expect(try folder.list() == [entry, second])
        #expect(try await folder.revoke([entry.id, entry.id]) == [entry])
        #expect(try folder.list() == [second])
    }

    @Test("tokens live beside what a server keeps, and the check counts them")
    func besideServer() async throws {
        try await fixture.fill()
        #expect(try folder.list() == [])
        let entry = try await create("kitchen")
        #expect(try await fixture.count() == 100)
        #expect(try folder.list() == [entry])
        let report = try CheckCommand.check(fixture.data)
        #expect(report.isWhole && report.json.value(at: "/tokens") == 1)
        #expect(report.lines.last?.contains("100 elements, 1 token, ") == true)
    }

    @Test("all of the named tokens are revoked, or none")
    func revocation() async throws {
        let entries = [try await create("a"), try await create("b", now: 1001)]
        let unknown = await programError { try await folder.revoke([entries[0].id, "tok_0123456789abcdef"]) }
        #expect(unknown?.status == .noInput)
        #expect(unknown?.message.hasSuffix("has no token tok_0123456789abcdef") == true)
        let text = StaticToken.random().text
        for secret in [text, "x" + text] {
            let error = await programError { try await folder.revoke([entries[0].id, secret]) }
            #expect(error?.status == .usage)
            #expect(error.map { !"\($0)".contains(text) && $0.message.hasPrefix("argument 2 is ") } == true)
        }
        #expect(try folder.list() == entries)
        #expect(try await folder.revoke(entries.map(\.id)) == entries)
        #expect(try folder.list() == [])
    }

    @Test("a folder that a running server has open is refused, with the requests that do the same")
    func locked() async throws {
        try await fixture.withServer { _ in
            let errors = await [
                ("POST /v1/tokens", programError { try await create("a") }),
                ("GET /v1/tokens", programError { try folder.list() }),
                ("DELETE /v1/tokens/ID", programError { try await folder.revoke(["tok_0123456789abcdef"]) }),
            ]
            for (request, error) in errors {
                #expect(error?.status == .configuration)
                #expect(error?.message.contains("has the data folder open") == true)
                #expect(error?.advice?.contains(request) == true)
            }
        }
        #expect(try folder.list() == [])
    }

    @Test("reading makes no folder; a damaged token is named and nothing is changed")
    func faults() async throws {
        let missing = await programError { try folder.list() }
        #expect(missing?.status == .noInput)
        #expect(!FileManager.default.fileExists(atPath: fixture.data))
        _ = try await create("findable name")
        #expect(try DataFolderFixture.damage(fixture.database, at: "findable name"))
        let damaged = await programError { try folder.list() }
        #expect(damaged?.status == .dataError && damaged?.message.contains("token tok_") == true)
        let refused = await programError { try await create("b") }
        #expect(refused?.message.contains("token tok_") == true && refused?.advice?.contains("callboard check") == true)
        #expect(try CheckCommand.check(fixture.data).check.problems.count == 1)
    }

    @Test("the commands end with the exit status that --help names")
    func commands() async throws {
        let data = ["--data", fixture.data]
        #expect(await exitStatus { try await TokenListCommand.parse(data).run() } == 66)
        let create = ["--name", "n", "--read", "a-*", "--report", "a-*", "--expires", "90d", "--json"] + data
        #expect(await exitStatus { try await TokenCreateCommand.parse(create).run() } == 0)
        let entry = try #require(try folder.list().first)
        #expect(TokenText.short(entry.grants) == "read,report a-*")
        #expect(entry.expiresAt == entry.createdAt + 7_776_000)
        for flags in [[], ["--json"]] {
            #expect(await exitStatus { try await TokenListCommand.parse(data + flags).run() } == 0)
        }
        let revoke = [entry.id] + data
        #expect(await exitStatus { try await TokenRevokeCommand.parse(revoke).run() } == 0)
        #expect(await exitStatus { try await TokenRevokeCommand.parse(revoke).run() } == 66)
        let wrong = [
            ["--name", "", "--all"], ["--name", "n"], ["--all"], ["--name", "n", "--all", "--expires", "soon"],
            ["--name", String(repeating: "n", count: 201), "--all"],
        ]
        for arguments in wrong {
            #expect(await exitStatus { _ = try TokenCreateCommand.parse(arguments + data) } == 64)
        }
        let past = ["--name", "n", "--all", "--expires", "2001-01-01"] + data
        #expect(await exitStatus { try await TokenCreateCommand.parse(past).run() } == 64)
        #expect(try folder.list() == [])
    }

    @Test("what is said about a new token has nothing of its text")
    func notice() async throws {
        let (entry, token) = try await folder.create(name: "kitchen", grants: .everything, expiresAt: nil, now: 1000)
        let notice = TokenCreateCommand.notice(entry, in: "data")
        #expect(!notice.contains(token.text) && !notice.contains(StaticToken.prefix))
        #expect(notice.contains("made \(entry.id) \"kitchen\" in \"data\": all *; it does not end\n"))
        #expect(notice.contains("cannot be shown again"))
    }
}
