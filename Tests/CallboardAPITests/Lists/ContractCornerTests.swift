import Foundation
import Testing

@testable import CallboardAPI

@Suite("Corners of the contract")
struct ContractCornerTests {
    /// A director with content, an adapter of each sort and a variable, all published.
    private func fill(_ server: TestServer) throws {
        try server.makeDirector("other")
        try server.send("PUT", "/v1/directors/other/sections", #"[{"id":"s"}]"#).expect(200)
        try server.makeDirector()
        try server.send("PUT", "/v1/directors/d/header-footer-adapters/V", "{}").expect(201)
        try server.send("PUT", "/v1/directors/d/variables/v", "1").expect(201)
        for hook in Self.hooks { try server.send("PUT", "/v1/directors/d/" + hook, Self.hook).expect(201) }
        let sections = #"""
            [{"id":"s","elements":[{"value":{"id":"1"}},{"value":{"id":"2"}}]},{"id":"t"},
             {"id":"r","rows":[{"id":"m","type":"model","model":"M","elements":[{"value":{"id":"1"}},{"value":{"id":"2"}}]},
               {"id":"k","type":"constant","cell":"K"}]}]
            """#
        try server.send("PUT", "/v1/directors/d/sections", sections).expect(200)
        try server.send("PUT", "/v1/directors/d/sections/s/events/models", Self.hook).expect(201)
        try server.send("PUT", "/v1/directors/d/sections/r/rows/m/events/didSelect?reload=true", Self.hook).expect(201)
    }

    private static let names = [
        "director": "d", "section": "s", "row": "m", "element": "1", "model": "M", "view": "V", "name": "v",
        "file": "main.js",
    ]

    /// A hook that is never called.
    private static let hook = #"{"url":"http://receiver.example/"}"#
    private static let hooks = [
        "adapters/M/events/didSelect", "header-footer-adapters/V/events/willDisplay", "events/willDisplayHeader",
        "scroll-events/didScroll",
    ]
    /// The event that routes of each level are tried with.
    private static let events = [
        "adapters": "didSelect", "header-footer-adapters": "willDisplay", "scroll-events": "didScroll",
        "rows": "didSelect", "sections": "models",
    ]

    /// A body that each mutation would take.
    private static let bodies = [
        "putDirector": #"{"kind":"table","properties":{"rowHeight":{"explicit":7}}}"#,
        "patchDirector": #"{"properties":{"rowHeight":{"explicit":8}}}"#,
        "setSections": #"[{"id":"s","elements":[{"value":{"id":"1"}}]},{"id":"t","headerTitle":"x"}]"#,
        "addSections": #"{"id":"u"}"#, "moveSection": #"{"from":0,"to":1}"#, "swapSections": #"{"at":0,"with":1}"#,
        "putSection": #"{"elements":[{"value":{"id":"1"}},{"value":{"id":"2"}}]}"#,
        "patchSection": #"{"headerTitle":"x"}"#,
        "setElements": #"[{"value":{"id":"1"}},{"value":{"id":"2"}}]"#, "addElements": #"{"value":{"id":"3"}}"#,
        "appendElements": #"{"value":{"id":"4"}}"#, "moveElement": #"{"from":0,"to":1}"#,
        "transferElement": #"{"from":0,"toDirector":"other","toSection":"s"}"#,
        "transferRowElement": #"{"from":0,"toDirector":"other","toSection":"s"}"#,
        "swapElements": #"{"at":0,"with":1}"#, "putElement": #"{"value":{"id":"1","n":2}}"#,
        "patchElement": #"{"n":3}"#, "putAdapters": #"[{"model":"M","cell":"Other"}]"#,
        "putAdapter": #"{"cell":"Other"}"#,
        "putHeaderFooterAdapter": #"{"reuseIdentifier":"other"}"#, "setVariable": "2",
        "performOperations": #"{"operations":[{"op":"removeAllSections"}]}"#,
        "putAdapterEvent": otherHook, "putHeaderFooterEvent": otherHook, "putEvent": otherHook,
        "putScrollEvent": otherHook, "putRowEvent": otherHook, "putSectionEvent": otherHook,
        "setRows": #"[{"id":"m","type":"constant","cell":"L"}]"#, "addRows": #"{"type":"constant","cell":"L"}"#,
        "putRow": #"{"type":"model","model":"M","height":9}"#, "patchRow": #"{"height":{"var":"variables.v"}}"#,
        "moveRow": #"{"from":"m","to":1}"#, "swapRows": #"{"at":0,"with":1}"#,
        "setRowElements": #"[{"value":{"id":"1"}},{"value":{"id":"2"}}]"#,
        "addRowElements": #"{"value":{"id":"3"}}"#, "moveRowElement": #"{"from":0,"to":1}"#,
        "swapRowElements": #"{"at":0,"with":1}"#, "putRowElement": #"{"value":{"id":"1","n":2}}"#,
        "patchRowElement": #"{"n":3}"#,
        "replaceContent": #"[{"id":"s","elements":[{"value":{"id":"1"}},{"value":{"id":"2"}}]}]"#,
    ]
    private static let otherHook = #"{"url":"http://other.example/"}"#

    private func target(_ route: Route) -> String {
        var event = "willDisplayHeader"
        var names = Self.names
        if route.path.parameterNames.contains("row") || route.path.description.contains("/rows") {
            names["section"] = "r"
        }
        return route.path.segments.isEmpty
            ? "/"
            : route.path.segments.reduce(into: "") { path, segment in
                switch segment {
                case .literal(let text):
                    event = Self.events[text] ?? event
                    path += "/" + text
                case .parameter("event"): path += "/" + event
                case .parameter(let name): path += "/" + (names[name] ?? "")
                case .suffixed(let name, let suffix): path += "/" + (names[name] ?? "") + suffix
                }
            }
    }

    @Test(
        "every mutation answers 412 to another revision, changes nothing, and takes If-Match with this one",
        arguments: Route.all.filter(\.isMutation).map(\.operationID))
    func ifMatch(_ operation: String) async throws {
        let route = try #require(Route.all.first { $0.operationID == operation })
        try await TestServer.run { server in
            try fill(server)
            let before = try server.send("GET", "/v1/directors/d")
            let tag = try #require(before.fields["etag"])
            let body = Self.bodies[operation]
            let method = route.method.rawValue
            for stale in ["\"r999\"", "W/" + tag, "\"\""] {
                try server.send(method, target(route), body, headers: ["If-Match": stale]).expect(412)
            }
            #expect(try server.send("GET", "/v1/directors/d").body == before.body)
            let answer = try server.send(method, target(route), body, headers: ["If-Match": "\"x\", \(tag)"])
            #expect((200...299).contains(answer.status) || operation.hasPrefix("remove"), "\(answer.text)")
            #expect(route.answers.contains { $0.status == answer.status } || answer.status >= 400)
        }
    }

    @Test(
        "every mutation publishes at once with reload=true, and a director is answered with the new version",
        arguments: Route.all.filter { $0.isMutation && !["deleteDirector", "reload"].contains($0.operationID) }
            .map(\.operationID))
    func reload(_ operation: String) async throws {
        let route = try #require(Route.all.first { $0.operationID == operation })
        try await TestServer.run { server in
            try fill(server)
            try server.send("POST", "/v1/directors/d/sections", #"{"id":"waiting"}"#).expect(201)
            // The one that is in use cannot be removed.
            if operation == "removeAdapter" {
                try server.send("PUT", "/v1/directors/d/adapters/Unused", #"{"cell":"C"}"#).expect(201)
            }
            let path = operation == "removeAdapter" ? "/v1/directors/d/adapters/Unused" : target(route)
            let answer = try server.send(
                route.method.rawValue, path + "?reload=true", Self.bodies[operation])
            #expect((200...299).contains(answer.status), "\(answer.text)")
            #expect(try server.send("GET", "/v1/directors/d").json["version"] as? Int == 2)
            if !answer.body.isEmpty, let version = try? answer.json["version"] as? Int { #expect(version == 2) }
        }
    }

    @Test(
        "HEAD answers what GET does, without the body",
        arguments: Route.all.filter { $0.method == .get && !["readDelivery", "readToken"].contains($0.operationID) }
            .map(\.operationID))
    func head(_ operation: String) async throws {
        let route = try #require(Route.all.first { $0.operationID == operation })
        try await TestServer.run { server in
            try fill(server)
            var path = target(route)
            if operation == "followDirector" { path += "?since=0" }
            if operation == "followDirectors" { path += "?director=d" }
            let status = ["readRoot", "readConsolePath"].contains(operation) ? 302 : 200
            let head = try server.send("HEAD", path).expect(status)
            #expect(head.body.isEmpty)
            guard operation != "followDirectors" else { return }
            let get = try server.send("GET", path).expect(status)
            #expect(head.fields["content-type"] == get.fields["content-type"])
            #expect(head.fields["etag"] == get.fields["etag"])
            // The metrics have grown by the request before.
            if !operation.hasPrefix("readMetrics") { #expect(head.fields["content-length"] == String(get.body.count)) }
        }
    }

    @Test(
        "numbers as large as there are find nothing and harm nothing",
        arguments: [
            ("GET", "/changesets?since=9223372036854775807", 404),
            ("GET", "/changesets?from=9223372036854775807", 400),
            ("GET", "/changesets?from=0&to=9223372036854775807", 404),
            ("GET", "/changesets?from=9223372036854775807&to=9223372036854775807", 404),
            ("GET", "/changesets?since=9223372036854775808", 400),
            ("GET", "/sections?state=published&version=9223372036854775807", 404),
            ("GET", "/sections?offset=2147483647&limit=10000", 200),
            ("GET", "/sections?offset=2147483648", 400),
            ("GET", "/sections?limit=10001", 400), ("GET", "/sections?limit=0", 400),
            ("GET", "/sections?offset=-1", 400), ("GET", "/sections?offset=+1", 400),
            ("GET", "/sections/s/elements?offset=2147483647&limit=10000", 200),
            ("GET", "/sections/@9223372036854775807", 404), ("GET", "/sections/@99999999999999999999999", 404),
            ("GET", "/sections/s/elements/@9223372036854775807", 404),
            ("DELETE", "/sections?at=9223372036854775807", 404), ("DELETE", "/sections?at=", 400),
            ("DELETE", "/sections?at=0,", 400), ("DELETE", "/sections?at=99999999999999999999999", 404),
            ("DELETE", "/sections/s/elements?at=0,9223372036854775807", 404),
            ("POST", "/sections?at=2147483647", 422), ("POST", "/sections?at=2147483648", 422),
            ("POST", "/sections/s/elements?at=2147483647&model=M", 422),
        ])
    func largeNumbers(_ method: String, _ target: String, _ status: Int) async throws {
        try await TestServer.run { server in
            try fill(server)
            let body = method == "POST" ? #"{"id":"x"}"# : nil
            let tag = try server.send("GET", "/v1/directors/d").fields["etag"]
            try server.send(method, "/v1/directors/d" + target, body).expect(status)
            #expect(try server.send("GET", "/v1/directors/d").fields["etag"] == tag)
        }
    }

    @Test(
        "positions in a body as large as there are change nothing",
        arguments: [
            ("/sections:move", #"{"from":9223372036854775807,"to":0}"#),
            ("/sections:move", #"{"from":0,"to":9223372036854775807}"#),
            ("/sections:swap", #"{"at":9223372036854775807,"with":9223372036854775806}"#),
            ("/sections/s/elements:move", #"{"from":0,"to":9223372036854775807}"#),
            ("/sections/s/elements:move", #"{"from":0,"to":9223372036854775807,"toSection":"t"}"#),
            ("/sections/s/elements:swap", #"{"at":0,"with":18446744073709551616}"#),
            ("/refresh", #"{"indexPaths":[[9223372036854775807,9223372036854775807]]}"#),
            ("/refresh", #"{"indexPaths":[[0,9223372036854775807]]}"#), ("/refresh", #"{"indexPaths":[[-1,0]]}"#),
            ("/operations", #"{"operations":[{"op":"addSections","sections":[{}],"at":9223372036854775807}]}"#),
            ("/operations", #"{"operations":[{"op":"addElements","section":"s","elements":[],"at":1e300}]}"#),
        ])
    func largePositions(_ target: String, _ body: String) async throws {
        try await TestServer.run { server in
            try fill(server)
            let before = try server.send("GET", "/v1/directors/d").body
            let answer = try server.send("POST", "/v1/directors/d" + target, body).expect(422)
            #expect(try answer.json["instance"] as? String == "/v1/directors/d" + target)
            #expect(try server.send("GET", "/v1/directors/d").body == before)
        }
    }

    @Test("a director read again after a reload is never answered with 304")
    func versionAfterReload() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            try server.send("POST", "/v1/directors/d/sections", "{}").expect(201)
            let tag = try #require(try server.send("GET", "/v1/directors/d").fields["etag"])
            try server.send("POST", "/v1/directors/d/reload").expect(200)
            let again = try server.send("GET", "/v1/directors/d", headers: ["If-None-Match": tag]).expect(200)
            #expect(try again.json["version"] as? Int == 1)
        }
    }

    @Test("a PUT that creates says so even where less is preferred")
    func minimalCreation() async throws {
        try await TestServer.run { server in
            let minimal = ["Prefer": "return=minimal"]
            let created = try server.send("PUT", "/v1/directors/d", #"{"kind":"table"}"#, headers: minimal).expect(201)
            #expect(created.fields["location"] == "/v1/directors/d")
            try server.send("PUT", "/v1/directors/d", #"{"kind":"table"}"#, headers: minimal).expect(204)
            try server.send("PUT", "/v1/directors/d/sections/s", "{}", headers: minimal).expect(201)
            try server.send("PUT", "/v1/directors/d/sections/s", "{}", headers: minimal).expect(204)
            let added = try server.send("POST", "/v1/directors/d/sections", "{}", headers: minimal).expect(204)
            #expect(added.fields["etag"]?.hasSuffix("-r3\"") == true)
        }
    }

    @Test("text/* and the wildcard are answered with a stream, and with JSON where the query names versions")
    func ranges() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let path = "/v1/directors/d/changesets"
            for accept in ["text/*", "*/*"] {
                let stream = try server.send("HEAD", path, headers: ["Accept": accept]).expect(200)
                #expect(stream.fields["content-type"] == "text/event-stream")
            }
            try server.send("HEAD", path + "?since=0", headers: ["Accept": "text/*"]).expect(406)
            let json = try server.send("HEAD", path + "?since=0", headers: ["Accept": "*/*"]).expect(200)
            #expect(json.fields["content-type"] == "application/json")
            try server.send("GET", path, headers: ["Accept": "image/png"]).expect(406)
        }
    }

    @Test("a resumed stream is told of a new adapter before it is sent elements of its model")
    func definitionFirst() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let first = try #require(try TestStream(port: server.port).next())
            try server.send("PUT", "/v1/directors/d/adapters/New", #"{"cell":"C"}"#).expect(201)
            let sections = #"[{"id":"s","elements":[{"model":"New","value":{"id":"1"}}]}]"#
            try server.send("PUT", "/v1/directors/d/sections?reload=true", sections).expect(200)
            for catchUp in ["one", "each"] {
                let target = "/v1/directors/d/changesets?catchup=\(catchUp)"
                let stream = try TestStream(port: server.port, target: target, lastEventID: first.id)
                let events = try (0..<3).map { _ in try #require(try stream.next()) }
                #expect(events.map(\.name) == ["resumed", "definition", "changeset"])
                #expect(events[1].id == first.id)
            }
        }
    }
}
