import CallboardAPI
import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite("With a journal that takes its time")
struct SlowJournalTests {
    @Test("what is published while earlier changes are being stored reaches streams in order, ids never going back")
    func order() async throws {
        try await TestServer.run(journal: SlowJournal(milliseconds: 2)) { server in
            try server.makeDirector()
            let stream = try TestStream(port: server.port)
            var replica = TestReplica()
            try replica.apply(try #require(try stream.next()))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        try await onThread {
                            let connection = try TestConnection(port: server.port)
                            for round in 0..<40 {
                                let number = writer * 1000 + round + 1
                                let section = #"{"id":"s\#(number)"}"#
                                try connection.send("POST", "/v1/directors/d/sections?reload=true", section).expect(201)
                                let patch = #"{"properties":{"rowHeight":{"explicit":\#(number)}}}"#
                                try connection.send("PATCH", "/v1/directors/d", patch).expect(200)
                                if round % 8 == 0 {
                                    try connection.send("POST", "/v1/directors/d/refresh").expect(200)
                                }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            while replica.version < 160 {
                let event = try #require(try stream.next())
                try replica.apply(event)
                #expect(event.id == "\(replica.epoch)-\(replica.version)", "\(event.name)")
            }
            let published = try server.send("GET", "/v1/directors/d/sections?state=published&limit=10000").json
            #expect(try replica.content() == canonical(published["sections"] ?? ""))
        }
    }

    @Test("a key that is repeated while the first request is being stored is refused, and then answered as before")
    func repeatedKey() async throws {
        let journal = HeldJournal()
        try await TestServer.run(journal: journal) { server in
            try server.makeDirector()
            let headers = ["Idempotency-Key": "k"]
            journal.hold()
            async let first = onThread {
                try server.send("POST", "/v1/directors/d/sections", #"{"id":"s"}"#, headers: headers).status
            }
            try await eventually("the record is there") { journal.waiting == 1 }
            for _ in 0..<3 {
                let refused = try server.send("POST", "/v1/directors/d/sections", #"{"id":"s"}"#, headers: headers)
                refused.expect(409)
                // Clients go by these: anything else that a server refuses with 409 is for good.
                #expect(try refused.json["type"] as? String == ProblemKind.inProgress.type)
                #expect(refused.fields["retry-after"] == "1")
            }
            journal.settle()
            #expect(try await first == 201)
            try server.send("POST", "/v1/directors/d/sections", #"{"id":"s"}"#, headers: headers).expect(201)
            #expect(try server.send("GET", "/v1/directors/d").json["revision"] as? Int == 2)
        }
    }
}
