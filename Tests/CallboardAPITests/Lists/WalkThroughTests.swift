import Foundation
import Testing

@Suite("The main job, end to end")
struct WalkThroughTests {
    @Test("a list changed over REST arrives at a subscriber as a staged changeset")
    func mainJob() async throws {
        try await TestServer.run { server in
            try server.makeDirector(identifier: "{firstName}_{lastName}", content: #"["/age"]"#)
            try server.send(
                "POST", "/v1/directors/d/sections?reload=true",
                #"{"id":"people","headerTitle":"People","elements":[{"value":{"firstName":"John","lastName":"Doe","age":41}}]}"#
            ).expect(201)

            let stream = try TestStream(port: server.port)
            var replica = TestReplica()
            let snapshot = try #require(try stream.next())
            #expect(snapshot.name == "snapshot")
            try replica.apply(snapshot)
            #expect(replica.version == 1)
            #expect(replica.sections.first?.elements.first?["id"] as? String == "John_Doe")

            let patch = try server.send(
                "PATCH", "/v1/directors/d/sections/people/elements/John_Doe?reload=true", #"{"age":42}"#
            ).expect(200)
            #expect(
                patch.text
                    == #"{"id":"John_Doe","model":"M","value":{"firstName":"John","lastName":"Doe","age":42},"#
                    + #""section":"people","indexPath":[0,0]}"#)
            let changeset = try #require(try stream.next())
            #expect(changeset.name == "changeset")
            let stages = try #require(try changeset.json["stages"] as? [[String: Any]])
            #expect(stages.map { $0.keys.sorted() } == [["elementUpdated"]])
            try replica.apply(changeset)
            let published = try server.send("GET", "/v1/directors/d/sections?state=published").json
            #expect(try replica.content() == canonical(published["sections"] ?? ""))
            #expect(stream.fields["cache-control"] == "no-store, no-transform")
            #expect(stream.fields["x-accel-buffering"] == "no")
            #expect((1000...5000).contains(stream.retry ?? 0))
        }
    }
}
