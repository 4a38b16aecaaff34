import ListDiff
import Testing

@testable import CallboardClient

@Suite("Cells of elements")
struct CellTests {
    private static var list: RemoteList {
        get throws {
            let json: JSON = [
                "director": "d", "epoch": "e", "version": 1,
                "adapters": [
                    ["model": "A", "cell": "ACell", "reuseIdentifier": "a"], ["model": "B", "cell": "BCell"],
                ],
                "sections": [
                    [
                        "id": "plain",
                        "elements": [
                            ["id": "1", "model": "A", "value": 1], ["id": "2", "model": "B", "value": 2],
                            ["id": "3", "model": "C", "value": 3],
                        ],
                    ],
                    [
                        "id": "rows",
                        "elements": [
                            [
                                "id": "x", "row": "r", "cell": "XCell", "reuseIdentifier": "x", "model": "A",
                                "value": 1, "height": 60.5, "estimatedHeight": 44, "config": ["on": true],
                            ],
                            ["id": "y", "row": "y", "cell": "YCell", "reuseIdentifier": "YCell", "value": nil],
                        ],
                    ],
                ],
            ]
            return try RemoteList(Snapshot(JSONReader(json)))
        }
    }

    @Test(
        "a path leads to a height, a cell and a reuse identifier: the row's, or those of the model's adapter",
        arguments: [
            (0, 0, nil, nil, "ACell", "a"), (0, 1, nil, nil, "BCell", "BCell"), (0, 2, nil, nil, nil, nil),
            (1, 0, 60.5, 44, "XCell", "x"), (1, 1, nil, nil, "YCell", "YCell"), (1, 2, nil, nil, nil, nil),
            (2, 0, nil, nil, nil, nil), (-1, 0, nil, nil, nil, nil), (0, -1, nil, nil, nil, nil),
        ] as [(Int, Int, Double?, Double?, String?, String?)])
    func paths(
        section: Int, element: Int, height: Double?, estimatedHeight: Double?, cell: String?, identifier: String?
    ) throws {
        let list = try Self.list
        let path = ElementPath(section: section, element: element)
        #expect(list.rowHeight(at: path) == height && list.sections.rowHeight(at: path) == height)
        #expect(list.estimatedRowHeight(at: path) == estimatedHeight)
        #expect(list.reuseIdentifier(at: path) == identifier)
        #expect(list.element(at: path).flatMap { list.definition.cell(for: $0) } == cell)
    }

    @MainActor
    private final class Cell: ElementCell {
        private(set) var calls: [String] = []
        func show(_ value: JSON) { calls.append("show \(value.text)") }
        func apply(_ config: JSONObject?) { calls.append("apply \(config.map { JSON.object($0).text } ?? "nil")") }
    }

    @MainActor
    private final class PlainCell: ElementCell {
        private(set) var shown: JSON?
        func show(_ value: JSON) { shown = value }
    }

    @Test("a cell is given the value first and then the config, which is nil where there is none")
    @MainActor
    func order() throws {
        let cell = Cell()
        for element in try Self.list.sections[1].elements { cell.show(element) }
        #expect(cell.calls == ["show 1", #"apply {"on":true}"#, "show null", "apply nil"])
        let plain = PlainCell()
        plain.show(try Self.list.sections[1].elements[0])
        #expect(plain.shown == 1)
    }
}
