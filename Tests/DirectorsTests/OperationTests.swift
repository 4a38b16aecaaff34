import JSONValues
import Testing

@testable import Directors

@Suite("Operations")
struct OperationTests {
    static let operations: [(Operation, String)] = [
        (.sections(.set([section("x", "y")])), "x: y"),
        (.sections(.set([])), ""),
        (.sections(.add([section("x", "y"), section("z")])), "one: a b c | two: d | three: | x: y | z:"),
        (.sections(.add([section("x")], at: .position(0))), "x: | one: a b c | two: d | three:"),
        (.sections(.add([section("x")], at: .position(3))), "one: a b c | two: d | three: | x:"),
        (.sections(.add([section("x")], at: .first)), "x: | one: a b c | two: d | three:"),
        (.sections(.add([section("x")], at: .last)), "one: a b c | two: d | three: | x:"),
        (.sections(.add([section("x")], at: .identifier("two"))), "one: a b c | x: | two: d | three:"),
        (.sections(.put(.identifier("two"), section("two", "x"))), "one: a b c | two: x | three:"),
        (.sections(.put(.position(1), section("renamed"))), "one: a b c | renamed: | three:"),
        (.sections(.put(.last, SectionDraft(identifier: nil))), "one: a b c | two: d | three:"),
        (.sections(.put(.identifier("new"), SectionDraft(identifier: nil))), "one: a b c | two: d | three: | new:"),
        (.sections(.remove(.identifier("one"))), "two: d | three:"),
        (.sections(.remove(.last)), "one: a b c | two: d"),
        (.sections(.removeSeveral([.position(2), .position(0), .position(0)])), "two: d"),
        (.sections(.removeSeveral([.identifier("two")])), "one: a b c | three:"),
        (.sections(.removeSeveral([])), "one: a b c | two: d | three:"),
        (.sections(.removeAll), ""),
        (.sections(.move(from: .position(0), to: .position(2))), "two: d | three: | one: a b c"),
        (.sections(.move(from: .last, to: .first)), "three: | one: a b c | two: d"),
        (.sections(.move(from: .identifier("one"), to: .identifier("two"))), "two: d | one: a b c | three:"),
        (.sections(.swap(.position(0), with: .position(2))), "three: | two: d | one: a b c"),
        (.sections(.swap(.first, with: .first)), "one: a b c | two: d | three:"),
        (.elements(of: .section(.identifier("one")), .set(drafts("x"))), "one: x | two: d | three:"),
        (.elements(of: .section(.first), .set([])), "one: | two: d | three:"),
        (.elements(of: .section(.first), .add(drafts("x", "y"))), "one: a b c x y | two: d | three:"),
        (.elements(of: .section(.first), .add(drafts("x"), at: .position(1))), "one: a x b c | two: d | three:"),
        (.elements(of: .section(.first), .add(drafts("x"), at: .identifier("c"))), "one: a b x c | two: d | three:"),
        (.elements(of: .section(.first), .add(drafts("x"), at: .last)), "one: a b c x | two: d | three:"),
        (.elements(of: .section(.last), .add(drafts("x"), at: .first)), "one: a b c | two: d | three: x"),
        (.elements(of: .section(.first), .add(drafts("a"))), "one: a b c a | two: d | three:"),
        (.newSection(identifier: "n", drafts("x")), "one: a b c | two: d | three: | n: x"),
        (.elements(of: .section(.first), .put(.identifier("b"), drafts("x")[0])), "one: a x c | two: d | three:"),
        (.elements(of: .section(.first), .put(.last, drafts("x")[0])), "one: a b x | two: d | three:"),
        (.elements(of: .section(.first), .put(.identifier("x"), drafts("x")[0])), "one: a b c x | two: d | three:"),
        (
            .elements(of: .section(.first), .put(.identifier("x"), drafts("x")[0], at: .identifier("b"))),
            "one: a x b c | two: d | three:"
        ),
        (
            .elements(of: .section(.first), .put(.identifier("b"), drafts("x")[0], at: .first)),
            "one: a x c | two: d | three:"
        ),
        (.elements(of: .section(.first), .remove(.identifier("b"))), "one: a c | two: d | three:"),
        (.elements(of: .section(.position(1)), .remove(.first)), "one: a b c | two: | three:"),
        (.elements(of: .section(.first), .removeSeveral([.position(0), .last])), "one: b | two: d | three:"),
        (.elements(of: .section(.first), .removeAll), "one: | two: d | three:"),
        (
            .elements(of: .section(.first), .move(from: .position(0), to: .position(2))),
            "one: b c a | two: d | three:"
        ),
        (
            .elements(of: .section(.first), .move(from: .identifier("c"), to: .first)),
            "one: c a b | two: d | three:"
        ),
        (
            .elements(
                of: .section(.first),
                .move(from: .position(0), to: .position(1), into: ElementDestination(section: .position(1)))),
            "one: b c | two: d a | three:"
        ),
        (
            .elements(
                of: .section(.first), .move(from: .position(0), to: .last, into: ElementDestination(section: .last))),
            "one: b c | two: d | three: a"
        ),
        (
            .elements(
                of: .section(.first),
                .move(from: .first, to: .identifier("d"), into: ElementDestination(section: .identifier("two")))),
            "one: b c | two: a d | three:"
        ),
        (
            .elements(of: .section(.first), .move(from: .first, to: .last, into: ElementDestination(section: .first))),
            "one: b c a | two: d | three:"
        ),
        (.elements(of: .section(.first), .swap(.first, with: .last)), "one: c b a | two: d | three:"),
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
            .newSection(identifier: "s", [draft(#"{"id":"a","age":1.0,"x":null}"#)])
        ])
        try director.perform([
            .elements(of: .section(.first), .patch(.identifier("a"), ValueDraft(json(#"{"age":2}"#))))
        ])
        #expect(
            try director.working.list.element(at: .identifier("a"), of: .section(.first)).element.value.text
                == #"{"id":"a","age":2,"x":null}"#)
        try director.perform([
            .elements(of: .section(.first), .patch(.first, ValueDraft(json(#"{"id":"b","x":{"y":null}}"#))))
        ])
        #expect(
            try director.working.list.element(at: .identifier("b"), of: .section(.first)).element.value.text
                == #"{"id":"b","age":2,"x":{}}"#)
        #expect(throws: DirectorError.self) {
            try director.working.list.element(at: .identifier("a"), of: .section(.first))
        }
    }

    @Test("patching a section changes what it says and keeps its elements unless the patch has them")
    func patchSection() throws {
        let director = try filledDirector()
        try director.perform([.sections(.patch(.first, ValueDraft(json(#"{"headerTitle":"One","isCollapsed":true}"#))))]
        )
        #expect(
            director.working.list.sections[0].attributes
                == SectionAttributes {
                    $0.headerTitle = "One"
                    $0.isCollapsed = true
                })
        #expect(director.outline == "one: a b c | two: d | three:")
        try director.perform([.sections(.patch(.first, ValueDraft(json(#"{"headerTitle":null,"id":"uno"}"#))))])
        #expect(director.working.list.sections[0].attributes == SectionAttributes { $0.isCollapsed = true })
        #expect(director.outline == "uno: a b c | two: d | three:")
        try director.perform([
            .sections(.patch(.identifier("uno"), ValueDraft(json(#"{"elements":[{"value":"z"}],"isCollapsed":null}"#))))
        ])
        #expect(director.outline == "uno: z | two: d | three:")
        #expect(director.working.list.sections[0].attributes == .none)
        try director.perform([.sections(.patch(.identifier("uno"), ValueDraft(json(#"{"elements":null}"#))))])
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
