import ListDiff
import Testing

@testable import CallboardClient

@Suite("Row configurations")
struct RowTests {
    private static let constant =
        #"{"id":"hide","type":"constant","cell":"SwitchCell","reuseIdentifier":"switch","value":{"label":"Hide"},"height":44,"additionalConfig":{"on":{"$logic":{"var":"variables.hide"}}}}"#
    private static let model =
        #"{"id":"people","type":"model","model":"Person","elements":[{"id":"ada","model":"Person","value":{"age":36}}],"hideWhen":{"var":"variables.hide"},"height":{"if":[{">":[{"var":"model.age"},60]},60,44]},"estimatedHeight":50}"#
    private static let counted = #"{"id":"people","type":"model","model":"Person","cell":"PersonCell","count":7}"#

    private static func row(_ text: String) throws -> RemoteRow { try RemoteRow(JSONReader(JSON(parsing: text))) }

    @Test("a row of either form is read whole and written as it came", arguments: [constant, model, counted])
    func forms(text: String) throws {
        #expect(try Self.row(text).json == JSON(parsing: text))
    }

    @Test("the forms are told apart, with elements, with their count, or with a value")
    func content() throws {
        let element = RemoteElement(id: "ada", model: "Person", value: ["age": 36])
        #expect(try Self.row(Self.constant).content == .constant(["label": "Hide"]))
        #expect(try Self.row(Self.model).content == .model("Person", elements: [element], count: 1))
        #expect(try Self.row(Self.counted).content == .model("Person", elements: nil, count: 7))
        #expect(try Self.row(Self.model).model == "Person")
        #expect(try Self.row(Self.constant).model == nil)
        #expect(try Self.row(Self.model).hideWhen == ["var": "variables.hide"])
        let placed = try Self.row(#"{"id":"e","type":"constant","cell":"C","section":"s","position":2}"#)
        #expect(placed.section == "s" && placed.position == 2 && placed.content == .constant(.null))
    }

    @Test(
        "a malformed row is an error that names the place",
        arguments: [
            (#"{"type":"constant","cell":"C"}"#, ""), (#"{"id":"r"}"#, ""), (#"{"id":"r","type":"dynamic"}"#, "/type"),
            (#"{"id":"r","type":"constant","value":1}"#, ""), (#"{"id":"r","type":"model","elements":[]}"#, ""),
            (#"{"id":"r","type":"model","model":"M"}"#, ""),
            (#"{"id":"r","type":"model","model":"M","elements":[{"id":"1"}]}"#, "/elements/0"),
            (#"{"id":"r","type":"model","model":"M","count":-1}"#, "/count"),
            (#"{"id":"r","type":"constant","cell":"C","additionalConfig":1}"#, "/additionalConfig"),
            (#"{"id":"r","type":"constant","cell":"C","position":"x"}"#, "/position"),
        ])
    func malformed(text: String, pointer: String) {
        let error = #expect(throws: RepresentationError.self) { try Self.row(text) }
        #expect(error?.pointer == pointer)
    }

    @Test("a section of rows is read and written with its rows, and has no elements of its own")
    func section() throws {
        let text = #"{"id":"settings","headerTitle":"Settings","rows":[\#(Self.constant),\#(Self.model)]}"#
        let section = try RemoteSection(JSONReader(JSON(parsing: text)))
        #expect(section.rows?.map(\.id) == ["hide", "people"])
        #expect(section.elements.isEmpty && section.attributes == ["headerTitle": "Settings"])
        #expect(try section.json == JSON(parsing: text))
        #expect(RemoteSection(copying: section, elements: []) == section)
        let ordinary = try RemoteSection(JSONReader(JSON(parsing: #"{"id":"s","elements":[]}"#)))
        #expect(ordinary.rows == nil && ordinary.json.text == #"{"id":"s","elements":[]}"#)
    }

    @Test("a section with both elements and rows is refused")
    func both() {
        #expect(throws: RepresentationError.self) {
            try RemoteSection(JSONReader(["id": "s", "elements": [], "rows": []]))
        }
    }

    @Test("a draft says what was set and leaves the rest to the server")
    func drafts() {
        var hide = RowDraft.constant(["label": "Hide"], id: "hide", cell: "SwitchCell")
        hide.height = 44
        hide.additionalConfig = ["on": .logic(["var": "variables.hide"])]
        #expect(
            hide.json.text
                == #"{"id":"hide","type":"constant","value":{"label":"Hide"},"cell":"SwitchCell","height":44,"additionalConfig":{"on":{"$logic":{"var":"variables.hide"}}}}"#
        )
        var people = RowDraft.model("Person", elements: [ElementDraft(["age": 36])], reuseIdentifier: "person")
        people.hideWhen = false
        people.estimatedHeight = ["var": "model.age"]
        #expect(
            people.json.text
                == #"{"type":"model","model":"Person","elements":[{"value":{"age":36}}],"reuseIdentifier":"person","hideWhen":false,"estimatedHeight":{"var":"model.age"}}"#
        )
        let section = SectionDraft(id: "s", attributes: ["headerTitle": "S"], rows: [hide])
        #expect(section.json == ["id": "s", "headerTitle": "S", "rows": [hide.json]])
        #expect(SectionDraft(id: "s").json == ["id": "s", "elements": []])
    }

    @Test("a row that was read can be written back, unless its elements were left out")
    func readAndWritten() throws {
        let constant = try #require(RowDraft(try Self.row(Self.constant)))
        #expect(try constant.json == JSON(parsing: Self.constant))
        let model = try #require(RowDraft(try Self.row(Self.model)))
        #expect(model.content == .model("Person", elements: [ElementDraft(["age": 36], model: "Person")]))
        #expect(model.hideWhen == ["var": "variables.hide"] && model.estimatedHeight == 50)
        #expect(RowDraft(try Self.row(Self.counted)) == nil)
    }

    private static let draft = RowDraft.constant(1, cell: "C")
    private static let draftText = #"{"type":"constant","value":1,"cell":"C"}"#

    @Test(
        "an operation says what the server takes",
        arguments: [
            (.setRows([draft], in: "s"), #"{"op":"setRows","section":"s","rows":[\#(draftText)]}"#),
            (.addRows([draft], in: .first), #"{"op":"addRows","section":"@first","rows":[\#(draftText)]}"#),
            (.addRows([], in: "s", at: 2), #"{"op":"addRows","section":"s","rows":[],"at":2}"#),
            (
                .setRow("r", in: "s", to: draft, at: 0),
                #"{"op":"setRow","section":"s","row":"r","value":\#(draftText),"at":0}"#
            ),
            (
                .patchRow("@r", in: "s", ["height": nil]),
                #"{"op":"patchRow","section":"s","row":"@@r","patch":{"height":null}}"#
            ),
            (.removeRow(.last, in: "s"), #"{"op":"removeRow","section":"s","row":"@last"}"#),
            (.removeRows(at: [0, 2], in: "s"), #"{"op":"removeRows","section":"s","at":[0,2]}"#),
            (.removeAllRows(in: "s"), #"{"op":"removeAllRows","section":"s"}"#),
            (.moveRow(in: "s", from: 1, to: 0), #"{"op":"moveRow","section":"s","from":1,"to":0}"#),
            (
                .moveRow(in: "s", from: 1, to: 0, ofSection: "t"),
                #"{"op":"moveRow","section":"s","from":1,"to":0,"toSection":"t"}"#
            ),
            (.swapRows(in: "s", at: 1, with: 0), #"{"op":"swapRows","section":"s","at":1,"with":0}"#),
            (
                .setElements([ElementDraft(1)], in: "s", row: "r"),
                #"{"op":"setElements","section":"s","row":"r","elements":[{"value":1}]}"#
            ),
            (
                .addElements([], in: "s", row: "r", at: 3),
                #"{"op":"addElements","section":"s","row":"r","elements":[],"at":3}"#
            ),
            (
                .setElement("e", in: "s", row: "r", to: ElementDraft(1)),
                #"{"op":"setElement","section":"s","row":"r","element":"e","value":{"value":1}}"#
            ),
            (
                .patchElement("e", in: "s", row: "r", ["a": 1]),
                #"{"op":"patchElement","section":"s","row":"r","element":"e","patch":{"a":1}}"#
            ),
            (
                .removeElement(.first, in: "s", row: "r"),
                #"{"op":"removeElement","section":"s","row":"r","element":"@first"}"#
            ),
            (
                .removeElements(at: [1], in: "s", row: "r"),
                #"{"op":"removeElements","section":"s","row":"r","at":[1]}"#
            ),
            (.removeAllElements(in: "s", row: "r"), #"{"op":"removeAllElements","section":"s","row":"r"}"#),
            (
                .moveElement(in: "s", row: "r", from: 0, to: 1, ofSection: "t", ofRow: "q"),
                #"{"op":"moveElement","section":"s","row":"r","from":0,"to":1,"toSection":"t","toRow":"q"}"#
            ),
            (
                .swapElements(in: "s", row: "r", at: 0, with: 1),
                #"{"op":"swapElements","section":"s","row":"r","at":0,"with":1}"#
            ),
            (.setElements([], in: "s"), #"{"op":"setElements","section":"s","elements":[]}"#),
            (.removeAllElements(in: "s"), #"{"op":"removeAllElements","section":"s"}"#),
        ] as [(ListOperation, String)])
    func operations(operation: ListOperation, text: String) {
        #expect(operation.json.text == text)
    }
}
