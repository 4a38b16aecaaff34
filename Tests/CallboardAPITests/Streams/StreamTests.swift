import CallboardAPI
import Foundation
import HTTPTestSupport
import Testing

@Suite("Streams")
struct StreamTests {
    private func publish(_ server: TestServer, _ id: String, director: String = "d") throws {
        try server.send("POST", "/v1/directors/\(director)/sections?reload=true", #"{"id":"\#(id)"}"#).expect(201)
    }

    @Test("a stream that resumes says so and sends one changeset from its version to now, or each")
    func resume() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            try publish(server, "z")
            let first = try TestStream(port: server.port)
            let snapshot = try #require(try first.next())
            for id in ["a", "b", "c"] { try publish(server, id) }

            let one = try TestStream(port: server.port, lastEventID: snapshot.id)
            let resumed = try #require(try one.next())
            #expect(resumed.name == "resumed")
            #expect(try resumed.json["from"] as? Int == 1)
            #expect(try resumed.json["version"] as? Int == 4)
            #expect(resumed.id == snapshot.id)
            let changeset = try #require(try one.next())
            #expect(try (changeset.json["from"] as? Int, changeset.json["version"] as? Int) == (1, 4))

            let target = "/v1/directors/d/changesets?catchup=each&lastEventId=\(snapshot.id)"
            let each = try TestStream(port: server.port, target: target)
            #expect(try each.next()?.name == "resumed")
            for version in 2...4 { #expect(try each.next()?.json["version"] as? Int == version) }

            let current = try TestStream(port: server.port, lastEventID: changeset.id)
            #expect(try current.next()?.name == "resumed")
            try publish(server, "d")
            #expect(try current.next()?.json["version"] as? Int == 5)
        }
    }

