import Foundation
import JSONValues
import Synchronization
import TestSupport
import Testing

@testable import CallboardAPI
@testable import CallboardServer
@testable import Hosting

@Suite("Long changes")
struct LongChangeTests {
    private static let section = "/v1/directors/d/sections/s"
    /// More elements than are read on a loop.
    private static let long = "[" + (0..<8_000).map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]"

    /// Keeps the threads that carry long changes out from doing so until it is let go.
    private final class Hold: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let count = Mutex(0)

        init(_ server: TestServer) {
            let gate = gate
            for _ in 0..<2 where server.service.application.changeThreads.run({ gate.wait() }) {
                count.withLock { $0 += 1 }
            }
        }

        func letGo() {
            let held = count.withLock { count in
                defer { count = 0 }
                return count
            }
            for _ in 0..<held { gate.signal() }
        }
    }

    /// Requests under way, each on a thread of its own.
    private final class Others: Sendable {
        private let server: TestServer
        private let tasks = Mutex<[Task<TestResponse, any Error>]>([])
        private let count = Mutex(0)

        init(_ server: TestServer) { self.server = server }

        func send(_ method: String, _ target: String, _ body: String?, headers: [String: String]) {
            let task = Task { [self] in
                try await onThread { [self] in
                    let answer = try server.send(method, target, body, headers: headers)
                    count.withLock { $0 += 1 }
                    return answer
                }
            }
            tasks.withLock { $0.append(task) }
        }

        /// How many have been answered.
        var answered: Int { count.withLock { $0 } }

        func answers() async throws -> [TestResponse] {
            var answers: [TestResponse] = []
            for task in tasks.withLock({ $0 }) { answers.append(try await task.value) }
            return answers
        }
    }

    /// A request: method, target from the director, body.
    typealias Request = (method: String, target: String, body: String?)

    /// Runs `body` beside a long change that is under way, and returns the answer to that.
    private func beside(
        _ server: TestServer, _ request: Request = ("POST", "/sections/s/elements?model=M&reload=true", Self.long),
        headers: [String: String] = [:], _ body: (DirectorHost) async throws -> Void
    ) async throws -> TestResponse {
        let host = try #require(server.service.application.environment.registry.host(named: "d"))
        let hold = Hold(server)
        defer { hold.letGo() }
        async let answer = onThread {
            try server.send(request.method, "/v1/directors/d" + request.target, request.body, headers: headers)
        }
        try await eventually("the change is under way") { await host.turns.isUnderWay }
        try await body(host)
        hold.letGo()
        return try await answer
    }

    private func fill(_ server: TestServer) throws {
        try server.makeDirector()
        try server.send("PUT", "/v1/directors/d/sections", #"[{"id":"s"}]"#).expect(200)
    }

    private func count(_ server: TestServer) throws -> Int? {
        try server.send("GET", Self.section + "/elements?limit=1").expect(200).json["total"] as? Int
    }

    @Test("reads go on, and other changes of the director wait for their turn and keep their order")
    func order() async throws {
        try await TestServer.run { server in
            try fill(server)
            let others = Others(server)
            let answer = try await beside(server, headers: ["Idempotency-Key": "k"]) { host in
                let requests: [(String, String, String?)] = [
                    ("PATCH", Self.section, #"{"headerTitle":"1"}"#),
                    ("POST", Self.section + "/elements?model=M&reload=true", Self.long),
                    ("PATCH", Self.section, #"{"headerTitle":"2"}"#),
                    ("PUT", "/v1/directors/d", #"{"kind":"table"}"#),
                    ("DELETE", "/v1/directors/d", nil),
                ]
                for (number, (method, target, body)) in requests.enumerated() {
                    others.send(method, target, body, headers: number == 1 ? ["Idempotency-Key": "k"] : [:])
                    try await eventually("it waits") { await host.turns.waitingCount > number }
                    #expect(try count(server) == 0)
                }
                #expect(others.answered == 0 && host.newestVersion == 0)
            }
            answer.expect(201)
            let rest = try await others.answers()
            #expect(rest.map(\.status) == [200, 201, 200, 200, 204])
            // The second is the first again, and its answer is the first one's.
            #expect(rest[1].fields["etag"] == answer.fields["etag"])
            let titles = [rest[0], rest[2]].map { $0.text.contains(#""headerTitle":"1""#) }
            #expect(titles == [true, false])
            try server.send("GET", "/v1/directors/d").expect(404)
        }
    }

    @Test("where something else has changed the director meanwhile, both changes are there")
    func otherChange() async throws {
        try await TestServer.run { server in
            try fill(server)
            let answer = try await beside(server) { host in
                // As the answer of a hook's target does it, which does not wait.
                await host.setVariable("x")
                try server.send("GET", "/v1/directors/d/variables/x").expect(200)
            }
            answer.expect(201)
            try server.send("GET", "/v1/directors/d/variables/x").expect(200)
            #expect(try count(server) == 8_000)
            #expect(answer.text.contains(#""total":8000"#))
        }
    }

    /// Twelve adapters that come and go.
    private static let comings: String = {
        let one = #"{"op":"setAdapter","model":"N","value":{"cell":"C"}},{"op":"removeAdapter","model":"N"}"#
        return #"{"operations":["# + repeatElement(one, count: 12).joined(separator: ",") + "]"
    }()

    /// Short requests that take long beside 30,000 elements, and a part of what they answer.
    private static let dear: [(request: Request, answer: String)] = [
        (("POST", "/operations", comings + "}"), #""version":1"#),
        (("POST", "/operations", comings + #","dryRun":true}"#), #""stages":[]"#),
        (("PUT", "/adapters/M", #"{"cell":"Cell","identifier":"{id}","content":["/x"]}"#), #""content":["/x"]"#),
        (("PUT", "/variables/hides?reload=true", "true"), "true"),
    ]

    @Test("a short request that turns out to take long is carried out elsewhere", arguments: dear.indices)
    func shortRequest(_ number: Int) async throws {
        let (request, part) = Self.dear[number]
        try await TestServer.run { server in
            try server.makeDirector()
            let elements = (0..<30_000).map { #"{"value":{"id":\#($0)}}"# }.joined(separator: ",")
            let row =
                #"{"id":"m","type":"model","model":"M","hideWhen":{"var":"variables.hides"},"elements":[\#(elements)]}"#
            try server.send("PUT", "/v1/directors/d/sections?reload=true", #"[{"id":"s","rows":[\#(row)]}]"#).expect(
                200)
            let answer = try await beside(server, request) { host in
                try server.send("GET", "/v1/directors/d").expect(200)
                #expect(host.newestVersion == 1)
            }
            #expect(answer.text.contains(part), "\(answer.text.prefix(300))")
            // A section without visible rows is hidden.
            try server.send("GET", Self.section + "?state=published").expect(
                request.target.contains("hides") ? 404 : 200)
        }
    }

    @Test("a refused one changes nothing and keeps its key's answer", arguments: [nil, "k"])
    func refusal(_ key: String?) async throws {
        try await TestServer.run { server in
            try fill(server)
            let body = Self.long.dropLast() + #",{"no":1}]"#
            let headers = key.map { ["Idempotency-Key": $0] } ?? [:]
            for _ in 0..<2 {
                let answer = try server.send("POST", Self.section + "/elements?model=M", String(body), headers: headers)
                answer.expect(422)
                #expect(answer.text.contains("/8000"))
            }
            #expect(try count(server) == 0)
            // A key that has been answered is taken; one that was given up is not.
            try server.send("POST", Self.section + "/elements?model=M", Self.long, headers: headers)
                .expect(key == nil ? 201 : 422)
        }
    }
}

extension DirectorHost {
    fileprivate func setVariable(_ name: String) {
        var draft = draft()
        _ = try? draft.perform([.setVariable(name: name, value: JSONValue(string: "1"))])
        commit(draft) { _ in }
    }
}
