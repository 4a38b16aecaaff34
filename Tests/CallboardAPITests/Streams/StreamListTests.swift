import Access
import CallboardAPI
import Foundation
import HTTPTestSupport
import Testing

@Suite("The list of streams")
struct StreamListTests {
    private func streams(_ server: TestServer, _ query: String = "") throws -> [[String: Any]] {
        let answer = try server.send("GET", "/v1/streams" + query).expect(200).json
        return try #require(answer["streams"] as? [[String: Any]])
    }

    private func names(_ stream: [String: Any]) -> [String] {
        (stream["directors"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }

    @Test("streams of all loops are listed, oldest first, by page and by director")
    func list() async throws {
        try await TestServer.run { server in
            for name in ["a", "b"] { try server.makeDirector(name) }
            #expect(try streams(server).isEmpty)
            var open: [TestStream] = []
            for target in ["directors/a/changesets", "directors/b/changesets", "changesets?director=a&director=b"] {
                open.append(try TestStream(port: server.port, target: "/v1/" + target))
                #expect(try open.last?.next()?.name == "snapshot")
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(try open[2].next()?.name == "snapshot")
            let all = try streams(server)
            #expect(all.map(names) == [["a"], ["b"], ["a", "b"]])
            for stream in all {
                #expect(stream["address"] as? String == "127.0.0.1")
                #expect(stream["protocol"] as? String == (TestTransport.isHTTP2 ? "h2" : "http/1.1"))
                #expect(stream["principal"] is NSNull)
                let since = try #require(stream["since"] as? String)
                let date = try Date(since, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
                #expect((-60...60).contains(date.timeIntervalSinceNow))
                for director in stream["directors"] as? [[String: Any]] ?? [] {
                    #expect(director["version"] as? Int == 0 && director["lag"] as? Int == 0)
                }
            }
            #expect(try streams(server, "?director=b").map(names) == [["b"], ["a", "b"]])
            #expect(try streams(server, "?director=nobody").isEmpty)
            let page = try server.send("GET", "/v1/streams?offset=1&limit=1").json
            #expect(page["total"] as? Int == 3 && page["offset"] as? Int == 1 && page["limit"] as? Int == 1)
            #expect((page["streams"] as? [[String: Any]])?.map(names) == [["b"]])
            try server.send("GET", "/v1/streams?limit=0x1").expect(400)
            try server.send("DELETE", "/v1/directors/b").expect(204)
            #expect(try open[2].nextContent()?.name == "end")
            #expect(try streams(server).last.map(names) == ["a"])
            withExtendedLifetime(open) {}
        }
    }

    @Test("a stream that does not read lags, and catches up once it does")
    func lag() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let stream = try TestStream(port: server.port)
            _ = try stream.next()
            let text = String(repeating: "x", count: 200_000)
            func position() throws -> (version: Int, lag: Int) {
                let one = try #require(try streams(server).first?["directors"] as? [[String: Any]]).first
                return (try #require(one?["version"] as? Int), try #require(one?["lag"] as? Int))
            }
            var published = 0
            // Any stream is behind by a version for a moment.
            var (version, lag) = try position()
            while lag < 5, published < 500 {
                try server.send(
                    "PUT", "/v1/directors/d/sections?reload=true",
                    #"[{"id":"s","elements":[{"model":"M","value":{"id":"\#(published)","t":"\#(text)"}}]}]"#
                ).expect(200)
                published += 1
                (version, lag) = try position()
            }
            #expect(lag == 5 && version + lag == published)
            while try stream.nextContent()?.json["version"] as? Int != published {}
            #expect(try position() == (published, 0))
        }
    }

    @Test("a stream that is ended is told so, and comes back where it was")
    func ended() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            func list() throws -> [String] { try streams(server).compactMap { $0["id"] as? String } }
            let one = try TestStream(port: server.port)
            let id = try #require(try one.next()).id
            var ids = try list()
            let other = try TestStream(port: server.port)
            _ = try other.next()
            // Streams that were opened in the same millisecond are in any order.
            ids += try list().filter { $0 != ids.first }
            try #require(Set(ids).count == 2)
            try server.send("DELETE", "/v1/streams/\(ids[0])").expect(204)
            let end = try #require(try one.nextContent())
            #expect(end.name == "end")
            #expect(try end.json["reason"] as? String == "closed")
            #expect(try one.next() == nil)
            try server.send("POST", "/v1/directors/d/sections?reload=true", "{}").expect(201)
            #expect(try other.nextContent()?.name == "changeset")
            let again = try TestStream(port: server.port, lastEventID: id)
            #expect(try again.next()?.name == "resumed")
            // The director was defined at the version that the stream had.
            #expect(try again.next()?.name == "definition")
            #expect(try again.next()?.name == "changeset")
            let left = try list()
            #expect(left.count == 2 && left.contains(ids[1]) && !left.contains(ids[0]))
            for unknown in [ids[0], "x", ids[1] + "0", "0" + ids[1], ids[1].uppercased() + "_", "%20"] {
                let answer = try server.send("DELETE", "/v1/streams/\(unknown)").expect(404)
                #expect(answer.text.contains("There is no stream"))
            }
        }
    }

    @Test("the list says whose streams are open, and is for operators alone")
    func principals() async throws {
        try await AccessServer.run { server in
            try server.makeDirector()
            let token = try server.makeToken(#"[{"actions":["read"],"directors":["d"]}]"#, name: "kitchen")
            let stream = try TestStream(
                port: server.server.port, fields: ["Authorization": "Bearer \(token.text)"])
            _ = try stream.next()
            try server.send(token.text, "GET", "/v1/streams").expect(403)
            try server.send(nil, "GET", "/v1/streams").expect(401)
            let operate = try server.token([.operate])
            let listed = try server.send(operate, "GET", "/v1/streams").expect(200)
            #expect(!listed.text.contains("cbt_"))
            let all = try #require(try listed.json["streams"] as? [[String: Any]])
            let principal = try #require(all.first?["principal"] as? [String: Any])
            #expect(principal["kind"] as? String == "token")
            #expect((principal["name"] as? String)?.contains("kitchen") == true)
            let id = try #require(all.first?["id"] as? String)
            try server.send(token.text, "DELETE", "/v1/streams/\(id)").expect(403)
            try server.send(operate, "DELETE", "/v1/streams/\(id)").expect(204)
            #expect(try stream.nextContent()?.json["reason"] as? String == "closed")
        }
    }
}
