import Foundation
import ListDiff
import TestSupport
import Testing

@testable import CallboardClient

/// Who answers a view's questions.
@Suite("Whose answer counts") @MainActor
struct ListDelegateTests {
    private static let path = ElementPath(section: 0, element: 0)

    /// A list of one element, of a row where heights are given.
    private func list(
        _ fixture: ListFixture, hooks: JSON = [:], height: Double? = nil, age: Int = 1
    ) throws {
        var element: JSONObject = [
            "id": "a", "model": "Contact", "value": ["name": "a", "age": .number(JSONNumber(age))],
        ]
        if let height {
            element["row"] = "r"
            element["cell"] = "TestCell"
            element["reuseIdentifier"] = "TestCell"
            element["height"] = JSON(floatLiteral: height)
        }
        let snapshot: JSON = [
            "director": "d", "kind": "table", "epoch": "e", "version": 1,
            "properties": ["rowHeight": ["explicit": 44], "headerHeight": ["auto": 30]],
            "adapters": [["model": "Contact", "cell": "TestCell", "events": hooks]],
            "headerFooterAdapters": [["view": "V", "events": hooks]],
            "sections": [["id": "s", "headerView": "V", "elements": [.object(element)]]],
        ]
        fixture.list.take(.replaced(try RemoteList(Snapshot(JSONReader(snapshot))), reset: nil))
    }

    private func until(_ condition: () -> Bool) async throws {
        for _ in 0..<2_000 where !condition() { try await Task.sleep(for: .milliseconds(1)) }
        #expect(condition())
    }

    private func height(_ delegate: ListDelegate) -> CGFloat? {
        delegate.answer(\TableCellEvents.rowHeight, at: Self.path)
    }

    @Test("the closure before the row's height, that before the hook, that before the director's, and UIKit last")
    func order() async throws {
        let transport = HookTransport { event in
            ["values": .array((event["indexPaths"]?.arrayValue ?? []).map { _ in ["value": 70, "source": "hook"] })]
        }
        let fixture = try ListFixture(transport)
        try list(fixture)
        let delegate = ListDelegate(fixture.list)
        delegate.show(fixture.list.sections)
        #expect(height(delegate) == 44)
        try list(fixture, hooks: ["rowHeight": ["kind": "question"]])
        delegate.show(fixture.list.sections)
        var arrived: [[ElementPath]] = []
        delegate.answersArrived = { arrived.append($0) }
        #expect(height(delegate) == 44, "the hook has not answered yet")
        try await until { arrived == [[Self.path]] }
        #expect(height(delegate) == 70)
        try list(fixture, hooks: ["rowHeight": ["kind": "question"]], height: 60)
        delegate.show(fixture.list.sections)
        #expect(height(delegate) == 60)
        delegate.register(
            TableCellAdapter<Contact, TestCell> { $0.events.rowHeight = { CGFloat($0.element.age) + 80 } })
        #expect(height(delegate) == 81)
        let other: Bool? = delegate.answer(\TableCellEvents.canEditRow, at: Self.path)
        #expect(other == nil)
    }

    @Test("an answer holds for the element as it was: one that has changed is asked about again, once")
    func kept() async throws {
        let transport = HookTransport { event in
            ["values": .array((event["indexPaths"]?.arrayValue ?? []).map { _ in ["value": 70, "source": "hook"] })]
        }
        let fixture = try ListFixture(transport)
        let hooks: JSON = ["rowHeight": ["kind": "question"]]
        try list(fixture, hooks: hooks)
        let delegate = ListDelegate(fixture.list)
        delegate.show(fixture.list.sections)
        for _ in 0..<3 { _ = height(delegate) }
        try await until { height(delegate) == 70 }
        #expect(transport.questions.count == 1)
        try list(fixture, hooks: hooks, age: 2)
        delegate.show(fixture.list.sections)
        #expect(height(delegate) == 44)
        try await until { height(delegate) == 70 }
        #expect(transport.questions.count == 2)
    }

    @Test("after a request that has failed, no hook is asked for a while, and the view is answered all the same")
    func failing() async throws {
        let transport = HookTransport()
        transport.plan(Array(repeating: .lost, count: 50))
        let fixture = try ListFixture(transport)
        try list(fixture, hooks: ["rowHeight": ["kind": "question"]])
        let delegate = ListDelegate(fixture.list)
        delegate.show(fixture.list.sections)
        _ = height(delegate)
        try await until { delegate.askingAgain != nil }
        for _ in 0..<20 {
            #expect(height(delegate) == 44)
            await Task.yield()
        }
        #expect(delegate.asking == nil && transport.questions.isEmpty)
    }

    @Test("a header's height: the closure, the section's own, the hook, the director's estimate, by kind of question")
    func headers() async throws {
        let fixture = try ListFixture(HookTransport { _ in ["value": 25, "source": "hook"] })
        try list(fixture, hooks: ["headerHeight": ["kind": "question"]])
        let delegate = ListDelegate(fixture.list)
        delegate.show(fixture.list.sections)
        let estimate: CGFloat? = delegate.answer(\.estHeaderHeight, ofSection: 0, isHeader: true)
        #expect(estimate == 30)
        func height() -> CGFloat? { delegate.answer(\.headerHeight, ofSection: 0, isHeader: true) }
        #expect(height() == nil)
        try await until { height() == 25 }
        delegate.register(HeaderFooterAdapter<TestCell>(for: "V") { $0.events.headerHeight = { _ in 12 } })
        #expect(height() == 12)
    }

    @Test("a refresh fills the cells in sight again: those that are named, or all")
    func refresh() throws {
        let fixture = try ListFixture()
        var filled = 0
        let table = TableFixture(fixture) { adapter in
            adapter.events.dequeue = { context in
                context.cell?.contact = context.element
                filled += 1
            }
        }
        try list(fixture)
        table.table.layoutIfNeeded()
        let (first, reloads) = (filled, table.table.reloads)
        let cell = Refresh.Cell(path: Self.path, element: fixture.list.sections[0].elements[0])
        let elsewhere = Refresh.Cell(path: ElementPath(section: 7, element: 7), element: cell.element)
        for elements in [nil, [cell], [elsewhere]] {
            fixture.list.take(.refresh(Refresh(director: nil, version: nil, elements: elements)))
        }
        #expect(filled == first + 2 && table.table.reloads == reloads && table.faults() == [])
    }

    @Test("a notification goes to the closure, else to the server where a hook is registered, else nowhere")
    func notifications() async throws {
        let transport = HookTransport()
        let fixture = try ListFixture(transport)
        try list(fixture, hooks: ["didSelect": ["kind": "notification"]])
        let delegate = ListDelegate(fixture.list)
        delegate.show(fixture.list.sections)
        delegate.tell(\TableCellEvents.didDeselect, at: Self.path)
        delegate.tell(\TableCellEvents.didSelect, at: Self.path)
        try await fixture.settle(1)
        #expect(transport.reports.map { $0["event"] } == ["didSelect"])
        #expect(transport.reports[0]["section"] == "s" && transport.reports[0]["element"] == "a")
        var taken: [String] = []
        delegate.register(
            TableCellAdapter<Contact, TestCell> { $0.events.didSelect = { taken.append($0.element.name) } })
        delegate.tell(\TableCellEvents.didSelect, at: Self.path)
        #expect(taken == ["a"] && transport.reports.count == 1)
    }
}
