import ArgumentParser
import CallboardClient
import Foundation
import HTTPServer
import HTTPTypes
import Testing

@testable import CallboardProgram

@Suite("Credentials on the wire", .timeLimit(.minutes(1)))
struct CredentialEndToEndTests {
    @Test("a redirect within the server has the token, and one to another origin has not")
    func redirects() async throws {
        try await AnswerServer { _ in .noDirectors }.run { other, otherServer in
            let requests = try await AnswerServer { request in
                switch request.target {
                case "/v1/directors?offset=0&limit=100": .redirect(to: "/here")
                case "/here": .redirect(to: "\(other)/there")
                default: .noDirectors
                }
            }.run { address, _ in
                let configuration = Callboard.Configuration(credential: try .token("hush"))
                _ = try await Callboard(server: address, configuration: configuration).directors()
            }
            #expect(requests.map(\.target) == ["/v1/directors?offset=0&limit=100", "/here"])
            #expect(requests.map(\.authorization) == ["Bearer hush", "Bearer hush"])
            #expect(otherServer.requests == [.init(method: "GET", target: "/there", authorization: nil)])
        }
    }

    @Test("a stream that is redirected to another origin goes there without the token")
    func redirectedStream() async throws {
        try await AnswerServer { _ in Response.problem(.notFound, detail: "There is no director d.").callboards }.run {
            other, otherServer in
            let requests = try await AnswerServer { .redirect(to: other + $0.target) }.run { address, _ in
                let configuration = Callboard.Configuration(credential: try .token("hush"))
                let callboard = try Callboard(server: address, configuration: configuration)
                await #expect(throws: ClientError.self) { for try await _ in callboard.director("d").events() {} }
            }
            #expect(requests.map(\.authorization) == ["Bearer hush"])
            #expect(otherServer.requests.map(\.authorization) == [nil])
        }
    }

    @Test("a batch of a load has the token, and follows no redirect")
    func batches() async throws {
        try await AnswerServer { _ in .noDirectors }.run { other, otherServer in
            let requests = try await AnswerServer { _ in .redirect(to: "\(other)/there") }.run { address, _ in
                await #expect(throws: ClientError.self) {
                    let transport = URLSessionTransport(trusting: nil, followsRedirectsOfWrites: false)
                    let configuration = Callboard.Configuration(credential: try .token("hush"))
                    let callboard = try Callboard(
                        server: address, transport: transport, configuration: configuration)
                    try await callboard.director("d").perform([.removeSection(.first)])
                }
            }
            #expect(requests.map(\.authorization) == ["Bearer hush"])
            #expect(otherServer.requests.isEmpty)
        }
    }

    @Test("a batch that is answered 401 is sent once more with a new token")
    func renewedBatch() async throws {
        let requests = try await AnswerServer { request in
            request.authorization == "Bearer new" ? .json("{}") : .unauthorized("The token has expired.")
        }.run { address, _ in
            let names = TokenNames()
            let configuration = Callboard.Configuration(credential: .provider { try AccessToken(names.next()) })
            let callboard = try Callboard(server: address, configuration: configuration)
            try await callboard.director("d").addElements([ElementDraft("x", model: "M")], in: "s")
        }
        #expect(requests.map(\.authorization) == ["Bearer old", "Bearer new"])
        #expect(requests.allSatisfy { $0.method == "POST" })
    }

    @Test(
        "a command that is refused says so in one line, and ends as for any refusal",
        arguments: [401, 403], [["directors"], ["watch", "d"], ["load", "FILE"]])
    func commands(status: Int, command: [String]) async throws {
        let folder = try DataFolderFixture()
        try folder.write(#"{"id":1}"#, to: "d.ndjson")
        let arguments = command.map { $0 == "FILE" ? folder.file("d.ndjson") : $0 }
        let requests = try await AnswerServer { _ in
            status == 401
                ? .unauthorized("The token has expired.")
                : Response.problem(.forbidden, detail: "The right read is missing.").callboards
        }.run { address, _ in
            let code = await exitStatus {
                var command = try CallboardCommand.parseAsRoot(
                    arguments + ["--server", address, "--token", "hush"])
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
            }
            #expect(code == ExitStatus.noPermission.rawValue)
        }
        #expect(requests.map(\.authorization) == ["Bearer hush"])
    }

    @Test("the line names what was refused and what to give")
    func lines() async throws {
        var lines: [String] = []
        try await AnswerServer { request in
            request.target.contains("offset")
                ? .unauthorized("The token has expired.")
                : Response.problem(.forbidden, detail: "The right read is missing.").callboards
        }.run { address, _ in
            let callboard = try Callboard(server: address)
            for call in [{ _ = try await callboard.directors() }, { _ = try await callboard.director("d").describe() }]
            {
                let error = try #require(await #expect(throws: ClientError.self) { try await call() })
                lines.append(ProgramError(error, server: "SERVER").description)
            }
        }
        #expect(
            lines == [
                "SERVER refused the credential: The token has expired. (401)\n"
                    + "  give a token that is valid there with --token-file, --token or CALLBOARD_TOKEN",
                "SERVER does not permit this: The right read is missing. (403)\n"
                    + "  give a token that has this right with --token-file, --token or CALLBOARD_TOKEN",
            ])
    }
}

/// Gives `old`, then `new` for ever.
private final class TokenNames: Sendable {
    private let script = SizeScript([0, 1])

    func next() -> String { script.next() == 0 ? "old" : "new" }
}
