import CallboardAPI
import Foundation
import Testing

@Suite("Health, metrics, OpenAPI, CORS")
struct OperationsPageTests {
    @Test("the server says that it lives and is ready, and counts what it does")
    func pages() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            try server.send("GET", "/livez").expect(200)
            try server.send("GET", "/readyz").expect(200)
            try server.send("POST", "/v1/directors/d/sections?reload=true", "{}").expect(201)
            let stream = try TestStream(port: server.port)
            _ = try stream.next()
            let metrics = try server.send("GET", "/metrics").expect(200).text
            let wanted = [
                "callboard_directors 1", "callboard_subscribers 1", "callboard_versions_published_total 1",
                "callboard_feed_retained_versions 2", "callboard_stream_snapshots_total 1",
                #"route="/v1/directors/{director}/sections",method="POST",status="201"} 1"#,
                "callboard_http_request_duration_seconds_bucket", "process_resident_memory_bytes",
            ]
            for line in wanted { #expect(metrics.contains(line), "\(line)") }
            withExtendedLifetime(stream) {}
        }
    }

    @Test("two servers of one process count their own requests")
    func separateCounts() async throws {
        try await TestServer.run { one in
            try await TestServer.run { other in
                for _ in 0..<3 { try one.send("GET", "/livez").expect(200) }
                try other.send("GET", "/livez").expect(200)
                for (server, count) in [(one, 3), (other, 1)] {
                    let line = #"callboard_http_requests_total{route="/livez",method="GET",status="200"} \#(count)"#
                    #expect(try server.send("GET", "/metrics").text.contains(line + "\n"))
                }
            }
        }
    }

    @Test("the OpenAPI document names every reference's target, and every path of the routes")
    func openAPI() async throws {
        try await TestServer.run { server in
            let answer = try server.send("GET", "/openapi.json").expect(200)
            let document = try answer.json
            #expect(document["openapi"] as? String == "3.1.0")
            let components = try #require(document["components"] as? [String: [String: Any]])
            let references = Set(
                answer.text.matches(of: /"#\/components\/([a-z]+)\/([A-Za-z0-9_]+)"/).map { "\($0.1)/\($0.2)" })
            let shared = components.filter { $0.key != "securitySchemes" }
            #expect(references == Set(shared.flatMap { kind, parts in parts.keys.map { "\(kind)/\($0)" } }))
            // An event takes some 830 bytes, a route some 2,000.
            #expect(references.count > 200 && answer.text.utf8.count < 308_000 + 146 * 830)
            let tag = try #require(answer.fields["etag"])
            try server.send("GET", "/openapi.json", headers: ["If-None-Match": tag]).expect(304)
            let paths = try #require(document["paths"] as? [String: [String: Any]])
            for (path, methods) in paths {
                let target = path.replacing(/\{[a-z]+\}/, with: "x")
                let allow = try #require(try server.send("OPTIONS", target).expect(204).fields["allow"])
                let named = methods.keys.filter { $0 != "parameters" }.map { $0.uppercased() }
                #expect(
                    Set(allow.split(separator: ", ").map(String.init)).subtracting(["HEAD", "OPTIONS"]) == Set(named))
            }
        }
    }

    @Test("an allowed origin may read, another may not, and none may unless configured")
    func cors() async throws {
        try await TestServer.run {
            $0.cors.origins = ["https://app.example"]
        } _: { server in
            try server.makeDirector()
            let allowed = try server.send("GET", "/v1/directors/d", headers: ["Origin": "https://app.example"])
            #expect(allowed.fields["access-control-allow-origin"] == "https://app.example")
            #expect(allowed.fields["vary"] == "Origin")
            let other = try server.send("GET", "/v1/directors/d", headers: ["Origin": "https://evil.example"])
            #expect(other.fields["access-control-allow-origin"] == nil)
            let preflight = try server.send(
                "OPTIONS", "/v1/directors/d",
                headers: ["Origin": "https://app.example", "Access-Control-Request-Method": "PATCH"]
            ).expect(204)
            #expect(preflight.fields["access-control-allow-methods"]?.contains("PATCH") == true)
            #expect(preflight.fields["access-control-max-age"] == "600")
        }
        try await TestServer.run { server in
            try server.makeDirector()
            let answer = try server.send("GET", "/v1/directors/d", headers: ["Origin": "https://app.example"])
            #expect(answer.fields["access-control-allow-origin"] == nil)
        }
    }

    @Test("bounds are kept: one director too many, one element too many")
    func bounds() async throws {
        try await TestServer.run {
            $0.bounds.directors = 1
            $0.bounds.elements = 2
        } _: { server in
            try server.makeDirector()
            try server.send("PUT", "/v1/directors/e", #"{"kind":"table"}"#).expect(507)
            let three = #"[{"value":{"id":"1"}},{"value":{"id":"2"}},{"value":{"id":"3"}}]"#
            try server.send("POST", "/v1/directors/d/elements", three).expect(507)
            #expect(try server.send("GET", "/v1/directors/d").json["revision"] as? Int == 1)
        }
    }

    @Test("directors are listed by name, in pages")
    func listing() async throws {
        try await TestServer.run { server in
            for name in ["c", "a", "b"] { try server.makeDirector(name) }
            let page = try server.send("GET", "/v1/directors?offset=1&limit=1").expect(200).json
            #expect((page["directors"] as? [[String: Any]])?.first?["name"] as? String == "b")
            #expect(page["total"] as? Int == 3)
        }
    }
}