    @Test(
        "the connection closes after `end`, as the head has said; a request that was sent ahead is not answered",
        .enabled(if: TestTransport.isHTTP1, "an answer of HTTP/2 ends its stream alone"))
    func endCloses() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let stream = try TestStream(port: server.port)
            #expect(stream.fields["connection"] == "close")
            #expect(try stream.next()?.name == "snapshot")
            try stream.connection.write("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try server.send("DELETE", "/v1/directors/d").expect(204)
            #expect(try stream.next()?.name == "end")
            #expect(try stream.next() == nil)
            #expect(try stream.connection.isClosed())
        }
    }

    @Test(
        "an id that the server does not know brings a snapshot that says why, at once",
        arguments: ["nonsense", "zzzzzzzzzz-3", "", "-", "a-b-c", "..", "%00"])
    func unknownIDs(_ id: String) async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let stream = try TestStream(port: server.port, lastEventID: id)
            let snapshot = try #require(try stream.next())
            #expect(snapshot.name == "snapshot")
            #expect((try snapshot.json["reset"] == nil) == id.isEmpty)
        }
    }

    @Test("a version from the future, and one of an earlier life, bring a snapshot")
    func foreignVersions() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let first = try #require(try TestStream(port: server.port).next())
            let epoch = try #require(first.id.split(separator: "-").first)
            let future = try TestStream(port: server.port, lastEventID: "\(epoch)-77")
            #expect(try (future.next()?.json["reset"] as? String)?.contains("not known") == true)
            try server.send("DELETE", "/v1/directors/d").expect(204)
            try server.makeDirector()
            let reborn = try TestStream(port: server.port, lastEventID: first.id)
            #expect(try (reborn.next()?.json["reset"] as? String)?.contains("anew") == true)
        }
    }

    @Test("several directors share a stream, whose id resumes all of them")
    func severalDirectors() async throws {
        try await TestServer.run { server in
            for name in ["a", "b", "c"] { try server.makeDirector(name) }
            let target = "/v1/changesets?director=a&director=b&director=c"
            let stream = try TestStream(port: server.port, target: target)
            var started: Set<String> = []
            for _ in 0..<3 {
                let event = try #require(try stream.next())
                #expect(event.name == "snapshot")
                started.insert(try #require(try event.json["director"] as? String))
            }
            #expect(started == ["a", "b", "c"])
            try publish(server, "x", director: "b")
            let changeset = try #require(try stream.next())
            #expect(try changeset.json["director"] as? String == "b")
            #expect(changeset.id.split(separator: ".").count == 3)

            try publish(server, "y", director: "a")
            try publish(server, "y", director: "b")
            let resumed = try TestStream(port: server.port, target: target, lastEventID: changeset.id)
            var changed: [String: Int] = [:]
            while changed.count < 2 {
                let event = try #require(try resumed.next())
                #expect(["resumed", "changeset", "definition"].contains(event.name))
                if event.name == "changeset" {
                    changed[try #require(try event.json["director"] as? String)] = try event.json["version"] as? Int
                }
            }
            #expect(changed == ["a": 1, "b": 2])
            try server.send(
                "GET", "/v1/changesets?director=nobody", headers: ["Accept": "text/event-stream"]
            ).expect(404)
        }
    }

    @Test("deleting a director ends its streams, and so does the server's shutdown")
    func ends() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let stream = try TestStream(port: server.port)
            _ = try stream.next()
            try server.send("DELETE", "/v1/directors/d").expect(204)
            let end = try #require(try stream.next())
            #expect(end.name == "end")
            #expect(try stream.next() == nil)

            try server.makeDirector()
            // SAFETY: handed to the one thread below, and not touched here until that is done.
            nonisolated(unsafe) let other = try TestStream(port: server.port)
            let id = try #require(try other.next()).id
            async let isClean = server.service.shutdown()
            let farewell = try await onThread {
                try (other.nextContent()?.name, other.lastEventID, other.next() == nil)
            }
            #expect(farewell == ("end", id, true))
            #expect(await isClean)
        }
    }

    @Test("silence is broken by heartbeats that carry version and id")
    func heartbeats() async throws {
        try await TestServer.run {
            $0.feed.heartbeat = .milliseconds(80)
        } _: { server in
            try server.makeDirector()
            try publish(server, "a")
            let stream = try TestStream(port: server.port)
            let snapshot = try #require(try stream.next())
            for _ in 0..<3 {
                let beat = try #require(try stream.next())
                #expect(beat.name == "heartbeat")
                #expect(try beat.json["version"] as? Int == 1)
                #expect(beat.id == snapshot.id)
            }
        }
    }

    @Test("snapshot=reference leaves the elements out, and snapshot=none the snapshot")
    func snapshotForms() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let body = #"[{"id":"s","elements":[{"value":{"id":"1"}}]}]"#
            try server.send("PUT", "/v1/directors/d/sections?reload=true", body).expect(200)
            let reference = try TestStream(port: server.port, target: "/v1/directors/d/changesets?snapshot=reference")
            let snapshot = try #require(try reference.next()).json
            let sections = try #require(snapshot["sections"] as? [[String: Any]])
            #expect(sections.first?["id"] as? String == "s")
            #expect(sections.first?["elements"] == nil)
            #expect(sections.first?["count"] as? Int == 1)
            #expect((snapshot["counts"] as? [String: Int])?["elements"] == 1)
            let none = try TestStream(port: server.port, target: "/v1/directors/d/changesets?snapshot=none")
            #expect(try none.next()?.name == "heartbeat")
            try publish(server, "t")
            #expect(try none.next()?.json["version"] as? Int == 2)
            // A reset cannot be left out.
            let reset = try TestStream(
                port: server.port, target: "/v1/directors/d/changesets?snapshot=none", lastEventID: "old-1")
            #expect(try reset.next()?.name == "snapshot")
        }
    }

    @Test("a snapshot without elements has the counts of sections that a read of them has, whatever is hidden")
    func referenceCounts() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let elements = #""elements":[{"value":{"id":"1"}},{"value":{"id":"2"}}]"#
            let rows =
                #""rows":[{"id":"c","type":"constant","cell":"C"},{"id":"m","type":"model","model":"M",\#(elements)}]"#
            let body =
                #"[{"id":"s",\#(elements)},{"id":"hidden","isCollapsed":true,\#(elements)},{"id":"none"},{"id":"r",\#(rows)}]"#
            try server.send("PUT", "/v1/directors/d/sections?reload=true", body).expect(200)
            let stream = try TestStream(port: server.port, target: "/v1/directors/d/changesets?snapshot=reference")
            let sections = try #require(try stream.next()?.json["sections"] as? [[String: Any]])
            #expect(sections.map { $0["count"] as? Int } == [2, 0, 0, 3])
            let read = try server.send("GET", "/v1/directors/d/sections?state=published&elements=false").json
            #expect(try canonical(read["sections"] ?? "") == canonical(sections))
        }
    }

    @Test("refreshes and changed definitions reach subscribers; one that was away learns of the definition")
    func refreshAndDefinition() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let body = #"[{"id":"s","elements":[{"value":{"id":"1"}}]}]"#
            try server.send("PUT", "/v1/directors/d/sections?reload=true", body).expect(200)
            let stream = try TestStream(port: server.port)
            let snapshot = try #require(try stream.next())
            try server.send("POST", "/v1/directors/d/refresh", #"{"indexPaths":[[0,0]]}"#).expect(200)
            let refresh = try #require(try stream.next())
            #expect(refresh.name == "refresh")
            #expect((try refresh.json["elements"] as? [[String: Any]])?.first?["at"] as? [Int] == [0, 0])
            try server.send("PATCH", "/v1/directors/d", #"{"properties":{"rowHeight":{"explicit":9}}}"#).expect(200)
            let definition = try #require(try stream.next())
            #expect(definition.name == "definition")
            let resumed = try TestStream(port: server.port, lastEventID: snapshot.id)
            #expect(try resumed.next()?.name == "resumed")
            #expect(try resumed.next()?.name == "definition")
        }
    }

    @Test(
        "an HTTP/1.0 client gets the events without chunks, and HEAD no stream",
        .enabled(if: TestTransport.isHTTP1, "HTTP/2 has no older clients"))
    func oldClients() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let connection = try TestConnection(port: server.port)
            try connection.write("GET /v1/directors/d/changesets HTTP/1.0\r\nAccept: text/event-stream\r\n\r\n")
            let (status, fields) = try connection.readHead()
            #expect(status == 200)
            #expect(fields["transfer-encoding"] == nil)
            try server.send("DELETE", "/v1/directors/d").expect(204)
            try server.makeDirector()
            let head = try server.send(
                "HEAD", "/v1/directors/d/changesets", headers: ["Accept": "text/event-stream"]
            ).expect(200)
            #expect(head.fields["content-type"] == "text/event-stream")
        }
    }

    @Test("a stream of two directors that resumes with the id of one begins the other without a reset")
    func resumeOneOfTwo() async throws {
        try await TestServer.run { server in
            for name in ["a", "b"] { try server.makeDirector(name) }
            let first = try TestStream(port: server.port, target: "/v1/directors/a/changesets")
            let id = try #require(try first.nextContent()).id
            let both = try TestStream(
                port: server.port, target: "/v1/changesets?director=a&director=b", lastEventID: id)
            for _ in 0..<3 {
                let event = try #require(try both.nextContent())
                // The adapter came at the version that is resumed from: the stream says so once more.
                if event.name == "definition" { continue }
                let director = try event.json["director"]
                let name = director as? String ?? (director as? [String: Any])?["name"] as? String
                #expect(event.name == (name == "a" ? "resumed" : "snapshot"))
                #expect(try event.json["reset"] == nil, "\(event.data)")
            }
            // Of a life that is over, the id still says so.
            try server.send("DELETE", "/v1/directors/a").expect(204)
            try server.makeDirector("a")
            let again = try TestStream(
                port: server.port, target: "/v1/changesets?director=a&director=b", lastEventID: id)
            for _ in 0..<2 { #expect(try again.nextContent()?.json["reset"] != nil) }
        }
    }

    @Test("plain curl's Accept: */* follows a director's changesets, as it does those of several")
    func wildcard() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            for accept in ["Accept: */*\r\n", "", "Accept: text/*\r\n", "Accept: application/json, */*;q=0.1\r\n"] {
                let connection = try TestConnection(port: server.port)
                try connection.write("GET /v1/directors/d/changesets HTTP/1.1\r\nHost: localhost\r\n\(accept)\r\n")
                let (status, fields) = try connection.readHead()
                #expect(status == 200 && fields["content-type"] == "text/event-stream", "\(accept)")
            }
            let changesets = "/v1/directors/d/changesets"
            for accept in ["*/*", "text/event-stream, application/json"] {
                let answer = try server.send("GET", changesets + "?since=0", headers: ["Accept": accept]).expect(200)
                #expect(answer.fields["content-type"] == "application/json")
            }
            try server.send("GET", changesets + "?since=0", headers: ["Accept": "text/event-stream"]).expect(406)
            try server.send("GET", changesets, headers: ["Accept": "application/json"]).expect(400)
        }
    }
}
