import CallboardUIKit
import Foundation
import ListDiff
import Testing
import UIKitDouble

@testable import CallboardClient

@Suite("Context menus, primary actions and several selected", .timeLimit(.minutes(5))) @MainActor
struct MenuTests {
    private static let notification: JSON = ["kind": "notification"]
    private static let question: JSON = ["kind": "question"]

    @Test("a menu has the hook's actions, asked ahead; the one that is chosen is reported by its identifier, or title")
    func hooks() async throws {
        for kind in ShownView.Kind.allCases {
            let actions: JSON = [
                ["title": "Call", "identifier": "call", "image": "phone"],
                ["title": "Delete", "style": "destructive"],
            ]
            let transport = HookTransport { _ in ["value": actions, "source": "hook"] }
            let fixture = try ListFixture(transport)
            let view = ShownView.make(kind, fixture)
            let hooks: JSON = [
                "contextMenu": Self.question, "willDisplayContextMenu": Self.notification,
                "performContextAction": Self.notification,
            ]
            try fixture.publish(["a"], hooks: hooks)
            view.layout()
            try await fixture.until { transport.questions.count == 1 }
            try await fixture.idle(view)
            let menu = try #require(view.press(0), "of a \(kind)")
            #expect(menu.actions.map(\.title) == ["Call", "Delete"] && menu.actions[0].image?.name == "phone")
            #expect(menu.actions.map { $0.attributes == .destructive } == [false, true])
            #expect(menu.actions.map { $0.identifier?.rawValue } == ["call", nil])
            menu.choose(0)
            menu.choose(1)
            menu.tapPreview()
            try await fixture.settle(4)
            #expect(
                transport.reports.map { $0["event"]?.stringValue } == [
                    "willDisplayContextMenu", "performContextAction", "performContextAction", "performContextAction",
                ])
            #expect(transport.reports.map { $0["parameters"]?["action"] } == [nil, "call", "Delete", .null])
            #expect(transport.questions.count == 1 && transport.questions[0]["indexPath"] == [0, 0])
        }
    }

    @Test("a closure answers before the hook and is not asked ahead; an action performs itself, or tells the closure")
    func closures() async throws {
        for kind in ShownView.Kind.allCases {
            let transport = HookTransport { _ in ["value": [["title": "hook"]], "source": "hook"] }
            let fixture = try ListFixture(transport)
            let log = Log()
            let view = ShownView.make(kind, fixture, MenuClosures(log: log))
            try fixture.publish(["a"], hooks: ["contextMenu": Self.question])
            view.layout()
            let menu = try #require(view.press(0))
            menu.choose(0)
            menu.choose(1)
            menu.tapPreview()
            #expect(log.lines == ["asked 3.0", "shown a", "performed", "chosen told", "chosen none"])
            try await fixture.idle(view)
            #expect(transport.questions == [])
        }
    }

    @Test("a menu is for its element, wherever that stands once an action is chosen, and for nothing once it is gone")
    func moved() async throws {
        for kind in ShownView.Kind.allCases {
            let transport = HookTransport()
            let fixture = try ListFixture(transport)
            let view = ShownView.make(kind, fixture, OneAction())
            let hooks: JSON = ["performContextAction": Self.notification]
            try fixture.publish(["a", "b"], hooks: hooks)
            view.layout()
            let menu = try #require(view.press(0))
            try fixture.publish(["c", "b", "a"], version: 2, hooks: hooks)
            menu.choose(0)
            try fixture.publish(["c", "b"], version: 3, hooks: hooks)
            menu.choose(0)
            try fixture.publish(["a"], version: 4, hooks: hooks)
            menu.choose(0)
            try await fixture.settle(2)
            #expect(transport.reports.map { $0["element"] } == ["a", "a"])
        }
    }

    @Test("no menu by itself, of an empty list, and of no item; several items are told one by one")
    func several() async throws {
        let transport = HookTransport()
        let fixture = try ListFixture(transport)
        let view = ShownView.make(.collection, fixture, OneAction())
        try fixture.publish(["a", "b"], hooks: ["performContextAction": Self.notification])
        view.layout()
        guard case .collection(let collection, _) = view else { return }
        #expect(collection.press([]) == nil && view.press(1) == nil)
        try #require(view.press(0, 1)).choose(0)
        try await fixture.settle(2)
        #expect(transport.reports.map { $0["element"] } == ["a", "b"])
        let table = ShownView.make(.table, fixture)
        table.layout()
        #expect(table.press(0) == nil)
    }

    @Test("a pan with two fingers selects where the closure or the hook says so, and a primary action is told")
    func selection() async throws {
        for kind in ShownView.Kind.allCases {
            let transport = HookTransport { _ in ["value": true, "source": "hook"] }
            let fixture = try ListFixture(transport)
            let view = ShownView.make(kind, fixture)
            try fixture.publish(["a"])
            view.layout()
            #expect(!view.pan(from: 0))
            let hooks: JSON = [
                "shouldBeginMultipleSelection": Self.question, "didBeginMultipleSelection": Self.notification,
                "performPrimaryAction": Self.notification,
            ]
            try fixture.publish(["a"], version: 2, hooks: hooks)
            view.layout()
            try await fixture.until { transport.questions.count == 1 }
            try await fixture.idle(view)
            #expect(view.pan(from: 0))
            view.performPrimaryAction(0)
            try await fixture.settle(2)
            #expect(
                transport.reports.map { $0["event"]?.stringValue } == [
                    "didBeginMultipleSelection", "performPrimaryAction",
                ])
        }
    }
}

/// A menu of an action that performs itself, and of one that is told.
private struct MenuClosures: SharedClosures {
    let log: Log

    func set<Cell, Names: CellEventNames>(_ events: inout EventHandlers<Names, CellContext<Contact, Cell>>) {
        events.contextMenu = { [log] context in
            log.add("asked \(context.point?.x ?? 0)")
            return [MenuAction(title: "own", perform: { log.add("performed") }), MenuAction(title: "told")]
        }
        events.performContextAction = { [log] in log.add("chosen \($0.action ?? "none")") }
        events.willDisplayContextMenu = { [log] in log.add("shown \($0.element.name)") }
    }
}

/// A menu for the contact "a", and an empty one for others.
private struct OneAction: SharedClosures {
    func set<Cell, Names: CellEventNames>(_ events: inout EventHandlers<Names, CellContext<Contact, Cell>>) {
        events.contextMenu = { $0.element.name == "a" ? [MenuAction(title: "x")] : [] }
    }
}
