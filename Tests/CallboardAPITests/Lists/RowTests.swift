import Foundation
import Testing

@testable import CallboardAPI

@Suite("Rows over HTTP")
struct RowTests {
    private static let base = "/v1/directors/d"
    private static let rows = base + "/sections/people/rows"

    /// A settings screen: a switch, the people that it hides, and a row behind them; published at version 1.
    private func withScreen(_ body: (TestServer) throws -> Void) async throws {
        try await TestServer.run { server in
            try server.send("PUT", Self.base, #"{"kind":"table"}"#).expect(201)
            try server.send("PUT", Self.base + "/adapters/Person", #"{"cell":"PersonCell","identifier":"{name}"}"#)
                .expect(201)
            try server.send("PUT", Self.base + "/sections/people?reload=true", Self.screen).expect(201)
            try body(server)
        }
    }

    private static let screen = #"""
        {"rows":[{"id":"switch","type":"constant","cell":"SwitchCell","value":{"label":"Hide"},
           "additionalConfig":{"on":{"$logic":{"var":"variables.hide"}}}},
         {"id":"people","type":"model","model":"Person","hideWhen":{"var":"variables.hide"},
          "height":{"if":[{">":[{"var":"model.age"},60]},60,44]},
          "elements":[{"value":{"name":"Ada","age":36}},{"value":{"name":"Bob","age":71}}]},
         {"id":"end","type":"constant","cell":"EndCell","estimatedHeight":44}]}
        """#

    private func shown(_ server: TestServer) throws -> [String] {
        let page = try server.send("GET", Self.base + "/elements?state=published").expect(200).json
        return try #require(page["elements"] as? [[String: Any]]).map { "\($0["row"] ?? "")/\($0["id"] ?? "")" }
    }

    @Test("what a subscriber is shown of a row has its cell, its model and every expression's value")
    func published() async throws {
        try await withScreen { server in
            let text = try server.send("GET", Self.base + "/sections/people?state=published").expect(200).text
            #expect(
                text == #"{"id":"people","isCollapsed":false,"elements":["#
                    + #"{"id":"switch","row":"switch","cell":"SwitchCell","reuseIdentifier":"SwitchCell","#
                    + #""value":{"label":"Hide"},"config":{"on":null}},"#
                    + #"{"id":"Ada","row":"people","cell":"PersonCell","reuseIdentifier":"PersonCell","#
                    + #""model":"Person","value":{"name":"Ada","age":36},"height":44},"#
                    + #"{"id":"Bob","row":"people","cell":"PersonCell","reuseIdentifier":"PersonCell","#
                    + #""model":"Person","value":{"name":"Bob","age":71},"height":60},"#
                    + #"{"id":"end","row":"end","cell":"EndCell","reuseIdentifier":"EndCell","value":null,"#
                    + #""estimatedHeight":44}]}"#)
        }
    }

    @Test("a dry run of a variable is the changeset that setting it publishes, and changes nothing")
    func dryRun() async throws {
        try await withScreen { server in
            let operation = #"{"op":"setVariable","name":"hide","value":true}"#
            let before = try server.send("GET", Self.base).text
            let foreseen = try server.send(
                "POST", Self.base + "/operations", #"{"dryRun":true,"operations":[\#(operation)]}"#
            ).expect(200).text
            #expect(try server.send("GET", Self.base).text == before)
            let done = try server.send(
                "POST", Self.base + "/operations", #"{"reload":true,"operations":[\#(operation)]}"#
            ).expect(200)
            #expect(done.text == foreseen)
            // The switch, the row of people and their heights; then the switch and the row. The dry run is not counted.
            let metrics = try server.send("GET", "/metrics").text
            #expect(metrics.contains("callboard_row_evaluations_total 6\n"), "\(metrics.prefix(3_000))")
            #expect(done.text.contains(#"{"elementDeleted":[[0,1],[0,2]]}"#), "\(done.text)")
            #expect(try shown(server) == ["switch/switch", "end/end"])
            try server.send("DELETE", Self.base + "/variables/hide?reload=true").expect(204)
            #expect(try shown(server) == ["switch/switch", "people/Ada", "people/Bob", "end/end"])
        }
    }

    @Test("a row is made, read, replaced, patched, moved and removed at its address")
    func addresses() async throws {
        try await withScreen { server in
            let made = try server.send("PUT", Self.rows + "/new?at=switch", #"{"type":"constant","cell":"C"}"#)
                .expect(201)
            #expect(made.fields["location"] == Self.rows + "/new")
            let place = try made.json
            #expect(place["position"] as? Int == 0 && place["section"] as? String == "people")
            try server.send("PUT", Self.rows + "/new", #"{"type":"constant","cell":"D"}"#).expect(200)
            try server.send("PATCH", Self.rows + "/@0", #"{"height":9,"id":"other"}"#).expect(200)
            try server.send("GET", Self.rows + "/new").expect(404)
            #expect(try server.send("GET", Self.rows + "/other").json["height"] as? Int == 9)
            try server.send("POST", Self.rows + ":move", #"{"from":"other","to":"@last"}"#).expect(200)
            try server.send("POST", Self.rows + ":swap", #"{"at":0,"with":1}"#).expect(200)
            let listed = try server.send("GET", Self.rows + "?elements=false").json["rows"] as? [[String: Any]]
            #expect(listed?.map { $0["id"] as? String } == ["people", "switch", "end", "other"])
            #expect(listed?.first?["count"] as? Int == 2)
            try server.send("DELETE", Self.rows + "/other").expect(204)
            try server.send("DELETE", Self.rows + "?at=1,@last").expect(204)
            #expect(try server.send("GET", Self.rows).json["total"] as? Int == 1)
        }
    }

    @Test("a model row's elements have all that a section's have")
    func elements() async throws {
        try await withScreen { server in
            let path = Self.rows + "/people/elements"
            let made = try server.send("POST", path + "?at=0", #"{"value":{"name":"Cy","age":5}}"#).expect(201)
            #expect(made.fields["location"] == path + "/Cy")
            #expect(
                made.text == #"{"id":"Cy","model":"Person","value":{"name":"Cy","age":5},"section":"people","#
                    + #""row":"people","position":0}"#)
            try server.send("PATCH", path + "/Cy", #"{"age":99}"#).expect(200)
            try server.send("PUT", path + "/Dee?model=Person", #"{"name":"Dee"}"#).expect(201)
            try server.send("POST", path + ":move", #"{"from":"Dee","to":0}"#).expect(200)
            try server.send("POST", path + ":swap?reload=true", #"{"at":1,"with":2}"#).expect(200)
            #expect(
                try shown(server).filter { $0.hasPrefix("people") } == [
                    "people/Dee", "people/Ada", "people/Cy", "people/Bob",
                ])
            try server.send("DELETE", path + "?at=0").expect(204)
            try server.send("PUT", path + "?reload=true", "[]").expect(200)
            #expect(try shown(server) == ["switch/switch", "end/end"])
        }
    }

    @Test(
        "what cannot be stored is refused with its place",
        arguments: [
            ("PATCH", "/rows/end", #"{"height":{"vra":"x"}}"#, 422, "/height/vra"),
            ("PATCH", "/rows/end", #"{"hideWhen":{"if":[{"nope":1}]}}"#, 422, "/hideWhen/if/0/nope"),
            ("PATCH", "/rows/end", #"{"hideWhen":1}"#, 422, "/hideWhen"),
            (
                "PATCH", "/rows/end", #"{"additionalConfig":{"a":[{"$logic":{"!!":1},"b":2}]}}"#, 422,
                "/additionalConfig/a/0"
            ),
            ("POST", "/rows", #"[{"id":"end","type":"constant","cell":"C"}]"#, 409, ""),
            ("POST", "/rows", #"{"type":"constant"}"#, 422, "/cell"),
            ("POST", "/rows", #"{"type":"model","model":"None"}"#, 422, "/model"),
            (
                "POST", "/rows", #"[{"id":"a","type":"constant","cell":"C"},{"id":"a","type":"constant","cell":"C"}]"#,
                422, "/1/id"
            ),
            ("PATCH", "", #"{"elements":[]}"#, 422, "/elements"),
            ("PUT", "", #"{"elements":[],"rows":[]}"#, 422, "/elements"),
            ("POST", "/elements", #"{"value":{"name":"x"}}"#, 409, ""),
            ("POST", "/rows/end/elements", #"{"value":{"name":"x"}}"#, 409, ""),
            ("POST", "/rows/people/elements", #"{"model":"Other","value":{"name":"x"}}"#, 422, "/model"),
        ])
    func refused(_ method: String, _ path: String, _ body: String, _ status: Int, _ pointer: String) async throws {
        try await withScreen { server in
            let tag = try server.send("GET", Self.base).fields["etag"]
            let answer = try server.send(method, Self.base + "/sections/people" + path, body).expect(status)
            let errors = try answer.json["errors"] as? [[String: Any]]
            if !pointer.isEmpty { #expect(errors?.first?["pointer"] as? String == pointer, "\(answer.text)") }
            #expect(try server.send("GET", Self.base).fields["etag"] == tag)
        }
    }

    @Test("an expression without a value refuses the reload, and the change that came with it")
    func unpublishable() async throws {
        try await withScreen { server in
            let before = try server.send("GET", Self.base)
            let answer = try server.send("PATCH", Self.rows + "/end?reload=true", #"{"height":{"/":[1,0]}}"#).expect(
                422)
            let errors = try answer.json["errors"] as? [[String: Any]]
            #expect(errors?.first?["pointer"] as? String == "/sections/0/rows/2/height/~1", "\(answer.text)")
            #expect(answer.text.contains(#"the row \"end\" of the section \"people\""#))
            #expect(try server.send("GET", Self.base).text == before.text)
            // Without a reload it is stored; each reload is refused until it is mended.
            try server.send("PATCH", Self.rows + "/end", #"{"height":{"/":[1,0]}}"#).expect(200)
            try server.send("POST", Self.base + "/reload", nil).expect(422)
            try server.send("PATCH", Self.rows + "/end?reload=true", #"{"height":7}"#).expect(200)
            #expect(try server.send("GET", Self.base).json["version"] as? Int == 2)
        }
    }

    @Test("index paths are those of the published state, and a row is refreshed where it is shown")
    func indexPaths() async throws {
        try await withScreen { server in
            let path = Self.rows + "/people/index-paths"
            #expect(try server.send("GET", path).text == #"{"director":"d","version":1,"indexPaths":[[0,1],[0,2]]}"#)
            let refresh = #"{"rows":[{"section":"people","row":"people"}]}"#
            #expect(try server.send("POST", Self.base + "/refresh", refresh).expect(200).text.contains(#"{"at":[0,2]"#))
            try server.send("PUT", Self.base + "/variables/hide?reload=true", "true").expect(201)
            #expect(try server.send("GET", path).text == #"{"director":"d","version":2,"indexPaths":[]}"#)
            #expect(
                try server.send("POST", Self.base + "/refresh", refresh).expect(200).text.contains(#""elements":[]"#))
            try server.send("DELETE", Self.rows + "/people").expect(204)
            try server.send("GET", path).expect(200)
            try server.send("GET", Self.base + "/sections/nobody/rows/people/index-paths").expect(404)
            try server.send("POST", Self.base + "/refresh", #"{"rows":[{"section":"people"}]}"#).expect(422)
        }
    }

    @Test("a hook on a row has an address, is told to subscribers, and stays while the row is away")
    func hooks() async throws {
        try await withScreen { server in
            let path = Self.rows + "/switch/events"
            try server.send("PUT", path + "/didSelect", #"{"url":"http://receiver.example/"}"#).expect(201)
            try server.send("PUT", path + "/rowHeight", #"{"default":12}"#).expect(201)
            try server.send("PUT", path + "/didFly", #"{"default":12}"#).expect(404)
            try server.send("PUT", Self.rows + "/nobody/events/didSelect", #"{"default":1}"#).expect(404)
            let names = try server.send("GET", path).json["events"] as? [[String: Any]]
            #expect(names?.map { $0["event"] as? String } == ["didSelect", "rowHeight"])
            let asked = { (place: String) in
                try server.send("POST", Self.base + "/events", #"{"event":"rowHeight","indexPath":\#(place)}"#).text
            }
            #expect(try asked("[0,0]").hasPrefix(#"{"value":12"#))
            #expect(try asked("[0,2]") == #"{"value":60,"source":"default"}"#)
            try server.send("DELETE", Self.rows + "/switch").expect(204)
            try server.send("GET", path + "/didSelect").expect(200)
            try server.send("DELETE", path + "/didSelect").expect(204)
        }
    }
}
