import Access
import Foundation
import Testing

@testable import CallboardAPI

@Suite("Sessions of browsers")
struct SessionTests {
    private static let name = "__Host-callboard="
    private static let own = ["Origin": "http://localhost"]

    private func cookie(_ answer: TestResponse) throws -> String {
        let parts = try #require(answer.fields["set-cookie"]).split(separator: "; ")
        #expect(Set(parts.dropFirst().prefix(4)) == ["Path=/", "Secure", "HttpOnly", "SameSite=Strict"])
        return String(parts[0])
    }

    @Test("a token is put into a cookie, which then does what the token allows, and is taken back")
    func life() async throws {
        try await AccessServer.run { server in
            try server.makeDirector()
            let token = try server.token([.read, .mutate])
            let begun = try server.send(token, "POST", "/v1/session").expect(200)
            let cookie = try cookie(begun)
            #expect(cookie == Self.name + token && begun.fields["cache-control"] == "no-store")
            #expect(!begun.text.contains(token) && !(begun.fields["set-cookie"] ?? "").contains("Max-Age"))
            let session = ["Cookie": "other=1; \(cookie); last=2"]
            let path = "/v1/directors/d"
            try server.send(nil, "GET", path, headers: session).expect(200)
            let who = try server.send(nil, "GET", "/v1/session", headers: session).expect(200).json
            #expect((who["principal"] as? String)?.hasPrefix("tok_") == true && who["expiresAt"] is NSNull)
            let change = (target: path + "/variables/v", body: "1")
            let own = session.merging(Self.own) { $1 }
            try server.send(nil, "PUT", change.target, change.body, headers: own).expect(201)
            try server.send(nil, "DELETE", path, headers: own).expect(403)
            let ended = try server.send(nil, "DELETE", "/v1/session", headers: own)
            #expect(try self.cookie(ended.expect(204)) == Self.name)
            #expect(ended.fields["set-cookie"]?.hasSuffix("Max-Age=0") == true)
        }
    }

    @Test("a cookie lasts as long as its token, and one that is no good any more is taken back with the 401")
    func ends() async throws {
        try await AccessServer.run { server in
            try server.makeDirector()
            let grants = #"[{"actions":["read"],"directors":["d"]}]"#
            let token = try server.makeToken(grants, expiresAt: Int(Date().timeIntervalSince1970) + 600)
            let begun = try server.send(token.text, "POST", "/v1/session").expect(200)
            let age = try #require(begun.fields["set-cookie"]?.firstMatch(of: /Max-Age=(\d+)/)?.1)
            #expect((590...600).contains(Int(age) ?? 0))
            let session = ["Cookie": try cookie(begun)]
            try server.send(nil, "GET", "/v1/directors/d", headers: session).expect(200)
            try server.send(server.admin, "DELETE", "/v1/tokens/\(token.id)").expect(204)
            let refused = try server.send(nil, "GET", "/v1/directors/d", headers: session).expect(401)
            #expect(try cookie(refused) == Self.name && refused.fields["set-cookie"]?.contains("Max-Age=0") == true)
            // What Authorization says comes first, so that a page can begin another session.
            try server.send(server.admin, "POST", "/v1/session", headers: session).expect(200)
            let other = try server.send(token.text, "GET", "/v1/directors/d").expect(401)
            #expect(other.fields["set-cookie"] == nil)
        }
    }

