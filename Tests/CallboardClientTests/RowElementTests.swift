import ListDiff
import Testing

@testable import CallboardClient

@Suite("Elements of rows")
struct RowElementTests {
    private static func element(_ text: String) throws -> RemoteElement {
        try RemoteElement(JSONReader(JSON(parsing: text)))
    }

    private static let model =
        #"{"id":"ada","row":"people","cell":"PersonCell","reuseIdentifier":"person","model":"Person","value":{"age":36},"height":60.5,"estimatedHeight":44,"config":{"on":true}}"#
    private static let constant =
        #"{"id":"hide","row":"hide","cell":"SwitchCell","reuseIdentifier":"SwitchCell","value":null}"#

    @Test("an element of a model row carries its row, cell, heights and config")
    func modelRow() throws {
        let element = try Self.element(Self.model)
        #expect(element.id == "ada" && element.model == "Person" && element.value == ["age": 36])
        #expect(element.row == "people" && element.cell == "PersonCell" && element.reuseIdentifier == "person")
        #expect(element.height == 60.5 && element.estimatedHeight == 44 && element.config == ["on": true])
        #expect(element.differenceIdentifier == .init(row: "people", model: "Person", id: "ada"))
    }

    @Test("the element of a constant row has no model, and what its row leaves out is nil")
    func constantRow() throws {
        let element = try Self.element(Self.constant)
        #expect(element.row == "hide" && element.model == nil && element.value == .null)
        #expect(element.height == nil && element.estimatedHeight == nil && element.config == nil)
    }

