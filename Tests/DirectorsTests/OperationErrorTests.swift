import JSONValues
import Testing

@testable import Directors

@Suite("Operations that are refused")
struct OperationErrorTests {
    typealias Row = (Operation, DirectorError.Category, String)

    static let places: [Row] = [
        (.setSection(.position(3), SectionDraft(identifier: nil)), .notFound, "/section"),
        (.removeSection(.position(3)), .notFound, "/section"),
        (.removeSection(.identifier("none")), .notFound, "/section"),
        (.removeSections(at: [.first, .position(9)]), .notFound, "/at/1"),
        (.addSections([], at: .position(4)), .invalid, "/at"),
        (.addSections([], at: .identifier("none")), .invalid, "/at"),
        (.moveSection(from: .position(3), to: .first), .invalid, "/from"),
        (.moveSection(from: .first, to: .position(3)), .invalid, "/to"),
        (.moveSection(from: .identifier("none"), to: .first), .invalid, "/from"),
        (.swapSections(at: .position(7), with: .first), .invalid, "/at"),
        (.swapSections(at: .first, with: .position(.max)), .invalid, "/with"),
        (.setElements(section: .identifier("none"), []), .notFound, "/section"),
        (.addElements(.section(.position(3)), [], at: nil), .notFound, "/section"),
        (.addElements(.section(.first), [], at: .position(4)), .invalid, "/at"),
        (.addElements(.newSection(identifier: "n"), [], at: .position(1)), .invalid, "/at"),
        (.setElement(section: .first, element: .position(3), drafts("x")[0]), .notFound, "/element"),
        (.setElement(section: .first, element: .identifier("none"), drafts("x")[0]), .invalid, "/value/value"),
        (.setElement(section: .first, element: .identifier("x"), drafts("x")[0], at: .position(4)), .invalid, "/at"),
        (
            .patchElement(section: .last, element: .first, patch: ValueDraft(JSONValue(string: "x"))), .notFound,
            "/element"
        ),
        (.removeElement(section: .last, element: .last), .notFound, "/element"),
        (.removeElements(section: .first, at: [.position(3)]), .notFound, "/at/0"),
        (.removeAllElements(section: .identifier("")), .notFound, "/section"),
        (.moveElement(section: .identifier("none"), from: .first, to: .first, toSection: nil), .notFound, "/section"),
        (.moveElement(section: .first, from: .position(3), to: .first, toSection: nil), .invalid, "/from"),
        (.moveElement(section: .first, from: .first, to: .position(3), toSection: nil), .invalid, "/to"),
        (.moveElement(section: .first, from: .first, to: .position(2), toSection: .identifier("two")), .invalid, "/to"),
        (
            .moveElement(section: .first, from: .first, to: .first, toSection: .identifier("none")), .notFound,
            "/toSection"
        ),
        (.swapElements(section: .first, at: .first, with: .position(3)), .invalid, "/with"),
    ]

    static let contents: [Row] = [
        (.setSection(.identifier("one"), section("two")), .invalid, "/value/id"),
        (.setSection(.identifier("new"), section("other")), .invalid, "/value/id"),
        (.addSections([SectionDraft(identifier: "")], at: nil), .invalid, "/sections"),
    ]

