import CallboardAPI
import Foundation
import Testing

@Suite("What a small request can make large")
struct SmallRequestTests {
    private func fill(_ server: TestServer, bytes: Int, count: Int = 1) throws {
        try server.makeDirector()
        let filling = String(repeating: "x", count: bytes)
        let elements = (0..<count).map { #"{"value":{"id":"\#($0)","text":"\#(filling)"}}"# }.joined(separator: ",")
        try server.send("PUT", "/v1/directors/d/sections?reload=true", #"[{"id":"s","elements":[\#(elements)]}]"#)
            .expect(200)
    }

    @Test("POST …/refresh naming one element of 1 MB a thousand times sends it once")
    func refreshOnce() async throws {
        try await TestServer.run { server in
            try fill(server, bytes: 1_000_000)
            let paths = Array(repeating: "[0,0]", count: 1000).joined(separator: ",")
            let addresses = Array(repeating: #"{"section":"s","element":"0"}"#, count: 1000).joined(separator: ",")
            for body in [#"{"indexPaths":[\#(paths)]}"#, #"{"indexPaths":[[0,0]],"elements":[\#(addresses)]}"#] {
                let answer = try server.send("POST", "/v1/directors/d/refresh", body).expect(200)
                #expect((try answer.json["elements"] as? [Any])?.count == 1)
                #expect(answer.body.count < 1_001_000)
            }
        }
    }

    @Test("POST …/refresh of more than one message holds is 422 at the element that passes the bound")
    func refreshBound() async throws {
        try await TestServer.run { server in
            try fill(server, bytes: 900_000, count: 17)
            try server.send("POST", "/v1/directors/d/sections/s/elements?reload=true", #"{"value":{"id":"x"}}"#)
                .expect(201)
            func refresh(_ count: Int) throws -> TestResponse {
                let paths = (0..<count).map { "[0,\($0)]" }.joined(separator: ",")
                return try server.send("POST", "/v1/directors/d/refresh", #"{"indexPaths":[\#(paths)]}"#)
            }
            try refresh(16).expect(200)
            try server.send(
                "POST", "/v1/directors/d/sections/s/elements?reload=true",
                #"{"value":{"id":"y","text":"\#(String(repeating: "x", count: 2_000_000))"}}"#
            ).expect(201)
            let answer = try refresh(19).expect(422)
            #expect(answer.text.contains(#""pointer":"/indexPaths/18""#))
        }
    }

    @Test("10,001 places of a refresh are 422")
    func refreshPlaces() async throws {
        try await TestServer.run { server in
            try fill(server, bytes: 1)
            let paths = Array(repeating: "[0,0]", count: 10_001).joined(separator: ",")
            try server.send("POST", "/v1/directors/d/refresh", #"{"indexPaths":[\#(paths)]}"#).expect(422)
        }
    }

    @Test("a batch of patches may rewrite 64 MiB of values, and one of 60 kB on a value of 1 MB is 422 at once")
    func patches() async throws {
        try await TestServer.run { server in
            try fill(server, bytes: 1_000_000)
            let patch = #"{"op":"patchElement","section":"s","element":"@0","patch":{"n":1}}"#
            let few = Array(repeating: patch, count: 60).joined(separator: ",")
            try server.send("POST", "/v1/directors/d/operations", #"{"operations":[\#(few)]}"#).expect(200)
            let many = Array(repeating: patch, count: 1000).joined(separator: ",")
            let answer = try server.send("POST", "/v1/directors/d/operations", #"{"operations":[\#(many)]}"#).expect(
                422)
            #expect(answer.text.contains(#""pointer":"/operations/67/patch""#), "\(answer.text)")
            #expect(try server.send("GET", "/v1/directors/d").json["revision"] as? Int == 3)
        }
    }

    @Test("POST …/events asking a default of 60,000 digits at a thousand places is 422, not an answer of 60 MB")
    func defaults() async throws {
        try await TestServer.run { server in
            try fill(server, bytes: 1)
            // Numbers keep the digits that they came with.
            let height = "44." + String(repeating: "0", count: 60_000)
            try server.send("PUT", "/v1/directors/d/adapters/M/events/rowHeight", #"{"default":\#(height)}"#).expect(
                201)
            func ask(_ count: Int) throws -> TestResponse {
                let paths = Array(repeating: "[0,0]", count: count).joined(separator: ",")
                return try server.send(
                    "POST", "/v1/directors/d/events", #"{"event":"rowHeight","indexPaths":[\#(paths)]}"#)
            }
            try ask(2).expect(200)
            let refused = try ask(1000).expect(422)
            #expect(refused.text.contains("ask about fewer"))
        }
    }

    /// Requests that quote what they were sent, each with a place for a long text.
    private static let quoting: [(method: String, target: String, body: String)] = [
        ("PUT", "/v1/directors/d/sections", #"[{"<>":1}]"#),
        ("PUT", "/v1/directors/d/sections", #"[{"id":"a","<>":1}]"#),
        ("POST", "/v1/directors/d/operations", #"{"operations":[{"op":"<>"}]}"#),
        ("POST", "/v1/directors/d/operations", #"{"operations":[{"op":"removeSection","section":"<>"}]}"#),
        ("POST", "/v1/directors/d/operations", #"{"<>":[]}"#),
        ("POST", "/v1/directors/d/operations", #"{"operations":[{"op":"addElements","section":"<>","elements":[]}]}"#),
        ("PUT", "/v1/directors/d/adapters/N", #"{"cell":"C","<>":1}"#),
        ("PUT", "/v1/directors/d/adapters/N", #"{"cell":"C","model":"<>"}"#),
        ("PUT", "/v1/directors/d/adapters/N", #"{"cell":"C","identifier":"{<>"}"#),
        ("PUT", "/v1/directors/d/adapters/N", #"{"cell":"C","content":["<>"]}"#),
        ("PUT", "/v1/directors/d/adapters/N", #"{"cell":"C","viewSource":"<>"}"#),
        ("PUT", "/v1/directors/d/adapters/N", #"{"cell":"C","events":{"<>":{"url":"http://127.0.0.1:9"}}}"#),
        ("PUT", "/v1/directors/d/adapters", #"[{"cell":"C","model":"<>"}]"#),
        ("PUT", "/v1/directors/d/adapters/M/events/didSelect", #"{"url":"<>"}"#),
        ("PUT", "/v1/directors/d/adapters/M/events/didSelect", #"{"url":"http://<>/"}"#),
        ("PUT", "/v1/directors/d/adapters/M/events/didSelect", #"{"<>":"http://127.0.0.1:9/"}"#),
        ("PUT", "/v1/directors/d/adapters/M/events/didSelect", #"{"url":"http://127.0.0.1:9","headers":{"<>":"x"}}"#),
        ("PUT", "/v1/directors/d/adapters/M/events/didSelect", #"{"url":"http://127.0.0.1:9","timeout":"<>"}"#),
        ("PUT", "/v1/directors/d/adapters/M/events/didSelect", #"{"url":"http://127.0.0.1:9","secret":"<>"}"#),
        ("POST", "/v1/directors/d/events", #"{"event":"<>"}"#), ("POST", "/v1/directors/d/events", #"{"<>":1}"#),
        ("POST", "/v1/directors/d/reload", #"{"animations":{"<>":"fade"}}"#),
        ("POST", "/v1/directors/d/refresh", #"{"elements":[{"section":"<>","element":"a"}]}"#),
        ("POST", "/v1/directors/d/refresh", #"{"<>":1}"#), ("PUT", "/v1/directors/d", #"{"kind":"<>"}"#),
        ("PUT", "/v1/directors/d", #"{"kind":"table","properties":{"<>":1}}"#),
        ("PATCH", "/v1/directors/d", #"{"properties":{"rowHeight":{"<>":1}}}"#),
        ("PUT", "/v1/directors/d/variables/v", #"{"<>":1,"<>":2}"#),
        ("POST", "/v1/directors/d/sections/s/elements", #"{"model":"<>","value":1}"#),
        ("POST", "/v1/directors/d/sections/s/elements", #"{"value":1,"<>":{"a":{"b":1}}}"#),
        ("POST", "/v1/directors/d/sections", #"{"headerView":"<>"}"#),
        ("POST", "/v1/directors/d/sections/s/elements", #"{"value":{"id":"<>"}}"#),
    ]

    @Test(
        "an error quotes at most 200 bytes of a text of 1 MB, and names no member by more", arguments: quoting.indices)
    func echoes(_ index: Int) async throws {
        let (method, target, body) = Self.quoting[index]
        try await TestServer.run { server in
            try server.makeDirector()
            try server.send("POST", "/v1/directors/d/sections", #"{"id":"s"}"#).expect(201)
            let long = String(repeating: "é", count: 500_000)
            let answer = try server.send(method, target, body.replacingOccurrences(of: "<>", with: long))
            #expect((400..<500).contains(answer.status), "\(answer.status)")
            #expect(answer.body.count < 8000, "\(answer.body.count) bytes")
            #expect(answer.text.contains("é…") || !answer.text.contains("ééé"), "\(answer.text.prefix(500))")
        }
    }

    @Test("what is quoted is quoted as it was written, not with a programming language's escapes")
    func asWritten() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let answer = try server.send("PUT", "/v1/directors/d/sections", #"[{"Zoë's \"own\"\n":1}]"#).expect(422)
            let problem = try answer.json
            let detail = try #require(problem["detail"] as? String)
            #expect(detail.contains("no member \"Zoë's \"own\"\n\""), "\(detail)")
        }
    }
}
