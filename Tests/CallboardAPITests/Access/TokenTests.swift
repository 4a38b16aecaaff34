import Access
import Foundation
import Testing

@testable import CallboardAPI

@Suite("Credentials and tokens of a server")
struct TokenTests {
    private static let read = #"[{"actions":["read"],"directors":["d"]}]"#

    @Test("a token is shown once, listed without its text, and no good once it is revoked")
    func life() async throws {
        try await AccessServer.run { server in
            try server.makeDirector()
            let token = try server.makeToken(Self.read, name: "kitchen")
            #expect(token.text.hasPrefix("cbt_") && token.id.hasPrefix("tok_"))
            try server.send(token.text, "GET", "/v1/directors/d").expect(200)
            let listed = try server.send(server.admin, "GET", "/v1/tokens").expect(200)
            let entries = try #require(try listed.json["tokens"] as? [[String: Any]])
            #expect(entries.compactMap { $0["name"] as? String }.sorted() == ["admin", "kitchen"])
            #expect(entries.allSatisfy { $0["token"] == nil } && !listed.text.contains("cbt_"))
            let one = try server.send(server.admin, "GET", "/v1/tokens/\(token.id)").expect(200)
            #expect(try one.json["lastUsedAt"] is String && one.json["expiresAt"] is NSNull)
            try server.send(server.admin, "DELETE", "/v1/tokens/\(token.id)").expect(204)
            let refused = try server.send(token.text, "GET", "/v1/directors/d").expect(401)
            #expect(refused.fields["www-authenticate"]?.contains(#"error="invalid_token""#) == true)
            try server.send(server.admin, "GET", "/v1/tokens/\(token.id)").expect(404)
            try server.send(server.admin, "DELETE", "/v1/tokens/\(token.id)").expect(404)
        }
    }

    @Test("what is no credential is 400 or 401 with its reason, and never taken for none")
    func refusals() async throws {
        try await AccessServer.run {
            $0.access.anonymous = (try? Grants([Grant([.read], on: [.all])])) ?? .nothing
        } _: { server in
            try server.makeDirector()
            try server.send(nil, "GET", "/v1/directors/d").expect(200)
            let path = "/v1/directors/d/sections"
            let challenge = try server.send(nil, "POST", path, "[]").expect(401).fields["www-authenticate"]
            #expect(challenge == #"Bearer realm="callboard""#)
            let unknown = StaticToken.random().text
            for (field, status, detail) in [
                ("Bearer \(unknown)", 401, "not known"), ("Bearer \(unknown.dropLast())", 401, "39 characters"),
                ("Bearer \(unknown.dropLast())!", 401, "neither a letter"), ("Bearer x", 401, "cbt_"),
                ("Bearer", 400, "Bearer TOKEN"), ("Basic eDp5", 400, "Bearer TOKEN"),
            ] {
                let answer = try server.server.send("GET", path, headers: ["Authorization": field]).expect(status)
                #expect(answer.text.contains(detail), "\(field): \(answer.text)")
                #expect(answer.fields["www-authenticate"]?.hasPrefix("Bearer realm=") == true)
                #expect(!answer.text.contains(unknown.dropLast(4)))
            }
            let both = "Bearer \(server.admin)\r\nAuthorization: Bearer \(server.admin)"
            try server.server.send("GET", path, headers: ["Authorization": both]).expect(400)
            try server.server.send("GET", path, headers: ["authorization": "bEARER \(server.admin)"]).expect(200)
        }
    }

