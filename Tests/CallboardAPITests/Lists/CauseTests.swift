import CallboardAPI
import Foundation
import Testing

@Suite("Causes of changesets")
struct CauseTests {
    private static let path = "/v1/directors/d"

    private func cause(_ name: String) -> [String: String] { ["Callboard-Cause": name] }

    private func variable(_ server: TestServer, _ name: String, cause: String) throws {
        let answer = try server.send(
            "PUT", Self.path + "/variables/\(name)", "1", headers: self.cause(cause))
        #expect([200, 201].contains(answer.status), "\(answer.text)")
    }

    private func publish(_ server: TestServer, _ section: String, cause: String? = nil) throws {
        try server.send(
            "POST", Self.path + "/sections?reload=true", #"{"id":"\#(section)"}"#,
            headers: cause.map { self.cause($0) } ?? [:]
        ).expect(201)
    }

    /// The causes of the next changeset; nil where it does not mention any.
    private func next(_ stream: TestStream) throws -> [String]? {
        while let event = try stream.nextContent() {
            if event.name == "changeset" { return try event.json["causes"] as? [String] }
        }
        throw TestClientError(description: "the stream has ended")
    }

    @Test("a changeset lists what it is the first to show: each once, in order, its own among them, and no failed one")
    func listed() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let stream = try TestStream(port: server.port)
            try publish(server, "a", cause: "own")
            #expect(try next(stream) == ["own"])
            for name in ["one", "two", "one"] { try variable(server, "v", cause: name) }
            try server.send("DELETE", Self.path + "/sections/none", headers: cause("missing")).expect(404)
            try server.send(
                "PUT", Self.path + "/variables/v", "2", headers: cause("refused").merging(["If-Match": "\"x\""]) { $1 }
            ).expect(412)
            let batch = #"{"operations":[{"op":"removeSection","section":"a"},{"op":"removeSection","section":"a"}]}"#
            try server.send("POST", Self.path + "/operations", batch, headers: cause("undone")).expect(404)
            let dry = #"{"operations":[{"op":"removeAllSections"}],"dryRun":true}"#
            try server.send("POST", Self.path + "/operations", dry, headers: cause("dry")).expect(200)
            try server.send("PUT", Self.path + "/adapters/M", #"{"cell":"Cell"}"#, headers: cause("same")).expect(200)
            try server.send("POST", Self.path + "/refresh", headers: cause("refresh")).expect(200)
            try publish(server, "b", cause: "last")
            #expect(try next(stream) == ["two", "one", "last"])
            try publish(server, "c")
            #expect(try next(stream) == nil)
            try server.send("PUT", Self.path + "/adapters/M", #"{"cell":"Other"}"#, headers: cause("adapter")).expect(
                200)
            try server.send("POST", Self.path + "/sections", #"{"id":"d"}"#).expect(201)
            let answer = try server.send("POST", Self.path + "/reload", headers: cause("reload")).expect(200).json
            #expect(answer["causes"] as? [String] == ["adapter", "reload"])
            #expect(try next(stream) == ["adapter", "reload"])
        }
    }

