import Access
import Foundation
import TestSupport
import Testing

@testable import CallboardAPI

/// What is done beside each right, whatever the way that leads to it.
@Suite("Effects and rights")
struct EffectRightTests {
    /// One way to cause an effect, and the rights that it asks for; written by hand.
    private struct Way: CustomStringConvertible {
        let description: String
        let method: String
        let path: String
        let body: String
        let rights: [Right]
        /// What is sent before it by somebody with every right.
        var before: (path: String, body: String)?
    }

    private static let director = "/v1/directors/d"
    private static let hook = #"{"didSelect":{"url":"http://127.0.0.1:9/"}}"#
    private static let operations = director + "/operations"
    private static let variable = #"{"op":"setVariable","name":"v","value":1}"#
    private static let adapter = #"{"op":"setAdapter","model":"N","value":{"cell":"Cell"}}"#

    private static func batch(_ operations: String..., more: String = "") -> String {
        "{\"operations\":[\(operations.joined(separator: ","))]\(more)}"
    }

    private static let ways: [Way] = [
        Way(
            description: "content by a batch", method: "POST", path: operations, body: batch(variable),
            rights: [.mutate]),
        Way(
            description: "an adapter by a batch", method: "POST", path: operations, body: batch(adapter),
            rights: [.define]),
        Way(
            description: "both by a batch", method: "POST", path: operations, body: batch(variable, adapter),
            rights: [.mutate, .define]),
        Way(
            description: "an adapter and a reload in the batch", method: "POST", path: operations,
            body: batch(adapter, more: #","reload":true"#), rights: [.mutate, .define]),
        Way(
            description: "an adapter and a reload in the query", method: "POST", path: operations + "?reload=true",
            body: batch(adapter), rights: [.mutate, .define]),
        Way(
            description: "a dry run", method: "POST", path: operations, body: batch(variable, more: #","dryRun":true"#),
            rights: [.mutate, .read]),
        Way(
            description: "an adapter's hooks", method: "PUT", path: director + "/adapters/N",
            body: #"{"cell":"Cell","events":\#(hook)}"#, rights: [.define, .hooks]),
        Way(
            description: "several adapters' hooks", method: "PUT", path: director + "/adapters",
            body: #"{"adapters":[{"model":"N","cell":"Cell","events":\#(hook)}]}"#, rights: [.define, .hooks]),
        Way(
            description: "an adapter without hooks", method: "PUT", path: director + "/adapters/N",
            body: #"{"cell":"Cell"}"#, rights: [.define]),
        Way(
            description: "hooks that go with an adapter", method: "DELETE", path: director + "/adapters/N", body: "",
            rights: [.define, .hooks], before: (director + "/adapters/N", #"{"cell":"Cell","events":\#(hook)}"#)),
        Way(
            description: "a hook", method: "PUT", path: director + "/adapters/M/events/didSelect",
            body: #"{"url":"http://127.0.0.1:9/"}"#, rights: [.hooks]),
        Way(
            description: "a hook whose answers change the list", method: "PUT",
            path: director + "/adapters/M/events/didSelect",
            body: #"{"url":"http://127.0.0.1:9/","rights":["mutate"]}"#,
            rights: [.hooks, .mutate]),
    ]

    @Test("each way to cause an effect asks for the effect's rights: with one of them missing nothing is done")
    func effects() async throws {
        try await AccessServer.run { server in
            for way in Self.ways {
                try server.makeDirector()
                func prepare() throws {
                    if let before = way.before { try server.send(server.admin, "PUT", before.path, before.body) }
                }
                try prepare()
                for missing in way.rights {
                    let held = way.rights.filter { $0 != missing }
                    for rights in [held, Right.allCases.filter { $0 != missing && $0 != .operate }]
                    where !rights.isEmpty {
                        let token = try server.token(rights)
                        let state = try server.send(server.admin, "GET", Self.director).text
                        let answer = try server.send(token, way.method, way.path, way.body.isEmpty ? nil : way.body)
                        #expect([403, 404].contains(answer.status), "\(way) with \(rights): \(answer.status)")
                        #expect(try server.send(server.admin, "GET", Self.director).text == state, "\(way), \(rights)")
                    }
                }
                let answer = try server.send(
                    try server.token(way.rights), way.method, way.path, way.body.isEmpty ? nil : way.body)
                #expect((200..<300).contains(answer.status), "\(way): \(answer.status) \(answer.text)")
                try server.send(server.admin, "DELETE", Self.director).expect(204)
            }
        }
    }

    @Test("who may change and not read is answered without content, and with nothing of it in a refusal")
    func answers() async throws {
        try await AccessServer.run { server in
            try server.makeDirector()
            let element = #"{"model":"M","value":{"id":"x","word":"treasure"}}"#
            try server.send(server.admin, "POST", Self.director + "/sections/s/elements", element).expect(201)
            try server.send(server.admin, "POST", Self.director + "/sections/s/elements", element).expect(201)
            let writer = try server.token([.mutate])
            let path = Self.director + "/sections/s/elements"
            for (method, target, body, status) in [
                ("PATCH", path + "/@1", "{}", 204), ("POST", Self.operations, Self.batch(), 204),
                ("POST", Self.director + "/refresh", #"{"indexPaths":[[0,0]]}"#, 204),
                ("POST", Self.director + "/scroll", #"{"to":{"indexPath":[0,0]}}"#, 204),
                ("POST", Self.director + "/reload", "{}", 204), ("PATCH", path + "/x", "{}", 409),
                ("PATCH", path + "/@9", "{}", 404), ("POST", path + ":swap", #"{"at":0,"with":1}"#, 204),
                ("POST", path, #"{"model":"M","value":"y"}"#, 204),
            ] {
                let answer = try server.send(writer, method, target, body)
                #expect(answer.status == status, "\(method) \(target): \(answer.status) \(answer.text)")
                #expect(!answer.text.contains("treasure") && !answer.text.contains("@1"), "\(target): \(answer.text)")
                #expect(status >= 400 || answer.body.isEmpty, "\(target): \(answer.text)")
                #expect(answer.fields["location"] == nil)
            }
        }
    }

    @Test("an answer that is kept is given again to who may read it, and without content to who may not")
    func repetitions() async throws {
        try await AccessServer.run { server in
            try server.makeDirector()
            let (body, key) = (
                Self.batch(Self.variable, Self.adapter, more: #","reload":true"#), ["Idempotency-Key": "k"]
            )
            let first = try server.send(server.admin, "POST", Self.operations, body, headers: key).expect(200)
            let writer = try server.token([.mutate, .define])
            let again = try server.send(writer, "POST", Self.operations, body, headers: key).expect(204)
            #expect(!first.body.isEmpty && again.body.isEmpty)
            let lesser = try server.token([.mutate, .read])
            try server.send(lesser, "POST", Self.operations, body, headers: key).expect(403)
        }
    }

    @Test("where hooks lead is shown with the right to hooks alone; what is read without it can be sent back")
    func addresses() async throws {
        try await AccessServer.run { server in
            try server.makeDirector()
            let path = Self.director + "/adapters/M"
            try server.send(server.admin, "PUT", path, #"{"cell":"Cell","events":\#(Self.hook)}"#).expect(200)
            let editor = try server.token([.read, .define])
            for target in [path, Self.director + "/adapters"] {
                let answer = try server.send(editor, "GET", target).expect(200)
                #expect(answer.text.contains("didSelect") && !answer.text.contains("127.0.0.1"), "\(answer.text)")
                #expect(!answer.text.contains("whsec_"))
            }
            let read = try server.send(editor, "GET", path)
            try server.send(editor, "PUT", path, read.text).expect(200)
            try server.send(server.admin, "GET", path + "/events/didSelect").expect(200)
        }
    }

    @Test(
        "a hook's answer does what was granted when the hook was registered, and is in the audit with the hook's name")
    func hookAnswers() async throws {
        let audit = NSTemporaryDirectory() + "audit-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: audit) }
        try await HookReceiver.run { receiver in
            receiver.answer(.json(#"{"operations":[{"op":"removeAllSections"}],"reload":true}"#))
            try await AccessServer.run {
                $0.access.auditFile = audit
            } _: { server in
                try server.makeDirector()
                let path = Self.director + "/adapters/M/events/didSelect"
                let body = #"{"url":"\#(receiver.url())"}"#
                func count() throws -> Int? {
                    (try server.send(server.admin, "GET", Self.director).json["counts"] as? [String: Any])?["sections"]
                        as? Int
                }
                func lines(_ outcome: String) -> Bool {
                    let text = (try? String(contentsOfFile: audit, encoding: .utf8)) ?? ""
                    return text.split(separator: "\n").contains {
                        $0.contains(#""operation":"applyHookAnswer""#) && $0.contains("\"outcome\":\"\(outcome)\"")
                    }
                }
                let event = #"{"event":"didSelect","indexPath":[0,0]}"#
                try server.send(try server.token([.hooks]), "PUT", path, body).expect(201)
                try server.send(server.admin, "POST", Self.director + "/events", event).expect(202)
                try await eventually("a refusal in the audit") { lines("refused") }
                #expect(try count() == 2)
                try server.send(server.admin, "DELETE", path).expect(204)
                try server.send(try server.token([.hooks, .mutate]), "PUT", path, body).expect(201)
                try server.send(server.admin, "POST", Self.director + "/events", event).expect(202)
                try await eventually("a change in the audit") { lines("done") }
                #expect(try count() == 0)
            }
        }
    }
}
