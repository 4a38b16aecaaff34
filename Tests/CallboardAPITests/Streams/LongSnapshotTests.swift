import CallboardAPI
import Foundation
import TestSupport
import Testing

@Suite("Snapshots of long lists", .serialized)
struct LongSnapshotTests {
    private static let count = 8_000

    /// Publishes a director with one section, of which a snapshot has some two megabytes.
    private func fill(_ server: TestServer, _ name: String = "d") throws {
        try server.makeDirector(name)
        try server.send("PUT", "/v1/directors/\(name)/sections", #"[{"id":"s"},{"id":"t"}]"#).expect(200)
        let text = String(repeating: "x", count: 200)
        for start in stride(from: 0, to: Self.count, by: 4_000) {
            let values = (start..<start + 4_000).map { #"{"id":\#($0),"text":"\#(text)"}"# }.joined(separator: ",")
            let target = "/v1/directors/\(name)/sections/s/elements?model=M"
            try server.send("POST", target, "[\(values)]", headers: ["Prefer": "return=minimal"]).expect(204)
        }
        try server.send("POST", "/v1/directors/\(name)/reload", headers: ["Prefer": "return=minimal"]).expect(204)
    }

    /// The snapshot as its parts are read: the one without elements, with the sections as they are read by themselves.
    private func expected(_ server: TestServer, _ name: String = "d") throws -> String {
        let stream = try TestStream(port: server.port, target: "/v1/directors/\(name)/changesets?snapshot=reference")
        let reference = try #require(try stream.nextContent()).data
        let start = try #require(reference.range(of: #""sections":[{"#)).lowerBound
        let sections = try ["s", "t"].map {
            try server.send("GET", "/v1/directors/\(name)/sections/\($0)?state=published").expect(200).text
        }
        return reference[..<start] + #""sections":["# + sections.joined(separator: ",") + "]}"
    }

    @Test("the snapshot is its parts, byte by byte; one that begins anew has the reason at its end")
    func bytes() async throws {
        try await TestServer.run { server in
            try fill(server)
            let expected = try expected(server)
            #expect(expected.utf8.count > 3 << 19)
            let first = try #require(try TestStream(port: server.port).nextContent())
            #expect(first.name == "snapshot" && first.data == expected)
            let again = try #require(try TestStream(port: server.port, lastEventID: "unknown").nextContent())
            #expect(again.data == expected.dropLast() + #","reset":"the id is not one of this server's"}"#)
            #expect(again.id == first.id)
        }
    }

    @Test("a stream of two long directors has both snapshots, and ids of both")
    func several() async throws {
        try await TestServer.run { server in
            try fill(server, "a")
            try fill(server, "b")
            let stream = try TestStream(port: server.port, target: "/v1/changesets?director=a&director=b")
            var snapshots: Set<String> = []
            for _ in 0..<2 { snapshots.insert(try #require(try stream.nextContent()).data) }
            #expect(snapshots == [try expected(server, "a"), try expected(server, "b")])
            #expect(stream.lastEventID.split(separator: ".").count == 2)
            try server.send("DELETE", "/v1/directors/b/sections/s/elements/@0?reload=true").expect(204)
            let change = try #require(try stream.nextContent())
            #expect(try change.json["director"] as? String == "b")
            #expect(change.id.split(separator: ".").count == 2)
            let resumed = try TestStream(
                port: server.port, target: "/v1/changesets?director=a&director=b", lastEventID: change.id)
            for _ in 0..<2 { #expect(try #require(try resumed.nextContent()).name == "resumed") }
        }
    }

    @Test(
        "changes while a client has read only the beginning come after the snapshot: each once, or one for all of them",
        arguments: [3, 70])
    func changes(count: Int) async throws {
        try await TestServer.run { server in
            try fill(server)
            let expected = try expected(server)
            let stream = try TestStream(port: server.port)
            // What the kernel holds for a client that does not read is less than the snapshot.
            for change in 1...count {
                try server.send(
                    "PATCH", "/v1/directors/d/sections/s/elements/\(change)?reload=true", #"{"text":"\#(change)"}"#
                ).expect(200)
            }
            let snapshot = try #require(try stream.nextContent())
            var replica = TestReplica()
            try replica.apply(snapshot)
            // It began before the changes, or between two of them.
            let first = try #require(try snapshot.json["version"] as? Int)
            if first == 1 { #expect(snapshot.data == expected) }
            var events = 0
            while replica.version < count + 1 {
                try replica.apply(try #require(try stream.nextContent()))
                events += 1
            }
            #expect(events <= count + 1 - first + 1)
            let published = try server.send("GET", "/v1/directors/d/sections?state=published").json
            #expect(try replica.content() == canonical(published["sections"] ?? ""))
            try server.send("DELETE", "/v1/directors/d/sections/s/elements/@0?reload=true").expect(204)
            #expect(try #require(try stream.nextContent()).json["version"] as? Int == count + 2)
        }
    }

    @Test("a client that missed long changes gets one changeset, the same that a read spans them with")
    func missed() async throws {
        try await TestServer.run { server in
            try fill(server)
            let first = try TestStream(port: server.port)
            _ = try #require(try first.nextContent())
            let text = String(repeating: "y", count: 200)
            let values = (0..<Self.count).map { #"{"id":\#($0),"text":"\#(text)"}"# }.joined(separator: ",")
            try server.send(
                "PUT", "/v1/directors/d/sections/s/elements?model=M&reload=true", "[\(values)]",
                headers: ["Prefer": "return=minimal"]
            ).expect(204)
            // Several at once, so that one comparison is shared.
            let streams = try (0..<3).map { _ in try TestStream(port: server.port, lastEventID: first.lastEventID) }
            let spanning = try server.send("GET", "/v1/directors/d/changesets?from=1&to=2").expect(200).text
            #expect(spanning.utf8.count > 1 << 20)
            for stream in streams {
                #expect(try #require(try stream.nextContent()).name == "resumed")
                let change = try #require(try stream.nextContent())
                #expect(change.name == "changeset" && change.data == spanning)
            }
            try server.send("DELETE", "/v1/directors/d/sections/s/elements/@0?reload=true").expect(204)
            for stream in streams {
                #expect(try #require(try stream.nextContent()).json["version"] as? Int == 3)
            }
        }
    }

    @Test("a long section is answered whole, with its length, also where the client waits to read it")
    func section() async throws {
        try await TestServer.run { server in
            try fill(server)
            let elements = try server.send("GET", "/v1/directors/d/sections/s/elements?limit=10000").expect(200).json
            #expect((elements["elements"] as? [Any])?.count == Self.count)
            let head = try server.send("HEAD", "/v1/directors/d/sections/s").expect(200)
            let whole = try server.send("GET", "/v1/directors/d/sections/s").expect(200)
            #expect(head.fields["content-length"] == "\(whole.text.utf8.count)")
            let section = try whole.json
            #expect((section["elements"] as? [Any])?.count == Self.count)
            let tag = try #require(whole.fields["etag"])
            try server.send("GET", "/v1/directors/d/sections/s", headers: ["If-None-Match": tag]).expect(304)
            let page = try server.send("GET", "/v1/directors/d/elements?model=M&offset=7999").expect(200).json
            #expect(page["total"] as? Int == Self.count && (page["elements"] as? [Any])?.count == 1)
        }
    }

    @Test("clients that leave in the middle of a snapshot leave nothing that is charged, and the list can go")
    func leaving() async throws {
        try await TestServer.run { server in
            try fill(server)
            do {
                let streams = try (0..<5).map { _ in try TestStream(port: server.port) }
                #expect(streams.count == 5)
            }
            try server.send("DELETE", "/v1/directors/d").expect(204)
            try await eventually("nothing is charged") {
                (try? server.send("GET", "/metrics").text.contains("\ncallboard_buffered_bytes 0\n")) == true
            }
            try fill(server)
            #expect(try TestStream(port: server.port).nextContent()?.data == expected(server))
        }
    }
}
