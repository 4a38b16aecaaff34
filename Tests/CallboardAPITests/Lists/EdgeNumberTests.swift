import Foundation
import HTTPTestSupport
import Journal
import JournalSQLite
import TestSupport
import Testing

@testable import CallboardAPI

/// Every route with numbers at every edge: in its path, its query, its fields and its body, which is made of what the
/// OpenAPI document says of it. A route that is added is among them.
@Suite("Routes with numbers at every edge")
struct EdgeNumberTests {
    /// After so many cases the server is shut down, its folder checked, and another server opened on it.
    private static let lifetime = 1000

    /// Streams of several directors have no other form, and these end the server's work for others.
    private static let left: Set<String> = ["followDirectors", "deleteDirector", "endSession"]

    @Test(
        "no number ends the server, and what was stored is whole after every thousand",
        .enabled(if: TestTransport.isHTTP1, "HTTP/2 resets the streams of targets that are no paths"))
    func routes() async throws {
        let folder = NSTemporaryDirectory() + "callboard-edges-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var cases = EdgeCases(seed: SeededGenerator.seedOfRun("routes with numbers at every edge"))
        var statuses: [Int: Int] = [:]
        let count = EdgeNumbers.cases(percent: 40)
        var done = 0
        while done < count {
            let end = min(count, done + Self.lifetime)
            try await TestServer.run(folder: folder) { server in
                var connection = try TestConnection(port: server.port)
                for request in try cases.beginning() {
                    _ = try connection.send(request.method, request.target, request.body)
                }
                if cases.document == nil { cases.document = try connection.send("GET", "/openapi.json").json }
                while done < end {
                    done += 1
                    let request = cases.next(Self.left)
                    let answer: TestResponse
                    do {
                        answer = try connection.send(
                            request.method, request.target, request.body, headers: request.fields)
                    } catch {
                        Issue.record("\(request): \(error)")
                        return
                    }
                    if answer.fields["connection"] == "close" { connection = try TestConnection(port: server.port) }
                    statuses[answer.status, default: 0] += 1
                    #expect(answer.status != 500, "\(request)")
                }
            }
            let check = try JournalCheck(of: DataFolder(path: folder))
            #expect(check.problems.isEmpty)
        }
        print(
            "statuses: \(statuses.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))")
        #expect(statuses[200, default: 0] + statuses[201, default: 0] > count / 10)
    }

    @Test(
        "lengths and fields that are numbers are taken or refused",
        .enabled(if: TestTransport.isHTTP1, "the lengths are of HTTP/1.1's syntax"))
    func fields() async throws {
        try await TestServer.run { server in
            var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("fields with numbers at every edge"))
            for _ in 0..<EdgeNumbers.cases(percent: 1) / 2 {
                let number = EdgeNumbers.anyText(using: &generator)
                let connection = try TestConnection(port: server.port)
                let field =
                    generator.chance(2)
                    ? "Content-Length: \(number)\r\n\r\n" : "Transfer-Encoding: chunked\r\n\r\n\(number)\r\n"
                try connection.write(
                    "PUT /v1/directors/d HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Connection: close\r\n" + field)
            }
            try server.send("GET", "/livez").expect(200)
        }
    }
}

/// Requests with numbers at edges.
private struct EdgeCases {
    struct Request: CustomStringConvertible {
        let method: String
        let target: String
        var body: String?
        var fields: [String: String] = [:]

        var description: String { "\(method) \(target) \(body ?? "") \(fields)" }
    }

