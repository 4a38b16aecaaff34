import CallboardAPI
import CallboardServer
import Foundation
import Testing

@Suite("What a reload answers, and when its changeset is encoded")
struct ReloadAnswerTests {
    private static let director = "/v1/directors/d"

    private func fill(_ server: TestServer, _ count: Int) throws {
        let values = (0..<count).map { #"{"value":{"id":\#($0),"n":0}}"# }.joined(separator: ",")
        try server.send("PUT", Self.director + "/sections", #"[{"id":"s","elements":[\#(values)]}]"#).expect(200)
    }

    @Test("?elements=false answers how many operations there are of each kind, and subscribers get the changeset")
    func counted() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            try fill(server, 3)
            let stream = try TestStream(port: server.port, target: Self.director + "/changesets")
            _ = try stream.next()
            let first = try server.send("POST", Self.director + "/reload?elements=false").expect(200)
            let epoch = try #require(first.json["epoch"] as? String)
            #expect(
                first.text
                    == #"{"director":"d","epoch":"\#(epoch)","from":0,"version":1,"changes":{"sectionInserted":1},"#
                    + #""counts":{"sections":1,"elements":3}}"#)
            #expect(try #require(try stream.nextContent()).data.contains(#""sectionInserted":[{"at":0"#))
            try server.send("PATCH", Self.director + "/sections/s/elements/1", #"{"n":1}"#).expect(200)
            try server.send("DELETE", Self.director + "/sections/s/elements/0").expect(204)
            let second = try server.send("POST", Self.director + "/reload?elements=false").expect(200)
            #expect(second.text.contains(#""changes":{"elementUpdated":1,"elementDeleted":1},"#))
            let none = try server.send("POST", Self.director + "/reload?elements=false").expect(200)
            #expect(none.text.contains(#""from":2,"version":2,"changes":{},"#))
            try server.send("POST", Self.director + "/reload?elements=maybe").expect(400)
        }
    }

    @Test("the answer to a reload with a key is given again as it was, and so it is after a change")
    func repeated() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            try fill(server, 200)
            func reload() throws -> String {
                try server.send("POST", Self.director + "/reload", headers: ["Idempotency-Key": "k"]).expect(200).text
            }
            let answer = try reload()
            #expect(answer.contains(#""sectionInserted""#))
            try server.send("DELETE", Self.director + "/sections/s/elements/0?reload=true").expect(204)
            #expect(try reload() == answer)
        }
    }

    @Test("a changeset too long to be retained is encoded for a subscriber, and left out where there is none")
    func tooLong() async throws {
        func adjust(_ configuration: inout CallboardConfiguration) { configuration.feed.retainedBytes = 4_096 }
        try await TestServer.run(adjust) { server in
            try server.makeDirector()
            try fill(server, 1_000)
            try server.send("POST", Self.director + "/reload?elements=false").expect(200)
            #expect(try server.send("GET", "/metrics").text.contains("callboard_changeset_bytes_total 0\n"))
            try server.send("GET", Self.director + "/changesets?since=0").expect(410)
            #expect(try server.send("GET", Self.director + "/changesets?since=1").expect(200).text.contains("[]"))

            let stream = try TestStream(port: server.port, target: Self.director + "/changesets")
            #expect(try stream.next()?.name == "snapshot")
            try fill(server, 0)
            try server.send("POST", Self.director + "/reload", headers: ["Prefer": "return=minimal"]).expect(204)
            #expect(try #require(try stream.nextContent()).data.contains(#""version":2"#))
            try fill(server, 1_000)
            try server.send("POST", Self.director + "/reload", headers: ["Prefer": "return=minimal"]).expect(204)
            let event = try #require(try stream.nextContent())
            #expect(event.data.contains(#""version":3"#) && event.data.contains(#""id":"999""#))
        }
    }
}
