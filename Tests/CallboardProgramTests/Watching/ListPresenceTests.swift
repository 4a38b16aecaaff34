import CallboardClient
import HTTPServer
import HTTPTypes
import Synchronization
import Testing

@testable import CallboardProgram

@Suite("A list that may not be there", .timeLimit(.minutes(1)))
struct ListPresenceTests {
    private static let description =
        #"{"name":"d","kind":"table","revision":1,"version":0,"epoch":"e","properties":{},"counts":{"sections":0,"elements":0}}"#
    private static let missing = Response.problem(.notFound, detail: "There is no director d.").callboards

    /// What is told while a server gives these answers, the last one for ever, and how the wait ends.
    private static func wait(_ answers: [Response]) async throws -> (told: [String], requests: Int, error: ClientError?)
    {
        let script = Mutex(answers)
        let told = Mutex<[String]>([])
        let error = Mutex<ClientError?>(nil)
        let requests = try await AnswerServer { _ in
            script.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        }.run { address, _ in
            let presence = ListPresence(
                director: try Callboard(server: address).director("d"), server: "SERVER",
                tell: { line in told.withLock { $0.append(line) } })
            do {
                try await presence.wait(ImmediateClock())
            } catch let fault as ClientError {
                error.withLock { $0 = fault }
            }
        }
        return (told.withLock { $0 }, requests.count, error.withLock { $0 })
    }

    @Test("a list that is not there yet is waited for, and that is said once")
    func waits() async throws {
        let found = Response.json(Self.description)
        let (told, requests, error) = try await Self.wait([Self.missing, Self.missing, Self.missing, found])
        #expect(told == ["SERVER has no list \"d\" yet; waiting for it"])
        #expect(requests == 4 && error == nil)
        #expect(try await Self.wait([found]).told == [])
    }

    @Test("a failure that may pass is waited out once the list is waited for")
    func passing() async throws {
        let page = Response(status: .badGateway, fields: [.contentType: "text/html"], body: .bytes(Array("<p>".utf8)))
        let busy = Response.problem(.serviceUnavailable, detail: "busy").callboards
        let (told, requests, error) = try await Self.wait([Self.missing, page, busy, .json(Self.description)])
        #expect(told.count == 1 && requests == 4 && error == nil)
    }

    @Test("a refusal ends the wait, before it and while it lasts", arguments: [false, true])
    func refused(late: Bool) async throws {
        let refusal = Response.problem(.forbidden, detail: "The right read is missing.").callboards
        let (told, _, error) = try await Self.wait((late ? [Self.missing] : []) + [refusal])
        #expect(told.count == (late ? 1 : 0))
        #expect(error?.status == 403)
    }

    @Test("with --once nothing is waited for: 66 where the list is not there, 69 where nobody answers")
    func once() async throws {
        let seen = Mutex("")
        try await AnswerServer { _ in Self.missing }.run { address, _ in
            seen.withLock { $0 = address }
            for flags in [[], ["--json"], ["--columns", "a"]] {
                let arguments = ["d", "--once", "--server", address] + flags
                #expect(await exitStatus { try await WatchCommand.parse(arguments).run() } == 66)
            }
        }
        let address = seen.withLock { $0 }
        for flags in [[], ["--once"]] {
            let arguments = ["d", "--server", address] + flags
            #expect(await exitStatus { try await WatchCommand.parse(arguments).run() } == 69)
        }
    }

    @Test(
        "a list that is deleted while no stream would say so has been deleted while it was watched",
        arguments: [[], ["--json"], ["--log"]], [0, 1, 2])
    func deleted(flags: [String], streams: Int) async throws {
        let stream = Response(
            status: .ok, fields: [.contentType: "text/event-stream"], body: .bytes(Array("retry: 1\n\n".utf8)))
        let script = Mutex([.json(Self.description)] + Array(repeating: stream, count: streams))
        let requests = try await AnswerServer { _ in
            script.withLock { $0.isEmpty ? Self.missing : $0.removeFirst() }
        }.run { address, _ in
            let arguments = ["d", "--server", address] + flags
            #expect(await exitStatus { try await WatchCommand.parse(arguments).run() } == 0)
        }
        #expect(requests.count == streams + 2)
    }

    @Test(
        "what a server answers decides the status",
        arguments: [
            (404, true, CallboardProgram.ExitStatus.noInput), (404, false, .unavailable), (400, true, .dataError),
            (422, true, .dataError), (413, true, .dataError), (414, true, .dataError), (431, true, .dataError),
            (501, true, .dataError), (505, true, .dataError), (408, true, .temporary), (507, true, .temporary),
            (409, true, .dataError), (412, true, .temporary), (429, true, .temporary), (500, true, .temporary),
            (503, true, .temporary), (502, false, .unavailable), (401, true, .noPermission),
            (403, false, .noPermission),
        ])
    func status(code: Int, isCallboards: Bool, expected: CallboardProgram.ExitStatus) async throws {
        let answer = Response.problem(HTTPResponse.Status(code: code), detail: "x")
        try await AnswerServer { _ in isCallboards ? answer.callboards : answer }.run { address, _ in
            let arguments = ["--server", address]
            let code = await exitStatus { try await DirectorsCommand.parse(arguments).run() }
            #expect(code == expected.rawValue)
        }
    }

    @Test("an address that is taken is 69")
    func taken() async throws {
        try await AnswerServer { _ in Self.missing }.run { address, _ in
            let port = String(address.split(separator: ":").last ?? "")
            #expect(await exitStatus { try await ListenCommand.parse([port]).run() } == 69)
        }
    }
}
