import Foundation
import Testing

@Suite("Fields and paths")
struct FieldAndPathTests {
    @Test(
        "a director is found by its percent-encoded name, by the Location it was given, and by a stream's query",
        arguments: [
            ("a%2Fb", "a/b"), ("a+b", "a+b"), ("a%20b", "a b"), ("%25", "%"), ("%3F%23%26%3D", "?#&="),
            ("%C3%A9", "é"), ("%F0%9F%91%A9%E2%80%8D%F0%9F%9A%80", "👩‍🚀"), ("a:move", "a:move"), ("%40x", "@x"),
            ("sections%3Amove", "sections:move"), ("a;b,c", "a;b,c"), ("a%3ab", "a:b"),
        ])
    func names(_ encoded: String, _ name: String) async throws {
        try await TestServer.run { server in
            let created = try server.send("PUT", "/v1/directors/" + encoded, #"{"kind":"table"}"#).expect(201)
            #expect(try created.json["name"] as? String == name)
            let location = try #require(created.fields["location"])
            #expect(try server.send("GET", location).expect(200).json["name"] as? String == name)
            // A plus is a space in a query, so it is the one that has to be encoded there.
            let query = encoded.replacingOccurrences(of: "+", with: "%2B")
            let stream = try TestStream(port: server.port, target: "/v1/changesets?director=" + query)
            #expect(try stream.next()?.json["director"] as? String == name)
        }
    }

    @Test(
        "a path that is no percent-encoded UTF-8 answers 400, an empty segment 404, a control character 400",
        arguments: [
            ("%zz", 400), ("%", 400), ("%4", 400), ("%FF", 400), ("%C0%AF", 400), ("%ED%A0%80", 400), ("", 404),
            ("d/", 404), ("/d", 404), ("%00", 400), ("%0A", 400), ("a%7F", 400), ("a%C2%9Bb", 400), ("%2E", 422),
            (String(repeating: "a", count: 257), 422),
        ])
    func badPaths(_ encoded: String, _ status: Int) async throws {
        try await TestServer.run { server in
            let answer = try server.send("PUT", "/v1/directors/" + encoded, #"{"kind":"table"}"#).expect(status)
            #expect(answer.fields["content-type"] == "application/problem+json")
            #expect(try answer.json["status"] as? Int == status)
        }
    }

    @Test("a page of an allowed origin may read errors and streams as well as answers; another may not")
    func crossOrigin() async throws {
        try await TestServer.run {
            $0.cors.origins = ["https://app.example"]
        } _: { server in
            try server.makeDirector()
            for (origin, isAllowed) in [("https://app.example", true), ("https://other.example", false)] {
                let targets = [
                    ("GET", "/v1/directors/d", 200), ("GET", "/v1/directors/none", 404), ("GET", "/nothing", 404),
                    ("GET", "/v1/directors/%FF", 400), ("GET", "/v1/directors?limit=x", 400),
                    ("PATCH", "/v1/directors", isAllowed ? 405 : 403), ("HEAD", "/v1/changesets?director=d", 200),
                ]
                for (method, target, status) in targets {
                    let answer = try server.send(method, target, headers: ["Origin": origin]).expect(status)
                    #expect(answer.fields["access-control-allow-origin"] == (isAllowed ? origin : nil), "\(target)")
                    #expect(answer.fields["vary"] == "Origin")
                }
                let preflight = try server.send(
                    "OPTIONS", "/v1/directors/d",
                    headers: ["Origin": origin, "Access-Control-Request-Method": "PATCH"]
                ).expect(204)
                #expect(preflight.fields["access-control-allow-methods"]?.contains("PATCH") == (isAllowed ? true : nil))
            }
        }
    }

    @Test(
        "Prefer is understood in every way it may be written",
        arguments: [
            ("return=minimal", 204), ("RETURN=Minimal", 204), ("return = minimal", 204), (#"return="minimal""#, 204),
            ("respond-async, return=minimal; x=1", 204), ("return=representation", 200), ("minimal", 200), ("", 200),
        ])
    func prefer(_ preference: String, _ status: Int) async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let answer = try server.send(
                "PUT", "/v1/directors/d/sections", "[]", headers: ["Prefer": preference]
            ).expect(status)
            #expect(answer.fields["etag"]?.hasSuffix("-r2\"") == true)
        }
    }
}