    @Test("a reload that publishes nothing keeps the causes that wait for the next version, and drops its own")
    func equal() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            try publish(server, "a")
            let stream = try TestStream(port: server.port)
            try variable(server, "v", cause: "waiting")
            let answer = try server.send("POST", Self.path + "/reload", headers: cause("nothing")).expect(200).json
            #expect(answer["causes"] == nil && answer["version"] as? Int == 1)
            let reloaded = #"{"operations":[{"op":"setVariable","name":"v","value":2}],"reload":true}"#
            try server.send("POST", Self.path + "/operations", reloaded, headers: cause("unseen")).expect(200)
            try publish(server, "b")
            #expect(try next(stream) == ["waiting", "unseen"])
        }
    }

    @Test("a span carries the causes of all its versions, the newest 100, in a stream and as JSON")
    func spans() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let first = try #require(try TestStream(port: server.port).next()).id
            for number in 1...3 { try publish(server, "s\(number)", cause: "c\(number)") }
            try publish(server, "s4", cause: "c1")
            #expect(try next(try TestStream(port: server.port, lastEventID: first)) == ["c2", "c3", "c1"])
            let each = try TestStream(
                port: server.port, target: Self.path + "/changesets?catchup=each&lastEventId=\(first)")
            #expect(try (1...4).map { _ in try next(each) } == [["c1"], ["c2"], ["c3"], ["c1"]])
            func span(_ query: String) throws -> [String]? {
                try server.send("GET", Self.path + "/changesets?" + query, headers: ["Accept": "application/json"])
                    .expect(200).json["causes"] as? [String]
            }
            #expect(try span("from=1&to=3") == ["c2", "c3"])
            #expect(try span("from=2") == ["c3", "c1"])
            #expect(try span("from=3&to=3") == nil)
            for number in 0..<120 { try variable(server, "v", cause: "n\(number)") }
            try publish(server, "s5", cause: "end")
            #expect(try span("from=0") == (21..<120).map { "n\($0)" } + ["end"])
        }
    }

    @Test("a cause waits for its reload over a restart, and a version keeps its causes")
    func restart() async throws {
        let folder = NSTemporaryDirectory() + "callboard-causes-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var id = ""
        try await TestServer.run(folder: folder) { server in
            try server.send("PUT", Self.path, #"{"kind":"table"}"#, headers: cause("create")).expect(201)
            let stream = try TestStream(port: server.port)
            id = try #require(try stream.next()).id
            try publish(server, "a", cause: "first")
            #expect(try next(stream) == ["create", "first"])
            try variable(server, "v", cause: "waiting")
        }
        try await TestServer.run(folder: folder) { server in
            let stream = try TestStream(port: server.port, lastEventID: id)
            #expect(try next(stream) == ["create", "first"])
            try publish(server, "b")
            #expect(try next(stream) == ["waiting"])
        }
    }

    @Test(
        "a cause that is none is 400 and changes nothing",
        arguments: ["a b", "é", String(repeating: "x", count: 65), "a\tb", "one\r\nCallboard-Cause: other"])
    func refused(name: String) async throws {
        try await TestServer.run { server in
            try server.send("PUT", "/v1/directors/new", #"{"kind":"table"}"#, headers: cause(name)).expect(400)
            try server.send("GET", "/v1/directors/new").expect(404)
            try server.makeDirector()
            let before = try server.send("GET", Self.path).text
            for (method, path, body) in [
                ("PUT", "/variables/v", "1"), ("POST", "/reload", nil), ("PATCH", "", #"{"properties":{}}"#),
                ("POST", "/operations", #"{"operations":[]}"#), ("DELETE", "", nil),
            ] as [(String, String, String?)] {
                let answer = try server.send(method, Self.path + path, body, headers: cause(name)).expect(400)
                #expect(answer.text.contains("1 to 64 visible ASCII characters"), "\(answer.text)")
            }
            #expect(try server.send("GET", Self.path).text == before)
            try server.send("GET", Self.path, headers: cause(name)).expect(200)
        }
    }

    @Test("a request with a key that is repeated names its cause once")
    func repeated() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let stream = try TestStream(port: server.port)
            let headers = cause("once").merging(["Idempotency-Key": "k"]) { $1 }
            for _ in 0..<2 {
                try server.send("POST", Self.path + "/sections?reload=true", #"{"id":"a"}"#, headers: headers).expect(
                    201)
            }
            #expect(try next(stream) == ["once"])
            try publish(server, "b")
            #expect(try next(stream) == nil)
        }
    }

    @Test("pages of an allowed origin may name causes")
    func cors() async throws {
        try await TestServer.run {
            $0.cors.origins = ["https://app.example"]
        } _: { server in
            let preflight = try server.send(
                "OPTIONS", Self.path,
                headers: ["Origin": "https://app.example", "Access-Control-Request-Method": "PATCH"]
            ).expect(204)
            #expect(preflight.fields["access-control-allow-headers"]?.contains("Callboard-Cause") == true)
        }
    }
}
