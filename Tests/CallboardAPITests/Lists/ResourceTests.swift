import CallboardAPI
import Foundation
import HTTPServer
import Testing

@Suite("Resources")
struct ResourceTests {
    /// One request and the status it has to be answered with, in order on one director `d`.
    struct Step: Sendable {
        let method: String
        let target: String
        let body: String?
        let status: Int

        init(_ method: String, _ target: String, _ body: String? = nil, _ status: Int) {
            self.method = method
            self.target = target
            self.body = body
            self.status = status
        }
    }

    /// Every resource of the contract's table, well used and badly used.
    static let steps: [Step] = [
        Step("GET", "", nil, 200),
        Step("PUT", "", #"{"kind":"table","properties":{"rowHeight":{"auto":44}}}"#, 200),
        Step("PATCH", "", #"{"properties":{"rowHeight":{"explicit":50}}}"#, 200),
        Step("PATCH", "", #"{"properties":{"itemSize":"default"}}"#, 422),
        Step("PATCH", "", #"{"kind":"flow"}"#, 422),
        Step("GET", "/adapters", nil, 200),
        Step("GET", "/adapters/M", nil, 200),
        Step("GET", "/adapters/None", nil, 404),
        Step("PUT", "/adapters/N", #"{"cell":"NCell","viewSource":{"xib":"N"}}"#, 201),
        Step("PUT", "/adapters/N", #"{"cell":"NCell","viewSource":{"xib":"N"}}"#, 200),
        Step("PUT", "/adapters/N", #"{"cel":"NCell"}"#, 422),
        Step("DELETE", "/adapters/N", nil, 204),
        Step("PUT", "/header-footer-adapters/H", "{}", 201),
        Step("GET", "/header-footer-adapters/H", nil, 200),
        Step("GET", "/header-footer-adapters", nil, 200),
        Step("GET", "/sections", nil, 200),
        Step("PUT", "/sections", #"[{"id":"a","elements":[{"value":{"id":"1"}}]},{"id":"b"}]"#, 200),
        Step("POST", "/sections", #"{"id":"c","headerView":"H"}"#, 201),
        Step("POST", "/sections?at=0", #"[{"id":"d"},{"id":"e"}]"#, 201),
        Step("POST", "/sections?at=9", #"{"id":"f"}"#, 422),
        Step("POST", "/sections", #"{"id":"a"}"#, 201),
        Step("GET", "/sections/a", nil, 409),
        Step("PUT", "/sections/a", "{}", 409),
        Step("DELETE", "/sections/@last", nil, 204),
        Step("PUT", "/adapters/X", #"{"cell":"XCell","viewSource":{"xib":null}}"#, 201),
        Step("DELETE", "/adapters/X", nil, 204),
        Step("DELETE", "/header-footer-adapters/H", nil, 409),
        Step("GET", "/sections/a", nil, 200),
        Step("GET", "/sections/@0?elements=false", nil, 200),
        Step("GET", "/sections/@last", nil, 200),
        Step("GET", "/sections/@99", nil, 404),
        Step("GET", "/sections/@nonsense", nil, 400),
        Step("PUT", "/sections/new", #"{"headerTitle":"New"}"#, 201),
        Step("PUT", "/sections/new", #"{"headerTitle":"Newer"}"#, 200),
        Step("PATCH", "/sections/new", #"{"isCollapsed":true}"#, 200),
        Step("PATCH", "/sections/none", "{}", 404),
        Step("PATCH", "/sections/new", #"{"colapsed":true}"#, 422),
        Step("DELETE", "/sections/new", nil, 204),
        Step("DELETE", "/sections/new", nil, 404),
        Step("POST", "/sections:move", #"{"from":0,"to":1}"#, 200),
        Step("POST", "/sections:move", #"{"from":0,"to":9}"#, 422),
        Step("POST", "/sections:swap", #"{"at":0,"with":1}"#, 200),
        Step("DELETE", "/sections?at=0,1", nil, 204),
        Step("DELETE", "/sections?at=77", nil, 404),
        Step("GET", "/sections/a/elements", nil, 200),
        Step("PUT", "/sections/a/elements", #"[{"model":"M","value":{"id":"1"}},{"value":{"id":"2"}}]"#, 200),
        Step("PUT", "/sections/a/elements?model=M", #"[{"id":"1"},{"id":"2"},{"id":"3"}]"#, 200),
        Step("POST", "/sections/a/elements", #"{"value":{"id":"4"}}"#, 201),
        Step("POST", "/sections/a/elements?at=1", #"[{"value":{"id":"5"}}]"#, 201),
        Step("POST", "/sections/a/elements?at=99", #"{"value":{"id":"6"}}"#, 422),
        Step("POST", "/sections/a/elements?model=Nobody", #"{"id":"6"}"#, 422),
        Step("POST", "/sections/a/elements", #"{"value":{"name":"no id"}}"#, 422),
        Step("POST", "/sections/none/elements", #"{"value":{"id":"4"}}"#, 404),
        Step("GET", "/sections/a/elements/1", nil, 200),
        Step("GET", "/sections/a/elements/@1", nil, 200),
        Step("GET", "/sections/a/elements/none", nil, 404),
        Step("PUT", "/sections/a/elements/1", #"{"value":{"id":"1","n":1}}"#, 200),
        Step("PATCH", "/sections/a/elements/1", #"{"n":2}"#, 200),
        Step("PATCH", "/sections/a/elements/none", #"{"n":2}"#, 404),
        Step("DELETE", "/sections/a/elements/1", nil, 204),
        Step("POST", "/sections/a/elements:move", #"{"from":0,"to":1}"#, 200),
        Step("POST", "/sections/a/elements:move", #"{"from":0,"to":0,"toSection":"b"}"#, 200),
        Step("POST", "/sections/a/elements:move", #"{"from":0,"to":77}"#, 422),
        Step("POST", "/sections/a/elements:swap", #"{"at":0,"with":1}"#, 200),
        Step("DELETE", "/sections/a/elements?at=0", nil, 204),
        Step("DELETE", "/sections/a/elements?at=50", nil, 404),
        Step("DELETE", "/sections/a/elements", nil, 204),
        Step("POST", "/elements?section=a", #"{"value":{"id":"7"}}"#, 201),
        Step("POST", "/elements", #"[{"value":{"id":"8"}}]"#, 201),
        Step("POST", "/elements?section=none", #"{"value":{"id":"7"}}"#, 404),
        Step("GET", "/variables", nil, 200),
        Step("PUT", "/variables/v", "true", 201),
        Step("PUT", "/variables/v", "[1,2]", 200),
        Step("GET", "/variables/v", nil, 200),
        Step("DELETE", "/variables/v", nil, 204),
        Step("GET", "/variables/v", nil, 404),
        Step("POST", "/reload", nil, 200),
        Step("POST", "/reload", #"{"animations":{"elementInserted":"fade"}}"#, 200),
        Step("POST", "/reload", #"{"animations":{"elementInserted":"explode"}}"#, 422),
        Step("POST", "/operations", #"{"operations":[{"op":"removeAllSections"}],"dryRun":true}"#, 200),
        Step("POST", "/operations", #"{"operations":[{"op":"removeNothing"}]}"#, 422),
        Step("POST", "/operations", #"{"operations":[]}"#, 200),
        Step("POST", "/refresh", nil, 200),
        Step("POST", "/refresh", #"{"indexPaths":[[77,0]]}"#, 422),
        Step("GET", "/changesets?since=0", nil, 200),
        Step("GET", "/changesets?from=0", nil, 200),
        Step("GET", "/changesets?since=77", nil, 404),
        Step("GET", "/changesets?from=2&to=1", nil, 400),
        Step("GET", "/sections?state=published&version=1", nil, 200),
        Step("GET", "/sections?state=published&version=77", nil, 404),
        Step("GET", "/sections?version=1", nil, 400),
        Step("GET", "/sections?limit=10001", nil, 400),
        Step("GET", "/sections?limit=0", nil, 400),
        Step("GET", "/sections?lmit=5", nil, 400),
        Step("GET", "/sections?limit=5&limit=6", nil, 400),
        Step("GET", "/nothing", nil, 404),
        Step("DELETE", "/reload", nil, 405),
        Step("POST", "/sections", "{", 400),
        Step("POST", "/sections", #"{"id":1e999999999}"#, 422),
        Step("PUT", "", #"{"kind":"grid"}"#, 422),
        Step("DELETE", "", nil, 204),
        Step("GET", "", nil, 404),
    ]

    @Test("each resource answers what the contract says, and every error is a problem")
    func everyResource() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let connection = try TestConnection(port: server.port)
            for step in Self.steps {
                let answer = try connection.send(step.method, "/v1/directors/d" + step.target, step.body)
                #expect(answer.status == step.status, "\(step): \(answer.text)")
                if answer.status >= 400 {
                    #expect(answer.fields["x-request-id"] != nil)
                    #expect(answer.fields["content-type"] == "application/problem+json")
                    let problem = try answer.json
                    #expect(problem["status"] as? Int == answer.status)
                    #expect((problem["detail"] as? String)?.isEmpty == false)
                    #expect((problem["type"] as? String)?.hasPrefix("urn:callboard:problem:") == true)
                }
            }
        }
    }

    @Test("the page of problems has each kind with its status and its title, and the OpenAPI document each type")
    func problemKinds() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let page = root.appending(path: "Sources/CallboardAPI/CallboardAPI.docc/Problems.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(
            rows.map(String.init)
                == ProblemKind.allCases.map { "| `\($0.rawValue)` | \($0.status.code) | \($0.title) |" })
        try await TestServer.run { server in
            let document = try server.send("GET", "/openapi.json").expect(200).text
            for kind in ProblemKind.allCases { #expect(document.contains("\"\(kind.type)\"")) }
        }
    }

    @Test("HEAD answers GET's head alone, OPTIONS the methods, and another method 405 with Allow")
    func methods() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let connection = try TestConnection(port: server.port)
            let get = try connection.send("GET", "/v1/directors/d", headers: ["X-Request-Id": "mine"]).expect(200)
            #expect(get.fields["x-request-id"] == "mine")
            let head = try connection.send("HEAD", "/v1/directors/d").expect(200)
            #expect(head.fields["content-length"] == get.fields["content-length"])
            #expect(head.fields["etag"] == get.fields["etag"])
            let options = try connection.send("OPTIONS", "/v1/directors/d").expect(204)
            #expect(options.fields["allow"] == "PUT, GET, PATCH, DELETE, HEAD, OPTIONS")
            let wrong = try connection.send("POST", "/v1/directors/d", "{}").expect(405)
            #expect(wrong.fields["allow"] == options.fields["allow"])
            try connection.send("BREW", "/v1/directors/d").expect(405)
            try connection.send("OPTIONS", "*").expect(204)
            try connection.send("OPTIONS", "/nowhere").expect(404)
        }
    }

    @Test("a representation that nobody takes is 406, a body that is not JSON 415 with the remedy")
    func negotiation() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let connection = try TestConnection(port: server.port)
            try connection.send("GET", "/v1/directors/d", headers: ["Accept": "text/html"]).expect(406)
            try connection.send("GET", "/v1/directors/d", headers: ["Accept": "text/html, */*;q=0.1"]).expect(200)
            try connection.send("GET", "/v1/directors/d", headers: ["Accept": "application/json;q=0"]).expect(406)
            let form = try connection.send(
                "POST", "/v1/directors/d/reload", "{}",
                headers: ["Content-Type": "application/x-www-form-urlencoded"]
            ).expect(415)
            #expect(form.text.contains("--json"))
            try connection.send(
                "PATCH", "/v1/directors/d", "{}", headers: ["Content-Type": "application/merge-patch+json"]
            ).expect(200)
            try connection.send("GET", "/v1/changesets?director=d", headers: ["Accept": "application/json"]).expect(406)
            try connection.send("DELETE", "/v1/directors/d", headers: ["Accept": "application/json"]).expect(204)
        }
    }
}
