import CallboardUIKit
import Foundation
import ListDiff
import TestSupport
import Testing
import UIKitDouble

@testable import CallboardClient

final class ContactView: UIView {
    var contact: Contact?
}

@Suite("A scroll view that shows the rows of a stack", .timeLimit(.minutes(5))) @MainActor
struct StackDirectorTests {
    private let view = UIScrollView()
    private let log = Log()

    private func show(
        _ fixture: ListFixture, _ configure: (StackCellAdapter<Contact, ContactView>) -> Void = { _ in }
    ) -> RemoteStackDirector {
        view.bounds.size = CGSize(width: 320, height: 100)
        let director = RemoteStackDirector(scrollView: view, list: fixture.list)
        director.registerCellAdapter(
            StackCellAdapter<Contact, ContactView> { adapter in
                adapter.events.dequeue = { $0.cell?.contact = $0.element }
                configure(adapter)
            })
        view.layoutIfNeeded()
        return director
    }

    private var rows: [UIStackView] { rows(of: view) }

    private func rows(of view: UIScrollView) -> [UIStackView] {
        (view.subviews.first as? UIStackView)?.arrangedSubviews.compactMap { $0 as? UIStackView } ?? []
    }

    private func content(_ row: UIStackView) -> UIStackView? {
        (row.arrangedSubviews.first as? UIStackView)?.arrangedSubviews.first as? UIStackView
    }

    private func cells() -> [ContactView?] { rows.map { content($0)?.arrangedSubviews.first as? ContactView } }

    private func names() -> [String] {
        view.layoutIfNeeded()
        return cells().map { $0?.contact?.name ?? "?" }
    }

    private func touch(_ row: Int, endsAt place: CGPoint? = CGPoint(x: 1, y: 1)) {
        rows[row].touchesBegan([UITouch(at: .zero)], with: nil)
        if let place {
            rows[row].touchesEnded([UITouch(at: place)], with: nil)
        } else {
            rows[row].touchesCancelled([UITouch(at: .zero)], with: nil)
        }
    }

    @Test("no history brings about a wrong row, and a row whose element stays is the same view")
    func histories() throws {
        var random = SeededGenerator(seed: SeededGenerator.seedOfRun("stacks"))
        for _ in 0..<100 * runLength {
            let fixture = try ListFixture()
            var script = ListScript(&random)
            let view = UIScrollView()
            let director = RemoteStackDirector(scrollView: view, list: fixture.list)
            director.registerCellAdapter(
                StackCellAdapter<Contact, ContactView> { $0.events.dequeue = { $0.cell?.contact = $0.element } })
            fixture.list.take(try script.snapshot())
            for _ in 0..<10 {
                let before = try views(view, of: fixture.list)
                fixture.list.take(try script.change(&random))
                view.layoutIfNeeded()
                for (name, cell) in try views(view, of: fixture.list) {
                    try #require(before[name] == nil || before[name] === cell, "the row of \(name) is another view")
                }
            }
            withExtendedLifetime(director) {}
        }
    }