    @Test(
        "a change by a cookie has to come from the server's own page, or from a named origin",
        arguments: [
            (["Origin": "http://localhost"], 201), (["Origin": "https://app.example"], 201),
            (["Sec-Fetch-Site": "same-origin"], 201), ([:], 403), (["Sec-Fetch-Site": "same-site"], 403),
            (["Sec-Fetch-Site": "cross-site"], 403), (["Sec-Fetch-Site": "none"], 403),
            (["Origin": "http://localhost:81"], 403), (["Origin": "https://evil.example"], 403),
            (["Origin": "null"], 403),
            (["Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"], 403),
        ])
    func pages(fields: [String: String], status: Int) async throws {
        try await AccessServer.run {
            $0.cors.origins = ["https://app.example"]
        } _: { server in
            try server.makeDirector()
            let session = ["Cookie": Self.name + server.admin]
            let headers = session.merging(fields) { $1 }
            try server.send(nil, "PUT", "/v1/directors/d/variables/v", "1", headers: headers).expect(status)
            // Reading is open: the browser keeps the answer from a page that is not named.
            let read = try server.send(nil, "GET", "/v1/directors/d", headers: headers).expect(200)
            let isNamed = fields["Origin"] == "https://app.example"
            #expect((read.fields["access-control-allow-credentials"] == "true") == isNamed)
        }
    }

    @Test("where any origin may call, none may with a cookie; nor may an unencrypted page of the same host")
    func anyOrigin() async throws {
        try await AccessServer.run {
            $0.cors.origins = ["*"]
            $0.allowedHosts = ["board.example"]
        } _: { server in
            try server.makeDirector()
            let session = ["Cookie": Self.name + server.admin]
            for (host, origin, status) in [
                ("localhost", "https://app.example", 403), ("localhost", "http://localhost", 201),
                ("board.example", "http://board.example", 403), ("board.example", "https://board.example", 200),
            ] {
                let headers = session.merging(["Host": host, "Origin": origin]) { $1 }
                let answer = try server.send(nil, "PUT", "/v1/directors/d/variables/v", "1", headers: headers)
                #expect(answer.status == status, "\(host) \(origin): \(answer.text)")
                #expect(answer.fields["access-control-allow-credentials"] == nil)
            }
        }
    }

    @Test("without a token there is no session; a token that no cookie holds is 422; two cookies are 400")
    func refusals() async throws {
        try await AccessServer.run { server in
            try server.send(nil, "POST", "/v1/session").expect(401)
            let session = ["Cookie": Self.name + server.admin].merging(Self.own) { $1 }
            try server.send(nil, "POST", "/v1/session", headers: session).expect(401)
            let two = ["Cookie": Self.name + server.admin + "; " + Self.name + server.admin]
            try server.send(nil, "GET", "/v1/session", headers: two).expect(400)
            let anonymous = try server.send(nil, "GET", "/v1/session", headers: ["Cookie": "a=b; __Host-callboard"])
            #expect(try anonymous.expect(200).json["principal"] as? String == "anonymous")
        }
        try await TestServer.run { server in
            let answer = try server.send("POST", "/v1/session", headers: ["Authorization": "Bearer x"]).expect(200)
            #expect(answer.fields["set-cookie"] == nil)
            #expect(try answer.json["principal"] as? String == "everybody")
        }
    }
}

@Suite("Tickets for streams")
struct StreamTicketTests {
    private func ticket(_ server: AccessServer, _ token: String?, _ names: String...) throws -> String {
        let list = names.map { "\"\($0)\"" }.joined(separator: ",")
        let answer = try server.send(token, "POST", "/v1/stream-tickets", "{\"directors\":[\(list)]}").expect(201)
        #expect(answer.fields["cache-control"] == "no-store")
        return try #require(try answer.json["ticket"] as? String)
    }

