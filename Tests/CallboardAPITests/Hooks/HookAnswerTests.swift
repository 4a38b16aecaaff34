import CallboardAPI
import CallboardServer
import Foundation
import Journal
import TestSupport
import Testing

@Suite("Event hooks: what targets bring about")
struct HookAnswerTests {
    private static let first = #""indexPath":[0,0]"#
    private static let removal = #""operations":[{"op":"removeElement","section":"s","element":"@0"}],"reload":true"#

    /// The identifiers of the elements of the first section.
    private static func elements(_ server: TestServer) throws -> [String] {
        let list = try server.send("GET", HookTests.director + "/sections/s/elements").expect(200).json
        return (list["elements"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
    }

    @Test("an answer's operations reach the subscribers as one changeset", arguments: ["didSelect", "rowHeight"])
    func operations(_ event: String) async throws {
        try await HookReceiver.run { receiver in
            try await TestServer.run { server in
                try server.makeHooked()
                try server.hook(event, receiver.url())
                receiver.answer(.json(#"{"value":3,\#(Self.removal)}"#))
                let stream = try TestStream(port: server.port)
                _ = try stream.next()
                let answer = try await server.report(event, Self.first)
                if event == "rowHeight" { #expect(answer.text == #"{"value":3,"source":"hook"}"#) }
                let change = try #require(try stream.nextContent())
                #expect(change.name == "changeset")
                let stages = try #require(try change.json["stages"] as? [[String: Any]])
                #expect(try canonical(stages) == #"[{"elementDeleted":[[0,0]]}]"#)
                #expect(try Self.elements(server) == ["2", "3"])
            }
        }
    }

    @Test("an answer that comes again does nothing again")
    func repetition() async throws {
        let journal = HeldJournal()
        try await HookReceiver.run { receiver in
            try await TestServer.run(journal: journal) {
                $0.hooks.retryDelays = [.milliseconds(10), .milliseconds(10)]
            } _: { server in
                try server.makeHooked()
                try server.hook("didSelect", receiver.url())
                receiver.answer(.json("{\(Self.removal)}"))
                let headers = ["Idempotency-Key": "once"]
                let id =
                    try await server.report("didSelect", Self.first, headers: headers).expect(202).json["delivery"]
                    as? String
                try await eventually("it is applied") { (try? Self.elements(server)) == ["2", "3"] }
                // Another event is another matter.
                _ = try await server.report("didSelect", Self.first).expect(202)
                try await eventually("it is applied") { (try? Self.elements(server)) == ["3"] }
                #expect(receiver.received.first?.id == id)
            }
        }
    }

    @Test("an answer that cannot be stored is asked for again, with the same id, and applied once")
    func failingJournal() async throws {
        let journal = HeldJournal()
        try await HookReceiver.run { receiver in
            try await TestServer.run(journal: journal) {
                $0.hooks.retryDelays = Array(repeating: .milliseconds(20), count: 200)
            } _: { server in
                try server.makeHooked()
                try server.hook("didSelect", receiver.url())
                receiver.answer { call in
                    journal.settle(failing: .full("no space"))
                    return .json("{\(Self.removal)}")
                }
                _ = try await server.report("didSelect", Self.first).expect(202)
                let calls = try await receiver.wait(3)
                #expect(Set(calls.map(\.id)).count == 1)
                #expect(try Self.elements(server) == ["1", "2", "3"])
                receiver.answer(.json("{\(Self.removal)}"))
                journal.settle()
                try await eventually("it has arrived") {
                    (try? server.send("GET", "/v1/deliveries").json["total"] as? Int) == 0
                }
                #expect(try Self.elements(server) == ["2", "3"])
            }
        }
    }

    @Test(
        "an answer that cannot be performed counts as delivered, and the hook tells of it",
        arguments: [
            #"{"operations":[{"op":"removeSection","section":"nobody"}]}"#, #"{"operations":[{"op":"dance"}]}"#,
            #"{"operations":[{"op":"removeAllSections"},{"op":"removeSection","section":"s"}]}"#,
        ])
    func unusable(_ answer: String) async throws {
        try await HookReceiver.run { receiver in
            try await TestServer.run { server in
                try server.makeHooked()
                try server.hook("didSelect", receiver.url())
                receiver.answer(.json(answer))
                _ = try await server.report("didSelect", Self.first).expect(202)
                try await eventually("it has arrived") {
                    (try? server.send("GET", "/v1/deliveries").json["total"] as? Int) == 0
                }
                #expect(receiver.received.count == 1)
                #expect(try Self.elements(server) == ["1", "2", "3"])
                let health = try #require(try server.send("GET", HookTests.didSelect).json["health"] as? [String: Any])
                let error = try #require(health["lastError"] as? [String: Any])
                #expect((error["detail"] as? String)?.contains("not applied") == true, "\(error)")
            }
        }
    }

    @Test("a target's own kind of answer asks for nothing", arguments: ["ok", "[]", #"{"status":"ok"}"#, "17"])
    func otherAnswers(_ answer: String) async throws {
        try await HookReceiver.run { receiver in
            try await TestServer.run { server in
                try server.makeHooked()
                try server.hook("didSelect", receiver.url())
                receiver.answer(.status(200, answer))
                _ = try await server.report("didSelect", Self.first).expect(202)
                try await eventually("it has arrived") {
                    (try? server.send("GET", "/v1/deliveries").json["total"] as? Int) == 0
                }
                let health = try server.send("GET", HookTests.didSelect).json["health"] as? [String: Any]
                #expect(health?["lastError"] is NSNull)
            }
        }
    }

    @Test("410 disables a hook for good, and registering it anew enables it", arguments: ["didSelect", "rowHeight"])
    func goneTargets(_ event: String) async throws {
        try await HookReceiver.run { receiver in
            try await TestServer.run { server in
                try server.makeHooked()
                try server.hook(event, receiver.url())
                receiver.answer(.status(410))
                _ = try await server.report(event, Self.first)
                let target = HookTests.director + "/adapters/M/events/" + event
                try await eventually("it is disabled") {
                    (try? server.send("GET", target).json["isDisabled"] as? Bool) == true
                }
                #expect(try server.send("GET", HookTests.director).json["revision"] as? Int == 5)
                // What waits for the hook is given up after that, and would be with what is reported to one that is put anew.
                try await eventually("nothing waits") {
                    (try? server.send("GET", "/v1/deliveries?status=pending").json["total"] as? Int) == 0
                }
                let answer = try await server.report(event, Self.first)
                #expect(answer.text.contains("the hook is disabled: the target answered 410"), "\(answer.text)")
                #expect(receiver.received.count == 1)
                receiver.answer(.json(#"{"value":2}"#))
                try server.hook(event, receiver.url())
                _ = try await server.report(event, Self.first)
                try await receiver.wait(2)
                #expect(try server.send("GET", target).json["isDisabled"] as? Bool == false)
            }
        }
    }

    @Test("what is given up can be read and retried")
    func deadDeliveries() async throws {
        try await HookReceiver.run { receiver in
            try await TestServer.run {
                $0.hooks.retryDelays = [.milliseconds(10)]
            } _: { server in
                try server.makeHooked()
                try server.hook("didSelect", receiver.url())
                receiver.answer(.status(503))
                let id = try #require(
                    try await server.report("didSelect", Self.first).expect(202).json["delivery"] as? String)
                let path = "/v1/deliveries/\(id)"
                try await eventually("it is dead") {
                    (try? server.send("GET", path).json["status"] as? String) == "dead"
                }
                let dead = try server.send("GET", path).json
                #expect(dead["attempts"] as? Int == 2 && dead["nextAttempt"] is NSNull)
                #expect((dead["lastError"] as? String)?.contains("503") == true)
                #expect((dead["message"] as? [String: Any])?["type"] as? String == "didSelect")
                #expect(dead["hook"] as? String == HookTests.didSelect)
                #expect(try server.send("GET", "/v1/deliveries?status=dead").json["total"] as? Int == 1)
                receiver.answer(.status(204))
                try server.send("POST", path + ":retry").expect(202)
                try await eventually("it has arrived") { (try? server.send("GET", path).status) == 404 }
                #expect(Set(receiver.received.map(\.id)) == [id])
                try server.send("POST", path + ":retry").expect(404)
                try server.send("GET", path + ":retry").expect(405)
            }
        }
    }

    @Test("DELETE of a delivery throws a dead one away for good, is 409 for one that waits and 404 for an unknown one")
    func removedDelivery() async throws {
        let folder = NSTemporaryDirectory() + "callboard-removed-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await HookReceiver.run { receiver in
            var path = ""
            try await TestServer.run(folder: folder, { $0.hooks.retryDelays = [.milliseconds(10), .seconds(600)] }) {
                server in
                try server.makeHooked()
                try server.hook("didSelect", receiver.url())
                receiver.answer(.status(503))
                let id = try #require(
                    try await server.report("didSelect", Self.first).expect(202).json["delivery"] as? String)
                path = "/v1/deliveries/\(id)"
                try await eventually("it waits for its last attempt") {
                    (try? server.send("GET", path).json["attempts"] as? Int) == 2
                }
                let refusal = try server.send("DELETE", path).expect(409)
                #expect(try (refusal.json["detail"] as? String)?.contains("still waits") == true)
                try server.send("DELETE", HookTests.didSelect).expect(204)
                try await eventually("it is dead") {
                    (try? server.send("GET", path).json["status"] as? String) == "dead"
                }
                try server.send("DELETE", path).expect(204)
                try server.send("GET", path).expect(404)
                try server.send("DELETE", path).expect(404)
                #expect(try server.send("GET", "/v1/deliveries").json["total"] as? Int == 0)
                #expect(
                    try server.send("GET", "/metrics").text.contains(#"callboard_deliveries_total{event="removed"} 1"#))
            }
            try await TestServer.run(folder: folder) { server in
                try server.send("GET", path).expect(404)
            }
        }
    }

    @Test("a stop waits for targets no longer than its deadline, and what they have not taken comes again")
    func stop() async throws {
        let folder = NSTemporaryDirectory() + "callboard-stop-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await HookReceiver.run { receiver in
            receiver.answer(.hang)
            let clock = ContinuousClock()
            var began = clock.now
            try await TestServer.run(folder: folder, { $0.server.shutdownDeadline = .milliseconds(100) }) { server in
                try server.makeHooked()
                try server.hook("didSelect", receiver.url())
                _ = try await server.report("didSelect", Self.first).expect(202)
                try await receiver.wait(1)
                began = clock.now
            }
            // The target's own time-out is 15 seconds.
            #expect(began.duration(to: clock.now) < .seconds(10))
            receiver.answer(.status(204))
            try await TestServer.run(folder: folder) { _ in
                let calls = try await receiver.wait(2)
                #expect(Set(calls.map(\.id)).count == 1)
            }
        }
    }

    @Test("hooks and what waits for them are there again after a restart; a deleted director leaves nothing")
    func restart() async throws {
        let folder = NSTemporaryDirectory() + "callboard-hooks-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await HookReceiver.run { receiver in
            receiver.answer(.status(500))
            var ids: [String] = []
            var shown = ""
            // Nothing is tried again before the restart, and what has failed waits for its retry after it.
            let patience: (inout CallboardConfiguration) -> Void = { $0.hooks.retryDelays = [.seconds(3600)] }
            try await TestServer.run(folder: folder, patience) { server in
                try server.makeHooked()
                try server.hook("didSelect", receiver.url())
                for _ in 0..<3 {
                    ids.append(
                        try await server.report("didSelect", Self.first).expect(202).json["delivery"] as? String ?? "")
                }
                try await receiver.wait(1)
                shown = try server.send("GET", HookTests.didSelect).expect(200).text
            }
            receiver.answer(.status(204))
            try await TestServer.run(folder: folder, patience) { server in
                let url = #""url":"\#(receiver.url())""#
                #expect(shown.contains(url))
                #expect(try server.send("GET", HookTests.didSelect).expect(200).text.contains(url))
                // The first has failed and waits for its turn; a retry makes it come at once, and the others after it.
                try server.send("POST", "/v1/deliveries/\(ids[0]):retry").expect(202)
                let calls = try await receiver.wait(4)
                #expect(calls.suffix(3).map(\.id) == ids)
                try await eventually("all have arrived") {
                    (try? server.send("GET", "/v1/deliveries").json["total"] as? Int) == 0
                }
                receiver.answer(.status(500))
                _ = try await server.report("didSelect", Self.first).expect(202)
                try await receiver.wait(5)
                try server.send("DELETE", HookTests.director).expect(204)
                try await eventually("nothing is left") {
                    (try? server.send("GET", "/v1/deliveries").json["total"] as? Int) == 0
                }
            }
        }
    }
}
