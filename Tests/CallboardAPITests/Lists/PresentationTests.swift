import Foundation
import Testing

@testable import CallboardAPI

@Suite("What a list says of how it is shown")
struct PresentationTests {
    private static let base = "/v1/directors/d"

    @Test("properties are left out at their defaults, changed by a patch, and told to who follows")
    func properties() async throws {
        try await TestServer.run { server in
            let layout = #"{"name":"waterfall","parameters":{"columns":3,"gap":1.50}}"#
            try server.send("PUT", Self.base, #"{"kind":"collection","properties":{"layout":\#(layout)}}"#).expect(201)
            let text = try server.send("GET", Self.base).expect(200).text
            #expect(text.contains(#""properties":{"itemSize":"default","layout":\#(layout)}"#))
            let stream = try TestStream(port: server.port)
            _ = try stream.next()
            let patch =
                #"{"properties":{"isPrefetchingEnabled":false,"dragDropEnabled":true,"layout":{"parameters":null}}}"#
            try server.send("PATCH", Self.base, patch, headers: ["Content-Type": "application/merge-patch+json"])
                .expect(200)
            let event = try #require(try stream.nextContent())
            #expect(
                event.name == "definition"
                    && event.data.contains(
                        #""properties":{"itemSize":"default","isPrefetchingEnabled":false,"dragDropEnabled":true,"#
                            + #""layout":{"name":"waterfall"}}"#)
            )
            let back = #"{"properties":{"isPrefetchingEnabled":null,"dragDropEnabled":false,"layout":null}}"#
            let answer = try server.send(
                "PATCH", Self.base, back, headers: ["Content-Type": "application/merge-patch+json"]
            ).expect(200).text
            #expect(answer.contains(#""properties":{"itemSize":"default"}"#))
            let refused = try server.send(
                "PATCH", Self.base, #"{"properties":{"layout":{"parameters":{}}}}"#,
                headers: ["Content-Type": "application/merge-patch+json"]
            ).expect(422).json
            #expect((refused["errors"] as? [[String: Any]])?.first?["pointer"] as? String == "/properties/layout")
        }
    }

    @Test("everything that a list says of how it is shown is there after a restart, published and retained")
    func restart() async throws {
        let folder = NSTemporaryDirectory() + "callboard-presentation-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let paths = [
            "", "/adapters", "/sections", "/sections?state=published", "/sections?state=published&version=1",
            "/changesets?since=1",
        ].map { Self.base + $0 }
        var before: [String] = []
        try await TestServer.run(folder: folder) { server in
            try server.send("PUT", Self.base, #"{"kind":"table","properties":{"dragDropEnabled":true}}"#).expect(201)
            try server.send(
                "PUT", Self.base + "/adapters/M", #"{"cell":"C","afterSelection":"deselectAnimated"}"#
            ).expect(201)
            try server.send("PUT", Self.base + "/adapters/M/events/contextMenu", #"{"default":[{"title":"Flag"}]}"#)
                .expect(201)
            let row = #"{"id":"r","type":"constant","cell":"R","afterSelection":"deselect"}"#
            try server.send(
                "POST", Self.base + "/sections?reload=true",
                #"[{"id":"s","headerHeight":44.5,"elements":[{"value":{"id":1}}]},{"id":"t","rows":[\#(row)]}]"#
            ).expect(201)
            let merge = ["Content-Type": "application/merge-patch+json"]
            try server.send("PATCH", Self.base + "/sections/s", #"{"footerHeight":-1}"#, headers: merge).expect(200)
            try server.send(
                "PATCH", Self.base + "/sections/t/rows/r?reload=true", #"{"afterSelection":"none"}"#, headers: merge
            ).expect(200)
            before = try paths.map { try server.send("GET", $0, headers: ["Accept": "application/json"]).text }
            #expect(before[3].contains(#""headerHeight":44.5,"footerHeight":-1"#))
            #expect(
                before[3].contains(#""afterSelection":"none""#) && before[4].contains(#""afterSelection":"deselect""#))
        }
        try await TestServer.run(folder: folder) { server in
            for (path, text) in zip(paths, before) {
                #expect(try server.send("GET", path, headers: ["Accept": "application/json"]).text == text, "\(path)")
            }
            let asked = try server.send(
                "POST", Self.base + "/events", #"{"event":"contextMenu","indexPath":[0,0]}"#
            ).expect(200).text
            #expect(asked == #"{"value":[{"title":"Flag"}],"source":"default"}"#)
        }
    }
}
