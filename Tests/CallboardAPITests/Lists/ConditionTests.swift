import CallboardAPI
import Foundation
import Testing

@Suite("Entity tags and conditions (RFC 9110, section 13)")
struct ConditionTests {
    private static let director = "/v1/directors/d"

    private func fill(_ server: TestServer) throws -> String {
        try server.makeDirector()
        try server.send("PUT", Self.director + "/variables/v", "1").expect(201)
        let answer = try server.send(
            "PUT", Self.director + "/sections?reload=true", #"[{"id":"s","elements":[{"value":{"id":"a"}}]}]"#)
        return try #require(answer.expect(200).fields["etag"])
    }

    @Test("a tag of a director that was deleted and created again matches nothing: DELETE with it is 412")
    func lives() async throws {
        try await TestServer.run { server in
            let old = try fill(server)
            try server.send("DELETE", Self.director, headers: ["If-Match": old]).expect(204)
            let new = try fill(server)
            #expect(old != new)
            #expect(old.hasSuffix("-r3\"") && new.hasSuffix("-r3\""))
            try server.send("DELETE", Self.director, headers: ["If-Match": old]).expect(412)
            try server.send("GET", Self.director + "/sections", headers: ["If-None-Match": old]).expect(200)
            let published = try server.send("GET", Self.director + "/sections?state=published").fields["etag"]
            #expect(published?.hasSuffix("-v1\"") == true)
            try server.send("DELETE", Self.director, headers: ["If-Match": new]).expect(204)
        }
    }

    /// Resources that a PUT may create: one that is there, one that is not, and a body for both.
    private static let creatable = [
        ("/v1/directors/d", "/v1/directors/new", #"{"kind":"table"}"#),
        ("/v1/directors/d/sections/s", "/v1/directors/d/sections/new", "{}"),
        (
            "/v1/directors/d/sections/s/elements/a", "/v1/directors/d/sections/s/elements/new",
            #"{"value":{"id":"new"}}"#
        ),
        ("/v1/directors/d/adapters/M", "/v1/directors/d/adapters/N", #"{"cell":"Other"}"#),
        ("/v1/directors/d/header-footer-adapters/V", "/v1/directors/d/header-footer-adapters/W", "{}"),
        ("/v1/directors/d/variables/v", "/v1/directors/d/variables/new", "2"),
        (
            "/v1/directors/d/adapters/M/events/didSelect", "/v1/directors/d/adapters/M/events/didDeselect",
            #"{"url":"http://127.0.0.1:9/"}"#
        ),
    ]

    @Test(
        "PUT with If-None-Match: * creates and never overwrites; with If-Match: * it never creates",
        arguments: creatable)
    func puts(_ there: String, _ absent: String, _ body: String) async throws {
        try await TestServer.run { server in
            _ = try fill(server)
            try server.send("PUT", Self.director + "/header-footer-adapters/V", "{}").expect(201)
            let hook = #"{"url":"http://127.0.0.1:9/"}"#
            try server.send("PUT", Self.director + "/adapters/M/events/didSelect", hook).expect(201)
            let before = try server.send("GET", there).text
            try server.send("PUT", there, body, headers: ["If-None-Match": "*"]).expect(412)
            #expect(try server.send("GET", there).text == before)
            try server.send("PUT", absent, body, headers: ["If-Match": "*"]).expect(412)
            try server.send("GET", absent).expect(404)
            try server.send("PUT", absent, body, headers: ["If-None-Match": "*"]).expect(201)
            try server.send("PUT", absent, body, headers: ["If-Match": "*"]).expect(200)
        }
    }

    @Test("a tag is the director's: with the newest one a PUT creates, with an older one it does not")
    func creatingByTag() async throws {
        try await TestServer.run { server in
            let tag = try fill(server)
            try server.send("PUT", Self.director + "/adapters/N", #"{"cell":"C"}"#, headers: ["If-Match": tag]).expect(
                201)
            for (target, body) in [("/adapters/O", #"{"cell":"C"}"#), ("/variables/w", "1"), ("/sections/t", "{}")] {
                try server.send("PUT", Self.director + target, body, headers: ["If-Match": tag]).expect(412)
            }
        }
    }

    @Test("If-None-Match holds on POST, PATCH and DELETE too; a tag of another state lets them through")
    func otherMethods() async throws {
        try await TestServer.run { server in
            for (method, target, body) in [
                ("POST", "/sections", "{}"), ("PATCH", "", "{}"), ("DELETE", "/sections/s", nil),
                ("POST", "/reload", nil), ("POST", "/operations", #"{"operations":[]}"#),
            ] {
                let tag = try fill(server)
                for matching in ["*", tag, "W/" + tag, "\"x\", " + tag] {
                    try server.send(method, Self.director + target, body, headers: ["If-None-Match": matching])
                        .expect(412)
                }
                let answer = try server.send(
                    method, Self.director + target, body, headers: ["If-None-Match": "\"x\""])
                #expect((200..<300).contains(answer.status), "\(method) \(target) \(answer.text)")
                try server.send("DELETE", Self.director).expect(204)
            }
        }
    }

    @Test("a director that is read has a tag of both its numbers: 304 until either changes, and If-Match takes it")
    func directors() async throws {
        try await TestServer.run { server in
            _ = try fill(server)
            let tag = try #require(try server.send("GET", Self.director).fields["etag"])
            #expect(tag.hasSuffix("-r3-v1\""))
            try server.send("GET", Self.director, headers: ["If-None-Match": tag]).expect(304)
            try server.send("GET", Self.director, headers: ["If-Match": tag]).expect(200)
            try server.send("POST", Self.director + "/sections", #"{"id":"t"}"#, headers: ["If-Match": tag]).expect(201)
            try server.send("POST", Self.director + "/sections", "{}", headers: ["If-Match": tag]).expect(412)
            let changed = try #require(
                try server.send("GET", Self.director, headers: ["If-None-Match": tag]).expect(200).fields["etag"])
            try server.send("POST", Self.director + "/reload").expect(200)
            try server.send("GET", Self.director, headers: ["If-None-Match": changed]).expect(200)
            try server.send("GET", Self.director, headers: ["If-Match": changed]).expect(412)
        }
    }

    @Test("what is not there is 404 whatever the conditions (section 13.2.1)")
    func notFoundFirst() async throws {
        try await TestServer.run { server in
            _ = try fill(server)
            for (method, target, body) in [
                ("DELETE", "/sections/none", nil), ("DELETE", "/sections/s/elements/none", nil),
                ("PATCH", "/sections/none", "{}"), ("DELETE", "/adapters/None", nil),
                ("DELETE", "/variables/none", nil), ("PUT", "/sections/none/elements", "[]"),
            ] {
                try server.send(method, Self.director + target, body, headers: ["If-Match": "\"x\""]).expect(404)
                try server.send(method, Self.director + target, body, headers: ["If-None-Match": "*"]).expect(404)
            }
        }
    }
}
