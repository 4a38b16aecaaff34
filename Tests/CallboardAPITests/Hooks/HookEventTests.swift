import CallboardAPI
import Foundation
import TestSupport
import Testing

@Suite("Event hooks: what is reported and asked")
struct HookEventTests {
    private static let first = #""indexPath":[0,0]"#

    @Test("a notification is stored, delivered and gone from the list")
    func notification() async throws {
        try await HookReceiver.run { receiver in
            try await TestServer.run { server in
                try server.makeHooked()
                #expect(try await server.report("didSelect", Self.first).expect(202).text == #"{"delivery":null}"#)
                try server.hook("didSelect", receiver.url())
                let answer = try await server.report("didSelect", #""indexPath":[0,1]"#).expect(202)
                let id = try #require(try answer.json["delivery"] as? String)
                let call = try #require(try await receiver.wait(1).first)
                #expect(call.id == id)
                let message = try call.json
                #expect(message["type"] as? String == "didSelect")
                let data = try #require(message["data"] as? [String: Any])
                #expect((data["element"] as? [String: Any])?["id"] as? String == "2")
                #expect(data["indexPath"] as? [Int] == [0, 1] && data["version"] as? Int == 1)
                try await eventually("it has arrived") {
                    (try? server.send("GET", "/v1/deliveries/\(id)").status) == 404
                }
                #expect(try server.send("GET", "/v1/deliveries").json["total"] as? Int == 0)
                let health = try server.send("GET", HookTests.didSelect).json["health"] as? [String: Any]
                #expect(health?["lastSuccess"] is String && health?["pending"] as? Int == 0)
            }
        }
    }

    @Test("a question is answered by its target, else by the hook's default, else by UIKit's")
    func question() async throws {
        try await HookReceiver.run { receiver in
            try await TestServer.run { server in
                try server.makeHooked()
                #expect(
                    try await server.report("rowHeight", Self.first).expect(200).text
                        == #"{"value":-1,"source":"default"}"#)
                try server.hook("rowHeight", receiver.url(), #","default":44,"timeout":"30s""#)
                receiver.answer(.json(#"{"value":81.5}"#))
                #expect(
                    try await server.report("rowHeight", Self.first).expect(200).text
                        == #"{"value":81.5,"source":"hook"}"#)
                for (answer, reason) in [
                    (HookReceiver.Answer.json(#"{"value":"tall"}"#), "/value"), (.json("{}"), "no value"),
                    (.json("tall"), "not JSON"), (.status(500), "500"), (.hang, "timed out"),
                ] {
                    if case .hang = answer {
                        try server.hook("rowHeight", receiver.url(), #","default":44,"timeout":"200ms""#)
                    }
                    receiver.answer(answer)
                    let answer = try await server.report("rowHeight", Self.first).expect(200).json
                    #expect(answer["value"] as? Int == 44 && answer["source"] as? String == "default")
                    #expect((answer["reason"] as? String)?.contains(reason) == true, "\(answer)")
                }
                let target = HookTests.director + "/adapters/M/events/rowHeight"
                let health = try #require(try server.send("GET", target).json["health"] as? [String: Any])
                #expect((health["consecutiveFailures"] as? Int ?? 0) >= 2)
            }
        }
    }

    @Test("a hook with a default and no URL answers by itself, after a restart too, and is shown with its adapter")
    func defaultAlone() async throws {
        let folder = NSTemporaryDirectory() + "callboard-default-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let target = HookTests.director + "/adapters/M/events/rowHeight"
        let answer = #"{"value":64,"source":"default"}"#
        try await TestServer.run(folder: folder) { server in
            try server.makeHooked()
            try server.send("PUT", HookTests.didSelect, #"{"timeout":"1s"}"#).expect(422)
            try server.send("PUT", target, "{}").expect(422)
            let made = try server.send("PUT", target, #"{"default":64}"#).expect(201).json
            #expect(made["url"] == nil && made["secret"] == nil && made["default"] as? Int == 64)
            #expect((made["health"] as? [String: Any])?["lastSuccess"] is NSNull)
            #expect(try await server.report("rowHeight", Self.first).expect(200).text == answer)
            let many = try await server.report("rowHeight", #""indexPaths":[[0,0],[0,1]]"#).expect(200)
            #expect(many.text == #"{"values":[\#(answer),\#(answer)]}"#)
            // Nobody was called, and three values were defaults.
            let metrics = try server.send("GET", "/metrics").text
            #expect(metrics.contains(#"callboard_event_answers_total{source="default"} 3"#))
            #expect(metrics.contains(#"callboard_hook_calls_total{kind="question",outcome="success"} 0"#))
        }
        try await TestServer.run(folder: folder) { server in
            #expect(try await server.report("rowHeight", Self.first).expect(200).text == answer)
            let adapter = try server.send("GET", HookTests.director + "/adapters/M").expect(200)
            #expect(adapter.text.contains(#""rowHeight":{"event":"rowHeight","kind":"question","default":64,"#))
            // What an adapter's body brings counts as well.
            let body = #"{"cell":"Cell","events":{"rowHeight":{"default":65},"didSelect":{"default":1}}}"#
            try server.send("PUT", HookTests.director + "/adapters/M", body).expect(422)
            try server.send(
                "PUT", HookTests.director + "/adapters/M", #"{"cell":"Cell","events":{"rowHeight":{"default":65}}}"#
            ).expect(200)
            #expect(
                try await server.report("rowHeight", Self.first).expect(200).text
                    == #"{"value":65,"source":"default"}"#)
        }
    }

    @Test("health begins anew with a URL: no lastSuccess of the earlier target, in the answer to the PUT and after it")
    func movedHealth() async throws {
        try await HookReceiver.run { receiver in
            try await TestServer.run { server in
                try server.makeHooked()
                try server.hook("didSelect", receiver.url())
                _ = try await server.report("didSelect", Self.first).expect(202)
                func lastSuccess(_ answer: TestResponse) throws -> Any? {
                    try (answer.json["health"] as? [String: Any])?["lastSuccess"]
                }
                try await eventually("it has arrived") {
                    (try? lastSuccess(server.send("GET", HookTests.didSelect))) is String
                }
                let same = #"{"url":"\#(receiver.url())","timeout":"3s"}"#
                #expect(try lastSuccess(server.send("PUT", HookTests.didSelect, same).expect(200)) is String)
                let other = #"{"url":"\#(receiver.url())other"}"#
                #expect(try lastSuccess(server.send("PUT", HookTests.didSelect, other).expect(200)) is NSNull)
                #expect(try lastSuccess(server.send("GET", HookTests.didSelect).expect(200)) is NSNull)
            }
        }
    }

    @Test("willDisplayHeader of a section without a header is 422 and is not delivered")
    func missingHeader() async throws {
        try await HookReceiver.run { receiver in
            try await TestServer.run { server in
                try server.makeHooked()
                let hook = HookTests.director + "/events/willDisplayHeader"
                try server.send("PUT", hook, #"{"url":"\#(receiver.url())"}"#).expect(201)
                let bare = #"{"id":"bare","elements":[]}"#
                try server.send("POST", HookTests.director + "/sections?reload=true", bare).expect(201)
                let refusal = try await server.report("willDisplayHeader", #""header":2"#).expect(422).json
                let errors = try #require(refusal["errors"] as? [[String: Any]])
                #expect(errors.first?["pointer"] as? String == "/header")
                #expect((errors.first?["detail"] as? String)?.contains("has no header") == true)
                #expect(try server.send("GET", "/v1/deliveries").json["total"] as? Int == 0)
            }
        }
    }

    @Test("several elements are one call, answered in the order in which they were asked for")
    func batch() async throws {
        try await HookReceiver.run { receiver in
            try await TestServer.run { server in
                try server.makeHooked()
                try server.send("PUT", HookTests.director + "/adapters/N", #"{"cell":"Other"}"#).expect(201)
                try server.send(
                    "POST", HookTests.director + "/sections/s/elements?at=0&reload=true",
                    #"{"model":"N","value":{"id":"n"}}"#
                ).expect(201)
                try server.hook("rowHeight", receiver.url(), #","default":7"#)
                receiver.answer { call in
                    let items = ((try? call.json)?["data"] as? [String: Any])?["items"] as? [[String: Any]] ?? []
                    let values = items.map { item -> String in
                        let element = (item["element"] as? [String: Any])?["id"] as? String ?? ""
                        return element == "2" ? "null" : element + "0"
                    }
                    return .json(#"{"values":[\#(values.joined(separator: ","))]}"#)
                }
                let answer = try await server.report("rowHeight", #""indexPaths":[[0,3],[0,0],[0,2],[0,1]]"#).expect(
                    200)
                let values = try #require(try answer.json["values"] as? [[String: Any]])
                // The second element has another adapter and no hook; the third a value that is none.
                #expect(values.map { $0["value"] as? Int } == [30, -1, 7, 10])
                #expect(values.map { $0["source"] as? String } == ["hook", "default", "default", "hook"])
                #expect(values[1]["reason"] == nil && values[2]["reason"] != nil)
                #expect(receiver.received.count == 1)
            }
        }
    }

    @Test("with cache, a target is asked once for each element, version and parameters, also by many at once")
    func cache() async throws {
        try await HookReceiver.run { receiver in
            try await TestServer.run { server in
                try server.makeHooked()
                try server.hook("rowHeight", receiver.url(), #","cache":true"#)
                receiver.answer { call in
                    let data = (try? call.json)?["data"] as? [String: Any] ?? [:]
                    let count = (data["items"] as? [Any])?.count ?? 1
                    return .json(
                        #"{"value":5,"values":[\#(Array(repeating: "5", count: count).joined(separator: ","))]}"#)
                }
                try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<8 {
                        group.addTask { try await server.report("rowHeight", Self.first).text }
                    }
                    for try await text in group { #expect(text == #"{"value":5,"source":"hook"}"#) }
                }
                #expect(receiver.received.count == 1)
                // Only what is not known is asked for.
                let many = try await server.report("rowHeight", #""indexPaths":[[0,0],[0,2],[0,1],[0,2]]"#).expect(200)
                #expect(try (many.json["values"] as? [Any])?.count == 4)
                let data = try receiver.received[1].json["data"] as? [String: Any]
                let items = try #require(data?["items"] as? [[String: Any]])
                #expect(items.map { $0["indexPath"] as? [Int] } == [[0, 2], [0, 1]])
                _ = try await server.report("rowHeight", #""indexPath":[0,1],"parameters":{"width":1}"#).expect(200)
                #expect(receiver.received.count == 3)
                // Another version, and another target, are asked anew.
                try server.send("PUT", HookTests.director + "/sections/u?reload=true", "{}").expect(201)
                _ = try await server.report("rowHeight", Self.first).expect(200)
                #expect(receiver.received.count == 4)
                try server.hook("rowHeight", receiver.url("/other"), #","cache":true"#)
                _ = try await server.report("rowHeight", Self.first).expect(200)
                #expect(receiver.received.count == 5)
                // An older version is none of the cache's.
                for _ in 0..<2 { _ = try await server.report("rowHeight", Self.first + #","version":1"#).expect(200) }
                #expect(receiver.received.count == 7)
            }
        }
    }

    @Test("a failed answer is not kept")
    func failedAnswers() async throws {
        try await HookReceiver.run { receiver in
            try await TestServer.run { server in
                try server.makeHooked()
                try server.hook("rowHeight", receiver.url(), #","cache":true"#)
                receiver.answer(.status(500))
                #expect(try await server.report("rowHeight", Self.first).json["source"] as? String == "default")
                receiver.answer(.json(#"{"value":9}"#))
                #expect(try await server.report("rowHeight", Self.first).json["value"] as? Int == 9)
            }
        }
    }

    @Test("a request with a key is answered once, and delivers once")
    func keys() async throws {
        try await HookReceiver.run { receiver in
            try await TestServer.run { server in
                try server.makeHooked()
                for event in ["didSelect", "rowHeight"] { try server.hook(event, receiver.url()) }
                receiver.answer(.json(#"{"value":1}"#))
                for event in ["didSelect", "rowHeight"] {
                    let headers = ["Idempotency-Key": "key-" + event]
                    let before = receiver.received.count
                    let answer = try await server.report(event, Self.first, headers: headers)
                    #expect([200, 202].contains(answer.status))
                    try await receiver.wait(before + 1)
                    for _ in 0..<3 {
                        let again = try await server.report(event, Self.first, headers: headers)
                        #expect(again.status == answer.status && again.text == answer.text)
                    }
                    #expect(receiver.received.count == before + 1)
                    _ = try await server.report(event, #""indexPath":[0,1]"#, headers: headers).expect(422)
                }
            }
        }
    }

    @Test(
        "what cannot be reported is refused with what is wrong",
        arguments: [
            (#"{"event":"didSelect","indexPath":[0,9]}"#, 422, "/indexPath"),
            (#"{"event":"didSelect","indexPath":[9,0]}"#, 422, "/indexPath"),
            (#"{"event":"didSelect","indexPath":[0,0],"version":0}"#, 422, "/indexPath"),
            (#"{"event":"didSelect","indexPath":[0,0],"version":2}"#, 409, ""),
            (#"{"event":"didSelect","indexPath":[0,0],"version":9223372036854775807}"#, 409, ""),
            (#"{"event":"didSelect","header":0}"#, 422, ""),
            (#"{"event":"didNothing","indexPath":[0,0]}"#, 422, "/event"),
            (#"{"event":"itemSize","indexPath":[0,0]}"#, 422, "/event"),
            (#"{"event":"didSelect","indexPath":[0]}"#, 422, "/indexPath"),
            (#"{"event":"didSelect","indexPath":[0,0],"verison":1}"#, 422, "/verison"),
            (#"{"event":"didScroll","parameters":[]}"#, 422, "/parameters"),
            (#"{"indexPath":[0,0]}"#, 422, ""), ("[]", 422, ""), ("{", 400, ""),
        ])
    func refusals(_ body: String, _ status: Int, _ pointer: String) async throws {
        try await TestServer.run { server in
            try server.makeHooked()
            let answer = try server.send("POST", HookTests.director + "/events", body).expect(status)
            #expect(answer.fields["content-type"] == "application/problem+json")
            let errors = try answer.json["errors"] as? [[String: Any]]
            if !pointer.isEmpty { #expect(errors?.first?["pointer"] as? String == pointer, "\(answer.text)") }
        }
    }

    @Test("a version that is no longer retained answers 409")
    func goneVersion() async throws {
        try await TestServer.run {
            $0.feed.retainedVersions = 1
        } _: { server in
            try server.makeHooked()
            try server.send("PUT", HookTests.director + "/sections/u?reload=true", "{}").expect(201)
            let answer = try await server.report("didSelect", Self.first + #","version":1"#).expect(409)
            #expect(answer.text.contains("the newest is 2"))
        }
    }

    @Test("elements whose message would be too large are refused together, and reported one by one")
    func largeMessages() async throws {
        try await HookReceiver.run { receiver in
            try await TestServer.run { server in
                try server.makeHooked()
                let text = String(repeating: "x", count: 3 << 20)
                try server.send(
                    "PUT", HookTests.director + "/sections/s?reload=true",
                    #"{"elements":[{"value":{"id":"1","text":"\#(text)"}}]}"#
                ).expect(200)
                try server.hook("prefetch", receiver.url())
                let paths = Array(repeating: "[0,0]", count: 6).joined(separator: ",")
                let refusal = try await server.report("prefetch", #""indexPaths":[\#(paths)]"#).expect(422)
                #expect(refusal.text.contains("fewer at a time"))
                _ = try await server.report("prefetch", #""indexPaths":[[0,0]]"#).expect(202)
                try await receiver.wait(1)
            }
        }
    }

    @Test("a full queue answers 429 and when to come back; other hooks take more")
    func fullQueue() async throws {
        try await HookReceiver.run { receiver in
            try await TestServer.run {
                $0.hooks.maxPending = 2
            } _: { server in
                try server.makeHooked()
                for event in ["didSelect", "didDeselect"] { try server.hook(event, receiver.url("/" + event)) }
                receiver.answer(.hang)
                for _ in 0..<2 { _ = try await server.report("didSelect", Self.first).expect(202) }
                let full = try await server.report("didSelect", Self.first, headers: ["Idempotency-Key": "k"]).expect(
                    429)
                #expect((full.fields["retry-after"].flatMap { Int($0) } ?? 0) > 0)
                _ = try await server.report("didDeselect", Self.first).expect(202)
                let page = try server.send("GET", "/v1/deliveries?event=didSelect&status=pending&limit=1").expect(200)
                #expect(try page.json["total"] as? Int == 2)
                #expect(try (page.json["deliveries"] as? [Any])?.count == 1)
                #expect(try server.send("GET", "/v1/deliveries?director=other").json["total"] as? Int == 0)
                // A refusal that will not last is not kept for its key.
                receiver.answer(.status(204))
                receiver.release()
                try await eventually("there is room again") {
                    (try? server.send("GET", "/v1/deliveries").json["total"] as? Int) == 0
                }
                _ = try await server.report("didSelect", Self.first, headers: ["Idempotency-Key": "k"]).expect(202)
            }
        }
    }

    @Test("hooks and deliveries are counted")
    func metrics() async throws {
        try await HookReceiver.run { receiver in
            try await TestServer.run { server in
                try server.makeHooked()
                for event in ["didSelect", "rowHeight"] { try server.hook(event, receiver.url()) }
                receiver.answer(.json(#"{"value":1}"#))
                _ = try await server.report("rowHeight", Self.first).expect(200)
                _ = try await server.report("didSelect", Self.first).expect(202)
                let wanted = [
                    #"callboard_hook_calls_total{kind="notification",outcome="success"} 1"#,
                    #"callboard_hook_calls_total{kind="question",outcome="success"} 1"#,
                    #"callboard_deliveries_total{event="delivered"} 1"#, "callboard_deliveries_pending 0",
                    #"callboard_event_answers_total{source="hook"} 1"#,
                    #"callboard_hook_call_duration_seconds_count{kind="question"} 1"#,
                ]
                try await eventually("all is counted") {
                    let text = (try? server.send("GET", "/metrics").text) ?? ""
                    return wanted.allSatisfy { text.contains($0 + "\n") }
                }
            }
        }
    }
}
