import CallboardAPI
import Foundation
import Testing

@Suite("Several adapters at once, and adapters in batches")
struct AdapterBatchTests {
    private static let director = "/v1/directors/d"

    private func models(_ server: TestServer) throws -> [String] {
        let adapters = try server.send("GET", Self.director + "/adapters").json["adapters"]
        return try #require(adapters as? [[String: Any]]).compactMap { $0["model"] as? String }
    }

    @Test("PUT …/adapters registers several, all or none, with their hooks; others stay")
    func several() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let before = try server.send("GET", Self.director).json["revision"] as? Int
            let body =
                #"[{"model":"A","cell":"C"},{"model":"B","cell":"C","events":{"didSelect":{"url":"http://127.0.0.1:9"}}}]"#
            let answer = try server.send("PUT", Self.director + "/adapters", body).expect(200)
            #expect(answer.text.contains("whsec_"))
            #expect(try models(server) == ["A", "B", "M"])
            #expect(try server.send("GET", Self.director).json["revision"] as? Int == (before ?? 0) + 1)
            // What was read can be put back, and changes nothing.
            let read = try server.send("GET", Self.director + "/adapters").expect(200)
            try server.send("PUT", Self.director + "/adapters", #"[{"model":"C","cell":"C"},{"model":"D"}]"#).expect(
                422)
            try server.send("PUT", Self.director + "/adapters", #"[{"model":"C","cell":"C"},{"model":"C","cell":"D"}]"#)
                .expect(422)
            try server.send("PUT", Self.director + "/adapters", "{}").expect(422)
            #expect(try server.send("GET", Self.director + "/adapters").text == read.text)
        }
    }

    @Test("an identifier changes together with the content that it is read from, in one batch and one changeset")
    func identifierAndContent() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            try server.send(
                "PUT", Self.director + "/sections?reload=true", #"[{"id":"s","elements":[{"value":{"id":"a"}}]}]"#
            ).expect(200)
            let stream = try TestStream(port: server.port)
            #expect(try stream.nextContent()?.name == "snapshot")
            let batch = #"""
                {"reload":true,"operations":[
                  {"op":"removeAllElements","section":"s"},
                  {"op":"setAdapter","model":"M","value":{"cell":"Cell","identifier":"{key}"}},
                  {"op":"setAdapter","model":"N","value":{"cell":"Other"}},
                  {"op":"setElements","section":"s","elements":[{"model":"M","value":{"key":"k"}}]}]}
                """#
            let answer = try server.send("POST", Self.director + "/operations", batch).expect(200)
            #expect(try answer.json["version"] as? Int == 2)
            let definition = try #require(try stream.nextContent())
            #expect(definition.name == "definition" && definition.data.contains(#""model":"N""#))
            let change = try #require(try stream.nextContent())
            #expect(change.name == "changeset" && change.data.contains(#""id":"k""#))
            #expect(try server.send("GET", Self.director + "/sections/s/elements/k").status == 200)
        }
    }

    @Test("a batch with adapters that fails leaves them as they were; hooks in one are refused")
    func failing() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            try server.send("POST", Self.director + "/sections", #"{"id":"s","elements":[{"value":{"id":"a"}}]}"#)
                .expect(201)
            let before = try server.send("GET", Self.director + "/adapters").text
            for (operation, status) in [
                (#"{"op":"removeSection","section":"none"}"#, 404),
                (#"{"op":"setAdapter","model":"M","value":{"cell":"C","identifier":"{other}"}}"#, 422),
                (#"{"op":"removeAdapter","model":"M"}"#, 409), (#"{"op":"removeAdapter","model":"None"}"#, 404),
                (
                    #"{"op":"setAdapter","model":"M","value":{"cell":"C","events":{"didSelect":{"url":"http://127.0.0.1:9"}}}}"#,
                    422
                ),
            ] {
                let batch = #"{"operations":[{"op":"setAdapter","model":"N","value":{"cell":"C"}},\#(operation)]}"#
                try server.send("POST", Self.director + "/operations", batch).expect(status)
                #expect(try server.send("GET", Self.director + "/adapters").text == before)
            }
        }
    }

    @Test("adapters of a batch are there after a restart, and a stream that resumes is told of them")
    func restart() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("callboard-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var id = ""
        try await TestServer.run(folder: folder) { server in
            try server.makeDirector()
            let stream = try TestStream(port: server.port)
            id = try #require(try stream.nextContent()).id
            let batch = #"""
                {"operations":[{"op":"setAdapter","model":"N","value":{"cell":"Other"}},
                  {"op":"addElements","newSection":"s","elements":[{"model":"N","value":{"id":"x"}}]}]}
                """#
            try server.send("POST", Self.director + "/operations", batch).expect(200)
        }
        try await TestServer.run(folder: folder) { server in
            #expect(try models(server) == ["M", "N"])
            try server.send("GET", Self.director + "/sections/s/elements/x").expect(200)
            let stream = try TestStream(port: server.port, lastEventID: id)
            let names = try [stream.nextContent()?.name, stream.nextContent()?.name]
            #expect(names == ["resumed", "definition"])
        }
    }

    @Test("a batch whose adapters would read too much anew is refused, and nothing has changed")
    func work() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let text = String(repeating: "x", count: 8 << 20)
            try server.send("POST", Self.director + "/elements", #"{"value":{"id":"a","text":"\#(text)"}}"#).expect(201)
            let before = try server.send("GET", Self.director).expect(200).text
            func batch(_ count: Int) -> String {
                let operations = (0..<count).map {
                    #"{"op":"setAdapter","model":"M","value":{"cell":"C","content":["/c\#($0)"]}}"#
                }
                return #"{"operations":[\#(operations.joined(separator: ","))]}"#
            }
            let answer = try server.send("POST", Self.director + "/operations", batch(40)).expect(422)
            #expect(answer.text.contains(#""pointer":"/operations/31/value""#), "\(answer.text)")
            #expect(try server.send("GET", Self.director).text == before)
            try server.send("POST", Self.director + "/operations", batch(2)).expect(200)
        }
    }
}
