import CallboardAPI
import DirectorLife
import Foundation
import Journal
import TestSupport
import Testing

@Suite("When storing fails or takes its time")
struct FailingJournalTests {
    private static let sections = "/v1/directors/d/sections"

    /// Sends requests on connections of their own, and waits until the journal has them, but for one that has no record.
    private func sendWhileHeld(
        _ requests: [(method: String, target: String, body: String?)], _ server: TestServer, _ journal: HeldJournal,
        besides other: Int? = nil, then settle: () throws -> Void
    ) async throws -> [Int] {
        try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for (index, request) in requests.enumerated() {
                let before = journal.waiting
                group.addTask {
                    try await onThread {
                        (index, try server.send(request.method, request.target, request.body).status)
                    }
                }
                // One after the other, so that the order of the records is known.
                if index != other { try await eventually("the record is there") { journal.waiting > before } }
            }
            try settle()
            return try await group.reduce(into: Array(repeating: 0, count: requests.count)) { $0[$1.0] = $1.1 }
        }
    }

    @Test("a full journal answers 507, one that cannot be written 503, and nothing has changed then")
    func failures() async throws {
        let journal = HeldJournal()
        try await TestServer.run(journal: journal) { server in
            try server.makeDirector()
            try server.send("POST", Self.sections + "?reload=true", #"{"id":"kept"}"#).expect(201)
            let before = try server.send("GET", "/v1/directors/d").text
            for (failure, status) in [(StorageError.full("no space"), 507), (.unavailable("i/o error"), 503)] {
                journal.settle(failing: failure)
                for (method, target, body) in Self.mutations {
                    let answer = try server.send(method, target, body).expect(status)
                    #expect(answer.fields["content-type"] == "application/problem+json")
                }
                try server.send("PUT", "/v1/directors/new", #"{"kind":"table"}"#).expect(status)
                try server.send("GET", "/v1/directors/new").expect(404)
                #expect(try server.send("GET", "/v1/directors/d").text == before)
                #expect(try server.send("GET", "/v1/directors").json["total"] as? Int == 1)
                #expect(try server.send("GET", "/readyz").expect(503).text.contains("cannot be written"))
            }
            journal.settle()
            try server.send("GET", "/readyz").expect(200)
            for (method, target, body) in Self.mutations {
                let status = try server.send(method, target, body).status
                #expect((200..<300).contains(status), "\(method) \(target)")
            }
            try server.send("PUT", "/v1/directors/new", #"{"kind":"table"}"#).expect(201)
        }
    }

    private static let mutations: [(String, String, String?)] = [
        ("POST", sections + "?reload=true", #"{"id":"other"}"#),
        ("PUT", sections + "/kept/elements", #"[{"model":"M","value":{"id":"x"}}]"#),
        ("PATCH", "/v1/directors/d", #"{"properties":{"rowHeight":{"explicit":5}}}"#),
        ("PUT", "/v1/directors/d/adapters/N", #"{"cell":"C"}"#),
        ("PUT", "/v1/directors/d/variables/v", "1"),
        (
            "POST", "/v1/directors/d/operations",
            #"{"operations":[{"op":"removeSection","section":"kept"}],"reload":true}"#
        ),
        ("DELETE", "/v1/directors/d", nil),
    ]

    @Test("what was done on top of a change that is lost is lost with it; readers saw none of it")
    func rollback() async throws {
        let journal = HeldJournal()
        try await TestServer.run(journal: journal) { server in
            try server.makeDirector()
            try server.send("POST", Self.sections + "?reload=true", #"{"id":"kept"}"#).expect(201)
            let stream = try TestStream(port: server.port)
            _ = try stream.next()
            let before = try server.send("GET", Self.sections).text
            journal.hold()
            let statuses = try await sendWhileHeld(
                [
                    ("POST", Self.sections + "?reload=true", #"{"id":"a"}"#),
                    // Changes nothing, but its answer would tell of what is not stored. Once the next ones are on their
                    // way, it is too.
                    ("POST", "/v1/directors/d/operations", #"{"operations":[],"dryRun":true}"#),
                    ("POST", Self.sections + "?reload=true", #"{"id":"b"}"#),
                    ("DELETE", Self.sections + "/kept", nil),
                ], server, journal, besides: 1
            ) { () throws in
                #expect(try server.send("GET", Self.sections).text == before)
                #expect(try server.send("GET", Self.sections + "?state=published").text == before)
                journal.settle(failing: .full("no space"))
            }
            #expect(statuses == [507, 507, 507, 507])
            #expect(try server.send("GET", Self.sections).text == before)
            journal.settle()
            try server.send("POST", Self.sections + "?reload=true", #"{"id":"c"}"#).expect(201)
            let event = try #require(try stream.next())
            #expect(event.name == "changeset" && event.data.contains(#""c""#) && !event.data.contains(#""a""#))
            let found = try server.send("GET", "/v1/directors/d").json
            #expect(found["version"] as? Int == 2 && found["revision"] as? Int == 3)
        }
    }

    @Test("a director is there once it is stored, and gone once that is stored")
    func life() async throws {
        let journal = HeldJournal()
        try await TestServer.run(journal: journal) { server in
            journal.hold()
            let created = try await sendWhileHeld(
                [("PUT", "/v1/directors/d", #"{"kind":"table"}"#)], server, journal
            ) {
                try server.send("GET", "/v1/directors/d").expect(404)
                try server.send("POST", Self.sections, #"{"id":"a"}"#).expect(409)
                #expect(try server.send("GET", "/v1/directors").text.contains(#""directors":[]"#))
                journal.settle()
            }
            #expect(created == [201])
            journal.hold()
            let deleted = try await sendWhileHeld([("DELETE", "/v1/directors/d", nil)], server, journal) {
                try server.send("GET", "/v1/directors/d").expect(200)
                try server.send("POST", Self.sections, #"{"id":"a"}"#).expect(409)
                journal.settle()
            }
            #expect(deleted == [204])
            try server.send("GET", "/v1/directors/d").expect(404)
            try server.send("PUT", "/v1/directors/d", #"{"kind":"table"}"#).expect(201)
        }
    }

    @Test("an answer that could not be stored takes nothing with it that was done later")
    func answerAlone() async throws {
        let journal = HeldJournal()
        try await TestServer.run(journal: journal) { server in
            try server.makeDirector()
            journal.hold()
            let statuses = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                for (index, target) in ["?at=9", "?reload=true"].enumerated() {
                    let headers = index == 0 ? ["Idempotency-Key": "refused"] : [:]
                    group.addTask {
                        try await onThread {
                            let answer = try server.send(
                                "POST", Self.sections + target, #"{"id":"a"}"#, headers: headers)
                            return (index, answer.status)
                        }
                    }
                    try await eventually("the record is there") { journal.waiting == index + 1 }
                }
                journal.settle(failingAnswers: .full("no space"))
                return try await group.reduce(into: [0, 0]) { $0[$1.0] = $1.1 }
            }
            #expect(statuses == [507, 201])
            try server.send("POST", Self.sections, #"{"id":"b"}"#).expect(201)
            let found = try server.send("GET", "/v1/directors/d").json
            #expect(found["revision"] as? Int == 3 && found["version"] as? Int == 1)
        }
    }

    @Test("a key whose answer could not be stored is as good as new")
    func keys() async throws {
        let journal = HeldJournal()
        try await TestServer.run(journal: journal) { server in
            try server.makeDirector()
            let headers = ["Idempotency-Key": "k"]
            journal.settle(failing: .full("no space"))
            try server.send("POST", Self.sections, #"{"id":"a"}"#, headers: headers).expect(507)
            journal.settle()
            try server.send("POST", Self.sections, #"{"id":"a"}"#, headers: headers).expect(201)
            try server.send("POST", Self.sections, #"{"id":"a"}"#, headers: headers).expect(201)
            #expect(try server.send("GET", Self.sections).json["total"] as? Int == 1)
        }
    }
}
