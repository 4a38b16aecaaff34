import Foundation
import ListDiff
import TestSupport
import Testing

@testable import CallboardClient

/// The rows of a stack on the device.
@Suite("A stack's rows on the device") @MainActor
struct StackTests {
    private static let snapshot: JSON = [
        "director": "d", "kind": "stack", "epoch": "e", "version": 1,
        "properties": [
            "axis": "vertical", "rowInsets": ["top": 1], "highlightColor": "#EEEEEE",
            "separator": ["color": "grey", "thickness": 0.5, "hidesLast": true],
        ],
        "adapters": [
            [
                "model": "Contact", "cell": "TestCell", "events": ["onTap": ["kind": "notification"]],
                "backgroundColor": "sand", "separator": ["thickness": 2],
            ]
        ],
        "sections": [
            [
                "id": "s",
                "elements": [
                    ["id": "a", "model": "Contact", "value": ["name": "a", "age": 1]],
                    [
                        "id": "b", "row": "r", "cell": "RowCell", "reuseIdentifier": "RowCell", "value": .null,
                        "rowPadding": ["left": 3, "top": 0, "bottom": 0, "right": 0], "separator": ["hidden": true],
                    ],
                ],
            ]
        ],
    ]

    @Test("what a row says wins over its adapter, and that over the director, member by member")
    func styles() throws {
        let fixture = try ListFixture(HookTransport { _ in [:] })
        fixture.list.take(.replaced(try RemoteList(Snapshot(JSONReader(Self.snapshot))), reset: nil))
        let delegate = ListDelegate(fixture.list)
        let first = delegate.style(at: ElementPath(section: 0, element: 0))
        #expect(first.rowInsets == EdgeDistances(top: 1) && first.backgroundColor == "sand")
        #expect(first.highlightColor == "#EEEEEE" && first.rowPadding == nil)
        #expect(first.separator?.color == "grey" && first.separator?.thickness == 2)
        #expect(first.separator?.hidesLast == true && first.separator?.hidden == nil)
        let second = delegate.style(at: ElementPath(section: 0, element: 1))
        #expect(second.rowPadding == EdgeDistances(left: 3) && second.backgroundColor == nil)
        #expect(second.separator?.hidden == true && second.separator?.thickness == 0.5)
        #expect(delegate.style(at: ElementPath(section: 0, element: 2)) == RowStyle())
        let element = try #require(delegate.element(at: ElementPath(section: 0, element: 1)))
        #expect(try RemoteElement(JSONReader(element.json)) == element)
    }

    @Test("a row has a line where a style is given and it is not hidden; the last one none where that hides it")
    func separators() throws {
        func line(_ element: Int, hidesLast: Bool) throws -> RowSeparator? {
            var snapshot = try #require(Self.snapshot.objectValue)
            snapshot["properties"] = [
                "axis": "horizontal", "separator": ["thickness": 3, "hidesLast": .bool(hidesLast)],
            ]
            snapshot["sections"] = [
                [
                    "id": "s",
                    "elements": [["id": "a", "model": "M", "value": 1], ["id": "b", "model": "M", "value": 1]],
                ],
                ["id": "t", "elements": []],
            ]
            let fixture = try ListFixture(HookTransport { _ in [:] })
            fixture.list.take(.replaced(try RemoteList(Snapshot(JSONReader(.object(snapshot)))), reset: nil))
            let delegate = ListDelegate(fixture.list)
            #expect(delegate.isHorizontal)
            return delegate.separator(at: ElementPath(section: 0, element: element))
        }
        #expect(try line(0, hidesLast: true)?.thickness == 3 && line(1, hidesLast: true) == nil)
        #expect(try line(1, hidesLast: false)?.thickness == 3)
        let fixture = try ListFixture(HookTransport { _ in [:] })
        fixture.list.take(.replaced(try RemoteList(Snapshot(JSONReader(Self.snapshot))), reset: nil))
        let delegate = ListDelegate(fixture.list)
        #expect(delegate.separator(at: ElementPath(section: 0, element: 0))?.thickness == 2)
        #expect(delegate.separator(at: ElementPath(section: 0, element: 1)) == nil && !delegate.isHorizontal)
    }

    @Test(
        "a scroll brings a row to the beginning, the middle, the end or the nearest place, as far as the content goes")
    func offsets() {
        func offset(_ position: ScrollCommand.Position, _ row: ClosedRange<CGFloat>, from: CGFloat = 0) -> CGFloat {
            position.offset(showing: row, from: from, window: 100, content: 1_000)
        }
        #expect(offset(.top, 400...440) == 400 && offset(.bottom, 400...440) == 340)
        #expect(offset(.middle, 400...440) == 370)
        #expect(offset(.none, 400...440) == 340 && offset(.none, 400...440, from: 350) == 350)
        #expect(offset(.none, 400...440, from: 700) == 400 && offset(.none, 400...600, from: 0) == 400)
        #expect(offset(.top, 980...1_000) == 900 && offset(.bottom, 0...40) == 0)
        #expect(ScrollCommand.Position.top.offset(showing: 10...20, from: 0, window: 100, content: 50) == 0)
    }

    @Test("a tap goes to the adapter's closure")
    func taps() throws {
        let fixture = try ListFixture(HookTransport { _ in [:] })
        fixture.list.take(.replaced(try RemoteList(Snapshot(JSONReader(Self.snapshot))), reset: nil))
        let delegate = ListDelegate(fixture.list)
        var tapped: [String] = []
        delegate.register(
            StackCellAdapter<Contact, TestCell> { $0.events.onTap = { tapped.append($0.element.name) } })
        delegate.tell(\StackCellEvents.onTap, at: ElementPath(section: 0, element: 0))
        #expect(
            tapped == ["a"] && delegate.listens(to: \StackCellEvents.onTap, at: ElementPath(section: 0, element: 0)))
    }

    @Test("a row and an adapter are written as they are read")
    func drafts() throws {
        var row = RowDraft.constant(.null, id: "r", cell: "C")
        row.style.rowInsets = EdgeDistances(top: 1, left: 2, bottom: 3, right: 4)
        row.style.backgroundColor = "sand"
        var separator = RowSeparator()
        (separator.insets, separator.hidden, separator.thickness) = (EdgeDistances(left: 16), false, 0.5)
        row.style.separator = separator
        let read = try RemoteRow(JSONReader(row.json))
        #expect(read.style == row.style && RowDraft(read) == row && read.json == row.json)
        var adapter = CellAdapterDraft(model: "M", cell: "C")
        adapter.style.highlightColor = "#123456"
        #expect(adapter.json["highlightColor"] == "#123456")
        #expect(throws: RepresentationError.self) {
            try RemoteRow(JSONReader(["id": "r", "type": "constant", "rowInsets": 1]))
        }
    }
}
