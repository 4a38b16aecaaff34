import CallboardUIKit
import Foundation
import ListDiff
import Testing
import UIKitDouble

@testable import CallboardClient

@Suite("Dragging and dropping", .timeLimit(.minutes(5))) @MainActor
struct DragAndDropTests {
    private static let question: JSON = ["kind": "question"]
    private static let enabled: JSON = ["dragDropEnabled": true]

    /// Hooks of all events of a director that a drag has.
    private static let hooks: JSON = .object(
        [
            "willBeginDragSession", "didEndDragSession", "dragSessionRestrictedToApp", "dragSessionAllowsMoveOperation",
            "acceptDropSession", "performDrop", "dropSessionDidUpdate", "dropSessionDidEnter", "dropSessionDidExit",
            "dropSessionDidEnd",
        ].reduce(into: JSONObject()) { $0[$1] = ["kind": "question"] })

    /// A server that lets everything be dragged and moved, but nothing be moved to the first place.
    private nonisolated static func answer(_ event: JSON) -> JSON {
        switch event["event"]?.stringValue {
        case "prepareItemForDrag":
            ["value": [["text": "an a", "localObject": ["n": 1]]], "source": "hook"]
        case "addItemToDragSession": ["value": [["text": "more"]], "source": "hook"]
        case "dropSessionDidUpdate":
            [
                "value": event["parameters"]?["destination"] == [0, 0]
                    ? ["operation": "forbidden"]
                    : ["operation": "move", "intent": "insertAtDestinationIndexPath"], "source": "hook",
            ]
        case "acceptDropSession": ["value": true, "source": "hook"]
        default: ["value": true, "source": "hook"]
        }
    }

