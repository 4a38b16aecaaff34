import Foundation
import Testing

@Suite("A stack over HTTP")
struct StackTests {
    private static let base = "/v1/directors/d"
    private static let merge = ["Content-Type": "application/merge-patch+json"]
    private static let style =
        ##""rowInsets":{"top":1,"left":2,"bottom":3,"right":4},"rowPadding":{"top":5,"left":0,"bottom":0,"right":0},"##
        + ##""separator":{"color":"#11223344","thickness":0.5,"insets":{"top":0,"left":16,"bottom":0,"right":0},"##
        + ##""hidden":false,"hidesLast":true},"backgroundColor":"paper","highlightColor":"#ABCDEF""##

    /// A stack with a row of each kind that says how it is shown.
    private static func make(_ server: TestServer) throws {
        try server.send("PUT", base, #"{"kind":"stack","properties":{"axis":"horizontal",\#(style)}}"#).expect(201)
        try server.send("PUT", base + "/adapters/M", #"{"cell":"C","backgroundColor":"sand"}"#).expect(201)
        let rows =
            #"[{"id":"a","type":"constant","cell":"A",\#(style)},{"id":"b","type":"model","model":"M","#
            + #""separator":{"hidden":true},"elements":[{"value":{"id":1}}]}]"#
        try server.send("POST", base + "/sections?reload=true", #"[{"id":"s","rows":\#(rows)}]"#).expect(201)
    }

    @Test("what it says of its rows is there for all, for a model, for a row and beside what is published")
    func styles() async throws {
        try await TestServer.run { server in
            try Self.make(server)
            let properties = try server.send("GET", Self.base).expect(200).text
            #expect(properties.contains(#""kind":"stack""#))
            #expect(properties.contains(#""properties":{"axis":"horizontal",\#(Self.style)}"#))
            let adapter = try server.send("GET", Self.base + "/adapters/M").text
            #expect(adapter.contains(#""backgroundColor":"sand""#))
            let row = try server.send("GET", Self.base + "/sections/s/rows/a").text
            #expect(row.contains(Self.style))
            let shown = try server.send("GET", Self.base + "/sections?state=published").text
            #expect(shown.contains(#""value":null,\#(Self.style)}"#))
            // The adapter's is told with the definition.
            #expect(shown.contains(#""value":{"id":1},"separator":{"hidden":true}}"#))
            let change = #"{"separator":{"hidden":null,"thickness":2},"rowInsets":{"top":9}}"#
            try server.send("PATCH", Self.base + "/sections/s/rows/b?reload=true", change, headers: Self.merge)
                .expect(200)
            let later = try server.send("GET", Self.base + "/sections?state=published").text
            #expect(
                later.contains(
                    #""value":{"id":1},"rowInsets":{"top":9,"left":0,"bottom":0,"right":0},"separator":{"thickness":2}}"#
                ))
            try server.send("PATCH", Self.base, #"{"properties":{"separator":null}}"#, headers: Self.merge).expect(200)
            let without = try server.send("GET", Self.base).text
            #expect(!without.contains("separator"))
        }
    }

    @Test("a tap reaches its hook, and a row's own height answers how long it is")
    func events() async throws {
        try await TestServer.run { server in
            try Self.make(server)
            try server.send("PUT", Self.base + "/adapters/M/events/shouldHighlight", #"{"default":false}"#).expect(201)
            func ask(_ event: String) throws -> String {
                try server.send("POST", Self.base + "/events", event).expect(200).text
            }
            #expect(
                try ask(#"{"event":"shouldHighlight","indexPath":[0,1]}"#) == #"{"value":false,"source":"default"}"#)
            #expect(try ask(#"{"event":"rowHeight","indexPath":[0,0]}"#).contains(#""value":-1"#))
            try server.send(
                "PATCH", Self.base + "/sections/s/rows/a?reload=true", #"{"height":70}"#, headers: Self.merge
            ).expect(200)
            #expect(try ask(#"{"event":"rowHeight","indexPath":[0,0]}"#).contains(#""value":70"#))
            let wrong = try server.send("PUT", Self.base + "/adapters/M/events/didSelect", #"{"default":1}"#)
            #expect(wrong.status == 404 && wrong.text.contains("onTap"))
        }
    }

    @Test(
        "what is wrong in a style has its pointer and a sentence",
        arguments: [
            (#"{"separator":{"thickness":-1}}"#, "/separator/thickness"),
            (#"{"separator":{"colour":"red"}}"#, "/separator/colour"),
            (##"{"backgroundColor":"#12"}"##, "/backgroundColor"),
            (#"{"highlightColor":1}"#, "/highlightColor"),
            (#"{"rowInsets":[1,2,3,4]}"#, "/rowInsets"),
            (#"{"rowPadding":{"top":1e300}}"#, "/rowPadding/top"),
        ])
    func faults(_ style: String, _ pointer: String) async throws {
        try await TestServer.run { server in
            try Self.make(server)
            let row = try server.send("PATCH", Self.base + "/sections/s/rows/a", style, headers: Self.merge)
            #expect(row.status == 422 && row.text.contains(#""pointer":"\#(pointer)""#), "\(row.text)")
            let all = try server.send("PATCH", Self.base, #"{"properties":\#(style)}"#, headers: Self.merge)
            #expect(all.status == 422 && all.text.contains(#"\#(pointer)""#), "\(all.text)")
        }
    }

    @Test("a director of another kind has rows and adapters without a style, and says where there are some")
    func otherKinds() async throws {
        try await TestServer.run { server in
            try server.send("PUT", Self.base, #"{"kind":"table"}"#).expect(201)
            let adapter = try server.send(
                "PUT", Self.base + "/adapters/M", #"{"cell":"C","separator":{"hidden":true}}"#)
            #expect(adapter.status == 422 && adapter.text.contains("in a stack director only; this one is a table"))
            try server.send("POST", Self.base + "/sections", #"{"id":"s","rows":[]}"#).expect(201)
            let row = #"{"id":"a","type":"constant","cell":"A","backgroundColor":"sand"}"#
            let refused = try server.send("POST", Self.base + "/sections/s/rows", row)
            #expect(refused.status == 422 && refused.text.contains("rows have this in a stack director only"))
        }
    }

    @Test("all of it is there after a restart")
    func restart() async throws {
        let folder = NSTemporaryDirectory() + "callboard-stack-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let paths = ["", "/adapters", "/sections", "/sections?state=published"].map { Self.base + $0 }
        var before: [String] = []
        try await TestServer.run(folder: folder) { server in
            try Self.make(server)
            before = try paths.map { try server.send("GET", $0).text }
        }
        try await TestServer.run(folder: folder) { server in
            let after = try paths.map { try server.send("GET", $0).text }
            #expect(after == before)
        }
    }
}
