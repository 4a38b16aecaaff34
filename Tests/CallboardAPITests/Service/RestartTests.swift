import CallboardAPI
import Foundation
import Testing

@Suite("Over a restart")
struct RestartTests {
    @Test("one call that has changed several adapters and their hooks, or none, is one revision after it too")
    func severalAdapters() async throws {
        let folder = NSTemporaryDirectory() + "callboard-restart-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let hook = #""events":{"rowHeight":{"default":44}}"#
        var before = ""
        try await TestServer.run(folder: folder) { server in
            try server.send("PUT", "/v1/directors/d", #"{"kind":"table"}"#).expect(201)
            for text in ["Cell", "Cell", "Other"] {
                let adapters = ["A", "B", "C"].map { #"{"model":"\#($0)","cell":"\#(text)",\#(hook)}"# }
                try server.send("PUT", "/v1/directors/d/adapters", "[" + adapters.joined(separator: ",") + "]").expect(
                    200)
            }
            before = try server.send("GET", "/v1/directors/d").expect(200).text
        }
        try await TestServer.run(folder: folder) { server in
            #expect(try server.send("GET", "/v1/directors/d").text == before)
            try server.send("POST", "/v1/directors/d/sections", #"{"id":"s"}"#).expect(201)
        }
    }

    @Test("everything is as it was: states, versions, adapters, variables, answers to keys, and streams resume")
    func everything() async throws {
        let folder = NSTemporaryDirectory() + "callboard-restart-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let paths = [
            "/v1/directors", "/v1/directors/d", "/v1/directors/d/sections", "/v1/directors/d/adapters",
            "/v1/directors/d/variables", "/v1/directors/d/sections?state=published",
            "/v1/directors/d/sections?state=published&version=20", "/v1/directors/d/changesets?since=15",
            "/v1/directors/d/changesets?from=15",
        ]
        var before: [String] = []
        var answer = ""
        var replica = TestReplica()
        try await TestServer.run(folder: folder) { server in
            try server.makeDirector(content: #"["/n"]"#)
            try server.send("PUT", "/v1/directors/d/variables/v", "[1.50]").expect(201)
            try server.send("POST", "/v1/directors/d/sections", #"{"id":"s"}"#).expect(201)
            try server.send("POST", "/v1/directors/d/sections", #"{"id":"hidden","isCollapsed":true}"#).expect(201)
            let stream = try TestStream(port: server.port)
            try replica.apply(try #require(try stream.next()))
            for number in 1...40 {
                let text = String(repeating: "x", count: 200)
                let value = #"{"value":{"id":"e\#(number)","n":\#(number),"text":"\#(text)"}}"#
                try server.send("POST", "/v1/directors/d/sections/s/elements?at=0&reload=true", value).expect(201)
                try server.send("POST", "/v1/directors/d/sections/hidden/elements", value).expect(201)
                if number <= 20 { try replica.apply(try #require(try stream.next())) }
            }
            let key = ["Idempotency-Key": "once"]
            answer = try server.send(
                "POST", "/v1/directors/d/sections/s/elements", #"{"value":{"id":"once"}}"#, headers: key
            ).expect(201).text
            before = try paths.map { try server.send("GET", $0, headers: ["Accept": "application/json"]).text }
        }
        try await TestServer.run(folder: folder) { server in
            for (path, text) in zip(paths, before) {
                #expect(try server.send("GET", path, headers: ["Accept": "application/json"]).text == text, "\(path)")
            }
            let key = ["Idempotency-Key": "once"]
            let again = try server.send(
                "POST", "/v1/directors/d/sections/s/elements", #"{"value":{"id":"once"}}"#, headers: key)
            #expect(again.status == 201 && again.text == answer)
            try server.send("POST", "/v1/directors/d/reload", headers: key).expect(422)
            let stream = try TestStream(port: server.port, lastEventID: "\(replica.epoch)-\(replica.version)")
            let resumed = try #require(try stream.next())
            #expect(resumed.name == "resumed")
            let changeset = try #require(try stream.next())
            #expect(changeset.name == "changeset")
            try replica.apply(changeset)
            #expect(replica.version == 40)
            let published = try server.send("GET", "/v1/directors/d/sections?state=published&limit=10000").json
            #expect(try replica.content() == canonical(published["sections"] ?? ""))
            try server.send("DELETE", "/v1/directors/d").expect(204)
        }
        try await TestServer.run(folder: folder) { server in
            try server.send("GET", "/v1/directors/d").expect(404)
            try server.makeDirector()
        }
    }
}
