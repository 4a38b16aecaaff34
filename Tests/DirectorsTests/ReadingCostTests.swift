import JSONValues
import Testing

@testable import Directors

/// An adapter may read many times the length of an element. Every request is held to a bound of that, even a request of
/// one operation.
@Suite("What reading elements costs")
struct ReadingCostTests {
    /// The template that costs the most for its length.
    private static let template = String(repeating: "{a}", count: 341)

    /// Forms of operations that bring two elements in, and the pointer of what has them.
    static let pairs: [String: (form: String, pointer: String)] = [
        "setElements": (#""section":"s","elements":@"#, "/elements"),
        "addElements": (#""section":"s","elements":@"#, "/elements"),
        "setSections": (#""sections":[{"id":"s","elements":@}]"#, "/sections"),
        "addSections": (
            #""sections":[{"id":"t","rows":[{"id":"x","type":"model","model":"M","elements":@}]}]"#, "/sections"
        ),
        "setSection": (#""section":"s","value":{"elements":@}"#, "/value"),
        "patchSection": (#""section":"s","patch":{"elements":@}"#, "/patch"),
        "setRows": (#""section":"r","rows":[{"id":"x","type":"model","model":"M","elements":@}]"#, "/rows"),
        "addRows": (#""section":"r","rows":[{"id":"x","type":"model","model":"M","elements":@}]"#, "/rows"),
        "setRow": (#""section":"r","row":"m","value":{"type":"model","model":"M","elements":@}"#, "/value"),
        "patchRow": (#""section":"r","row":"m","patch":{"elements":@}"#, "/patch"),
    ]

    private func director(_ limits: DirectorLimits, others: Bool) throws -> LiveDirector {
        let director = LiveDirector(
            Director(name: "d", epoch: "e", properties: DirectorProperties(defaultsOf: .table), limits: limits))
        try director.register(
            CellAdapter(model: "M", cell: "C", identifier: IdentifierTemplate(parsing: Self.template)))
        if others { try director.register(CellAdapter(model: "O", cell: "C")) }
        try director.performForms([
            #"{"op":"addSections","sections":[{"id":"s"},{"id":"r","rows":[{"id":"m","type":"model","model":"M"}]}]}"#
        ])
        return director
    }

    @Test("elements that cost too much are refused with their place", arguments: pairs.keys.sorted(), [false, true])
    func bound(_ name: String, _ others: Bool) throws {
        let row = try #require(Self.pairs[name])
        let director = try director(DirectorLimits(batchWork: 4_000), others: others)
        func form(_ elements: String...) -> String {
            let list = "[" + elements.joined(separator: ",") + "]"
            return "{\"op\":\"\(name)\",\(row.form.replacing("@", with: list))}"
        }
        let before = director.traces
        let element = #"{"model":"M","value":{"a":1}}"#
        let error = #expect(throws: DirectorError.self) {
            try director.perform(form: form(element, #"{"model":"M","value":{"a":2}}"#))
        }
        #expect(error?.pointer == row.pointer && error?.detail.contains("4000 units") == true)
        #expect(director.traces == before)
        try director.perform(form: form(element))
    }

    @Test("elements that an adapter takes over are counted by what it reads of them")
    func adopting() throws {
        let director = try director(DirectorLimits(batchWork: 20_000), others: false)
        try director.register(CellAdapter(model: "M", cell: "C", identifier: IdentifierTemplate(parsing: "{a}")))
        let elements = (0..<12).map { "{\"value\":{\"a\":\($0)}}" }.joined(separator: ",")
        try director.perform(form: "{\"op\":\"addElements\",\"section\":\"s\",\"elements\":[\(elements)]}")
        let dear = CellAdapter(model: "M", cell: "C", identifier: try IdentifierTemplate(parsing: Self.template))
        #expect(throws: DirectorError.self) { try director.register(dear) }
        try director.register(CellAdapter(model: "M", cell: "C", identifier: IdentifierTemplate(parsing: "{a}{a}")))
    }

    @Test("a value that a template names many times is read once")
    func readOnce() throws {
        let template = try IdentifierTemplate(parsing: "x" + Self.template)
        #expect(template.pointers.count == 1 && template.partCount == 342 && template.literalLength == 1)
        let identifier = try template.identifier(of: node("{\"a\":0.\(String(repeating: "0", count: 100))}")).get()
        #expect(identifier == "x" + String(repeating: "0", count: 341))
    }
}
