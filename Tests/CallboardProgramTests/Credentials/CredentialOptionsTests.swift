import CallboardClient
import Foundation
import HTTPServer
import HTTPTypes
import Testing

@testable import CallboardProgram

@Suite("Credentials of commands", .timeLimit(.minutes(1)))
struct CredentialOptionsTests {
    private static func options(_ arguments: [String]) throws -> CredentialOptions {
        try DirectorsCommand.parse(arguments).server.credentials
    }

    /// The `Authorization` that a request with these arguments has.
    private static func authorization(_ arguments: [String], _ environment: [String: String]) async throws -> String? {
        let credential = try options(arguments).credential(environment: environment)
        let requests = try await AnswerServer { _ in .noDirectors }.run { address, _ in
            _ = try await Callboard(server: address, configuration: .init(credential: credential)).directors()
        }
        return requests.first?.authorization
    }

    @Test("--token comes before --token-file, and that before the variable")
    func precedence() async throws {
        let folder = try DataFolderFixture()
        try folder.write("file\n", to: "token")
        let (file, variable) = (["--token-file", folder.file("token")], [CredentialOptions.variable: "variable"])
        #expect(try await Self.authorization(["--token", "option"], variable) == "Bearer option")
        #expect(try await Self.authorization(file, variable) == "Bearer file")
        #expect(try await Self.authorization([], variable) == "Bearer variable")
        #expect(try await Self.authorization([], [:]) == nil)
        #expect(try await Self.authorization([], [CredentialOptions.variable: ""]) == nil)
    }

    @Test("each command that talks to a server takes a token")
    func commands() throws {
        #expect(try LoadCommand.parse(["f.csv", "--token", "t"]).server.credentials.token?.text == "t")
        #expect(try WatchCommand.parse(["d", "--token-file", "f"]).server.credentials.tokenFile == "f")
        #expect(try DirectorsCommand.parse(["--token", "t"]).server.credentials.token?.text == "t")
        let help = CallboardCommand.helpMessage(for: DirectorsCommand.self, columns: 200)
        #expect(help.contains("Other users of this machine see it") && help.contains(CredentialOptions.variable))
    }

    @Test(
        "what cannot be used is a wrong command line, and is not quoted",
        arguments: [
            ["--token", "hush", "--token-file", "hush"], ["--token", ""], ["--token", "hu sh"],
            ["--token", "hush\n"], ["--token-file", ""],
        ])
    func usage(arguments: [String]) throws {
        for command in [["directors"], ["watch", "d"], ["load", "f.csv"]] {
            let error = try #require(
                #expect(throws: (any Error).self) { try CallboardCommand.parseAsRoot(command + arguments) })
            #expect(CallboardCommand.exitCode(for: error).rawValue == 64)
            let message = CallboardCommand.fullMessage(for: error)
            #expect(!message.contains("hush") && !message.contains("hu sh"), "\(message)")
        }
    }

    @Test("an option with a token does not print it")
    func secrecy() throws {
        let command = try DirectorsCommand.parse(["--token", "hush"])
        var dumped = ""
        dump(command, to: &dumped)
        #expect(!"\(command) \(String(reflecting: command)) \(dumped)".contains("hush"))
    }

    @Test("a variable with what is no token is a wrong setting")
    func variable() throws {
        let options = try Self.options([])
        let error = #expect(throws: ProgramError.self) {
            try options.credential(environment: [CredentialOptions.variable: "hush hush"])
        }
        #expect(error?.status == .configuration)
        #expect(error?.message.contains(CredentialOptions.variable) == true && error?.message.contains("hush") == false)
    }
}

@Suite("Token files", .timeLimit(.minutes(1)))
struct TokenFileTests {
    @Test("the file is read for each request, without the line break at its end", arguments: ["", "\n", "\r\n"])
    func rotation(ending: String) async throws {
        let folder = try DataFolderFixture()
        try folder.write("one" + ending, to: "token")
        let options = try DirectorsCommand.parse(["--token-file", folder.file("token")]).server.credentials
        let requests = try await AnswerServer { _ in .noDirectors }.run { address, _ in
            let callboard = try Callboard(
                server: address, configuration: .init(credential: try options.credential(environment: [:])))
            _ = try await callboard.directors()
            try folder.write("two" + ending, to: "token")
            _ = try await callboard.directors()
            // Somebody writes the file in place, and then removes it.
            try folder.write("", to: "token")
            _ = try await callboard.directors()
            try FileManager.default.removeItem(atPath: folder.file("token"))
            _ = try await callboard.directors()
        }
        #expect(requests.map(\.authorization) == ["Bearer one", "Bearer two", "Bearer two", "Bearer two"])
    }

    @Test("a file that is replaced between the request and its refusal is read again")
    func replaced() async throws {
        let folder = try DataFolderFixture()
        try folder.write("old", to: "token")
        let path = folder.file("token")
        let options = try DirectorsCommand.parse(["--token-file", path]).server.credentials
        let requests = try await AnswerServer { request in
            guard request.authorization == "Bearer old" else { return .noDirectors }
            try? Data("new\n".utf8).write(to: URL(fileURLWithPath: path))
            return .unauthorized("The token has expired.")
        }.run { address, _ in
            let credential = try options.credential(environment: [:])
            _ = try await Callboard(server: address, configuration: .init(credential: credential)).directors()
        }
        #expect(requests.map(\.authorization) == ["Bearer old", "Bearer new"])
    }

    @Test("a file without a token is a wrong setting, and is not quoted")
    func invalid() throws {
        let folder = try DataFolderFixture()
        let long = String(repeating: "hush", count: 1 << 20)
        for content in [nil, "", "\n", "hush hush\n", "hush\nhush\n", long] {
            if let content { try folder.write(content, to: "token") }
            let error = #expect(throws: ProgramError.self) { try TokenFile(path: folder.file("token")).read() }
            #expect(error?.status == .configuration)
            #expect(error.map { "\($0)".contains("hush") } == false)
        }
    }
}
