import CallboardClient
import JSONValues
import Testing

import struct Directors.OperationBatch
import enum Directors.OperationVerb

@Suite("The client's operations beside the server's")
struct ClientOperationTests {
    private static let row = RowDraft.constant(1, cell: "C")
    private static let calls: [ListOperation] = [
        .setSections([]), .addSections([], at: 0), .setSection("s", to: SectionDraft(id: "s")),
        .patchSection("s", ["isCollapsed": true]), .removeSection("s"), .removeSections(at: [0]), .removeAllSections,
        .moveSection(from: 0, to: 1), .swapSections(at: 0, with: 1),
        .setElements([], in: "s"), .addElements([], in: "s", row: "r", at: 0),
        .setElement("e", in: "s", to: ElementDraft(1)), .patchElement("e", in: "s", row: "r", 1),
        .removeElement("e", in: "s"), .removeElements(at: [0], in: "s"), .removeAllElements(in: "s"),
        .moveElement(in: "s", from: 0, to: 1, ofSection: "t", ofRow: "r"), .swapElements(in: "s", at: 0, with: 1),
        .setRows([row], in: "s"), .addRows([row], in: "s", at: 0), .setRow("r", in: "s", to: row, at: 0),
        .patchRow("r", in: "s", ["height": nil]), .removeRow("r", in: "s"), .removeRows(at: [0], in: "s"),
        .removeAllRows(in: "s"), .moveRow(in: "s", from: 0, to: 1, ofSection: "t"), .swapRows(in: "s", at: 0, with: 1),
        .setVariable("v", to: 1), .removeVariable("v"),
    ]

    @Test("the server reads each call, and each operation but those on adapters has one")
    func everyVerb() throws {
        let operations = Self.calls.map(\.json.text).joined(separator: ",")
        let document = try JSONDocument(Array("{\"operations\":[\(operations)]}".utf8))
        let verbs = try OperationBatch.decode(document.root).operations.map(\.verb)
        #expect(verbs.count == Self.calls.count)
        #expect(Set(OperationVerb.allCases).subtracting(verbs) == [.other(.setAdapter), .other(.removeAdapter)])
    }
}
