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
