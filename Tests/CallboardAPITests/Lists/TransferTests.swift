import CallboardAPI
import DirectorLife
import Foundation
import HTTPTestSupport
import Journal
import TestSupport
import Testing

@Suite("An element that moves to another director")
struct TransferTests {
    private static let path = "/v1/directors/d/sections/s/elements:transfer"

    /// Two directors: `d` with the elements a, b and c, and `e` with b and z.
    private func fill(_ server: TestServer) throws {
        for (name, elements) in [("d", "abc"), ("e", "bz")] {
            try server.makeDirector(name)
            let list = elements.map { #"{"value":{"id":"\#($0)","of":"\#(name)"}}"# }.joined(separator: ",")
            try server.send("PUT", "/v1/directors/\(name)/sections?reload=true", #"[{"id":"s","elements":[\#(list)]}]"#)
                .expect(200)
        }
    }

    private func body(_ element: String, to director: String = "e", at place: String? = nil) -> String {
        let place = place.map { #","at":\#($0)"# } ?? ""
        return #"{"from":"\#(element)","toDirector":"\#(director)","toSection":"s"\#(place)}"#
    }

    /// The identifiers in each director's list, and the numbers of changes and versions.
    private func state(_ server: TestServer) throws -> [String] {
        try ["d", "e"].map { name in
            let elements = try server.send("GET", "/v1/directors/\(name)/sections/s/elements").json["elements"]
            let identifiers = (elements as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
            let director = try server.send("GET", "/v1/directors/\(name)").json
            return
                "\(identifiers.joined()) r\(director["revision"] as? Int ?? -1) v\(director["version"] as? Int ?? -1)"
        }
    }

    @Test("it leaves one list and stands in the other, with one changeset in each; its value is the same")
    func moves() async throws {
        try await TestServer.run { server in
            try fill(server)
            #expect(try state(server) == ["abc r2 v1", "bz r2 v1"])
            let answer = try server.send(
                "POST", Self.path + "?reload=true", body("a", at: "1"), headers: ["Callboard-Cause": "drag-7"]
            ).expect(200)
            #expect(try answer.json["name"] as? String == "d" && answer.fields["etag"]?.hasSuffix("-r3\"") == true)
            #expect(try state(server) == ["bc r3 v2", "baz r3 v2"])
            let removal = try server.send("GET", "/v1/directors/d/changesets?since=1").text
            #expect(removal.contains(#""causes":["drag-7"],"stages":[{"elementDeleted":[[0,0]]}]"#))
            let insertion = try server.send("GET", "/v1/directors/e/changesets?since=1").text
            #expect(
                insertion.contains(
                    #""causes":["drag-7"],"stages":[{"elementInserted":[{"at":[0,1],"element":{"id":"a","model":"M","value":"#
                        + #"{"id":"a","of":"d"}}}]}]"#))
        }
    }

    @Test("without reload nothing is published; at the end unless a place is given; rows give and take as well")
    func rows() async throws {
        try await TestServer.run { server in
            try fill(server)
            try server.send("POST", Self.path, body("b")).expect(200)
            #expect(try state(server) == ["ac r3 v1", "bzb r3 v1"])
            let rows = #"{"id":"r","rows":[{"id":"m","type":"model","model":"M","elements":[{"value":{"id":"x"}}]}]}"#
            try server.send("POST", "/v1/directors/e/sections", rows).expect(201)
            try server.send(
                "POST", Self.path, #"{"from":"@last","toDirector":"e","toSection":"r","toRow":"m","at":0}"#
            ).expect(200)
            let list = "/v1/directors/e/sections/r/rows/m/elements"
            #expect(try server.send("GET", list).json["total"] as? Int == 2)
            try server.send("POST", list + ":transfer", #"{"from":"x","toDirector":"d","toSection":"s","at":0}"#)
                .expect(200)
            #expect(try state(server)[0] == "xa r5 v1")
        }
    }

    @Test("whatever one of the two refuses changes neither")
    func refusals() async throws {
        try await TestServer.run { server in
            try fill(server)
            try server.send("PUT", "/v1/directors/view", #"{"kind":"table","view":{"from":"e"}}"#).expect(201)
            try server.send("PUT", "/v1/directors/bare", #"{"kind":"table"}"#).expect(201)
            try server.send("POST", "/v1/directors/bare/sections", #"{"id":"s"}"#).expect(201)
            let before = try state(server)
            let refused: [(body: String, status: Int, part: String)] = [
                (body("none"), 404, "There is no element"), (body("a", to: "nobody"), 422, "no director"),
                (body("a", to: "d"), 422, "own director"), (body("a", to: "view"), 409, "view"),
                (body("a", to: "bare"), 422, #"The director \"bare\" does not take the element"#),
                (body("a", at: "9"), 422, "does not take the element"),
                (#"{"from":"a","toDirector":"e","toSection":"none"}"#, 404, "does not take the element"),
                (#"{"from":"a","toDirector":"e","toSection":"s","toRow":"r"}"#, 409, "does not take the element"),
                (#"{"from":"a","toDirector":"e"}"#, 422, "toSection"), (#"[]"#, 422, "object"), ("{", 400, "JSON"),
                (#"{"from":1e300,"toDirector":"e","toSection":"s"}"#, 422, "from"),
                (#"{"from":"a","toDirector":7,"toSection":"s","at":-1,"more":1}"#, 422, "more"),
            ]
            for (body, status, part) in refused {
                let answer = try server.send("POST", Self.path, body)
                #expect(answer.status == status && answer.text.contains(part), "\(body): \(answer.text)")
            }
            try server.send("POST", "/v1/directors/view/sections/s/elements:transfer", body("b", to: "d")).expect(409)
            try server.send("POST", "/v1/directors/nobody/sections/s/elements:transfer", body("b", to: "d")).expect(404)
            #expect(try state(server) == before)
        }
    }

    @Test("a repetition with the key is given the first answer and moves nothing; a refusal is repeated too")
    func keys() async throws {
        try await TestServer.run { server in
            try fill(server)
            let key = ["Idempotency-Key": "k"]
            try server.send("POST", Self.path, body("a"), headers: key.merging(["Callboard-Cause": "not one"]) { $1 })
                .expect(400)
            let first = try server.send("POST", Self.path, body("a"), headers: key).expect(200)
            let second = try server.send("POST", Self.path, body("a"), headers: key).expect(200)
            #expect(first.body == second.body)
            try server.send("POST", Self.path, body("b"), headers: key).expect(422)
            for _ in 0..<2 {
                try server.send("POST", Self.path, body("a"), headers: ["Idempotency-Key": "r"]).expect(404)
            }
            #expect(try state(server) == ["bc r3 v1", "bza r3 v1"])
        }
    }

    @Test("what cannot be stored changes neither director, and its key is as good as new", arguments: [507, 503])
    func losses(status: Int) async throws {
        let journal = HeldJournal()
        try await TestServer.run(journal: journal) { server in
            try fill(server)
            let before = try state(server)
            journal.settle(failing: status == 507 ? .full("no room") : .unavailable("no disk"))
            let key = ["Idempotency-Key": "k"]
            for _ in 0..<2 {
                try server.send("POST", Self.path + "?reload=true", body("a"), headers: key).expect(status)
                #expect(try state(server) == before)
            }
            journal.settle()
            try server.send("POST", Self.path + "?reload=true", body("a"), headers: key).expect(200)
            #expect(try state(server) == ["bc r3 v2", "bza r3 v2"])
        }
    }

    @Test("nobody sees it before it is stored; requests to both directors that come meanwhile follow it")
    func held() async throws {
        let journal = HeldJournal()
        try await TestServer.run(journal: journal) { server in
            try fill(server)
            let before = try state(server)
            journal.hold()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await onThread { _ = try server.send("POST", Self.path, body("a")).expect(200) }
                }
                try await eventually("the pair is there") { journal.waiting == 1 }
                for name in ["d", "e"] {
                    group.addTask {
                        try await onThread {
                            let added = #"{"value":{"id":"later"}}"#
                            _ = try server.send("POST", "/v1/directors/\(name)/sections/s/elements", added).expect(201)
                        }
                    }
                }
                try await eventually("those behind it are there") { journal.waiting == 3 }
                #expect(try state(server) == before)
                journal.settle()
                try await group.waitForAll()
            }
            #expect(try state(server) == ["bclater r4 v1", "bzalater r4 v1"])
        }
    }

    @Test("many at once, to and fro between three directors, lose nothing and double nothing")
    func storm() async throws {
        try await TestServer.run { server in
            let names = ["x", "y", "z"]
            for name in names {
                try server.makeDirector(name)
                let list = (0..<20).map { #"{"value":{"id":"\#(name)\#($0)"}}"# }.joined(separator: ",")
                try server.send("PUT", "/v1/directors/\(name)/sections", #"[{"id":"s","elements":[\#(list)]}]"#).expect(
                    200)
            }
            let moved = try await withThrowingTaskGroup(of: Int.self) { group in
                for client in 0..<6 {
                    group.addTask {
                        try await onThread {
                            let connection = try TestConnection(port: server.port)
                            var random = SeededGenerator(seed: UInt64(client))
                            var moved = 0
                            for _ in 0..<50 {
                                let (from, to) = (random.below(3), random.below(2))
                                let other = names[(from + 1 + to) % 3]
                                let answer = try connection.send(
                                    "POST", "/v1/directors/\(names[from])/sections/s/elements:transfer?reload=true",
                                    #"{"from":\#(random.below(20)),"toDirector":"\#(other)","toSection":"s"}"#)
                                #expect([200, 404].contains(answer.status), "\(answer.text)")
                                if answer.status == 200 { moved += 1 }
                            }
                            return moved
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(moved > 100)
            var found: [String] = []
            for name in names {
                let elements = try server.send("GET", "/v1/directors/\(name)/elements?limit=1000").json["elements"]
                found += (elements as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
            }
            #expect(found.sorted() == names.flatMap { name in (0..<20).map { "\(name)\($0)" } }.sorted())
        }
    }
}
