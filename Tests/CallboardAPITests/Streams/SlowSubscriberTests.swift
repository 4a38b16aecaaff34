import CallboardAPI
import CallboardServer
import Foundation
import Testing

@Suite("Subscribers that do not keep up")
struct SlowSubscriberTests {
    /// What a stream gets that reads nothing while 120 versions of 200 kB each are published, far more than the
    /// kernel's buffers hold.
    private func eventsAfterStall(_ adjust: (inout CallboardConfiguration) -> Void) async throws -> [String] {
        var names: [String] = []
        try await TestServer.run(adjust) { server in
            try server.makeDirector()
            let sections = #"[{"id":"s","elements":[{"value":{"id":"e"}}]}]"#
            try server.send("PUT", "/v1/directors/d/sections?reload=true", sections).expect(200)
            let slow = try TestStream(port: server.port)
            let quick = try TestStream(port: server.port)
            var replica = TestReplica()
            try replica.apply(try #require(try slow.nextContent()))
            _ = try quick.nextContent()
            let writer = try TestConnection(port: server.port)
            let filling = String(repeating: "x", count: 200_000)
            for version in 2...121 {
                let patch = #"{"text":"\#(filling)","n":\#(version)}"#
                try writer.send("PATCH", "/v1/directors/d/sections/s/elements/e?reload=true", patch).expect(200)
                // The quick one is not held up by the slow one.
                let event = try #require(try quick.nextContent())
                #expect(try event.json["version"] as? Int == version)
            }
            while replica.version < 121 {
                let event = try #require(try slow.nextContent())
                names.append(event.name)
                try replica.apply(event)
            }
            let published = try writer.send("GET", "/v1/directors/d/sections?state=published").json
            #expect(try replica.content() == canonical(published["sections"] ?? ""))
        }
        return names
    }

    @Test("one that falls out of the feed gets one changeset from its version to now")
    func catchesUp() async throws {
        let names = try await eventsAfterStall { $0.feed.window = 8 }
        #expect(names.count < 100)
        #expect(names.last == "changeset")
        #expect(!names.contains("snapshot"))
    }

    @Test("one whose version is no longer retained gets a snapshot that says why")
    func isReset() async throws {
        let names = try await eventsAfterStall {
            $0.feed.window = 8
            $0.feed.retainedVersions = 8
        }
        #expect(names.count < 100)
        #expect(names.last == "snapshot")
    }

    @Test("the replica of these tests refuses a changeset that comes twice, and one that was skipped")
    func replicaCatchesFaults() throws {
        let snapshot = TestEvent(
            name: "snapshot", data: #"{"epoch":"a","version":1,"sections":[{"id":"s","elements":[]}]}"#, id: "a-1")
        func changeset(_ from: Int, _ to: Int, elements: Int) -> TestEvent {
            TestEvent(
                name: "changeset",
                data: """
                    {"epoch":"a","from":\(from),"version":\(to),"counts":{"sections":1,"elements":\(elements)},
                    "stages":[{"elementInserted":[{"at":[0,0],"element":{"id":"\(to)"}}]}]}
                    """, id: "a-\(to)")
        }
        var replica = TestReplica()
        try replica.apply(snapshot)
        try replica.apply(changeset(1, 2, elements: 1))
        for fault in [changeset(1, 2, elements: 1), changeset(3, 4, elements: 2), changeset(2, 3, elements: 7)] {
            var copy = replica
            #expect(throws: TestClientError.self) { try copy.apply(fault) }
        }
    }
}
