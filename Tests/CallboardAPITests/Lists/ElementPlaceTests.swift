import CallboardAPI
import Foundation
import HTTPTestSupport
import Testing

@Suite("Where elements are, and what is reached by an address")
struct ElementPlaceTests {
    private static let director = "/v1/directors/d"

    private func fill(_ server: TestServer) throws {
        try server.makeDirector()
        try server.send(
            "PUT", Self.director + "/sections?reload=true",
            #"[{"id":"s","elements":[{"value":{"id":"a"}},{"value":{"id":"b"}}]},"#
                + #"{"id":"t","elements":[{"value":{"id":"a"}},{"value":{"id":"c"}}]}]"#
        ).expect(200)
    }

    private func ids(_ server: TestServer, _ section: String) throws -> [String] {
        let elements = try server.send("GET", "\(Self.director)/sections/\(section)/elements").json["elements"]
        return try #require(elements as? [[String: Any]]).compactMap { $0["id"] as? String }
    }

    @Test("an element read or written by itself says its section and index path, and can be put back as it was read")
    func places() async throws {
        try await TestServer.run { server in
            try fill(server)
            let path = Self.director + "/sections/t/elements/c"
            let read = try server.send("GET", path).expect(200)
            #expect(read.text == #"{"id":"c","model":"M","value":{"id":"c"},"section":"t","indexPath":[1,1]}"#)
            #expect(try server.send("PUT", path, read.text).expect(200).text == read.text)
            #expect(try server.send("PATCH", path, "{}").expect(200).text == read.text)
            let published = try server.send("GET", path + "?state=published").expect(200)
            #expect(published.text == read.text)
            let list = try server.send("GET", Self.director + "/sections/t/elements").expect(200)
            #expect(!list.text.contains("indexPath"))
        }
    }

