import Foundation
import HTTPServer
import Hosting
import Testing

@testable import CallboardAPI

@Suite("Event hooks: registering them")
struct HookTests {
    static let director = "/v1/directors/d"
    static let didSelect = director + "/adapters/M/events/didSelect"
    /// A target of each level, and another event that the level has.
    static let targets = [
        (didSelect, "willDisplay"), (director + "/header-footer-adapters/V/events/willDisplay", "headerHeight"),
        (director + "/events/sectionForSectionIndex", "endDisplayFooter"),
        (director + "/scroll-events/didScroll", "viewForZooming"),
    ]

    @Test("a hook of every level is registered, read, listed, replaced and removed", arguments: targets)
    func levels(_ target: String, _ other: String) async throws {
        try await TestServer.run { server in
            try server.makeHooked()
            try server.send("GET", target).expect(404)
            let created = try server.send("PUT", target, #"{"url":"http://a.example/x"}"#).expect(201)
            #expect(created.fields["location"] == target)
            #expect(created.fields["etag"]?.hasSuffix("-r4\"") == true)
            let shown = try server.send("GET", target).expect(200).json
            #expect(shown["url"] as? String == "http://a.example/x")
            #expect(shown["isDisabled"] as? Bool == false)
            let health = try #require(shown["health"] as? [String: Any])
            #expect(health["consecutiveFailures"] as? Int == 0 && health["lastError"] is NSNull)
            try server.send("PUT", target, #"{"url":"http://b.example/"}"#).expect(200)
            let list = try server.send("GET", String(target[..<(target.lastIndex(of: "/") ?? target.endIndex)]))
            let hooks = try #require(try list.expect(200).json["events"] as? [[String: Any]])
            #expect(hooks.map { $0["url"] as? String } == ["http://b.example/"])
            let wrong = target.replacing(/[A-Za-z]+$/, with: "didNothing")
            let refusal = try server.send("PUT", wrong, #"{"url":"http://a.example/"}"#).expect(404)
            #expect(try (refusal.json["detail"] as? String)?.contains(other) == true)
            try server.send("DELETE", target).expect(204)
            try server.send("DELETE", target).expect(404)
            try server.send("GET", target).expect(404)
        }
    }

    @Test("all hooks of all directors are listed with their paths, by director and place, in pages")
    func listOfAll() async throws {
        try await TestServer.run { server in
            try server.makeHooked()
            #expect(
                try server.send("GET", "/v1/hooks").expect(200).text
                    == #"{"hooks":[],"offset":0,"limit":100,"total":0}"#)
            for (target, _) in Self.targets {
                try server.send("PUT", target, #"{"url":"http://a.example/"}"#).expect(201)
            }
            try server.send("PUT", "/v1/directors/a%20b", #"{"kind":"flow"}"#).expect(201)
            try server.send("PUT", "/v1/directors/a%20b/scroll-events/didScroll", #"{"url":"http://b.example/"}"#)
                .expect(201)
            func list(_ query: String = "") throws -> (paths: [String], total: Int?) {
                let page = try server.send("GET", "/v1/hooks" + query).expect(200).json
                let hooks = try #require(page["hooks"] as? [[String: Any]])
                return (hooks.compactMap { $0["path"] as? String }, page["total"] as? Int)
            }
            let all = try list()
            #expect(all.paths.count == 5 && all.total == 5)
            #expect(all.paths.first == "/v1/directors/a%20b/scroll-events/didScroll")
            #expect(Set(all.paths.dropFirst()) == Set(Self.targets.map(\.0)))
            #expect(try list("?offset=1&limit=2").paths == Array(all.paths[1...2]))
            #expect(try list("?director=d").paths == Array(all.paths[1...]))
            #expect(try list("?director=nobody") == ([], 0))
            let page = try server.send("GET", "/v1/hooks?director=a%20b").json
            let entry = try #require((page["hooks"] as? [[String: Any]])?.first)
            #expect(entry["director"] as? String == "a b" && entry["kind"] as? String == "flow")
            let hook = try #require(entry["hook"] as? [String: Any])
            let read = try server.send("GET", all.paths[0]).json
            #expect(NSDictionary(dictionary: hook) == NSDictionary(dictionary: read))
            // A director that is gone takes its hooks along.
            try server.send("DELETE", "/v1/directors/a%20b").expect(204)
            #expect(try list().total == 4)
        }
    }

    @Test("the answer that makes a secret shows it, and none after it does; what a read answers can be sent back")
    func secrets() async throws {
        try await TestServer.run { server in
            try server.makeHooked()
            let created = try server.send("PUT", Self.didSelect, #"{"url":"http://a.example/"}"#).expect(201).json
            let secret = try #require((created["secret"] as? [String])?.first)
            #expect(secret.hasPrefix("whsec_") && secret.count > 30)
            let read = try server.send("GET", Self.didSelect).expect(200)
            #expect(try read.json["secret"] as? [String] == ["whsec_…" + secret.suffix(4)])
            let again = try server.send("PUT", Self.didSelect, read.text).expect(200)
            #expect(!again.text.contains(secret))
            // An equal hook changes nothing.
            #expect(again.fields["etag"]?.hasSuffix("-r4\"") == true)
            let other = "whsec_" + Data(repeating: 7, count: 24).base64EncodedString()
            let both = #"{"url":"http://a.example/","secret":["whsec_…\#(secret.suffix(4))","\#(other)"]}"#
            let rotated = try server.send("PUT", Self.didSelect, both).expect(200)
            #expect(try (rotated.json["secret"] as? [String])?.count == 2)
            #expect(!rotated.text.contains(other))
        }
    }

    @Test(
        "a target inside the network is refused where its URL names it, and told where in the body and what to do",
        arguments: [
            "http://127.0.0.1:1/", "http://169.254.169.254/latest", "http://[::ffff:10.0.0.1]/", "http://192.168.0.1/",
            "https://[::1]/", "http://0x7f.1/", "http://2130706433/", "ftp://a.example/", "http://user@a.example/",
        ])
    func forbidden(_ url: String) async throws {
        try await TestServer.run {
            $0.hooks.allow = []
        } _: { server in
            try server.makeHooked()
            let answer = try server.send("PUT", Self.didSelect, #"{"url":"\#(url)"}"#).expect(422)
            let errors = try #require(try answer.json["errors"] as? [[String: Any]])
            #expect(errors.first?["pointer"] as? String == "/url")
            try server.send("GET", Self.didSelect).expect(404)
            let adapter = #"{"cell":"Cell","events":{"didSelect":{"url":"\#(url)"}}}"#
            let other = try server.send("PUT", Self.director + "/adapters/M", adapter).expect(422)
            let pointers = try (other.json["errors"] as? [[String: Any]])?.map { $0["pointer"] as? String }
            #expect(pointers == ["/events/didSelect/url"])
        }
    }

    @Test("loopback is allowed as long as the server listens there only")
    func loopback() throws {
        for (host, isLocal) in [("127.0.0.1", true), ("localhost", true), ("0.0.0.0", false), ("10.0.0.1", false)] {
            #expect(Loopback.holds(ServerConfiguration(host: host)) == isLocal)
        }
        #expect(Loopback.holds(ServerConfiguration(host: "*", port: nil, unixSocketPath: "/x")))
        var hooks = HooksConfiguration()
        #expect(try hooks.rules(isLocal: true) == [.loopback])
        #expect(try hooks.rules(isLocal: false).isEmpty)
        hooks.allow = ["loopback", "", "10.0.0.0/8"]
        #expect(try hooks.rules(isLocal: false).count == 2)
    }

    @Test("an adapter's body brings all of its hooks; left out, they stay")
    func adapterBodies() async throws {
        try await TestServer.run { server in
            try server.makeHooked()
            let adapter = Self.director + "/adapters/M"
            let body =
                #"{"cell":"Cell","events":{"didSelect":{"url":"http://a.example/"},"rowHeight":{"url":"http://b.example/","default":3}}}"#
            let answer = try server.send("PUT", adapter, body).expect(200).json
            let events = try #require(answer["events"] as? [String: [String: Any]])
            #expect(Set(events.keys) == ["didSelect", "rowHeight"])
            #expect((events["didSelect"]?["secret"] as? [String])?.first?.contains("…") == false)
            try server.send("PUT", adapter, #"{"cell":"Other"}"#).expect(200)
            try server.send("GET", Self.didSelect).expect(200)
            let list = try server.send("GET", Self.director + "/adapters").expect(200)
            #expect(list.text.contains(#""default":3"#) && list.text.contains("whsec_…"))
            try server.send("PUT", adapter, #"{"cell":"Other","events":{}}"#).expect(200)
            try server.send("GET", Self.didSelect).expect(404)
            try server.send("PUT", adapter, #"{"cell":"Other","events":{"itemSize":{"url":"http://a.example/"}}}"#)
                .expect(422)
        }
    }

    @Test("hooks go with what they are registered at: an adapter that is removed, a kind that has no such event")
    func removals() async throws {
        try await TestServer.run { server in
            try server.makeHooked()
            for (target, _) in Self.targets {
                try server.send("PUT", target, #"{"url":"http://a.example/"}"#).expect(201)
            }
            try server.send("PUT", Self.director + "/adapters/N", #"{"cell":"C"}"#).expect(201)
            let other = Self.director + "/adapters/N/events/didSelect"
            try server.send("PUT", other, #"{"url":"http://a.example/"}"#).expect(201)
            try server.send("DELETE", Self.director + "/adapters/N").expect(204)
            try server.send("PUT", Self.director + "/adapters/N", #"{"cell":"C"}"#).expect(201)
            try server.send("GET", other).expect(404)
            try server.send("PUT", Self.director + "?replace=true", #"{"kind":"collection"}"#).expect(200)
            // A collection has these, and no index of sections.
            for (target, _) in Self.targets where !target.hasSuffix("sectionForSectionIndex") {
                try server.send("GET", target).expect(200)
            }
            try server.send("GET", Self.director + "/events/sectionForSectionIndex").expect(404)
        }
    }

    @Test("subscribers are told of a hook that is new or gone, and not of where it leads to")
    func definitions() async throws {
        try await TestServer.run { server in
            try server.makeHooked()
            let stream = try TestStream(port: server.port)
            let snapshot = try #require(try stream.next())
            #expect(snapshot.data.contains(#""scrollEvents":{}"#))
            try server.send("PUT", Self.didSelect, #"{"url":"http://a.example/"}"#).expect(201)
            let added = try #require(try stream.nextContent())
            #expect(
                added.name == "definition" && added.data.contains(#""events":{"didSelect":{"kind":"notification"}}"#))
            try server.send("PUT", Self.didSelect, #"{"url":"http://b.example/"}"#).expect(200)
            try server.send("DELETE", Self.didSelect).expect(204)
            let gone = try #require(try stream.nextContent())
            #expect(gone.name == "definition" && !gone.data.contains("didSelect"))
            #expect(!added.data.contains("example") && !gone.data.contains("example"))
        }
    }

    @Test("the description has every event of every source, with what is sent and what is answered")
    func description() async throws {
        try await TestServer.run { server in
            let document = try server.send("GET", "/openapi.json").expect(200).json
            let webhooks = try #require(document["webhooks"] as? [String: [String: Any]])
            #expect(webhooks.count == 146)
            let height = try #require(webhooks["tableCell.rowHeight"]?["post"] as? [String: Any])
            #expect(try canonical(height).contains("AnswerHeight"))
            let select = try #require(webhooks["tableCell.shouldHighlight"]?["post"] as? [String: Any])
            let components = try #require(document["components"] as? [String: Any])
            let answers = try #require(components["responses"] as? [String: Any])
            let answer = try #require((select["responses"] as? [String: [String: String]])?["2XX"]?["$ref"])
            let named = try #require(answers[String(answer.split(separator: "/").last ?? "")])
            #expect(try canonical(named).contains(#""default":true"#))
            #expect(try canonical(components["parameters"] ?? "").contains("didScroll"))
        }
    }
}

extension TestServer {
    /// A table `d` of two sections, with an adapter `M` and a view `V`, published: revision 3, version 1.
    func makeHooked() throws {
        try makeDirector()
        try send("PUT", HookTests.director + "/header-footer-adapters/V", "{}").expect(201)
        let sections = #"""
            [{"id":"s","headerView":"V","elements":[{"value":{"id":"1"}},{"value":{"id":"2"}},{"value":{"id":"3"}}]},
             {"id":"t","headerTitle":"T"}]
            """#
        try send("PUT", HookTests.director + "/sections?reload=true", sections).expect(200)
    }

    /// Registers a hook of the adapter `M`.
    func hook(_ event: String, _ url: String, _ members: String = "") throws {
        let target = HookTests.director + "/adapters/M/events/" + event
        let status = try send("PUT", target, #"{"url":"\#(url)"\#(members)}"#).status
        guard [200, 201].contains(status) else { throw TestClientError(description: "\(target): \(status)") }
    }

    /// Reports or asks an event; without blocking a thread that the server may need to call the target.
    func report(_ event: String, _ members: String = "", headers: [String: String] = [:]) async throws -> TestResponse {
        let body = #"{"event":"\#(event)"\#(members.isEmpty ? "" : ",")\#(members)}"#
        return try await onThread { try send("POST", HookTests.director + "/events", body, headers: headers) }
    }
}
