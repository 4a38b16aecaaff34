import ArgumentParser
import Foundation
import Synchronization
import Testing

@testable import CallboardClient
@testable import CallboardProgram

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Loading into a row")
struct LoadRowTests {
    private static func content(_ count: Int) -> LoadContent {
        let records = (0..<count).map { number in
            LoadRecord(
                place: .init(record: number + 1, line: nil), value: .number(JSONNumber(number + 1)),
                section: number % 2 == 0 ? "even" : "odd")
        }
        return LoadContent(LoadedRecords(records: records), section: "settings")
    }

    @Test("records become the row's elements, whatever section their format names")
    func lines() {
        let lines = ContentLines(Self.content(2), model: "P", isRow: true)
        #expect(
            String(decoding: lines.data, as: UTF8.self) == """
                {"model":"P","value":1}
                {"model":"P","value":2}

                """)
    }

    @Test("a summary names the row")
    func summary() {
        var summary = LoadSummary(
            director: "app", sections: 1, row: LoadRow(section: "settings", row: "people", model: "P"))
        summary.loaded = 2
        #expect(summary.lines == [#"2 records loaded into the row "people" of "settings" in "app""#])
        #expect(
            summary.json.text
                == #"{"director":"app","sections":1,"loaded":2,"rejected":[],"section":"settings","row":"people"}"#)
    }

    /// Answers requests by their path below the director; 404 where it has none.
    private final class Server: ClientTransport {
        private let answers: [String: String]
        private let log = Mutex<[String]>([])

        init(answers: [String: String]) { self.answers = answers }

        /// What was asked: method, path and body.
        var requests: [String] { log.withLock { $0 } }

        func open(_ request: URLRequest, bufferLimit: Int) async throws -> TransportResponse {
            let path = request.url?.path ?? ""
            let sent = request.httpBody.map { String(decoding: $0, as: UTF8.self) } ?? ""
            let query = request.url?.query.map { "?" + $0.split(separator: "&").sorted().joined(separator: "&") } ?? ""
            log.withLock { $0.append("\(request.httpMethod ?? "") \(path)\(query) \(sent)") }
            let body = BufferedByteStream(limit: 1 << 20)
            let answer = answers[path.replacingOccurrences(of: "/v1/directors/app", with: "")]
            let problem = #"{"title":"Not found","status":404,"detail":"nothing at \#(path)"}"#
            body.receive(Array((answer ?? problem).utf8))
            body.finish()
            return TransportResponse(
                status: answer == nil ? 404 : 200, fields: ["content-type": "application/json"], body: body)
        }
    }

    private static let director = #"{"name":"app","kind":"table","revision":1,"version":1,"epoch":"e"}"#
    private static let section = #"{"id":"settings","rows":[]}"#
    private static let people = #"{"id":"people","type":"model","model":"Person","count":3}"#

    private static func find(
        _ answers: [String: String], row: String = "people", model: String? = nil
    ) async throws -> LoadRow {
        let director = try Callboard(server: "http://h", transport: Server(answers: answers)).director("app")
        return try await LoadRow.find(row, in: "settings", of: director, model: model, server: "http://h/")
    }

    @Test("the row says its model, and another one is refused")
    func model() async throws {
        let answers = ["/sections/settings/rows/people": Self.people]
        let row = LoadRow(section: "settings", row: "people", model: "Person")
        #expect(try await Self.find(answers) == row)
        #expect(try await Self.find(answers, model: "Person") == row)
        await #expect(
            throws: ProgramError(
                #"the row "people" shows "Person", not "Item""#, advice: "leave --model out", status: .usage)
        ) {
            try await Self.find(answers, model: "Item")
        }
    }

    @Test("a load fills the row under its model, makes the adapter, and touches neither director nor sections")
    func load() async throws {
        let server = Server(answers: [
            "/sections/settings/rows/people": Self.people, "/adapters/Person": "{}",
            "/content": #"{"counts":{"sections":1,"elements":1},"refused":0,"published":{"version":2,"changes":{}}}"#,
        ])
        let director = try Callboard(server: "http://h", transport: server).director("app")
        let row = try await LoadRow.find("people", in: "settings", of: director, model: nil, server: "http://h")
        let loader = Loader(
            director: director, model: row.model, cell: "PersonCell", identifier: "{id}", row: row)
        let records = LoadRecord(place: .init(record: 1, line: nil), value: ["id": 7])
        let summary = try await loader.load(LoadContent(LoadedRecords(records: [records]), section: row.section))
        #expect(summary.loaded == 1 && summary.changeset?.version == 2)
        let base = "/v1/directors/app"
        #expect(
            server.requests == [
                "GET \(base)/sections/settings/rows/people?elements=false ",
                #"PUT \#(base)/adapters/Person {"model":"Person","cell":"PersonCell","identifier":"{id}"}"#,
                #"PUT \#(base)/content?reload=true&row=people&section=settings {"model":"Person","value":{"id":7}}\#n"#,
            ])
    }

    @Test("a constant row takes no records")
    func constant() async {
        let answers = ["/sections/settings/rows/people": #"{"id":"people","type":"constant","cell":"C","value":1}"#]
        let error = await #expect(throws: ProgramError.self) { try await Self.find(answers) }
        #expect(error?.message.contains("constant") == true)
    }

    @Test("what is missing is named, with the commands that make it")
    func missing() async throws {
        let row = await #expect(throws: ProgramError.self) {
            try await Self.find(["": Self.director, "/sections/settings": Self.section], row: "@it's")
        }
        #expect(row?.message == #"the section "settings" of "app" has no row "@it's""#)
        #expect(
            row?.advice == """
                make it first:
                    curl -X PUT 'http://h/v1/directors/app/sections/settings/rows/@@it%27s' --json \
                '{"type":"model","model":"Item","elements":[]}'
                """)
        let section = await #expect(throws: ProgramError.self) {
            try await Self.find(["": Self.director], model: "Person")
        }
        #expect(section?.message.contains(#"no section "settings""#) == true)
        let command = #"""
            curl -X PUT 'http://h/v1/directors/app/sections/settings' --json \#
            '{"rows":[{"id":"people","type":"model","model":"Person","elements":[]}]}'
            """#
        #expect(section?.advice == "make both first:\n    \(command)")
        let director = await #expect(throws: ProgramError.self) { try await Self.find([:], model: "Person") }
        #expect(director?.message.contains(#"no director "app""#) == true)
        #expect(
            director?.advice
                == "make all three first:\n    curl -X PUT 'http://h/v1/directors/app' --json '{\"kind\":\"table\"}'\n    \(command)"
        )
    }

    @Test(
        "options that make no sense together are refused",
        arguments: [
            ["--row", "r"], ["--row", "r", "--section", "s", "--section-field", "f"],
            ["--row", "r", "--section", "s", "--titles", "t.json"],
            ["--row", "r", "--section", "s", "--kind", "table"],
        ])
    func options(arguments: [String]) {
        #expect(throws: (any Error).self) { try LoadCommand.parse(["f.csv"] + arguments) }
    }

    @Test("a row goes with a section, with or without --append")
    func goodOptions() throws {
        #expect(try LoadCommand.parse(["f.csv", "--section", "s", "--row", "r"]).sections.row == "r")
        #expect(try LoadCommand.parse(["f.csv", "--section", "s", "--row", "r", "--append"]).append)
    }
}
