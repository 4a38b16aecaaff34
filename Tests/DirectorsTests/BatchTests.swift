import JSONValues
import Testing

@testable import Directors

@Suite("Batches and dry runs")
struct BatchTests {
    @Test("operations of a batch build on each other and count as one mutation")
    func batch() throws {
        let director = try filledDirector()
        let revision = director.revision
        try director.perform([
            .sections(.add([section("four")])), .elements(of: .section(.identifier("four")), .add(drafts("e"))),
            .sections(.move(from: .last, to: .first)), .elements(of: .section(.position(1)), .remove(.last)),
            .setVariable(name: "v", value: json("1")),
        ])
        #expect(director.outline == "four: e | one: a b | two: d | three:")
        #expect(director.revision == revision + 1)
    }

    @Test("a batch of which one operation fails leaves no trace and names it", arguments: 0..<4)
    func failing(_ position: Int) throws {
        let director = try filledDirector()
        _ = try director.reload()
        let before = director.traces
        var operations: [Operation] = [
            .sections(.removeAll), .sections(.add([section("x", "y")])),
            .setVariable(name: "v", value: try json("1")),
        ]
        operations.insert(.elements(of: .section(.first), .remove(.position(7))), at: position)
        let error = #expect(throws: DirectorError.self) { try director.perform(operations) }
        #expect(error?.operation == position)
        #expect(director.traces == before)
        #expect(try director.reload()?.version == nil)
    }

    @Test("a batch of one operation names it too, a call by itself does not")
    func single() throws {
        let director = try filledDirector()
        let operation = Operation.sections(.remove(.position(7)))
        let alone = #expect(throws: DirectorError.self) { try director.perform([operation]) }
        #expect(alone?.operation == nil)
        let batch = #expect(throws: DirectorError.self) { try director.value.perform(batch: [operation]) }
        #expect(batch?.operation == 0)
        #expect(batch?.detail.hasPrefix("operation 0: ") == true)
        let dry = #expect(throws: DirectorError.self) { try director.dryRun([operation]) }
        #expect(dry?.operation == 0)
    }

    @Test("pointers are moved to where a body has what they point at")
    func pointers() throws {
        let director = try filledDirector()
        let error = #expect(throws: DirectorError.self) {
            try director.perform([.elements(of: .section(.first), .put(.first, draft("{}")))])
        }
        #expect(error?.faults.map(\.pointer) == ["/value/value"])
        #expect(error?.movingPointers(from: "/value", to: "").faults.map(\.pointer) == ["/value"])
        #expect(error?.movingPointers(from: "/val", to: "").faults.map(\.pointer) == ["/value/value"])
    }

    @Test("a dry run answers what a reload would publish and changes nothing")
    func dryRun() throws {
        let director = try filledDirector()
        _ = try director.reload()
        let before = director.traces
        let operations: [Operation] = [
            .elements(of: .section(.first), .remove(.first)), .elements(of: .section(.last), .add(drafts("x"))),
        ]
        let foreseen = try director.dryRun(operations)
        #expect(director.traces == before)
        try director.perform(operations)
        let published = try director.reload()
        #expect(foreseen?.changeset == published?.changeset)
        #expect(foreseen?.version == published?.version)
        #expect(foreseen?.counts == published?.counts)
        #expect(try director.dryRun([])?.version == nil)
        #expect(throws: DirectorError.self) { try director.dryRun([.sections(.remove(.position(9)))]) }
    }
}
