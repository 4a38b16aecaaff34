import JSONValues
import ListDiff
import Testing

@testable import Directors

@Suite("Reloads")
struct ReloadTests {
    @Test("a reload that changes nothing publishes nothing and keeps the version")
    func nothing() throws {
        let director = try filledDirector()
        #expect(try director.reload()?.version == 1)
        #expect(try director.reload()?.version == nil)
        try director.perform([.sections(.swap(.first, with: .first))])
        #expect(try director.reload()?.version == nil)
        #expect(director.version == 1)
        #expect(director.unchanged().changeset.stages.isEmpty)
        #expect(director.unchanged().from == director.unchanged().version)
    }

    @Test("versions rise by one and a change names both ends and the counts")
    func versions() throws {
        let director = try filledDirector()
        _ = try director.reload()
        try director.perform([.sections(.remove(.first))])
        let change = try #require(try director.reload(animations: Animations([.sectionDeleted: .fade])))
        #expect((change.from, change.version) == (1, 2))
        #expect(change.counts == ListCounts(sections: 2, elements: 1))
        #expect(change.director == "contacts" && change.epoch == "k3f9")
        #expect(change.animations == Animations([.sectionDeleted: .fade]))
    }

    @Test("a change over several versions leads to the later one exactly, also where no adapter looks")
    func exactAcrossVersions() throws {
        let director = try emptyDirector()
        let age = try #require(JSONPointer(parsing: "/age"))
        try director.register(CellAdapter(model: "Item", cell: "ItemCell", content: [age]))
        func publish(_ value: String) throws -> PublishedState {
            try director.perform([.sections(.set([SectionDraft(identifier: "s", elements: [draft(value)])]))])
            _ = try director.reload()
            return director.published
        }
        let first = try publish(#"{"id":"a","age":1,"note":"one"}"#)
        _ = try publish(#"{"id":"a","age":2,"note":"two"}"#)
        let third = try publish(#"{"id":"a","age":1,"note":"three"}"#)
        let change = director.change(from: first, to: third)
        #expect(try first.list.array.applying(change.changeset) == third.list.array)
        // What the adapter looks at has changed and changed back: no cell is drawn anew.
        #expect(change.changeset.stages.isEmpty)
        #expect(change.changeset.replaced.map(\.at) == [ElementPath(section: 0, element: 0)])
        try director.register(CellAdapter(model: "Item", cell: "ItemCell"))
        #expect(
            try first.list.array.applying(director.change(from: first, to: third).changeset) == third.list.array)
    }

    @Test("an element whose value is written in another way is not updated")
    func spelling() throws {
        let director = try emptyDirector()
        try director.perform([.newSection(identifier: "s", [draft(#"{"id":"a","n":1}"#)])])
        _ = try director.reload()
        try director.perform([.elements(of: .section(.first), .set([draft(#"{"n":1.0,"id":"a"}"#)]))])
        #expect(try director.reload()?.version == nil)
        try director.perform([.elements(of: .section(.first), .set([draft(#"{"n":1.1,"id":"a"}"#)]))])
        #expect(try director.reload()?.changeset.stages.map(\.elementUpdated.count) == [1])
    }

    @Test("PATCH of what `content` leaves out, then a reload: a version with `replaced`, and no stage")
    func contentPointers() throws {
        let director = try emptyDirector()
        let pointers = ["/age", "/tags/0"].compactMap { JSONPointer(parsing: $0) }
        try director.register(CellAdapter(model: "Item", cell: "C", content: pointers))
        func set(_ value: String) throws {
            try director.perform([.elements(of: .section(.first), .set([draft(value)]))])
        }
        try director.perform([.sections(.add([section("s")]))])
        try set(#"{"id":"a","age":1,"note":"x"}"#)
        _ = try director.reload()
        try set(#"{"id":"a","age":1.0,"note":"y"}"#)
        let quiet = try #require(try director.reload())
        #expect(quiet.version == 2 && quiet.changeset.stages.isEmpty)
        #expect(quiet.changeset.replaced.map(\.element.value.text) == [#"{"id":"a","age":1.0,"note":"y"}"#])
        #expect(director.published.list.sections[0].elements[0].value.text == #"{"id":"a","age":1.0,"note":"y"}"#)
        #expect(try director.reload()?.version == nil)
        try director.perform([.elements(of: .section(.first), .add([draft(#"{"id":"b"}"#)]))])
        let change = try #require(try director.reload())
        #expect(change.changeset.stages.map(\.elementUpdated.count) == [0])
        #expect(change.changeset.replaced.isEmpty)
        for value in [
            #"{"id":"a","age":2,"note":"y"}"#, #"{"id":"a","note":"y"}"#, #"{"id":"a","tags":[null]}"#,
            #"{"id":"a","tags":[[]]}"#,
        ] {
            try director.perform([.elements(of: .section(.first), .put(.first, draft(value)))])
            #expect(try director.reload()?.changeset.stages.map(\.elementUpdated.count) == [1])
        }
        try director.register(CellAdapter(model: "Item", cell: "C", content: []))
        try director.perform([.elements(of: .section(.first), .put(.first, draft(#"{"id":"a","age":9}"#)))])
        #expect(try director.reload()?.changeset.replaced.count == 1)
    }

    @Test("an element that moves with a value that no adapter looks at is moved and replaced, also with its section")
    func replacedAndMoved() throws {
        let director = try emptyDirector()
        try director.register(CellAdapter(model: "Item", cell: "C", content: [JSONPointer(tokens: ["n"])]))
        let values = ["a", "b", "c", "d"].map { #"{"id":"\#($0)","n":1,"m":1}"# }
        try director.perform([
            .sections(
                .add([
                    SectionDraft(identifier: "s", elements: try values.map { try draft($0) }),
                    SectionDraft(identifier: "t", elements: [try draft(#"{"id":"e","n":1,"m":1}"#)]),
                    SectionDraft(identifier: "u", elements: [try draft(#"{"id":"f","n":1,"m":1}"#)]),
                ]))
        ])
        _ = try director.reload()
        let before = director.published
        let patch = try json(#"{"m":2}"#)
        try director.perform([
            // Moves within its section, moves to another one, stays in a section that moves, and leaves with its section.
            .elements(of: .section(.identifier("s")), .patch(.identifier("a"), ValueDraft(patch))),
            .elements(of: .section(.identifier("s")), .move(from: .first, to: .last)),
            .elements(of: .section(.identifier("s")), .patch(.identifier("b"), ValueDraft(patch))),
            .elements(
                of: .section(.identifier("s")),
                .move(from: .identifier("b"), to: .first, into: ElementDestination(section: .identifier("t")))),
            .elements(of: .section(.identifier("t")), .patch(.identifier("e"), ValueDraft(patch))),
            .sections(.move(from: .identifier("t"), to: .first)),
            .elements(of: .section(.identifier("u")), .patch(.identifier("f"), ValueDraft(patch))),
            .elements(
                of: .section(.identifier("u")),
                .move(from: .identifier("f"), to: .first, into: ElementDestination(section: .identifier("s")))),
            .sections(.remove(.identifier("u"))),
        ])
        let change = try #require(try director.reload())
        #expect(director.published.list.outline == "t: b e | s: f c d a")
        #expect(change.changeset.stages.flatMap(\.elementUpdated).isEmpty)
        #expect(change.changeset.stages.flatMap(\.elementInserted).map(\.element.identifier) == ["f"])
        #expect(change.changeset.replaced.map(\.element.identifier) == ["b", "e", "a"])
        #expect(
            change.changeset.replaced.map(\.at)
                == [
                    ElementPath(section: 0, element: 0), ElementPath(section: 0, element: 1),
                    ElementPath(section: 1, element: 3),
                ])
        #expect(try before.list.array.applying(change.changeset) == director.published.list.array)
        #expect(try before.applying(change) == director.published)
        #expect(director.published.list == director.working.list)
    }

    @Test("what has changed where no adapter looked is there before one does")
    func lateSight() throws {
        let director = try emptyDirector()
        func look(_ members: [String]?) throws {
            let content = members?.map { JSONPointer(tokens: [$0]) }
            try director.register(CellAdapter(model: "Item", cell: "ItemCell", content: content))
        }
        try look(["n"])
        let values = [#"{"id":"a","n":1,"m":1}"#, #"{"id":"b","n":1,"m":1}"#]
        try director.perform([.newSection(identifier: "s", values.map { try draft($0) })])
        _ = try director.reload()
        let first = director.published
        try director.perform([.elements(of: .section(.first), .patch(.first, ValueDraft(json(#"{"m":2}"#))))])
        #expect(try director.reload()?.changeset.replaced.map(\.at.element) == [0])
        // Another element changes: what was replaced is not replaced again.
        try director.perform([.elements(of: .section(.first), .patch(.last, ValueDraft(json(#"{"n":2}"#))))])
        let second = try #require(try director.reload())
        #expect(second.changeset.stages.map { $0.elementUpdated.map(\.at.element) } == [[1]])
        #expect(second.changeset.replaced.isEmpty)
        try look(nil)
        #expect(try director.reload()?.version == nil)
        #expect(director.published.list == director.working.list)
        let change = director.change(from: first, to: director.published)
        #expect(try first.list.array.applying(change.changeset) == director.published.list.array)
    }

    @Test("elements of one identifier and different models are different elements")
    func models() throws {
        let director = try emptyDirector()
        try director.register(CellAdapter(model: "Other", cell: "C"))
        try director.perform([.newSection(identifier: "s", [draft("\"a\"", model: "Item")])])
        _ = try director.reload()
        try director.perform([.elements(of: .section(.first), .put(.first, draft("\"a\"", model: "Other")))])
        let stages = try #require(try director.reload()).changeset.stages
        #expect(stages.flatMap(\.elementDeleted).count == 1 && stages.flatMap(\.elementInserted).count == 1)
        #expect(stages.flatMap(\.elementUpdated).isEmpty)
    }

    @Test("a collapsed section is published without its elements and keeps them")
    func collapsed() throws {
        let director = try filledDirector()
        _ = try director.reload()
        try director.perform([.sections(.patch(.first, ValueDraft(json(#"{"isCollapsed":true}"#))))])
        let before = director.published.list.array
        let change = try #require(try director.reload())
        #expect(change.counts == ListCounts(sections: 3, elements: 1))
        #expect(director.published.list.outline == "one: | two: d | three:")
        #expect(director.outline == "one: a b c | two: d | three:")
        #expect(try before.applying(change.changeset) == director.published.list.array)
        try director.perform([.elements(of: .section(.first), .add(drafts("x")))])
        #expect(try director.reload()?.version == nil)
        try director.perform([.sections(.patch(.first, ValueDraft(json(#"{"isCollapsed":false}"#))))])
        #expect(try director.reload()?.counts == ListCounts(sections: 3, elements: 5))
        #expect(director.published.list.outline == "one: a b c x | two: d | three:")
    }

    @Test("one change spans several versions")
    func spanning() throws {
        let director = try filledDirector()
        _ = try director.reload()
        let first = director.published
        for identifier in ["x", "y", "z"] {
            try director.perform([.elements(of: .section(.first), .add(drafts(identifier), at: .first))])
            _ = try director.reload()
        }
        let change = director.change(from: first, to: director.published)
        #expect((change.from, change.version) == (1, 4))
        #expect(try first.list.array.applying(change.changeset) == director.published.list.array)
        #expect(first.list.outline == "one: a b c | two: d | three:")
    }
}
