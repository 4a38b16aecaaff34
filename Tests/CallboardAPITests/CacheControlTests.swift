import CallboardAPI
import Testing

@Suite("Cache-Control: what a cache on the way may do with an answer (RFC 9111, section 5.2.2)")
struct CacheControlTests {
    @Test("an answer with content may be kept, to be asked about; a probe, a page of metrics or a problem may not")
    func answers() async throws {
        try await TestServer.run { server in
            try server.send("PUT", "/v1/directors/list", body: #"{"kind": "table"}"#).expect(201)
            try server.send("POST", "/v1/directors/list/sections", body: #"{"id": "s"}"#).expect(201)
            for path in [
                "", "/sections", "/sections/s", "/elements", "/adapters", "/variables", "/changesets?since=0",
            ] {
                let answer = try server.send("GET", "/v1/directors/list" + path).expect(200)
                #expect(answer.fields["cache-control"] == "no-cache", "\(path)")
            }
            for path in ["/v1/directors", "/openapi.json", "/client.js"] {
                #expect(try server.send("GET", path).expect(200).fields["cache-control"] == "no-cache", "\(path)")
            }
            for path in ["/livez", "/readyz", "/metrics"] {
                #expect(try server.send("GET", path).expect(200).fields["cache-control"] == "no-store", "\(path)")
            }
            for (method, path, status) in [
                ("GET", "/v1/directors/none", 404), ("GET", "/nothing", 404), ("PUT", "/livez", 405),
            ] {
                let answer = try server.send(method, path).expect(status)
                #expect(answer.fields["cache-control"] == "no-store", "\(method) \(path)")
            }
        }
    }

    @Test("304 says what 200 said (RFC 9110, section 15.4.5); an address with two forms names the field that chooses")
    func conditions() async throws {
        try await TestServer.run { server in
            let tag = try #require(
                try server.send("PUT", "/v1/directors/list", body: #"{"kind": "table"}"#).expect(201).fields["etag"])
            let answer = try server.send("GET", "/v1/directors/list", headers: ["If-None-Match": tag]).expect(304)
            #expect(answer.fields["cache-control"] == "no-cache" && answer.fields["etag"] == tag)
            let changesets = try server.send("GET", "/v1/directors/list/changesets?since=0").expect(200)
            #expect(changesets.fields["vary"] == "Accept")
        }
    }

    @Test("an answer that shows a hook's new secret may not be kept, and the next one without it may")
    func secrets() async throws {
        try await TestServer.run { server in
            try server.send("PUT", "/v1/directors/list", body: #"{"kind": "table"}"#).expect(201)
            let hook = #"{"url": "http://127.0.0.1:9/"}"#
            let path = "/v1/directors/list/events/willDisplayHeader"
            let made = try server.send("PUT", path, body: hook).expect(201)
            #expect(made.text.contains("whsec_") && made.fields["cache-control"] == "no-store")
            #expect(try server.send("GET", path).expect(200).fields["cache-control"] == "no-cache")
            let adapter = ##"{"cell": "C", "events": {"didSelect": \##(hook)}}"##
            let registered = try server.send("PUT", "/v1/directors/list/adapters/M", body: adapter).expect(201)
            #expect(registered.text.contains("whsec_") && registered.fields["cache-control"] == "no-store")
        }
    }
}
