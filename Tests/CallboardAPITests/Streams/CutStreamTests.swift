import CallboardAPI
import Foundation
import HTTPTestSupport
import TestSupport
import Testing

@Suite("Streams that are cut off")
struct CutStreamTests {
    /// A stream's terms, and how many directors it carries.
    struct Terms: Sendable, CustomTestStringConvertible {
        let directors: Int
        let catchUp: String
        let retained: Int
        var testDescription: String { "\(directors) directors, catchup=\(catchUp), \(retained) versions retained" }
    }

    static let terms: [Terms] = [1, 3].flatMap { directors in
        ["one", "each"].flatMap { catchUp in
            [3, 1000].map { Terms(directors: directors, catchUp: catchUp, retained: $0) }
        }
    }

    @Test(
        "a client that is cut off after any byte and resumes with the last id it has seen converges", arguments: terms)
    func cuts(_ terms: Terms) async throws {
        let seed = runSeed
        print("cut streams, \(terms.testDescription): CALLBOARD_SEED=\(seed)")
        try await TestServer.run {
            $0.feed.retainedVersions = terms.retained
            $0.feed.heartbeat = .milliseconds(12)
        } _: { server in
            let names = (0..<terms.directors).map { "d\($0)" }
            for name in names { try server.makeDirector(name) }
            try await onThread {
                var client = Client(server: server, names: names, terms: terms, random: SeededGenerator(seed: seed))
                // Over HTTP/2 what is cut is a connection all the same, and what is lost is the same.
                for _ in 0..<(TestTransport.isHTTP2 ? 40 : 120) { try client.round() }
                try client.finish()
            }
        }
    }

    /// A UI that loses its connection again and again, and changes the lists meanwhile.
    private struct Client {
        let server: TestServer
        let names: [String]
        let terms: Terms
        var random: SeededGenerator
        var replicas: [String: TestReplica] = [:]
        var lastID = ""
        var changes = 0

        private var target: String {
            names.count == 1
                ? "/v1/directors/\(names[0])/changesets?catchup=\(terms.catchUp)"
                : "/v1/changesets?catchup=\(terms.catchUp)&" + names.map { "director=\($0)" }.joined(separator: "&")
        }

        init(server: TestServer, names: [String], terms: Terms, random: SeededGenerator) {
            self.server = server
            self.names = names
            self.terms = terms
            self.random = random
        }

        mutating func round() throws {
            for _ in 0..<Int.random(in: 0...6, using: &random) { try change() }
            let connection = try connect()
            for _ in 0..<Int.random(in: 0...2, using: &random) { try change() }
            // Mostly within the first events, at times far into the list.
            let limit = [60, 300, 900, 2000].randomElement(using: &random) ?? 60
            try take(connection.take(Int.random(in: 1...limit, using: &random)))
        }

        mutating func finish() throws {
            let connection = try connect()
            var bytes: [UInt8] = []
            let expected = try names.map { name in
                try canonical(
                    server.send("GET", "/v1/directors/\(name)/sections?state=published&limit=10000").json["sections"]
                        ?? "")
            }
            for _ in 0..<200_000 {
                bytes += try connection.take(1)
                guard bytes.suffix(2) == [10, 10] else { continue }
                try take(bytes)
                bytes = []
                let seen = try names.map { try replicas[$0]?.content() }
                if seen == expected { return }
            }
            throw TestClientError(description: "did not converge: \(lastID)")
        }

        /// Sends HTTP/1.0, whose answer is the events' bytes and nothing between them.
        private func connect() throws -> TestConnection {
            let connection = try TestConnection(port: server.port)
            let resume = lastID.isEmpty ? "" : "Last-Event-ID: \(lastID)\r\n"
            try connection.write("GET \(target) HTTP/1.0\r\nAccept: text/event-stream\r\n\(resume)\r\n")
            let (status, _) = try connection.readHead()
            guard status == 200 else { throw TestClientError(description: "answered \(status)") }
            return connection
        }

        private mutating func change() throws {
            changes += 1
            let path = "/v1/directors/\(names.randomElement(using: &random) ?? "")"
            let section = #"{"id":"s\#(changes)","elements":[{"value":{"id":"\#(changes)","é":"…"}},{"value":"x"}]}"#
            switch Int.random(in: 0..<6, using: &random) {
            case 0: try server.send("DELETE", path + "/sections/@first?reload=true")
            case 1: try server.send("PATCH", path + "/sections/@last?reload=true", #"{"headerTitle":"\#(changes)"}"#)
            case 2: try server.send("POST", path + "/refresh").expect(200)
            case 3:
                try server.send("PATCH", path, #"{"properties":{"rowHeight":{"explicit":\#(changes)}}}"#).expect(200)
            default: try server.send("POST", path + "/sections?at=0&reload=true", section).expect(201)
            }
        }

        /// Takes whole events in; what is left of the last one is lost with the connection.
        private mutating func take(_ bytes: [UInt8]) throws {
            var rest = bytes[...]
            while let end = rest.firstRange(of: [10, 10]) {
                try dispatch(String(decoding: rest[..<end.lowerBound], as: UTF8.self))
                rest = rest[end.upperBound...]
            }
        }

        private mutating func dispatch(_ block: String) throws {
            var fields: [String: String] = [:]
            for line in block.split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 1)
                fields[String(parts[0])] = String(parts[1].dropFirst())
            }
            lastID = fields["id"] ?? lastID
            guard let name = fields["event"], let data = fields["data"] else { return }
            let event = TestEvent(name: name, data: data, id: lastID)
            let json = try event.json
            if name == "heartbeat" { return try check(heartbeat: json) }
            guard let director = json["director"] as? String else {
                throw TestClientError(description: "no director in \(name)")
            }
            var replica = replicas[director] ?? TestReplica()
            if name == "resumed", json["from"] as? Int != replica.version {
                throw TestClientError(description: "resumed from \(json["from"] ?? "") at \(replica.version)")
            }
            try replica.apply(event)
            replicas[director] = replica
            guard lastID.split(separator: ".").contains("\(replica.epoch)-\(replica.version)") else {
                throw TestClientError(description: "\(name) leads to \(replica.version) and its id is \(lastID)")
            }
        }

        private func check(heartbeat json: [String: Any]) throws {
            let versions = json["versions"] as? [String: Int] ?? [names[0]: json["version"] as? Int ?? -1]
            for (name, version) in versions where replicas[name]?.version != version {
                throw TestClientError(
                    description: "a heartbeat of \(name) says \(version): \(replicas[name]?.version ?? -1)")
            }
        }
    }
}
