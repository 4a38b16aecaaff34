import JSONValues
import Testing

@testable import Directors

@Suite("Operations")
struct OperationTests {
    static let operations: [(Operation, String)] = [
        (.setSections([section("x", "y")]), "x: y"),
        (.setSections([]), ""),
        (.addSections([section("x", "y"), section("z")], at: nil), "one: a b c | two: d | three: | x: y | z:"),
        (.addSections([section("x")], at: .position(0)), "x: | one: a b c | two: d | three:"),
        (.addSections([section("x")], at: .position(3)), "one: a b c | two: d | three: | x:"),
        (.addSections([section("x")], at: .first), "x: | one: a b c | two: d | three:"),
        (.addSections([section("x")], at: .last), "one: a b c | two: d | three: | x:"),
        (.addSections([section("x")], at: .identifier("two")), "one: a b c | x: | two: d | three:"),
        (.setSection(.identifier("two"), section("two", "x")), "one: a b c | two: x | three:"),
        (.setSection(.position(1), section("renamed")), "one: a b c | renamed: | three:"),
        (.setSection(.last, SectionDraft(identifier: nil)), "one: a b c | two: d | three:"),
        (.setSection(.identifier("new"), SectionDraft(identifier: nil)), "one: a b c | two: d | three: | new:"),
        (.removeSection(.identifier("one")), "two: d | three:"),
        (.removeSection(.last), "one: a b c | two: d"),
        (.removeSections(at: [.position(2), .position(0), .position(0)]), "two: d"),
        (.removeSections(at: [.identifier("two")]), "one: a b c | three:"),
        (.removeSections(at: []), "one: a b c | two: d | three:"),
        (.removeAllSections, ""),
        (.moveSection(from: .position(0), to: .position(2)), "two: d | three: | one: a b c"),
        (.moveSection(from: .last, to: .first), "three: | one: a b c | two: d"),
        (.moveSection(from: .identifier("one"), to: .identifier("two")), "two: d | one: a b c | three:"),
        (.swapSections(at: .position(0), with: .position(2)), "three: | two: d | one: a b c"),
        (.swapSections(at: .first, with: .first), "one: a b c | two: d | three:"),
        (.setElements(section: .identifier("one"), drafts("x")), "one: x | two: d | three:"),
        (.setElements(section: .first, []), "one: | two: d | three:"),
        (.addElements(.section(.first), drafts("x", "y"), at: nil), "one: a b c x y | two: d | three:"),
        (.addElements(.section(.first), drafts("x"), at: .position(1)), "one: a x b c | two: d | three:"),
        (.addElements(.section(.first), drafts("x"), at: .identifier("c")), "one: a b x c | two: d | three:"),
        (.addElements(.section(.first), drafts("x"), at: .last), "one: a b c x | two: d | three:"),
        (.addElements(.section(.last), drafts("x"), at: .first), "one: a b c | two: d | three: x"),
        (.addElements(.section(.first), drafts("a"), at: nil), "one: a b c a | two: d | three:"),
        (.addElements(.newSection(identifier: "n"), drafts("x"), at: nil), "one: a b c | two: d | three: | n: x"),
        (.setElement(section: .first, element: .identifier("b"), drafts("x")[0]), "one: a x c | two: d | three:"),
        (.setElement(section: .first, element: .last, drafts("x")[0]), "one: a b x | two: d | three:"),
        (.setElement(section: .first, element: .identifier("x"), drafts("x")[0]), "one: a b c x | two: d | three:"),
        (
            .setElement(section: .first, element: .identifier("x"), drafts("x")[0], at: .identifier("b")),
            "one: a x b c | two: d | three:"
        ),
        (
            .setElement(section: .first, element: .identifier("b"), drafts("x")[0], at: .first),
            "one: a x c | two: d | three:"
        ),
        (.removeElement(section: .first, element: .identifier("b")), "one: a c | two: d | three:"),
        (.removeElement(section: .position(1), element: .first), "one: a b c | two: | three:"),
        (.removeElements(section: .first, at: [.position(0), .last]), "one: b | two: d | three:"),
        (.removeAllElements(section: .first), "one: | two: d | three:"),
        (
            .moveElement(section: .first, from: .position(0), to: .position(2), toSection: nil),
            "one: b c a | two: d | three:"
        ),
        (
            .moveElement(section: .first, from: .identifier("c"), to: .first, toSection: nil),
            "one: c a b | two: d | three:"
        ),
        (
            .moveElement(section: .first, from: .position(0), to: .position(1), toSection: .position(1)),
            "one: b c | two: d a | three:"
        ),
        (
            .moveElement(section: .first, from: .position(0), to: .last, toSection: .last),
            "one: b c | two: d | three: a"
        ),
        (
            .moveElement(section: .first, from: .first, to: .identifier("d"), toSection: .identifier("two")),
            "one: b c | two: a d | three:"
        ),
        (.moveElement(section: .first, from: .first, to: .last, toSection: .first), "one: b c a | two: d | three:"),
        (.swapElements(section: .first, at: .first, with: .last), "one: c b a | two: d | three:"),
    ]

