import CallboardAPI
import Foundation
import Testing

@Suite("Safety of requests: other sites' pages, hosts, content types")
struct RequestSafetyTests {
    private static let list = "/v1/directors/d/sections"

    /// What a browser sends for a page that may not change anything.
    private static let otherSites: [[String: String]] = [
        ["Origin": "https://evil.example"], ["Origin": "null"], ["Origin": "http://localhost.evil.example"],
        ["Origin": "http://localhost:1"], ["Origin": "http://localhost", "Sec-Fetch-Site": "x", "Host": "127.0.0.1"],
        ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
        ["Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"],
    ]

    @Test(
        "POST …/reload and PUT …/sections with another page's Origin or Sec-Fetch-Site are 403 and change nothing",
        arguments: otherSites)
    func crossSite(_ fields: [String: String]) async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            try server.send("POST", Self.list, #"{"id":"kept"}"#).expect(201)
            let before = try server.send("GET", "/v1/directors/d").text
            for (method, target, body) in [
                ("POST", "/v1/directors/d/reload", nil), ("PUT", Self.list, "[]"), ("DELETE", "/v1/directors/d", nil),
                ("PATCH", "/v1/directors/d", "{}"), ("POST", "/v1/nothing", nil),
            ] {
                let answer = try server.send(method, target, body, headers: fields).expect(403)
                #expect(try answer.json["type"] as? String == "urn:callboard:problem:other-site")
                #expect(answer.fields["access-control-allow-origin"] == nil)
            }
            #expect(try server.send("GET", "/v1/directors/d").text == before)
            // Reading is the browser's to forbid, and it does: the answer allows no other origin.
            try server.send("GET", "/v1/directors/d", headers: fields.filter { $0.key != "Host" }).expect(200)
        }
    }

    @Test(
        "pages of the server's own origin, of allowed origins, and programs that are no browsers may change lists",
        arguments: [
            [:], ["Origin": "http://localhost"], ["Origin": "http://LOCALHOST:80"], ["Sec-Fetch-Site": "same-origin"],
            ["Sec-Fetch-Site": "none"], ["Origin": "https://localhost"],
            ["Origin": "http://localhost:8080", "Host": "localhost:8080"], ["Origin": "http://[::1]", "Host": "[::1]"],
            ["Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"],
        ] as [[String: String]])
    func allowedPages(_ fields: [String: String]) async throws {
        try await TestServer.run {
            $0.cors.origins = ["https://app.example"]
        } _: { server in
            try server.makeDirector()
            try server.send("PUT", Self.list, "[]", headers: fields).expect(200)
        }
    }

    @Test("a body without a Content-Type is 415, and so is text/plain, which any page can send")
    func untypedBodies() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            for type in ["", "text/plain", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded"] {
                let answer = try server.send("PUT", Self.list, "[]", headers: ["Content-Type": type]).expect(415)
                #expect(answer.text.contains("application/json"))
            }
            for type in ["application/json", "Application/JSON; charset=utf-8"] {
                try server.send("PUT", Self.list, "[]", headers: ["Content-Type": type]).expect(200)
            }
        }
    }

    @Test("a Content-Encoding that is not taken is 415 with Accept-Encoding, not 400 about UTF-8")
    func contentCodings() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let answer = try server.send("PUT", Self.list, "\u{1f}\u{8b}", headers: ["Content-Encoding": "gzip"])
            #expect(answer.expect(415).fields["accept-encoding"] == "identity")
            try server.send("PUT", Self.list, "[]", headers: ["Content-Encoding": "identity"]).expect(200)
        }
    }

    private static let foreignHosts = [
        "attacker.example", "attacker.example:8080", "127.0.0.1.attacker.example", "localhost.attacker.example",
        "localhostattacker.example", "127.0.0.1attacker.example", "10.0.0.1", "[2001:db8::1]", "1270.0.0.1",
    ]

    @Test("Host: attacker.example on a loopback address is 421 and shows nothing", arguments: foreignHosts)
    func foreignHost(_ host: String) async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            for (method, target) in [("GET", "/v1/directors"), ("GET", "/livez"), ("OPTIONS", "/v1/directors")] {
                let answer = try server.send(method, target, headers: ["Host": host]).expect(421)
                #expect(answer.text.contains("server.allowedHosts"))
            }
        }
    }

    @Test(
        "loopback numbers and names are served whatever is listed, and listed names besides",
        arguments: [
            ("localhost", false), ("LocalHost:80", false), ("localhost.", false), ("app.localhost:1", false),
            ("127.0.0.1:8080", false), ("127.9.8.7", false), ("[::1]:8080", false), ("lists.example", true),
            ("Lists.Example:443", true), ("other.example", true),
        ])
    func servedHosts(_ host: String, _ isOther: Bool) async throws {
        for (listed, isServed) in [([], !isOther), (["lists.example"], host != "other.example"), (["*"], true)] {
            try await TestServer.run {
                if !listed.isEmpty { $0.allowedHosts = listed }
            } _: { server in
                try server.send("GET", "/livez", headers: ["Host": host]).expect(isServed ? 200 : 421)
            }
        }
    }

    @Test("off loopback any host is served while none is listed, and hooks.allow auto is off once one is")
    func otherAddresses() {
        var configuration = APIConfiguration()
        #expect(configuration.isLocal)
        configuration.allowedHosts = ["auto"]
        #expect(configuration.isLocal)
        configuration.allowedHosts = ["auto", "lists.example"]
        #expect(!configuration.isLocal)
        configuration.allowedHosts = ["auto"]
        configuration.server.host = "*"
        #expect(!configuration.isLocal)
    }

    @Test("hooks may no longer be aimed at this machine once a name is listed")
    func hooksBehindAProxy() async throws {
        for (hosts, status) in [(["auto"], 201), (["lists.example"], 422)] {
            try await TestServer.run {
                $0.allowedHosts = hosts
            } _: { server in
                try server.makeDirector()
                let hook = #"{"url":"http://127.0.0.1:9/"}"#
                try server.send("PUT", "/v1/directors/d/adapters/M/events/didSelect", hook).expect(status)
            }
        }
    }
}