    /// The views of a list's elements, which have to show them, by the names of the section and the element.
    private func views(_ view: UIScrollView, of list: FollowedList) throws -> [String: ContactView] {
        let rows = rows(of: view).map { content($0)?.arrangedSubviews.first as? ContactView }
        let elements = list.sections.flatMap { section in section.elements.map { ("\(section.id) \($0.id)", $0) } }
        try #require(rows.map(\.?.contact?.name) == elements.map(\.1.id))
        try #require(rows.map(\.?.contact?.age) == elements.map { $0.1.value["age"]?.intValue })
        return Dictionary(uniqueKeysWithValues: try zip(elements, rows).map { ($0.0, try #require($1)) })
    }

    @Test("rows are kept, moved, filled anew and removed; one without an adapter is an empty view")
    func changes() throws {
        let fixture = try ListFixture()
        let director = show(fixture)
        var random = SeededGenerator(seed: 1)
        var script = ListScript(&random)
        func publish(_ elements: [(String, Int)]) throws {
            let elements = elements.map { ListScript.element($0.0, $0.1) }
            fixture.list.take(try script.publish([RemoteSection(id: "s", elements: elements)]))
        }
        _ = try script.publish([RemoteSection(id: "s", elements: ["a", "b", "c"].map { ListScript.element($0, 0) })])
        fixture.list.take(try script.snapshot())
        #expect(names() == ["a", "b", "c"])
        let before = cells()
        try publish([("c", 0), ("a", 1), ("d", 0)])
        #expect(names() == ["c", "a", "d"] && cells()[1]?.contact?.age == 1)
        #expect(cells()[0] === before[2] && cells()[1] === before[0])
        fixture.list.take(
            try script.publish([RemoteSection(id: "s", elements: [RemoteElement(id: "x", model: "Other", value: 1)])]))
        #expect(names() == ["?"] && fixture.list.faults.map(\.element) == ["x"])
        withExtendedLifetime(director) {}
    }

    @Test("rows have their margins, colours, lines and lengths, and follow the axis of the director")
    func styles() async throws {
        let transport = HookTransport { event in
            ["values": .array((event["indexPaths"]?.arrayValue ?? []).map { _ in ["value": 70, "source": "hook"] })]
        }
        let fixture = try ListFixture(transport)
        let director = show(fixture)
        let properties: JSON = [
            "rowInsets": ["top": 1, "bottom": 2], "rowPadding": ["left": 5], "backgroundColor": "sand",
            "separator": ["color": "#010203", "thickness": 4, "insets": ["left": 9], "hidesLast": true],
        ]
        try fixture.publish(["a", "b"], properties: properties)
        view.layoutIfNeeded()
        #expect(rows.map(\.frame.height) == [1 + 40 + 2 + 4, 43] && rows[1].frame.minY == 47)
        #expect(content(rows[0])?.layoutMargins.left == 5 && content(rows[0])?.backgroundColor?.name == "sand")
        let line = try #require(rows[0].arrangedSubviews.last as? UIStackView)
        #expect(line.layoutMargins.left == 9 && line.arrangedSubviews[0].backgroundColor?.components[2] == 3 / 255)
        #expect(rows[1].arrangedSubviews.last?.isHidden == true)
        try fixture.publish(["a", "b"], version: 2, hooks: ["rowHeight": ["kind": "question"]])
        try await fixture.until {
            view.layoutIfNeeded()
            return rows.map(\.frame.height) == [70, 70]
        }
        try fixture.publish(["a", "b"], version: 3, properties: ["axis": "horizontal"])
        view.layoutIfNeeded()
        #expect(rows.map(\.frame) == [0, 40].map { CGRect(x: $0, y: 0, width: 40, height: 100) })
        withExtendedLifetime(director) {}
    }

    @Test("a tap and a highlight go to the closure, else to the hook; a touch that becomes a scroll is no tap")
    func touches() async throws {
        let transport = HookTransport { _ in ["value": false, "source": "hook"] }
        let fixture = try ListFixture(transport)
        let log = log
        let director = show(fixture) { adapter in
            adapter.events.didHighlight = { log.add("highlight \($0.element.name)") }
            adapter.events.didUnhighlight = { log.add("unhighlight \($0.element.name)") }
        }
        let tap: JSON = ["onTap": ["kind": "notification"]]
        let colors: JSON = ["backgroundColor": "sand", "highlightColor": "grey"]
        try fixture.publish(["a", "b"], hooks: tap, properties: colors)
        view.layoutIfNeeded()
        touch(0, endsAt: nil)
        touch(0, endsAt: CGPoint(x: 1, y: 500))
        rows[1].touchesBegan([UITouch(at: .zero)], with: nil)
        #expect(content(rows[1])?.backgroundColor?.name == "grey")
        rows[1].touchesEnded([UITouch(at: CGPoint(x: 2, y: 2))], with: nil)
        #expect(content(rows[1])?.backgroundColor?.name == "sand")
        try await fixture.settle(1)
        #expect(transport.reports.map { $0["element"] } == ["b"] && transport.reports[0]["event"] == "onTap")
        #expect(log.lines == ["a", "a", "b"].flatMap { ["highlight \($0)", "unhighlight \($0)"] })
        let hooks: JSON = ["onTap": ["kind": "notification"], "shouldHighlight": ["kind": "question"]]
        try fixture.publish(["a", "b"], version: 2, hooks: hooks, properties: colors)
        view.layoutIfNeeded()
        try await fixture.until { transport.questions.count == 2 }
        try await fixture.until { director.delegate.asking == nil }
        touch(0)
        try await fixture.settle(2)
        #expect(log.lines.count == 6 && transport.reports.map { $0["element"] } == ["b", "a"])
    }

    @Test(
        "rows that come into sight and leave it are told, by a scroll of the user, a command, and a change of the list")
    func sight() throws {
        let fixture = try ListFixture()
        let log = log
        let director = show(fixture) { adapter in
            adapter.events.willDisplay = { log.add("+\($0.element.name)") }
            adapter.events.endDisplay = { log.add("-\($0.element.name)") }
        }
        director.events.contentSizeDidChange = { log.add("size \($0.contentSize?.height ?? 0)") }
        var random = SeededGenerator(seed: 1)
        var script = ListScript(&random)
        let elements = (0..<6).map { ListScript.element("\($0)", 0) }
        _ = try script.publish([RemoteSection(id: "s", elements: elements)])
        fixture.list.take(try script.snapshot())
        view.layoutIfNeeded()
        // Rows of 44 points, as the director says, in a window of 100.
        #expect(log.lines == ["size 264.0", "+0", "+1", "+2"])
        let command: JSON = ["version": 2, "indexPath": [0, 4], "section": "s", "element": "4", "position": "bottom"]
        fixture.list.take(.scroll(try ScrollCommand(JSONReader(command))))
        #expect(view.contentOffset == CGPoint(x: 0, y: 120))
        #expect(log.lines.dropFirst(4) == ["-0", "-1", "+3", "+4"])
        fixture.list.take(
            try script.publish([RemoteSection(id: "s", elements: [elements[0], elements[2], elements[3]])]))
        view.layoutIfNeeded()
        #expect(log.lines.dropFirst(8) == ["-4", "size 132.0", "-2"])
        withExtendedLifetime(director) {}
    }

    @Test("a row of a nib shows the nib's view")
    func nib() throws {
        UINib.contents["StackRow"] = {
            let cell = ContactView()
            cell.layoutMargins.left = 7
            return cell
        }
        let fixture = try ListFixture()
        let director = show(fixture)
        director.registerCellAdapter(
            StackCellAdapter<Contact, ContactView>(reuseIdentifier: "nib") { adapter in
                adapter.events.dequeue = { $0.cell?.contact = $0.element }
            }, nib: UINib(nibName: "StackRow", bundle: nil))
        try fixture.publish(["a"])
        #expect(names() == ["a"] && cells()[0]?.layoutMargins.left == 7)
        withExtendedLifetime(director) {}
    }
}