    @Test(
        "a section has no member that its director's kind does not have: an indexTitle in a flow, spacing in a table",
        arguments: [
            (DirectorKind.flow, SectionAttributes { $0.indexTitle = "A" }, "indexTitle", "table"),
            (.collection, SectionAttributes { $0.indexTitle = "A" }, "indexTitle", "table"),
            (.collection, SectionAttributes { $0.minimumLineSpacing = 1 }, "minimumLineSpacing", "flow"),
            (.table, SectionAttributes { $0.sectionInsets = .zero }, "sectionInsets", "flow"),
            (.table, SectionAttributes { $0.minimumInteritemSpacing = 1 }, "minimumInteritemSpacing", "flow"),
        ])
    func foreignMembers(_ kind: DirectorKind, _ attributes: SectionAttributes, _ name: String, _ other: String) throws {
        let properties = DirectorProperties(defaultsOf: kind)
        var director = Director(name: "d", epoch: "e", properties: properties)
        let draft = SectionDraft(identifier: "s", attributes: attributes)
        let error = #expect(throws: DirectorError.self) { try director.perform([.addSections([draft], at: nil)]) }
        #expect(error?.faults.map(\.pointer) == ["/sections/0/\(name)"] && error?.category == .invalid)
        #expect(error?.detail.contains("in a \(other) director only; this one is a \(kind.rawValue)") == true)
        #expect(director.working.list.sections.isEmpty)
        // What was accepted before there was the rule is taken again.
        var limits = DirectorLimits()
        limits.holdsSectionsToKind = false
        var stored = Director(name: "d", epoch: "e", properties: properties, limits: limits)
        try stored.perform([.addSections([draft], at: nil)])
        #expect(stored.working.list.sections.count == 1)
    }

    @Test("an operation on a place that is not there says which and changes nothing", arguments: places + contents)
    func refuses(_ row: Row) throws {
        let director = try filledDirector()
        let before = director.traces
        let error = #expect(throws: DirectorError.self) { try director.perform([row.0]) }
        #expect(error?.category == row.1)
        #expect(error?.pointer == row.2)
        #expect(error?.operation == nil)
        #expect(error?.detail.isEmpty == false)
        #expect(director.traces == before)
    }

    @Test(
        "an identifier that stands for several elements names their positions",
        arguments: [
            .setElement(section: .first, element: .identifier("a"), drafts("x")[0]),
            .patchElement(section: .first, element: .identifier("a"), patch: ValueDraft(JSONValue(string: "x"))),
            .removeElement(section: .first, element: .identifier("a")),
            .removeElements(section: .first, at: [.identifier("a")]),
            .moveElement(section: .first, from: .identifier("a"), to: .first, toSection: nil),
            .swapElements(section: .first, at: .identifier("a"), with: .first),
            .addElements(.section(.first), [], at: .identifier("a")),
        ] as [Operation])
    func ambiguous(_ operation: Operation) throws {
        let director = try filledDirector()
        try director.perform([.setElements(section: .first, drafts("a", "b", "a", "c", "a"))])
        let error = #expect(throws: DirectorError.self) { try director.perform([operation]) }
        #expect(error?.reason == .ambiguous(.element, identifier: "a", positions: [0, 2, 4]))
        #expect(error?.category == .conflict)
        #expect(error?.detail.contains("@0, @2, @4") == true)
        try director.perform([.removeElement(section: .first, element: .position(2))])
        #expect(director.working.list.sections[0].elements.map(\.identifier) == ["a", "b", "c", "a"])
    }

    @Test(
        "an identifier that stands for several sections names their positions",
        arguments: [
            (.setSection(.identifier("a"), section("a", "x")), "/section"),
            (.patchSection(.identifier("a"), patch: JSONValue(string: "x")), "/section"),
            (.removeSection(.identifier("a")), "/section"),
            (.removeSections(at: [.first, .identifier("a")]), "/at/1"),
            (.moveSection(from: .identifier("a"), to: .first), "/from"),
            (.swapSections(at: .first, with: .identifier("a")), "/with"),
            (.addSections([], at: .identifier("a")), "/at"),
            (.setElements(section: .identifier("a"), []), "/section"),
            (.addElements(.section(.identifier("a")), drafts("x"), at: nil), "/section"),
            (.moveElement(section: .first, from: .first, to: .first, toSection: .identifier("a")), "/toSection"),
        ] as [(Operation, String)])
    func ambiguousSection(_ operation: Operation, pointer: String) throws {
        let director = try emptyDirector()
        try director.perform([.setSections(["a", "b", "a", "c", "a"].map { section($0, "e") })])
        let before = director.traces
        let error = #expect(throws: DirectorError.self) { try director.perform([operation]) }
        #expect(error?.reason == .ambiguous(.section, identifier: "a", positions: [0, 2, 4]))
        #expect(error?.category == .conflict && error?.pointer == pointer)
        #expect(error?.detail.contains("3 sections, at @0, @2, @4; use a position") == true)
        #expect(director.traces == before)
    }