    @Test("PUT under an identifier that is not there adds the element, where its value has that identifier")
    func put() async throws {
        try await TestServer.run { server in
            try fill(server)
            let elements = Self.director + "/sections/s/elements/"
            let added = try server.send("PUT", elements + "x", #"{"value":{"id":"x"}}"#).expect(201)
            #expect(added.fields["location"] == elements + "x")
            #expect(added.text.contains(#""indexPath":[0,2]"#))
            try server.send("PUT", elements + "y?at=b", #"{"value":{"id":"y"}}"#).expect(201)
            try server.send("PUT", elements + "z?at=0&model=M", #"{"id":"z"}"#).expect(201)
            try server.send("PUT", elements + "z?at=@last", #"{"value":{"id":"z","n":1}}"#).expect(200)
            #expect(try ids(server, "s") == ["z", "a", "y", "b", "x"])
            try server.send("PUT", elements + "no", #"{"value":{"id":"other"}}"#).expect(422)
            try server.send("PUT", elements + "@9", #"{"value":{"id":"x"}}"#).expect(404)
            try server.send("PUT", Self.director + "/sections/none/elements/x", #"{"value":{"id":"x"}}"#).expect(404)
            let minimal = try server.send(
                "PUT", elements + "m", #"{"value":{"id":"m"}}"#, headers: ["Prefer": "return=minimal"])
            #expect(minimal.status == 201)
        }
    }

    @Test("GET …/elements lists those of all sections in pages, and with id all places of an identifier")
    func all() async throws {
        try await TestServer.run { server in
            try fill(server)
            func places(_ query: String) throws -> [String] {
                let list = try server.send("GET", Self.director + "/elements" + query).expect(200).json
                return try #require(list["elements"] as? [[String: Any]]).map { element in
                    "\(element["section"] ?? "")/\(element["id"] ?? "") \(element["indexPath"] ?? "")"
                        .replacingOccurrences(of: "\n", with: "").replacingOccurrences(of: " ", with: "")
                }
            }
            #expect(try places("").map { $0.prefix(3) } == ["s/a", "s/b", "t/a", "t/c"])
            #expect(try places("?offset=1&limit=2").map { $0.prefix(3) } == ["s/b", "t/a"])
            #expect(try places("?id=a").map { $0.prefix(3) } == ["s/a", "t/a"])
            #expect(try places("?id=a&offset=1").map { $0.prefix(3) } == ["t/a"])
            #expect(try places("?id=none").isEmpty)
            #expect(try places("?model=M&limit=1").count == 1)
            #expect(try places("?model=None").isEmpty)
            #expect(try server.send("GET", Self.director + "/elements?id=a").json["total"] as? Int == 2)
            #expect(try server.send("GET", Self.director + "/elements?model=M&limit=1").json["total"] as? Int == 4)
            try server.send("PATCH", Self.director + "/sections/s?reload=true", #"{"isCollapsed":true}"#).expect(200)
            #expect(try places("?state=published").map { $0.prefix(3) } == ["t/a", "t/c"])
            #expect(try places("?state=published&version=1").count == 4)
        }
    }

    @Test("?elements=false says how many elements a section has, and what it says does not empty the section")
    func counts() async throws {
        try await TestServer.run { server in
            try fill(server)
            let section = try server.send("GET", Self.director + "/sections/s?elements=false").expect(200)
            #expect(section.text == #"{"id":"s","isCollapsed":false,"count":2}"#)
            let list = try server.send("GET", Self.director + "/sections?elements=false").expect(200)
            #expect(list.text.contains(#""count":2"#) && !list.text.contains(#""elements""#))
            try server.send("PUT", Self.director + "/sections/s", section.text).expect(422)
            #expect(try ids(server, "s") == ["a", "b"])
        }
    }

    @Test("Location names an element by its identifier where that is unique, else by its position")
    func locations() async throws {
        try await TestServer.run { server in
            try fill(server)
            let elements = Self.director + "/sections/s/elements"
            for (id, location) in [("n", "n"), ("a", "@3"), ("x/y", "x%2Fy"), ("@at", "@@at")] {
                let added = try server.send("POST", elements, #"{"value":{"id":"\#(id)"}}"#).expect(201)
                #expect(added.fields["location"] == elements + "/" + location)
                try server.send("GET", elements + "/" + location).expect(200)
            }
        }
    }

    @Test("POST …/elements without a section names the one that it has made, in the answer and in Location")
    func newSections() async throws {
        try await TestServer.run { server in
            try fill(server)
            let one = try server.send("POST", Self.director + "/elements", #"{"value":{"id":"n"}}"#).expect(201)
            let section = try #require(try one.json["section"] as? String)
            #expect(one.fields["location"] == Self.director + "/sections/\(section)/elements/n")
            let several = try server.send("POST", Self.director + "/elements?model=M", #"[{"id":"n"}]"#).expect(201)
            let other = try #require(try several.json["section"] as? String)
            #expect(several.fields["location"] == Self.director + "/sections/" + other)
            #expect(other != section && other == other.lowercased() && other.count == 36)
            try server.send("PUT", Self.director + "/sections/\(other)/elements", several.text).expect(200)
        }
    }

    @Test("?at= takes addresses, as operations do")
    func addresses() async throws {
        try await TestServer.run { server in
            try fill(server)
            let elements = Self.director + "/sections/s/elements"
            try server.send("POST", elements + "?at=b", #"{"value":{"id":"x"}}"#).expect(201)
            try server.send("POST", elements + "?at=@first", #"{"value":{"id":"y"}}"#).expect(201)
            try server.send("POST", elements + "?at=@last", #"{"value":{"id":"z"}}"#).expect(201)
            #expect(try ids(server, "s") == ["y", "a", "x", "b", "z"])
            try server.send("DELETE", elements + "?at=a,@last,0").expect(204)
            #expect(try ids(server, "s") == ["x", "b"])
            try server.send("DELETE", elements + "?at=none").expect(404)
            try server.send("POST", elements + "?at=none", #"{"value":{"id":"x"}}"#).expect(422)
            try server.send("POST", elements + "?at=", #"{"value":{"id":"x"}}"#).expect(400)
            let added = try server.send("POST", Self.director + "/sections?at=t", #"{"id":"u"}"#).expect(201)
            #expect(added.text.contains(#""id":"u""#))
            try server.send("DELETE", Self.director + "/sections?at=u,@first").expect(204)
            let left = try server.send("GET", Self.director + "/sections?elements=false").json["total"] as? Int
            #expect(left == 1)
        }
    }

    @Test("POST …/refresh takes addresses of the published state")
    func refresh() async throws {
        try await TestServer.run { server in
            try fill(server)
            let answer = try server.send(
                "POST", Self.director + "/refresh",
                #"{"elements":[{"section":"t","element":"c"},{"section":0,"element":"@last"}]}"#
            ).expect(200)
            #expect(answer.text.contains(#""elements":[{"at":[1,1]"#) && answer.text.contains(#"{"at":[0,1]"#))
            for body in [#"[{"section":"t","element":"none"}]"#, #"[{"section":"t"}]"#, "[1]"] {
                try server.send("POST", Self.director + "/refresh", #"{"elements":\#(body)}"#).expect(422)
            }
        }
    }

    @Test("a director of another kind is 409 unless replace is said, and keeps its list")
    func otherKinds() async throws {
        try await TestServer.run { server in
            try fill(server)
            try server.send("PUT", Self.director, #"{"kind":"collection"}"#).expect(409)
            #expect(try ids(server, "s") == ["a", "b"])
            try server.send("PUT", Self.director, #"{"kind":"table","properties":{"rowHeight":"default"}}"#).expect(200)
            try server.send("PUT", Self.director + "?replace=true", #"{"kind":"collection"}"#).expect(200)
            #expect(try server.send("GET", Self.director + "/sections").json["total"] as? Int == 0)
        }
    }

    @Test("directors and variables cannot be called . or .., which clients take for steps of a path")
    func steps() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            for name in [".", "..", "%2e%2E"] {
                try server.send("PUT", "/v1/directors/\(name)", #"{"kind":"table"}"#).expect(422)
                try server.send("PUT", Self.director + "/variables/\(name)", "1").expect(422)
            }
            let batch = #"{"operations":[{"op":"setVariable","name":"..","value":1}]}"#
            try server.send("POST", Self.director + "/operations", batch).expect(422)
        }
    }

    @Test("a value of 101 levels is 422 wherever it comes from, and one of 100 can be read and put back in any form")
    func depth() async throws {
        func nested(_ levels: Int) -> String {
            #"{"id":"deep","x":"# + String(repeating: "[", count: levels - 1)
                + String(repeating: "]", count: levels - 1)
                + "}"
        }
        try await TestServer.run { server in
            try fill(server)
            let elements = Self.director + "/sections/s/elements"
            let operations = Self.director + "/operations"
            func add(_ value: String) -> String {
                #"{"operations":[{"op":"addSections","sections":[{"elements":[{"value":\#(value)}]}]}]}"#
            }
            try server.send("POST", elements + "?model=M", nested(101)).expect(422)
            try server.send("POST", operations, add(nested(101))).expect(422)
            try server.send("PUT", Self.director + "/variables/v", nested(101)).expect(422)
            try server.send("PATCH", elements + "/a", nested(101)).expect(422)
            try server.send("POST", elements + "?model=M", nested(100)).expect(201)
            try server.send("POST", operations, add(nested(100))).expect(200)
            try server.send("PUT", Self.director + "/variables/v", nested(100)).expect(201)
            let sections = try server.send("GET", Self.director + "/sections").expect(200)
            try server.send("PUT", Self.director + "/sections", sections.text).expect(200)
        }
    }

    @Test(
        "a repeated answer has its reason phrase, also after a restart",
        .enabled(if: TestTransport.isHTTP1, "HTTP/2 has no reason phrase"))
    func reasonPhrases() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("callboard-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await TestServer.run(folder: folder) { server in
            try server.makeDirector()
            #expect(try statusLine(server) == "HTTP/1.1 201 Created")
        }
        try await TestServer.run(folder: folder) { server in
            let line = try statusLine(server)
            #expect(line == "HTTP/1.1 201 Created")
        }
    }

    private func statusLine(_ server: TestServer) throws -> String {
        let connection = try TestConnection(port: server.port)
        try connection.write(
            "POST /v1/directors/d/sections HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: k\r\n"
                + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
        return try connection.readLine()
    }
}
