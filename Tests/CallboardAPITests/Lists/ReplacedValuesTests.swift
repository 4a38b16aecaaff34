import CallboardAPI
import Foundation
import Testing

@Suite("Values that an adapter's `content` leaves out")
struct ReplacedValuesTests {
    private static let director = "/v1/directors/d"
    private static let published = director + "/sections?state=published"
    private static let note = #"{"note":"new"}"#

    /// Two elements of an adapter that looks at `/age`, published as version 1, and what a subscriber has of them.
    private func fill(_ server: TestServer) throws -> (stream: TestStream, replica: TestReplica) {
        try server.makeDirector(content: #"["/age"]"#)
        let sections = #"""
            [{"id":"s","elements":[{"value":{"id":"a","age":1,"note":"old"}},{"value":{"id":"b","age":1,"note":"old"}}]}]
            """#
        try server.send("PUT", Self.director + "/sections?reload=true", sections).expect(200)
        let stream = try TestStream(port: server.port)
        var replica = TestReplica()
        try replica.apply(try #require(try stream.nextContent()))
        return (stream, replica)
    }

    private func content(_ answer: TestResponse) throws -> String {
        try canonical(try answer.expect(200).json["sections"] ?? "")
    }

    @Test("PATCH of another member and a reload: streams, snapshots, `?state=published` and hooks have the new value")
    func everyReader() async throws {
        try await HookReceiver.run { receiver in
            try await TestServer.run { server in
                let (stream, first) = try fill(server)
                var replica = first
                try server.send("PATCH", Self.director + "/sections/s/elements/b?reload=true", Self.note).expect(200)
                let event = try #require(try stream.nextContent())
                let changeset = try event.json
                #expect(changeset["version"] as? Int == 2 && (changeset["stages"] as? [Any])?.isEmpty == true)
                let replaced = try #require(changeset["replaced"] as? [[String: Any]])
                #expect(replaced.map { $0["at"] as? [Int] } == [[0, 1]])
                try replica.apply(event)
                let shown = try content(server.send("GET", Self.published))
                #expect(shown.contains(#""note":"new""#))
                #expect(try replica.content() == shown)
                var other = TestReplica()
                try other.apply(try #require(try TestStream(port: server.port).nextContent()))
                #expect(try other.version == 2 && other.content() == shown)
                try server.hook("didSelect", receiver.url())
                _ = try await server.report("didSelect", #""indexPath":[0,1]"#).expect(202)
                let data = try #require(try await receiver.wait(1).first?.json["data"] as? [String: Any])
                let value = (data["element"] as? [String: Any])?["value"] as? [String: Any]
                #expect(data["version"] as? Int == 2 && value?["note"] as? String == "new")
            }
        }
    }

    @Test("POST …/reload after it answers `replaced`, a second one nothing, and a dry run foresees it")
    func answers() async throws {
        try await TestServer.run { server in
            _ = try fill(server)
            let patch = #"{"op":"patchElement","section":"s","element":"a","patch":{"note":"new"}}"#
            let dryRun = try server.send(
                "POST", Self.director + "/operations", #"{"operations":[\#(patch)],"dryRun":true}"#
            ).expect(200).json
            #expect((dryRun["replaced"] as? [Any])?.count == 1)
            try server.send("POST", Self.director + "/operations", #"{"operations":[\#(patch)]}"#).expect(200)
            let first = try server.send("POST", Self.director + "/reload", "{}").expect(200).json
            #expect(first["version"] as? Int == 2 && (first["replaced"] as? [Any])?.count == 1)
            let second = try server.send("POST", Self.director + "/reload", "{}").expect(200).json
            #expect(second["version"] as? Int == 2 && second["replaced"] == nil)
        }
    }

    @Test("a client that was away over such versions, and over a restart, resumes to the values of the last reload")
    func catchUp() async throws {
        let folder = NSTemporaryDirectory() + "callboard-replaced-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var replicas: [TestReplica] = []
        var shown = ""
        try await TestServer.run(folder: folder) { server in
            let (_, replica) = try fill(server)
            replicas = [replica, replica]
            for (element, patch) in [
                ("a", #"{"age":2,"note":"passing"}"#), ("b", Self.note), ("a", #"{"age":1,"note":"last"}"#),
            ] {
                let target = Self.director + "/sections/s/elements/\(element)?reload=true"
                try server.send("PATCH", target, patch).expect(200)
            }
            try server.send(
                "POST", Self.director + "/sections/s/elements:move?reload=true", #"{"from":0,"to":1}"#
            ).expect(200)
            shown = try content(server.send("GET", Self.published))
            try resume(&replicas[0], server)
            #expect(try replicas[0].content() == shown)
        }
        try await TestServer.run(folder: folder) { server in
            #expect(try content(server.send("GET", Self.published)) == shown)
            let event = try resume(&replicas[1], server)
            #expect(try replicas[1].version == 5 && replicas[1].content() == shown)
            // The age is what it was: no cell is drawn anew.
            let stages = try #require(try event.json["stages"] as? [[String: Any]])
            #expect(stages.map { Array($0.keys) } == [["elementMoved"]])
            #expect((try event.json["replaced"] as? [Any])?.count == 2)
            let spanning = try server.send(
                "GET", Self.director + "/changesets?from=1&to=5", headers: ["Accept": "application/json"]
            ).expect(200).json
            #expect(try canonical(spanning) == canonical(event.json))
        }
    }

    /// Brings a replica up to date as a browser does that comes back.
    @discardableResult
    private func resume(_ replica: inout TestReplica, _ server: TestServer) throws -> TestEvent {
        let stream = try TestStream(port: server.port, lastEventID: "\(replica.epoch)-\(replica.version)")
        #expect(try stream.nextContent()?.name == "resumed")
        let event = try #require(try stream.nextContent())
        try replica.apply(event)
        return event
    }
}
