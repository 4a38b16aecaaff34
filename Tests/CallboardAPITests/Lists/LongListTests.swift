import CallboardAPI
import Foundation
import Testing

@Suite("Long lists", .serialized)
struct LongListTests {
    private static let lengths = (short: 1_000, long: 40_000)

    /// Publishes a director `d` with a section of numbered elements and one of none.
    private func fill(_ server: TestServer, count: Int) throws {
        try server.makeDirector()
        try server.send("PUT", "/v1/directors/d/sections", #"[{"id":"s"},{"id":"t"}]"#).expect(200)
        let writer = try TestConnection(port: server.port)
        for start in stride(from: 0, to: count, by: 10_000) {
            let values = (start..<min(start + 10_000, count)).map { #"{"id":\#($0),"n":0}"# }.joined(separator: ",")
            let target = "/v1/directors/d/sections/s/elements?model=M"
            try writer.send("POST", target, "[\(values)]", headers: ["Prefer": "return=minimal"]).expect(204)
        }
        try server.send("POST", "/v1/directors/d/reload").expect(200)
    }

    /// The least of the times that changes of one element each take, published and answered, in seconds: what other
    /// programs take of the machine is not in it. A subscriber gets each of the changes and nothing else.
    private func timeOfChange(count: Int) async throws -> Double {
        var times: [Double] = []
        try await TestServer.run { server in
            try fill(server, count: count)
            let stream = try TestStream(port: server.port, target: "/v1/directors/d/changesets?snapshot=none")
            _ = try stream.next()
            let writer = try TestConnection(port: server.port)
            for round in 1...61 {
                let element = round * 7_919 % count
                let begin = ContinuousClock.now
                try writer.send(
                    "PATCH", "/v1/directors/d/sections/s/elements/\(element)?reload=true", #"{"n":\#(round)}"#
                ).expect(200)
                times.append((ContinuousClock.now - begin) / .seconds(1))
                let event = try #require(try stream.nextContent())
                let update =
                    #"{"at":[0,\#(element)],"element":{"id":"\#(element)","model":"M","#
                    + #""value":{"id":\#(element),"n":\#(round)}}}"#
                #expect(event.data.contains(#""stages":[{"elementUpdated":[\#(update)]}]"#))
            }
        }
        return times.min() ?? 0
    }

    @Test("a change of one element is published as fast in a long list, and subscribers get that change alone")
    func oneChange() async throws {
        let short = try await timeOfChange(count: Self.lengths.short)
        let long = try await timeOfChange(count: Self.lengths.long)
        // Forty times is what walking the list would take.
        #expect(long < short * 8, "\(Int(short * 1e6)) µs and \(Int(long * 1e6)) µs")
    }

    @Test("pages of one version fit together while the list goes on changing")
    func pages() async throws {
        try await TestServer.run { server in
            try fill(server, count: 500)
            let reader = try TestConnection(port: server.port)
            let path = "/v1/directors/d/sections/s/elements"
            var ids: [String] = []
            for offset in stride(from: 0, to: 500, by: 120) {
                try server.send("DELETE", "\(path)/@0?reload=true").expect(204)
                try server.send("PATCH", "/v1/directors/d/sections/s?reload=true", #"{"isCollapsed":true}"#).expect(200)
                let page = try reader.send(
                    "GET", "\(path)?state=published&version=1&offset=\(offset)&limit=120"
                ).expect(200).json
                #expect(page["total"] as? Int == 500)
                let elements = try #require(page["elements"] as? [[String: Any]])
                ids += elements.compactMap { $0["id"] as? String }
                try server.send("PATCH", "/v1/directors/d/sections/s?reload=true", #"{"isCollapsed":null}"#).expect(200)
            }
            #expect(ids == (0..<500).map(String.init))
        }
    }

    @Test("what a collapsed section hides is in no answer of the published state")
    func hidden() async throws {
        try await TestServer.run { server in
            try fill(server, count: 20)
            try server.send("PATCH", "/v1/directors/d/sections/s?reload=true", #"{"isCollapsed":true}"#).expect(200)
            let before = try server.send("GET", "/v1/directors/d").json["version"] as? Int
            try server.send("PATCH", "/v1/directors/d/sections/s/elements/@3?reload=true", #"{"n":"secret"}"#).expect(
                200)
            #expect(try server.send("GET", "/v1/directors/d").json["version"] as? Int == before)
            let paths = ["sections", "sections/s", "sections/@0", "sections/s/elements"]
            for path in paths {
                for query in ["?state=published", "?state=published&version=2"] {
                    let answer = try server.send("GET", "/v1/directors/d/\(path)\(query)").expect(200)
                    #expect(!answer.text.contains(#""id":"3""#), "\(path)\(query)")
                }
                #expect(try server.send("GET", "/v1/directors/d/\(path)").text.contains("secret"), "\(path)")
            }
            try server.send("GET", "/v1/directors/d/sections/s/elements/3?state=published").expect(404)
            let stream = try TestStream(port: server.port)
            let snapshot = try #require(try stream.nextContent())
            #expect(!snapshot.data.contains("secret"))
            // A section that comes with its elements hidden does not bring them.
            let section = #"{"id":"u","isCollapsed":true,"elements":[{"value":{"id":"secret"}}]}"#
            try server.send("POST", "/v1/directors/d/sections?reload=true", section).expect(201)
            let change = try #require(try stream.nextContent())
            #expect(change.data.contains(#""id":"u""#) && !change.data.contains("secret"))
        }
    }
}
