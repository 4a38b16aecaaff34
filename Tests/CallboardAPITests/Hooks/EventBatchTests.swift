import CallboardAPI
import Foundation
import Testing

@Suite("Event hooks: several events in one request")
struct EventBatchTests {
    private static let events = HookTests.director + "/events"

    private static func send(
        _ server: TestServer, _ events: [String], headers: [String: String] = [:]
    ) async throws -> [[String: Any]] {
        let body = #"{"events":[\#(events.joined(separator: ","))]}"#
        let answer = try await onThread { try server.send("POST", Self.events, body, headers: headers).expect(200) }
        return try #require(answer.json["outcomes"] as? [[String: Any]])
    }

    private static func problem(_ outcome: [String: Any]) -> (status: Int?, pointer: String?) {
        let problem = outcome["problem"] as? [String: Any]
        let faults = problem?["errors"] as? [[String: Any]]
        return (problem?["status"] as? Int, faults?.first?["pointer"] as? String)
    }

    @Test("notifications are delivered in their order, questions answered, and each event has its own outcome")
    func outcomes() async throws {
        try await HookReceiver.run { receiver in
            try await TestServer.run { server in
                try server.makeHooked()
                try server.hook("didSelect", receiver.url())
                let outcomes = try await Self.send(
                    server,
                    [
                        #"{"event":"didSelect","indexPath":[0,1],"key":"a"}"#,
                        #"{"event":"rowHeight","indexPaths":[[0,0],[0,1]]}"#,
                        #"{"event":"willDeselect","indexPath":[0,1]}"#,
                        #"{"event":"didSelect","indexPath":[0,0]}"#,
                        #"{"event":"didSelect","indexPath":[0,7],"version":1}"#,
                        #"{"event":"didSelect","indexPath":[0,0],"version":99}"#,
                        #"{"event":"didSelect","indexPath":[0,0],"key":"no key"}"#,
                        #"{"event":"never"}"#, #"{"event":"didDeselect","indexPath":[0,0]}"#, "7",
                    ])
                #expect(outcomes.count == 10)
                let calls = try await receiver.wait(2)
                #expect(calls.map(\.id) == [outcomes[0], outcomes[3]].compactMap { $0["delivery"] as? String })
                let paths = try calls.map { (try $0.json["data"] as? [String: Any])?["indexPath"] as? [Int] }
                #expect(paths == [[0, 1], [0, 0]])
                #expect((outcomes[1]["values"] as? [[String: Any]])?.map { $0["value"] as? Int } == [-1, -1])
                #expect(outcomes[2]["value"] as? [Int] == [0, 1] && outcomes[2]["source"] as? String == "default")
                #expect(Self.problem(outcomes[4]) == (422, "/events/4/indexPath"))
                #expect(Self.problem(outcomes[5]) == (409, nil))
                #expect(Self.problem(outcomes[6]) == (422, "/events/6/key"))
                #expect(Self.problem(outcomes[7]) == (422, "/events/7/event"))
                #expect(outcomes[8]["delivery"] is NSNull)
                #expect(Self.problem(outcomes[9]).status == 422)
            }
        }
    }

    @Test(
        "a key gives a delivery the same identifier in whichever request it comes; a repeated request is answered again"
    )
    func keys() async throws {
        try await HookReceiver.run { receiver in
            try await TestServer.run { server in
                try server.makeHooked()
                try server.hook("didSelect", receiver.url())
                let (first, second) = (
                    #"{"event":"didSelect","indexPath":[0,0],"key":"one"}"#,
                    #"{"event":"didSelect","indexPath":[0,0],"key":"two"}"#
                )
                func ids(_ events: [String], _ key: String) async throws -> [String?] {
                    try await Self.send(server, events, headers: ["Idempotency-Key": key]).map {
                        $0["delivery"] as? String
                    }
                }
                let (a, b) = (try await ids([first], "r1"), try await ids([second, first], "r2"))
                #expect(a.count == 1 && b.count == 2 && a[0] != nil && b[1] == a[0] && b[0] != b[1])
                #expect(try await ids([second, first], "r2") == b)
                // The receiver may be told one thing twice under one identifier, and never under two.
                _ = try await receiver.wait(2)
                #expect(Set(try await receiver.wait(2).map(\.id)) == Set(b.compactMap(\.self)))
            }
        }
    }

    @Test(
        "a body that is no list of 1 to 1,000 events is refused as a whole",
        arguments: [
            #"{"events":[]}"#, #"{"events":{}}"#, #"{"events":[{"event":"didSelect"}],"event":"didSelect"}"#,
            #"{"events":[\#(Array(repeating: "1", count: 1_001).joined(separator: ","))]}"#,
        ])
    func refused(body: String) async throws {
        try await TestServer.run { server in
            try server.makeHooked()
            try server.send("POST", Self.events, body).expect(422)
        }
    }

    @Test("all events of a request have 10,000 places at most; the ones beyond that are refused")
    func places() async throws {
        try await TestServer.run { server in
            try server.makeHooked()
            let paths = Array(repeating: "[0,0]", count: 6_000).joined(separator: ",")
            let event = #"{"event":"rowHeight","indexPaths":[\#(paths)]}"#
            let outcomes = try await Self.send(server, [event, event])
            #expect((outcomes[0]["values"] as? [Any])?.count == 6_000)
            #expect(Self.problem(outcomes[1]).status == 422)
        }
    }

    @Test("at a view the places of all events are the view's, and one that is not there is refused by itself")
    func view() async throws {
        try await HookReceiver.run { receiver in
            try await TestServer.run { server in
                try server.makeHooked()
                try server.hook("didSelect", receiver.url())
                let view = #"{"kind":"table","view":{"from":"d","where":{"==":[{"var":"id"},"2"]}}}"#
                try server.send("PUT", "/v1/directors/v", view).expect(201)
                let events = [#"{"event":"didSelect","indexPath":[0,0]}"#, #"{"event":"didSelect","indexPath":[0,1]}"#]
                let body = #"{"events":[\#(events.joined(separator: ","))]}"#
                let answer = try await onThread { try server.send("POST", "/v1/directors/v/events", body).expect(200) }
                let outcomes = try #require(answer.json["outcomes"] as? [[String: Any]])
                #expect(outcomes[0]["delivery"] is String && Self.problem(outcomes[1]) == (422, "/events/1/indexPath"))
                let call = try #require(try await receiver.wait(1).first)
                let data = try call.json["data"] as? [String: Any]
                #expect((data?["element"] as? [String: Any])?["id"] as? String == "2")
                #expect((data?["shownIn"] as? [String: Any])?["director"] as? String == "v")
            }
        }
    }

    @Test("who may report and not read is told nothing of the list, neither at first nor by another's key")
    func rights() async throws {
        try await AccessServer.run { server in
            try server.makeDirector()
            let path = "/v1/directors/d/events"
            let body = #"{"events":[{"event":"didSelect","section":"s","element":"nobody"}]}"#
            let key = ["Idempotency-Key": "k"]
            let known = try server.send(server.admin, "POST", path, body, headers: key).expect(200)
            #expect(known.text.contains("nobody"))
            let reporter = try server.token([.report])
            try server.send(reporter, "POST", path, body, headers: key).expect(422)
            let own = try server.send(reporter, "POST", path, body).expect(200)
            #expect(own.text.contains("\"problem\"") && !own.text.contains("nobody"), "\(own.text)")
        }
    }
}