    @Test("sections of one identifier are set, added, renamed and removed by their positions")
    func duplicateSections() throws {
        let director = try emptyDirector()
        try director.perform([.setSections([section("x", "1"), section("x", "2")])])
        try director.perform([.addSections([section("y"), section("x", "3")], at: .position(1))])
        try director.perform([.setSection(.position(1), section("x", "4"))])
        try director.perform([.patchSection(.position(3), patch: json(#"{"id":"z","headerTitle":"Z"}"#))])
        #expect(director.outline == "x: 1 | x: 4 | x: 3 | z: 2")
        try director.perform([.addElements(.section(.position(2)), drafts("5"), at: nil), .removeSection(.first)])
        try director.perform([.patchSection(.identifier("z"), patch: json(#"{"id":"x"}"#))])
        #expect(director.outline == "x: 4 | x: 3 5 | x: 2")
        let list = director.working.list
        #expect(list.address(ofSection: 1) == .position(1))
        // The same sections again, in part: what is the same stays the same object.
        try director.perform([.setSections([section("x", "4"), section("x", "3", "5"), section("x", "6")])])
        let again = director.working.list
        #expect(again.content[0].isInterchangeable(with: list.content[0]))
        #expect(again.content[1].isInterchangeable(with: list.content[1]))
    }

    @Test("an identifier that stands for very many elements names the first ones and says that there are more")
    func veryAmbiguous() throws {
        let director = try filledDirector()
        let same = (0..<1_000).map { _ in ElementDraft(value: JSONValue(string: "same")) }
        try director.perform([.setElements(section: .first, drafts("x") + same)])
        let error = #expect(throws: DirectorError.self) {
            try director.perform([.removeElement(section: .first, element: .identifier("same"))])
        }
        #expect(error?.reason == .ambiguous(.element, identifier: "same", positions: Array(1...(Fault.limit + 1))))
        #expect(error?.detail.contains("more than 20 elements of the section, at @1, @2,") == true)
        #expect(error?.detail.hasSuffix("@20 and more; use a position") == true)
    }

    @Test("every element that cannot be taken is named")
    func elements() throws {
        let director = try filledDirector()
        let before = director.traces
        let bad = [
            try draft(#"{"id":"ok"}"#), try draft("{}"), try draft(#"{"id":null}"#), try draft(#"{"id":{}}"#),
            try draft("[1]"), try draft("null"), try draft(#""""#), try draft("1", model: "Other"),
            try draft("\"\(String(repeating: "x", count: 2_000))\""),
        ]
        let error = #expect(throws: DirectorError.self) {
            try director.perform([.addElements(.section(.first), bad, at: nil)])
        }
        #expect(
            error?.faults.map(\.pointer) == [
                "/elements/1/value", "/elements/2/value/id", "/elements/3/value/id", "/elements/4/value",
                "/elements/5/value",
                "/elements/6/value", "/elements/7/model", "/elements/8/value",
            ])
        #expect(error?.category == .invalid)
        #expect(director.traces == before)
    }

    @Test("no more faults are reported than anyone reads")
    func boundedFaults() throws {
        let director = try filledDirector()
        let bad = Array(repeating: try draft("{}"), count: 1_000)
        let error = #expect(throws: DirectorError.self) { try director.perform([.setElements(section: .first, bad)]) }
        #expect(error?.faults.count == Fault.limit)
    }

    @Test("a model may be left out where there is exactly one adapter")
    func models() throws {
        let director = try filledDirector()
        try director.register(CellAdapter(model: "Other", cell: "OtherCell"))
        let error = #expect(throws: DirectorError.self) {
            try director.perform([.setElements(section: .first, drafts("x"))])
        }
        #expect(error?.faults.map(\.pointer) == ["/elements/0"])
        try director.perform([
            .setElements(section: .first, [draft("\"x\"", model: "Other"), draft("\"x\"", model: "Item")])
        ])
        #expect(director.working.list.sections[0].elements.map(\.model) == ["Other", "Item"])
        try director.perform([.patchElement(section: .first, element: .position(0), patch: ValueDraft(json("\"y\"")))])
        #expect(director.working.list.sections[0].elements.map(\.model) == ["Other", "Item"])
    }

    @Test("a patch that takes the identifier away is refused at the patch")
    func patches() throws {
        let director = try emptyDirector()
        try director.perform([.addElements(.newSection(identifier: "s"), [draft(#"{"id":"a"}"#)], at: nil)])
        let before = director.traces
        let error = #expect(throws: DirectorError.self) {
            try director.perform([
                .patchElement(section: .first, element: .first, patch: ValueDraft(json(#"{"id":{"x":1}}"#)))
            ])
        }
        #expect(error?.faults.map(\.pointer) == ["/patch/id"])
        for (patch, pointer) in [
            (#"{"headerTitel":"x"}"#, "/patch/headerTitel"), (#"{"isCollapsed":1}"#, "/patch/isCollapsed"),
            (#"{"id":null}"#, "/patch/id"),
            ("[]", "/patch"), (#"{"sectionInsets":{"top":1}}"#, "/patch/sectionInsets"),
            (#"{"headerView":"V"}"#, "/patch/headerView"),
            (#"{"elements":[{"value":{}}]}"#, "/patch/elements/0/value"), (#"{"rows":1}"#, "/patch/rows"),
            (#"{"rows":[],"elements":[]}"#, "/patch/elements"),
            (#"{"id":""}"#, "/patch/id"),
        ] {
            let error = #expect(throws: DirectorError.self) {
                try director.perform([.patchSection(.first, patch: json(patch))])
            }
            #expect(error?.faults.map(\.pointer) == [pointer])
        }
        #expect(director.traces == before)
    }

    @Test("limits hold for every way in")
    func limits() throws {
        let director = try emptyDirector(
            limits: DirectorLimits(sections: 2, elements: 3, variables: 1, adapters: 1, valueLength: 10))
        try director.perform([.setSections([section("one", "a", "b")])])
        let refused: [(Operation, DirectorError.Bound)] = [
            (.addSections([section("two"), section("three")], at: nil), .sections),
            (.addSections([section("two", "c", "d")], at: nil), .elements),
            (.setSections([section("x", "1", "2"), section("y", "3", "4")]), .elements),
            (.setElements(section: .first, drafts("1", "2", "3", "4")), .elements),
            (.addElements(.section(.first), drafts("c", "d"), at: nil), .elements),
            (.setSection(.first, section("one", "1", "2", "3", "4")), .elements),
            (.addElements(.newSection(identifier: "n"), drafts("c", "d"), at: nil), .elements),
            (
                .patchSection(
                    .first, patch: try json(#"{"elements":[{"value":"1"},{"value":"2"},{"value":"3"},{"value":"4"}]}"#)),
                .elements
            ),
        ]
        for (operation, bound) in refused {
            let error = #expect(throws: DirectorError.self) { try director.perform([operation]) }
            #expect(error?.category == .limit)
            if case .limitExceeded(let found, _)? = error?.reason { #expect(found == bound) }
        }
        try director.perform([.setVariable(name: "a", value: json("1"))])
        try director.perform([.setVariable(name: "a", value: json("2"))])
        #expect(throws: DirectorError.self) { try director.perform([.setVariable(name: "b", value: json("1"))]) }
        #expect(throws: DirectorError.self) { try director.register(CellAdapter(model: "Other", cell: "C")) }
        #expect(throws: DirectorError.self) {
            try director.perform([.setElements(section: .first, drafts("longer than ten"))])
        }
    }
}
