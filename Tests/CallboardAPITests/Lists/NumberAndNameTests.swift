import Foundation
import Testing

@Suite("What is told of numbers, names and dates in bodies")
struct NumberAndNameTests {
    private static let director = "/v1/directors/d"

    @Test("an element whose identifier has an exponent at the end of 64 bits is kept, found, and there after a restart")
    func oneNumber() async throws {
        let folder = NSTemporaryDirectory() + "callboard-number-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let number = "1e-9223372036854775809"
        var text = ""
        try await TestServer.run(folder: folder) { server in
            try server.makeDirector()
            try server.send("POST", Self.director + "/elements?reload=true", #"{"value":{"id":\#(number)}}"#).expect(
                201)
            text = try server.send("GET", Self.director + "/elements").expect(200).text
            #expect(text.contains(#""value":{"id":\#(number)}"#))
        }
        try await TestServer.run(folder: folder) { server in
            #expect(try server.send("GET", Self.director + "/elements").text == text)
            try server.send("POST", Self.director + "/reload").expect(200)
        }
    }

    @Test(
        "a member that is there twice is 422 and named with its pointer",
        arguments: [
            (#"{"op":[1,{"a":1,"a":2}]}"#, "/op/1/a", "a"), (#"{"op":1,"\u006fp":2}"#, "/op", "op"),
        ])
    func twice(_ row: (String, String, String)) async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            for (method, path) in [("POST", "/operations"), ("PUT", "/variables/v"), ("POST", "/elements?model=M")] {
                let answer = try server.send(method, Self.director + path, row.0).expect(422)
                let errors = try #require(answer.json["errors"] as? [[String: Any]])
                #expect(errors.map { $0["pointer"] as? String } == [row.1])
                #expect(answer.text.contains("twice") && !answer.text.contains("not a JSON document"))
                #expect(answer.text.contains(#"One object has the member \"\#(row.2)\""#))
            }
        }
    }

    @Test(
        "half a surrogate pair and deep nesting are told as JSON that is not taken, with a pointer; other text is not JSON"
    )
    func refusedJSON() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let variable = Self.director + "/variables/v"
            func pointers(_ body: String) throws -> [String?]? {
                let errors = try server.send("PUT", variable, body).expect(400).json["errors"] as? [[String: Any]]
                return errors?.map { $0["pointer"] as? String }
            }
            #expect(try pointers(#"{"a":["\ud800"]}"#) == ["/a/0"])
            #expect(try pointers(String(repeating: "[", count: 129)) == [String(repeating: "/0", count: 128)])
            #expect(try pointers("[1,]") == nil)
            #expect(try server.send("PUT", variable, "[1,]").text.contains("not a JSON document"))
        }
    }

    @Test(
        "a token does not end at a time that the calendar does not have",
        arguments: [
            "2030-02-31T00:00:00Z", "2030-02-29T00:00:00Z", "2030-04-31T12:00:00Z", "2030-12-31T24:00:00Z",
            "2030-12-31",
        ])
    func expiry(time: String) async throws {
        try await TestServer.run { server in
            func body(_ end: String) -> String {
                #"{"name":"t","grants":[{"actions":["read"],"directors":["*"]}],"expiresAt":"\#(end)"}"#
            }
            let answer = try server.send("POST", "/v1/tokens", body(time)).expect(422)
            #expect(answer.text.contains(#""pointer":"/expiresAt""#))
            let good = try server.send("POST", "/v1/tokens", body("2032-02-29T00:00:00+01:00")).expect(201)
            #expect(good.text.contains(#""expiresAt":"2032-02-28T23:00:00.000Z""#))
        }
    }

    @Test("GET …/elements has the elements of model rows in both states, by identifier, by model, and in pages")
    func rowElements() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            try server.send("PUT", Self.director + "/adapters/N", #"{"cell":"Cell"}"#).expect(201)
            try server.send(
                "PUT", Self.director + "/sections?reload=true",
                #"[{"id":"s","elements":[{"model":"M","value":{"id":"a"}}]},{"id":"r","rows":["#
                    + #"{"id":"c","type":"constant","cell":"C"},"#
                    + #"{"id":"p","type":"model","model":"N","elements":[{"value":{"id":"a"}},{"value":{"id":"b"}}]},"#
                    + #"{"id":"q","type":"model","model":"M","hideWhen":true,"elements":[{"value":{"id":"a"}}]}]},"#
                    + #"{"id":"t","elements":[{"model":"N","value":{"id":"a"}}]}]"#
            ).expect(200)
            func places(_ query: String) throws -> [String] {
                let list = try server.send("GET", Self.director + "/elements?" + query).expect(200).json
                let elements = try #require(list["elements"] as? [[String: Any]])
                return elements.map { element in
                    let place = element["position"].map { "\(element["row"] ?? "")@\($0)" } ?? ""
                    return "\(element["section"] ?? "")/\(place)\(element["id"] ?? "")"
                } + ["\(list["total"] ?? "")"]
            }
            #expect(try places("id=a") == ["s/a", "r/p@0a", "r/q@0a", "t/a", "4"])
            #expect(try places("id=a&offset=1&limit=2") == ["r/p@0a", "r/q@0a", "4"])
            #expect(try places("id=a&model=N") == ["r/p@0a", "t/a", "2"])
            #expect(try places("model=N") == ["r/p@0a", "r/p@1b", "t/a", "3"])
            #expect(try places("") == ["s/a", "r/p@0a", "r/p@1b", "r/q@0a", "t/a", "5"])
            #expect(try places("offset=2&limit=2") == ["r/p@1b", "r/q@0a", "5"])
            #expect(try places("id=a&state=published") == ["s/a", "r/a", "t/a", "3"])
            #expect(try places("state=published").last == "5")
        }
    }
}