    /// The OpenAPI document, once it has been read.
    var document: [String: Any]? {
        didSet { instances = SchemaInstances(document: document ?? [:], generator: generator) }
    }
    private var generator: SeededGenerator
    private var instances: SchemaInstances?
    private let routes = Route.all

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// What the cases work on: a table with adapters, sections of elements and of rows, a variable and a hook.
    func beginning() throws -> [Request] {
        let d = "/v1/directors/d"
        return [
            Request(method: "DELETE", target: d),
            Request(method: "PUT", target: d, body: #"{"kind":"table"}"#),
            Request(method: "PUT", target: "/v1/directors/f", body: #"{"kind":"flow"}"#),
            Request(method: "PUT", target: d + "/adapters/M", body: #"{"cell":"Cell"}"#),
            Request(
                method: "PUT", target: d + "/adapters/N",
                body: #"{"cell":"Cell","identifier":"{a}_{/n}","content":["/n"]}"#),
            Request(method: "PUT", target: "/v1/directors/f/adapters/M", body: #"{"cell":"Cell"}"#),
            Request(method: "PUT", target: d + "/variables/v", body: "1e-9223372036854775809"),
            Request(
                method: "PUT", target: d + "/sections?reload=true",
                body:
                    #"[{"id":"s","indexTitle":"s","elements":[{"model":"M","value":{"id":1}},{"model":"N","value":{"a":1,"n":2}}]},"#
                    + #"{"id":"r","rows":[{"id":"p","type":"model","model":"M","elements":[{"value":{"id":1,"n":1e400}}],"#
                    + #""hideWhen":{"<":[{"var":"model.n"},{"var":"variables.v"}]}},"#
                    + #"{"id":"c","type":"constant","cell":"C","value":1,"height":{"+":[1,{"var":"variables.v"}]}}]}]"#),
            Request(method: "PUT", target: d + "/adapters/M/events/rowHeight", body: #"{"default":44}"#),
            Request(method: "POST", target: d + "/reload"),
        ]
    }

    mutating func next(_ left: Set<String>) -> Request {
        var route = routes[generator.below(routes.count)]
        while left.contains(route.operationID) { route = routes[generator.below(routes.count)] }
        // Half of all go to what changes most.
        if generator.chance(2),
            let busy = routes.first(where: {
                $0.operationID
                    == ["performOperations", "setElements", "putSection", "reportEvent", "patchRow"][generator.below(5)]
            })
        {
            route = busy
        }
        var request = Request(method: route.method.rawValue, target: path(of: route) + query(of: route))
        switch route.body {
        case .none: break
        case .json(let name), .mergePatch(let name), .lines(_, orJSON: let name):
            request.body = instances?.instance(of: name)
        case .optionalJSON(let name): if generator.chance(2) { request.body = instances?.instance(of: name) }
        }
        if route.isStream { request.fields["Accept"] = "application/json" }
        let number = EdgeNumbers.anyText(using: &generator).filter { $0.isASCII }
        switch generator.below(24) {
        case 0: request.fields["If-Match"] = "\"e-r\(number)\""
        case 1: request.fields["If-None-Match"] = "\"e-v\(number)\""
        case 2: request.fields["Last-Event-ID"] = "abcd-\(number)"
        case 3: request.fields["Idempotency-Key"] = "k\(number)".prefix(200).description
        case 4: request.fields["Range"] = "bytes=\(number)-"
        case 5: request.fields["Accept"] = "application/json;q=\(number)"
        default: break
        }
        return request
    }

    private mutating func path(of route: Route) -> String {
        let names = [
            "director": generator.chance(10) ? "f" : "d", "section": ["s", "s", "r", "t"][generator.below(4)],
            "row": ["p", "c"][generator.below(2)], "element": ["1", "@0", "@last"][generator.below(3)],
            "model": ["M", "N"][generator.below(2)], "view": "V", "name": "v", "delivery": "1", "token": "t",
            "stream": "1",
            "event": ["rowHeight", "didSelect"][generator.below(2)], "file": "main.js",
        ]
        return route.path.description.split(separator: "/").map { part in
            guard part.hasPrefix("{"), let end = part.firstIndex(of: "}") else { return "/" + part }
            let name = String(part.dropFirst().prefix { $0 != "}" })
            let rest = part[part.index(after: end)...]
            if ["section", "element", "row", "delivery", "stream"].contains(name), generator.chance(5) {
                return "/" + percentEncoded((generator.chance(3) ? "" : "@") + EdgeNumbers.anyText(using: &generator))
                    + rest
            }
            return "/" + (names[name] ?? "x") + rest
        }.joined()
    }

    private mutating func query(of route: Route) -> String {
        var members: [String] = []
        for parameter in route.query where generator.chance(3) {
            let value: String
            switch parameter.kind {
            case .boolean: value = generator.chance(2) ? "true" : "false"
            case .choice(let words): value = words[generator.below(words.count)]
            case .text where parameter.name == "model": value = "M"
            case .text where generator.chance(2), .repeatedText: value = "d"
            default:
                let numbers = (0...generator.below(2)).map { _ in EdgeNumbers.anyText(using: &generator) }
                value = (generator.chance(4) ? "@" : "") + numbers.joined(separator: ",")
            }
            members.append("\(parameter.name)=\(percentEncoded(value))")
        }
        return members.isEmpty ? "" : "?" + members.joined(separator: "&")
    }

    private func percentEncoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