    @Test("within one list, hooks answer ahead, once for each place, and are told where the items come from and go")
    func within() async throws {
        for kind in ShownView.Kind.allCases {
            let transport = HookTransport(answer: Self.answer)
            let fixture = try ListFixture(transport)
            let view = ShownView.make(kind, fixture)
            try fixture.publish(
                ["a", "b", "c"], hooks: ["prepareItemForDrag": Self.question, "addItemToDragSession": Self.question],
                director: Self.hooks, properties: Self.enabled)
            view.layout()
            try await fixture.idle(view)
            let drag = try #require(view.beginDrag(0))
            #expect(drag.isRestricted && drag.allowsMove)
            #expect(drag.items[0].itemProvider.registeredTypeIdentifiers == ["public.utf8-plain-text"])
            view.move(drag, to: 1)
            #expect(drag.operation == .cancel, "the hook has not answered for the place yet")
            try await fixture.idle(view)
            for _ in 0..<3 { view.move(drag, to: 1) }
            #expect(drag.operation == .move)
            drag.add(at: IndexPath(row: 1, section: 0))
            #expect(drag.items.count == 2)
            view.move(drag, to: 2)
            try await fixture.idle(view)
            view.move(drag, to: 2)
            drag.leave()
            view.move(drag, to: 2)
            drag.drop()
            try await fixture.settle(7)
            #expect(
                transport.reports.map { $0["event"]?.stringValue } == [
                    "willBeginDragSession", "dropSessionDidEnter", "dropSessionDidExit", "dropSessionDidEnter",
                    "performDrop", "dropSessionDidEnd", "didEndDragSession",
                ])
            let items: JSON = [
                ["text": "an a", "localObject": ["n": 1], "sourceIndexPath": [0, 0]],
                ["text": "more", "sourceIndexPath": [0, 1]],
            ]
            #expect(transport.reports[4]["parameters"]?["items"] == items)
            #expect(transport.reports[4]["parameters"]?["destination"] == [0, 2])
            #expect(
                transport.reports[4]["parameters"]?["proposal"]
                    == ["operation": "move", "intent": "insertAtDestinationIndexPath"])
            let places = transport.questions.filter { $0["event"] == "dropSessionDidUpdate" }
            #expect(places.map { $0["parameters"]?["destination"] } == [[0, 1], [0, 2]])
            #expect(fixture.list.sections[0].elements.map(\.id) == ["a", "b", "c"])
        }
    }

    @Test("a drop from another list comes without a place, and from another app with its text once that is read")
    func others() async throws {
        for kind in ShownView.Kind.allCases {
            let transport = HookTransport(answer: Self.answer)
            let fixture = try ListFixture(transport)
            let other = try ListFixture()
            let source = ShownView.make(.table, other, DragClosures { [DragItem(localObject: .string($0))] })
            try other.publish(["x"], properties: Self.enabled)
            source.layout()
            let view = ShownView.make(kind, fixture)
            try fixture.publish(["a"], director: ["performDrop": [:]], properties: Self.enabled)
            view.layout()
            view.director.events.dropSessionDidUpdate = { context in
                context.items.isEmpty ? DropProposal(.forbidden) : DropProposal(.copy)
            }
            for drag in [source.beginDrag(0), UserDrag(text: "hello"), UserDrag(text: nil, type: "public.png")] {
                let drag = try #require(drag)
                view.move(drag, to: nil)
                #expect(drag.operation == .copy)
                drag.drop()
            }
            try await fixture.settle(3)
            let parameters = transport.reports.map { $0["parameters"] }
            #expect(parameters.map { $0?["destination"] } == [.null, .null, .null])
            #expect(
                parameters.map { $0?["items"] } == [
                    [["localObject": "x"]], [["text": "hello", "type": "public.utf8-plain-text"]],
                    [["type": "public.png", "localObject": .null]],
                ])
        }
    }

    @Test("closures of the director answer before hooks, and take what they are told")
    func closures() async throws {
        for kind in ShownView.Kind.allCases {
            let transport = HookTransport(answer: Self.answer)
            let fixture = try ListFixture(transport)
            let log = Log()
            let view = ShownView.make(kind, fixture, DragClosures(log: log) { [DragItem(text: $0)] })
            listen(view.director, log)
            try fixture.publish(["a", "b"], director: Self.hooks, properties: Self.enabled)
            view.layout()
            let drag = try #require(view.beginDrag(1))
            #expect(!drag.isRestricted && !drag.allowsMove)
            drag.add(at: IndexPath(row: 0, section: 0), point: CGPoint(x: 1, y: 2))
            view.move(drag, to: 0)
            drag.leave()
            view.move(drag, to: 0)
            drag.drop()
            #expect(
                log.lines == [
                    "restricted b", "move b", "begin b", "add 1 2.0", "accept b", "enter b", "update [0, 0]", "exit b",
                    "accept b", "enter b", "update [0, 0]", "drop [0, 0] copy insertIntoDestinationIndexPath",
                    "end drop b", "end drag b",
                ])
            try await fixture.idle(view)
            #expect(transport.questions == [] && transport.reports == [])
        }
    }

    private func listen(_ director: RemoteListDirector, _ log: Log) {
        func name(_ context: DirectorContext) -> String { context.items.first?.text ?? "nothing" }
        func place(_ context: DirectorContext) -> String { context.destination.map { "\($0.indexPath)" } ?? "nowhere" }
        director.events.dragSessionRestrictedToApp = { context in
            log.add("restricted \(name(context))")
            return false
        }
        director.events.dragSessionAllowsMoveOperation = { context in
            log.add("move \(name(context))")
            return false
        }
        director.events.willBeginDragSession = { log.add("begin \(name($0))") }
        director.events.didEndDragSession = { log.add("end drag \(name($0))") }
        director.events.acceptDropSession = { context in
            log.add("accept \(name(context))")
            return true
        }
        director.events.dropSessionDidEnter = { log.add("enter \(name($0))") }
        director.events.dropSessionDidExit = { log.add("exit \(name($0))") }
        director.events.dropSessionDidUpdate = { context in
            log.add("update \(place(context))")
            return DropProposal(.copy, .insertIntoDestinationIndexPath)
        }
        director.events.performDrop = { context in
            let proposal = context.proposal
            log.add("drop \(place(context)) \(proposal?.operation.rawValue ?? "") \(proposal?.intent.rawValue ?? "")")
        }
        director.events.dropSessionDidEnd = { log.add("end drop \(name($0))") }
    }

    @Test("nothing is dragged or dropped unless the director says so, an adapter has items, and a drop is proposed")
    func defaults() async throws {
        for kind in ShownView.Kind.allCases {
            let fixture = try ListFixture()
            let view = ShownView.make(
                kind, fixture, DragClosures { $0 == "a" ? [] : [DragItem(text: $0)] })
            try fixture.publish(["a", "b"], properties: Self.enabled)
            view.layout()
            #expect(view.beginDrag(0) == nil)
            let drag = try #require(view.beginDrag(1))
            #expect(!drag.isRestricted && drag.allowsMove)
            view.move(drag, to: 0)
            #expect(drag.operation == .cancel)
            try fixture.publish(["a", "b"], version: 2)
            #expect(view.beginDrag(1) == nil)
        }
    }

    @Test("a hook that refuses a drop after UIKit has asked takes the proposal back; another version asks anew")
    func refusal() async throws {
        for kind in ShownView.Kind.allCases {
            let transport = HookTransport { event in
                ["value": event["event"] == "acceptDropSession" ? false : ["operation": "move"], "source": "hook"]
            }
            let fixture = try ListFixture(transport)
            let view = ShownView.make(kind, fixture)
            view.director.events.dropSessionDidUpdate = { _ in DropProposal(.move) }
            let hooks: JSON = ["acceptDropSession": Self.question]
            try fixture.publish(["a"], director: hooks, properties: Self.enabled)
            view.layout()
            let drag = UserDrag(text: "x")
            view.move(drag, to: 0)
            #expect(drag.operation == .move)
            try await fixture.until { transport.questions.count == 1 }
            try await fixture.idle(view)
            view.move(drag, to: 0)
            #expect(drag.operation == .cancel)
            try fixture.publish(["a"], version: 2, director: hooks, properties: Self.enabled)
            view.move(drag, to: 0)
            #expect(drag.operation == .move)
            try await fixture.until { transport.questions.count == 2 }
            #expect(transport.questions.map { $0["version"] } == [1, 2])
        }
    }
}

/// What is dragged of a contact, by its name; taps that would add something are noted.
private struct DragClosures: SharedClosures {
    var log = Log()
    let items: @MainActor (String) -> [DragItem]

    func set<Cell, Names: CellEventNames>(_ events: inout EventHandlers<Names, CellContext<Contact, Cell>>) {
        events.prepareItemForDrag = { [items] in items($0.element.name) }
        events.addItemToDragSession = { [log] context in
            log.add("add \(context.items.count) \(context.point?.y ?? 0)")
            return []
        }
    }
}
