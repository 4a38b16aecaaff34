import CallboardClient
import Directors
import Foundation
import Testing
import Webhooks

@testable import CallboardProgram

@Suite("A server and a listener", .timeLimit(.minutes(2)))
struct ListenEndToEndTests {
    private static let secret = HookSecret.random()

    /// The director of ``DataFolderFixture/load(_:_:)``: one section, `all`, with elements by their numbers.
    private struct Director {
        let callboard: Callboard

        /// Sends a request below the director, which has to be answered with this status.
        func call(_ method: String, _ path: String, _ body: JSON, status: Int = 200) async throws -> JSON {
            let address = "\(callboard.server)/v1/directors/numbers/\(path)"
            let fields = [(name: "Content-Type", value: "application/json")]
            let answer = try await ListenerFixture.send(body.utf8, fields, method: method, to: address)
            #expect(answer.status == status, "\(answer.body)")
            return try JSON(parsing: answer.body)
        }

        /// Registers a hook on an event of its cells.
        func hook(_ event: String, to listener: ListenerFixture, secret: HookSecret) async throws {
            _ = try await call(
                "PUT", "adapters/N/events/\(event)",
                ["url": .string(listener.listener.address), "secret": .string(secret.text)], status: 201)
        }
    }

    private func withDirector(_ body: (Director) async throws -> Void) async throws {
        try await DataFolderFixture().withServer(data: "memory") { callboard in
            try await DataFolderFixture.load(callboard, 0..<20)
            try await body(Director(callboard: callboard))
        }
    }

    @Test("a tap whose answer deletes the tapped row reaches a subscriber as a staged delete")
    func deleteTapped() async throws {
        let operations = try OperationsArgument.read(
            #"{"op": "removeElement", "section": "{section}", "element": "{element}"}"#)
        let plan = AnswerPlan(operations: operations, reloads: true, events: ["didSelect"])
        try await withDirector { director in
            let list = director.callboard.director("numbers").list()
            try await ListenerFixture.run(secrets: [Self.secret], plan: plan) { listener in
                try await director.hook("didSelect", to: listener, secret: Self.secret)
                let updates = list.makeAsyncIterator()
                // Only who has the list is told of a change to it.
                while let update = try await updates.next() {
                    if case .replaced = update { break }
                }
                let tap: JSON = ["event": "didSelect", "indexPath": [0, 7]]
                let delivery = try await director.call("POST", "events", tap, status: 202)
                var change: RemoteChangeset?
                while change == nil, let update = try await updates.next() {
                    if case .changed(_, let changeset) = update { change = changeset }
                }
                let stages = change?.stages.stages ?? []
                #expect(stages.map { $0.elementDeleted.map(\.description) } == [["[0, 7]"]])
                let reception = try #require(listener.receptions.first)
                #expect(listener.receptions.count == 1 && reception.signature == .verified)
                #expect(reception.id == delivery["delivery"]?.stringValue)
                #expect(reception.event.data["element"]?["id"] == "7")
            }
        }
    }

    @Test("a question is answered from the flags, for one element and for several")
    func questions() async throws {
        let plan = AnswerPlan(values: [
            "rowHeight": AnswerTemplate("{/element/value/id}"), "editStyle": AnswerTemplate("big"),
        ])
        try await withDirector { director in
            let summary = try await ListenerFixture.run(secrets: [Self.secret], plan: plan) { listener in
                for event in ["rowHeight", "editStyle", "canEditRow"] {
                    try await director.hook(event, to: listener, secret: Self.secret)
                }
                let height = try await director.call("POST", "events", ["event": "rowHeight", "indexPath": [0, 3]])
                #expect(height == ["value": 3, "source": "hook"])
                let heights = try await director.call(
                    "POST", "events", ["event": "rowHeight", "indexPaths": [[0, 4], [0, 2]]])
                #expect(heights["values"]?.arrayValue?.map { $0["value"] } == [4, 2])
                // A bad answer and none at all leave it to UIKit's default.
                for (event, value) in [("editStyle", "delete"), ("canEditRow", true)] as [(String, JSON)] {
                    let answer = try await director.call(
                        "POST", "events", ["event": .string(event), "indexPath": [0, 3]])
                    #expect(answer["value"] == value && answer["source"] == "default")
                }
            }
            #expect(summary.description == "4 events: 4 answered 200")
        }
    }

    @Test("a hook that signs with another secret is refused, and the server says why")
    func wrongSecret() async throws {
        try await withDirector { director in
            let summary = try await ListenerFixture.run(secrets: [.random()]) { listener in
                try await director.hook("rowHeight", to: listener, secret: Self.secret)
                let answer = try await director.call("POST", "events", ["event": "rowHeight", "indexPath": [0, 3]])
                #expect(answer["source"] == "default")
                #expect(answer["reason"]?.stringValue?.contains("401") == true)
                #expect(listener.receptions.isEmpty)
            }
            #expect(summary.description == "0 events; 1 request refused: 1 with 401")
        }
    }

    @Test("an event that fails comes again with the same identifier, and the one after it waits")
    func retries() async throws {
        let plan = AnswerPlan(failure: .init(status: 503, count: 1, retryAfter: 1))
        try await withDirector { director in
            let summary = try await ListenerFixture.run(secrets: [Self.secret], plan: plan, limit: 3) { listener in
                try await director.hook("didSelect", to: listener, secret: Self.secret)
                var ids: [String?] = []
                for position in 0..<2 {
                    let tap: JSON = ["event": "didSelect", "indexPath": [0, .number(JSONNumber(position))]]
                    ids.append(try await director.call("POST", "events", tap, status: 202)["delivery"]?.stringValue)
                }
                for await _ in listener.listener.receiver.isDone { break }
                #expect(listener.receptions.map(\.id) == [ids[0], ids[0], ids[1]])
                #expect(listener.receptions.map(\.attempt) == [1, 2, 1])
            }
            #expect(summary.description == "3 events: 2 answered 204, 1 answered 503")
        }
    }
}