    @Test("a ticket opens streams of its directors, and nothing else")
    func use() async throws {
        try await AccessServer.run { server in
            for name in ["d", "other"] { try server.makeDirector(name) }
            let ticket = try ticket(server, server.admin, "d", "d")
            let stream = try TestStream(
                port: server.server.port, target: "/v1/directors/d/changesets?ticket=\(ticket)")
            #expect(try stream.nextContent()?.name == "snapshot")
            let shared = try TestStream(
                port: server.server.port, target: "/v1/changesets?director=d&ticket=\(ticket)")
            #expect(try shared.nextContent()?.name == "snapshot")
            for (method, target, status) in [
                ("GET", "/v1/directors/other/changesets?ticket=", 404),
                ("GET", "/v1/directors/d/changesets?since=0&ticket=", 400),
                ("GET", "/v1/directors/d?ticket=", 400), ("GET", "/v1/session?ticket=", 400),
                ("GET", "/v1/tokens?ticket=", 403), ("POST", "/v1/directors/d/reload?ticket=", 401),
                ("DELETE", "/v1/directors/d?ticket=", 401), ("POST", "/v1/session?ticket=", 400),
                ("GET", "/v1/changesets?director=d&director=other&ticket=", 404),
            ] {
                let accept = target.contains("changesets?d") ? "text/event-stream" : "*/*"
                let answer = try server.send(nil, method, target + ticket, headers: ["Accept": accept])
                #expect(answer.status == status, "\(method) \(target): \(answer.text)")
                #expect(!answer.text.contains(ticket))
            }
            // With Authorization, the ticket is not looked at.
            try server.send("cbt_no", "GET", "/v1/directors/d/changesets?ticket=" + ticket).expect(401)
        }
    }

    @Test("a ticket gives no more than its maker's right to read, and its streams end with the maker's token")
    func bounds() async throws {
        try await AccessServer.run { server in
            for name in ["d", "other"] { try server.makeDirector(name) }
            let reader = try server.makeToken(#"[{"actions":["read"],"directors":["d"]}]"#)
            let body = #"{"directors":["d","other"]}"#
            try server.send(reader.text, "POST", "/v1/stream-tickets", body).expect(404)
            try server.send(server.token([.mutate]), "POST", "/v1/stream-tickets", #"{"directors":["d"]}"#).expect(403)
            let ticket = try ticket(server, reader.text, "d")
            let target = "/v1/directors/d/changesets?ticket=" + ticket
            let stream = try TestStream(port: server.server.port, target: target)
            #expect(try stream.nextContent()?.name == "snapshot")
            try server.send(server.admin, "DELETE", "/v1/tokens/\(reader.id)").expect(204)
            let end = try stream.nextContent()
            #expect(try end?.name == "end" && end?.json["reason"] as? String == "revoked")
            let accept = ["Accept": "text/event-stream"]
            try server.send(nil, "GET", target, headers: accept).expect(401)
            let forged = try server.send(nil, "GET", target.dropLast(4) + "AAAA", headers: accept).expect(401)
            #expect(forged.fields["www-authenticate"]?.contains("ticket is not known") == true)
        }
    }

    @Test(
        "a body that means nothing is 422 with its pointer",
        arguments: [
            ("[]", ""), ("{}", "/directors"), (#"{"directors":"d"}"#, "/directors"),
            (#"{"directors":[]}"#, "/directors"),
            (#"{"directors":[1]}"#, "/directors/0"), (#"{"directors":["d",""]}"#, "/directors/1"),
            (#"{"directors":["d"],"for":1}"#, "/for"),
        ])
    func invalid(body: String, pointer: String) async throws {
        try await AccessServer.run { server in
            let answer = try server.send(server.admin, "POST", "/v1/stream-tickets", body).expect(422)
            let faults = try #require(try answer.json["errors"] as? [[String: Any]])
            #expect(faults.first?["pointer"] as? String == pointer, "\(answer.text)")
        }
    }

    @Test("who needs no credential gets a ticket all the same")
    func everybody() async throws {
        try await TestServer.run { server in
            try server.send("PUT", "/v1/directors/d", #"{"kind":"table"}"#)
            let answer = try server.send("POST", "/v1/stream-tickets", #"{"directors":["d"]}"#).expect(201)
            let ticket = try #require(try answer.json["ticket"] as? String)
            let stream = try TestStream(port: server.port, target: "/v1/directors/d/changesets?ticket=\(ticket)")
            #expect(try stream.nextContent()?.name == "snapshot")
        }
    }
}