    @Test(
        "a token that means nothing is 422 with its pointer",
        arguments: [
            (#"{"grants":[]}"#, "/name"), (#"{"name":"","grants":[]}"#, "/name"), (#"{"name":"x"}"#, "/grants"),
            (#"{"name":"x","grants":[]}"#, "/grants"), (#"{"name":"x","grants":[{}]}"#, "/grants/0"),
            (#"{"name":"x","grants":[{"actions":["fly"],"directors":["d"]}]}"#, "/grants/0/actions/0"),
            (#"{"name":"x","grants":[{"actions":["read"],"directors":["d"]}],"expires":1}"#, "/expires"),
            (#"{"name":"x","grants":[{"actions":["operate"]}],"expiresAt":"tomorrow"}"#, "/expiresAt"),
            (#"{"name":"x","grants":[{"actions":["operate"]}],"expiresAt":"2001-01-01T00:00:00Z"}"#, "/expiresAt"),
        ])
    func invalid(body: String, pointer: String) async throws {
        try await AccessServer.run { server in
            let answer = try server.send(server.admin, "POST", "/v1/tokens", body).expect(422)
            let faults = try #require(try answer.json["errors"] as? [[String: Any]])
            #expect(faults.first?["pointer"] as? String == pointer, "\(answer.text)")
        }
    }

    @Test("lists show what may be read, and a reload needs the right to mutate wherever it is asked for")
    func filtered() async throws {
        try await AccessServer.run { server in
            for name in ["menu-1", "menu-2", "other"] { try server.makeDirector(name) }
            let token = try server.makeToken(#"[{"actions":["read","define"],"directors":["menu-*"]}]"#).text
            let list = try server.send(token, "GET", "/v1/directors").expect(200).json
            let names = (list["directors"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
            #expect(names == ["menu-1", "menu-2"] && list["total"] as? Int == 2)
            let adapter = (target: "/v1/directors/menu-1/adapters/N", body: #"{"cell":"C"}"#)
            try server.send(token, "PUT", adapter.target, adapter.body).expect(201)
            let refused = try server.send(token, "PUT", adapter.target + "?reload=true", adapter.body).expect(403)
            #expect(refused.text.contains(#"right \"mutate\""#))
            #expect(refused.fields["www-authenticate"]?.contains(#"scope="mutate""#) == true)
            // What may not be read is answered as what is not there.
            let hidden = try server.send(token, "GET", "/v1/directors/other").expect(404).text
            let absent = try server.send(token, "GET", "/v1/directors/ghost").expect(404).text
            #expect(hidden.replacing("other", with: "ghost") == absent)
        }
    }

    @Test("an address that fails too often waits; a token that is known goes on")
    func failures() async throws {
        try await AccessServer.run { server in
            try server.makeDirector()
            var statuses: [Int] = []
            for _ in 0..<40 {
                statuses.append(try server.send(StaticToken.random().text, "GET", "/v1/directors/d").status)
            }
            #expect(statuses.first == 401 && statuses.last == 429 && statuses.count { $0 == 401 } <= 25)
            try server.send(server.admin, "GET", "/v1/directors/d").expect(200)
            // A token that no loop has seen passes too: the address may be that of a proxy.
            let other = try server.makeToken(Self.read).text
            for _ in 0..<8 { try server.send(other, "GET", "/v1/directors/d").expect(200) }
            let refused = try server.send(StaticToken.random().text, "GET", "/v1/directors/d")
            #expect(refused.status != 429 || refused.fields["retry-after"] != nil)
        }
    }

    @Test("a stream ends within two seconds of its token's end or revocation, with the reason; others go on")
    func streams() async throws {
        try await AccessServer.run { server in
            try server.makeDirector()
            let revoked = try server.makeToken(Self.read)
            let ending = try server.makeToken(Self.read, expiresAt: Int(Date().timeIntervalSince1970) + 3)
            let streams = try [revoked.text, ending.text, server.admin].map {
                try TestStream(port: server.server.port, fields: ["Authorization": "Bearer \($0)"])
            }
            for stream in streams { #expect(try stream.nextContent()?.name == "snapshot") }
            try server.send(server.admin, "DELETE", "/v1/tokens/\(revoked.id)").expect(204)
            let start = ContinuousClock.now
            for (stream, reason) in zip(streams, ["revoked", "expired"]) {
                let end = try stream.nextContent()
                #expect(try end?.name == "end" && end?.json["reason"] as? String == reason)
                #expect(try stream.next() == nil)
            }
            #expect(start.duration(to: .now) < .seconds(5))
            try server.send(server.admin, "DELETE", "/v1/directors/d/sections?reload=true").expect(204)
            #expect(try streams[2].nextContent()?.name == "changeset")
        }
    }

    @Test("a stream of several directors says which it may not have")
    func severalDirectors() async throws {
        try await AccessServer.run { server in
            for name in ["a", "b"] { try server.makeDirector(name) }
            let token = try server.token([.read], on: ["a"])
            let target = "/v1/changesets?director=a&director=b"
            let missing = try server.send(token, "GET", target, headers: ["Accept": "text/event-stream"]).expect(404)
            #expect(missing.text.contains("There is no director \\\"b\\\""))
            let stream = try TestStream(
                port: server.server.port, target: target, lastEventID: "x-v1",
                fields: ["Authorization": "Bearer \(token)"])
            let first = try stream.nextContent()
            #expect(try first?.name == "end" && first?.json["director"] as? String == "b")
            #expect(try first?.json["reason"] as? String == "forbidden")
            #expect(try stream.nextContent()?.name == "snapshot")
        }
    }
}