    @Test("an ordinary element names no row and takes no more memory than its identifier, model and value")
    func ordinary() throws {
        let element = try Self.element(#"{"id":"1","model":"M","value":[]}"#)
        #expect(element.row == nil && element.cell == nil && element.reuseIdentifier == nil)
        #expect(element.height == nil && element.estimatedHeight == nil && element.config == nil)
        #expect(MemoryLayout<RemoteElement>.stride == MemoryLayout<(String, String, JSON)>.stride)
        #expect(element.differenceIdentifier == .init(row: nil, model: "M", id: "1"))
    }

    @Test(
        "an element goes out as it came in, and is described so",
        arguments: [model, constant, #"{"id":"1","model":"M","value":{"a":1}}"#])
    func roundTrip(text: String) throws {
        let element = try Self.element(text)
        #expect(element.json.text == text && element.description == text)
        #expect(try Self.element(element.json.text) == element)
    }

    @Test(
        "a malformed member is an error that names the place",
        arguments: [
            (#"{"id":"1","value":1}"#, "", "model"), (#"{"id":"1","row":"r","value":1}"#, "", "cell"),
            (#"{"id":"1","cell":"C","value":1}"#, "", "row"),
            (#"{"id":"1","row":"r","cell":"C","value":1}"#, "", "reuseIdentifier"),
            (#"{"id":"1","row":"r","cell":"C","reuseIdentifier":"c"}"#, "", "value"),
            (#"{"id":"1","row":7,"cell":"C","reuseIdentifier":"c","value":1}"#, "/row", "string"),
            (#"{"id":"1","row":"r","cell":[],"reuseIdentifier":"c","value":1}"#, "/cell", "string"),
            (#"{"id":"1","row":"r","cell":"C","reuseIdentifier":{},"value":1}"#, "/reuseIdentifier", "string"),
            (#"{"id":"1","row":"r","cell":"C","reuseIdentifier":"c","model":1,"value":1}"#, "/model", "string"),
            (#"{"id":"1","row":"r","cell":"C","reuseIdentifier":"c","value":1,"height":"4"}"#, "/height", "number"),
            (#"{"id":"1","row":"r","cell":"C","reuseIdentifier":"c","value":1,"height":1e999}"#, "/height", "number"),
            (
                #"{"id":"1","row":"r","cell":"C","reuseIdentifier":"c","value":1,"estimatedHeight":true}"#,
                "/estimatedHeight", "number"
            ),
            (#"{"id":"1","row":"r","cell":"C","reuseIdentifier":"c","value":1,"config":[]}"#, "/config", "object"),
        ])
    func malformed(text: String, pointer: String, word: String) {
        let error = #expect(throws: RepresentationError.self) { try Self.element(text) }
        #expect(error?.pointer == pointer)
        #expect(error?.reason.contains(word) == true, "\(error?.reason ?? "")")
    }

    private static func person(
        row: String = "r", cell: String = "C", reuseIdentifier: String = "c", model: String? = "M", value: JSON = 1,
        height: Double? = 1, estimatedHeight: Double? = 2, config: JSONObject? = ["on": true]
    ) -> RemoteElement {
        RemoteElement(
            id: "x", row: row, cell: cell, reuseIdentifier: reuseIdentifier, model: model, value: value,
            height: height, estimatedHeight: estimatedHeight, config: config)
    }

    @Test(
        "an element is updated when its value or any member of its row differs",
        arguments: [
            person(cell: "D"), person(reuseIdentifier: "d"), person(value: 2), person(height: nil), person(height: 3),
            person(estimatedHeight: nil), person(config: nil), person(config: ["on": false]),
        ])
    func updates(changed: RemoteElement) {
        let stages = StagedChangeset(
            from: [RemoteSection(id: "s", elements: [Self.person()])],
            to: [RemoteSection(id: "s", elements: [changed])])
        #expect(stages.stages.map(\.elementUpdated.count) == [1])
        #expect(changed != Self.person())
    }

    @Test(
        "an element of another row or model is another element",
        arguments: [
            person(row: "q"), person(model: nil), person(model: "N"), RemoteElement(id: "x", model: "M", value: 1),
        ])
    func identities(other: RemoteElement) {
        let stages = StagedChangeset(
            from: [RemoteSection(id: "s", elements: [Self.person()])],
            to: [RemoteSection(id: "s", elements: [other])])
        #expect(stages.stages.allSatisfy { $0.elementUpdated.isEmpty } && !stages.isEmpty)
    }

    @Test("equal elements are equal however their numbers are written, and hash alike")
    func equality() throws {
        let spelled = try Self.element(
            #"{"id":"x","row":"r","cell":"C","reuseIdentifier":"c","model":"M","value":1.0,"height":10e-1,"estimatedHeight":2.0,"config":{"on":true}}"#
        )
        #expect(spelled == Self.person() && spelled.hashValue == Self.person().hashValue)
        #expect(spelled.isContentEqual(to: Self.person()))
    }

    @Test("neighbours whose row says the same of them share it in memory, and others do not")
    func sharing() throws {
        func elements(_ heights: [Int]) -> String {
            heights.enumerated().map { position, height in
                #"{"id":"\#(position)","row":"r","cell":"C","reuseIdentifier":"c","value":1,"height":\#(height)}"#
            }.joined(separator: ",")
        }
        let text = #"{"id":"s","elements":[\#(elements([1, 1, 2, 2, 2, 1]))]}"#
        let section = try RemoteSection(JSONReader(JSON(parsing: text)))
        let members = section.elements.compactMap { $0.members.map { ObjectIdentifier($0) } }
        #expect(members.count == 6 && Set(members).count == 3)
        #expect(section.elements.map(\.height) == [1, 1, 2, 2, 2, 1])
    }

    @Test("a stream's snapshot, changeset and refresh bring elements of rows")
    func stream() throws {
        func event(_ name: String, _ data: String) -> StreamEvent {
            StreamEvent(ServerSentEvent(name: name, data: data))
        }
        let snapshot = #"{"director":"d","epoch":"e","version":1,"sections":[{"id":"s","elements":[\#(Self.model)]}]}"#
        guard case .snapshot(let first) = event("snapshot", snapshot) else {
            return #expect(Bool(false), "no snapshot")
        }
        var list = try RemoteList(first)
        let changeset =
            #"{"epoch":"e","from":1,"version":2,"stages":[{"elementInserted":[{"at":[0,0],"element":\#(Self.constant)}]}],"counts":{"sections":1,"elements":2}}"#
        guard case .changeset(let second) = event("changeset", changeset) else {
            return #expect(Bool(false), "no changeset")
        }
        try list.apply(second)
        #expect(list.sections[0].elements == [try Self.element(Self.constant), try Self.element(Self.model)])
        let refresh = #"{"director":"d","version":2,"elements":[{"at":[0,1],"element":\#(Self.model)}]}"#
        guard case .refresh(let third) = event("refresh", refresh) else { return #expect(Bool(false), "no refresh") }
        #expect(third.elements?.first?.element == list.sections[0].elements[1])
        guard case .unreadable(_, let error) = event("changeset", changeset.replacing("\"SwitchCell\"", with: "7"))
        else { return #expect(Bool(false), "a cell that is a number was taken") }
        #expect(error.pointer == "/stages/0/elementInserted/0/element/cell")
    }
}
