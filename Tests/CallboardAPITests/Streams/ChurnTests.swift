import CallboardAPI
import Foundation
import Testing

@Suite("A director that is deleted and created again")
struct ChurnTests {
    @Test("PUT never finds it gone, streams begin or end, and nothing is left waiting")
    func churn() async throws {
        try await TestServer.run { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { try await onThread { try Self.createAndDelete(server) } }
                }
                for _ in 0..<3 {
                    group.addTask { try await onThread { try Self.follow(server) } }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func createAndDelete(_ server: TestServer) throws {
        let connection = try TestConnection(port: server.port)
        for _ in 0..<200 {
            let put = try connection.send("PUT", "/v1/directors/d", #"{"kind":"table"}"#)
            #expect([200, 201].contains(put.status), "\(put.text)")
            let added = try connection.send("POST", "/v1/directors/d/sections?reload=true", "{}")
            #expect([201, 404].contains(added.status), "\(added.text)")
            let deleted = try connection.send("DELETE", "/v1/directors/d")
            #expect([204, 404].contains(deleted.status), "\(deleted.text)")
        }
    }

    private static func follow(_ server: TestServer) throws {
        var lastID: String?
        for _ in 0..<100 {
            let stream: TestStream
            do {
                stream = try TestStream(port: server.port, lastEventID: lastID)
            } catch {
                continue
            }
            var replica = TestReplica()
            var names: [String] = []
            // One of the four deletes what it has created before it comes to its end, so every stream ends.
            while let event = try stream.nextContent() {
                names.append(event.name)
                if event.name == "resumed" { break }
                try replica.apply(event)
            }
            guard names.last == "resumed" || names.last == "end" else {
                throw TestClientError(description: "ended with \(names)")
            }
            if !stream.lastEventID.isEmpty { lastID = stream.lastEventID }
        }
    }

    @Test("a stream of several goes on when one is deleted, and a client that comes back is told which are gone")
    func severalWithOneDeleted() async throws {
        try await TestServer.run { server in
            for name in ["a", "b"] { try server.makeDirector(name) }
            let target = "/v1/changesets?director=a&director=b"
            let stream = try TestStream(port: server.port, target: target)
            for _ in 0..<2 { #expect(try stream.next()?.name == "snapshot") }
            try server.send("DELETE", "/v1/directors/a").expect(204)
            let end = try #require(try stream.nextContent())
            #expect(end.name == "end")
            #expect(try end.json["director"] as? String == "a")
            try server.send("POST", "/v1/directors/b/sections?reload=true", #"{"id":"s"}"#).expect(201)
            let changeset = try #require(try stream.nextContent())
            #expect(changeset.name == "changeset")

            let back = try TestStream(port: server.port, target: target, lastEventID: end.id)
            let told = try #require(try back.next())
            #expect(told.name == "end")
            #expect(try told.json["director"] as? String == "a")
            #expect(told.id == end.id || !told.id.isEmpty)
            #expect(try back.next()?.name == "resumed")
            var caughtUp = try #require(try back.next())
            if caughtUp.name == "definition" { caughtUp = try #require(try back.next()) }
            #expect(try caughtUp.json["version"] as? Int == 1)

            try server.send("GET", target, headers: ["Accept": "text/event-stream"]).expect(404)
            try server.send("DELETE", "/v1/directors/b").expect(204)
            try server.send("GET", target, headers: ["Last-Event-ID": changeset.id]).expect(404)
        }
    }
}
