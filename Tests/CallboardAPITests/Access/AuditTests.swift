import DirectorLife
import Foundation
import TestSupport
import Testing

@testable import CallboardAPI

/// What the audit says of changes of which nobody knows whether they were made.
@Suite("Audit of changes in doubt")
struct AuditTests {
    private static let doubt = StorageError.inDoubt("the connection was lost")
    private static let hook = "/v1/directors/d/adapters/M/events/didSelect"

    /// Runs `body` against a server with a director and an audit; `lines` reads the operations, statuses and outcomes.
    private func run(
        _ body: (TestServer, HeldJournal, _ lines: @escaping @Sendable () -> [String]) async throws -> Void
    ) async throws {
        let audit = NSTemporaryDirectory() + "audit-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: audit) }
        let journal = HeldJournal()
        try await TestServer.run(journal: journal) {
            $0.access.auditFile = audit
        } _: { server in
            try server.makeDirector()
            try server.send("PUT", "/v1/directors/d/adapters/M", #"{"cell":"Cell"}"#)
            let element = #"{"id":"s","elements":[{"model":"M","value":"a"}]}"#
            try server.send("PUT", "/v1/directors/d/sections?reload=true", "[\(element)]").expect(200)
            try await body(server, journal) {
                let text = (try? String(contentsOfFile: audit, encoding: .utf8)) ?? ""
                return text.split(separator: "\n").map { line in
                    let entry = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] ?? [:]
                    return ["operation", "status", "outcome"].compactMap { entry[$0].map { "\($0)" } }
                        .joined(separator: " ")
                }
            }
        }
    }

    @Test("a change that was answered 504 has a line that its outcome is not known, one without room for it none")
    func requests() async throws {
        try await run { server, journal, lines in
            journal.settle(failing: .full("no space"))
            try server.send("PUT", "/v1/directors/d/variables/v", "1").expect(507)
            journal.settle(failing: Self.doubt)
            try server.send("PUT", "/v1/directors/d/variables/v", "1").expect(504)
            // Lines are written in the order of the changes: with the second one there, a line of the first would be too.
            try await eventually("a line of the change in doubt") { lines().contains("setVariable 504 unknown") }
            #expect(lines().filter { $0.hasPrefix("setVariable") } == ["setVariable 504 unknown"])
        }
    }

    @Test(
        "so has what a hook's target brings about",
        arguments: [(200, "applyHookAnswer unknown"), (410, "disableHook unknown")])
    func hooks(status: Int, line: String) async throws {
        try await HookReceiver.run { receiver in
            let operations = #"{"operations":[{"op":"removeAllSections"}]}"#
            receiver.answer(status == 410 ? .status(410) : .json(operations))
            try await run { server, journal, lines in
                try server.send("PUT", Self.hook, #"{"url":"\#(receiver.url())"}"#).expect(201)
                journal.settle(failing: Self.doubt)
                let event = #"{"event":"didSelect","indexPath":[0,0]}"#
                try server.send("POST", "/v1/directors/d/events", event).expect(202)
                try await eventually("a line of the hook") { lines().contains(line) }
            }
        }
    }
}