    @Test("an operation leaves what it says, counts once and keeps count of the elements", arguments: operations)
    func performs(_ row: (Operation, String)) throws {
        let director = try filledDirector()
        let revision = director.revision
        try director.perform([row.0])
        #expect(director.outline == row.1)
        #expect(director.revision == revision + 1)
        #expect(
            director.working.list.elementCount == director.working.list.sections.reduce(0) { $0 + $1.list.count })
        #expect(director.version == 0)
    }

    @Test("patching an element changes its value, and its identifier where that follows from it")
    func patchElement() throws {
        let director = try emptyDirector()
        try director.perform([
            .addElements(.newSection(identifier: "s"), [draft(#"{"id":"a","age":1.0,"x":null}"#)], at: nil)
        ])
        try director.perform([
            .patchElement(section: .first, element: .identifier("a"), patch: ValueDraft(json(#"{"age":2}"#)))
        ])
        #expect(
            try director.working.list.element(at: .identifier("a"), in: .first, row: nil).element.value.text
                == #"{"id":"a","age":2,"x":null}"#)
        try director.perform([
            .patchElement(section: .first, element: .first, patch: ValueDraft(json(#"{"id":"b","x":{"y":null}}"#)))
        ])
        #expect(
            try director.working.list.element(at: .identifier("b"), in: .first, row: nil).element.value.text
                == #"{"id":"b","age":2,"x":{}}"#)
        #expect(throws: DirectorError.self) {
            try director.working.list.element(at: .identifier("a"), in: .first, row: nil)
        }
    }

    @Test("patching a section changes what it says and keeps its elements unless the patch has them")
    func patchSection() throws {
        let director = try filledDirector()
        try director.perform([.patchSection(.first, patch: json(#"{"headerTitle":"One","isCollapsed":true}"#))])
        #expect(
            director.working.list.sections[0].attributes
                == SectionAttributes {
                    $0.headerTitle = "One"
                    $0.isCollapsed = true
                })
        #expect(director.outline == "one: a b c | two: d | three:")
        try director.perform([.patchSection(.first, patch: json(#"{"headerTitle":null,"id":"uno"}"#))])
        #expect(director.working.list.sections[0].attributes == SectionAttributes { $0.isCollapsed = true })
        #expect(director.outline == "uno: a b c | two: d | three:")
        try director.perform([
            .patchSection(.identifier("uno"), patch: json(#"{"elements":[{"value":"z"}],"isCollapsed":null}"#))
        ])
        #expect(director.outline == "uno: z | two: d | three:")
        #expect(director.working.list.sections[0].attributes == .none)
        try director.perform([.patchSection(.identifier("uno"), patch: json(#"{"elements":null}"#))])
        #expect(director.outline == "uno: | two: d | three:")
    }

    @Test("variables are set and removed")
    func variables() throws {
        let director = try emptyDirector()
        try director.perform([.setVariable(name: "a", value: json("[1]")), .setVariable(name: "b", value: json("2"))])
        #expect(director.working.variables == ["a": try json("[1]"), "b": try json("2")])
        try director.perform([.removeVariable(name: "a")])
        #expect(director.working.variables == ["b": try json("2")])
        let error = #expect(throws: DirectorError.self) { try director.perform([.removeVariable(name: "a")]) }
        #expect(error?.category == .notFound)
        #expect(error?.pointer == "/name")
    }

    @Test("no operations change nothing, not even the revision")
    func none() throws {
        let director = try filledDirector()
        let before = director.traces
        try director.perform([])
        #expect(director.traces == before)
    }

    @Test("a director of another kind loses its sections, and of the same kind keeps them")
    func redefine() throws {
        let director = try filledDirector()
        var table = TableProperties()
        table.rowHeight = .explicit(44)
        #expect(director.redefine(.table(table)))
        #expect(!director.redefine(.table(table)))
        #expect(director.outline == "one: a b c | two: d | three:")
        #expect(director.redefine(DirectorProperties(defaultsOf: .flow)))
        #expect(director.outline == "")
        #expect(director.adapters.cells.count == 1)
    }
}
