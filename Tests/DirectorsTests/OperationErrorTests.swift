import JSONValues
import Testing

@testable import Directors

@Suite("Operations that are refused")
struct OperationErrorTests {
    typealias Row = (Operation, DirectorError.Category, String)

    static let places: [Row] = [
        (.sections(.put(.position(3), SectionDraft(identifier: nil))), .notFound, "/section"),
        (.sections(.remove(.position(3))), .notFound, "/section"),
        (.sections(.remove(.identifier("none"))), .notFound, "/section"),
        (.sections(.removeSeveral([.first, .position(9)])), .notFound, "/at/1"),
        (.sections(.add([], at: .position(4))), .invalid, "/at"),
        (.sections(.add([], at: .identifier("none"))), .invalid, "/at"),
        (.sections(.move(from: .position(3), to: .first)), .invalid, "/from"),
        (.sections(.move(from: .first, to: .position(3))), .invalid, "/to"),
        (.sections(.move(from: .identifier("none"), to: .first)), .invalid, "/from"),
        (.sections(.swap(.position(7), with: .first)), .invalid, "/at"),
        (.sections(.swap(.first, with: .position(.max))), .invalid, "/with"),
        (.elements(of: .section(.identifier("none")), .set([])), .notFound, "/section"),
        (.elements(of: .section(.position(3)), .add([])), .notFound, "/section"),
        (.elements(of: .section(.first), .add([], at: .position(4))), .invalid, "/at"),
        (.newSection(identifier: "n", [], at: .position(1)), .invalid, "/at"),
        (.elements(of: .section(.first), .put(.position(3), drafts("x")[0])), .notFound, "/element"),
        (.elements(of: .section(.first), .put(.identifier("none"), drafts("x")[0])), .invalid, "/value/value"),
        (.elements(of: .section(.first), .put(.identifier("x"), drafts("x")[0], at: .position(4))), .invalid, "/at"),
        (
            .elements(of: .section(.last), .patch(.first, ValueDraft(JSONValue(string: "x")))), .notFound,
            "/element"
        ),
        (.elements(of: .section(.last), .remove(.last)), .notFound, "/element"),
        (.elements(of: .section(.first), .removeSeveral([.position(3)])), .notFound, "/at/0"),
        (.elements(of: .section(.identifier("")), .removeAll), .notFound, "/section"),
        (.elements(of: .section(.identifier("none")), .move(from: .first, to: .first)), .notFound, "/section"),
        (.elements(of: .section(.first), .move(from: .position(3), to: .first)), .invalid, "/from"),
        (.elements(of: .section(.first), .move(from: .first, to: .position(3))), .invalid, "/to"),
        (
            .elements(
                of: .section(.first),
                .move(from: .first, to: .position(2), into: ElementDestination(section: .identifier("two")))), .invalid,
            "/to"
        ),
        (
            .elements(
                of: .section(.first),
                .move(from: .first, to: .first, into: ElementDestination(section: .identifier("none")))), .notFound,
            "/toSection"
        ),
        (.elements(of: .section(.first), .swap(.first, with: .position(3))), .invalid, "/with"),
    ]

    static let contents: [Row] = [
        (.sections(.put(.identifier("one"), section("two"))), .invalid, "/value/id"),
        (.sections(.put(.identifier("new"), section("other"))), .invalid, "/value/id"),
        (.sections(.add([SectionDraft(identifier: "")])), .invalid, "/sections"),
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
        let error = #expect(throws: DirectorError.self) { try director.perform([.sections(.add([draft]))]) }
        #expect(error?.faults.map(\.pointer) == ["/sections/0/\(name)"] && error?.category == .invalid)
        #expect(error?.detail.contains("in a \(other) director only; this one is a \(kind.rawValue)") == true)
        #expect(director.working.list.sections.isEmpty)
        // What was accepted before there was the rule is taken again.
        var limits = DirectorLimits()
        limits.holdsSectionsToKind = false
        var stored = Director(name: "d", epoch: "e", properties: properties, limits: limits)
        try stored.perform([.sections(.add([draft]))])
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
            .elements(of: .section(.first), .put(.identifier("a"), drafts("x")[0])),
            .elements(of: .section(.first), .patch(.identifier("a"), ValueDraft(JSONValue(string: "x")))),
            .elements(of: .section(.first), .remove(.identifier("a"))),
            .elements(of: .section(.first), .removeSeveral([.identifier("a")])),
            .elements(of: .section(.first), .move(from: .identifier("a"), to: .first)),
            .elements(of: .section(.first), .swap(.identifier("a"), with: .first)),
            .elements(of: .section(.first), .add([], at: .identifier("a"))),
        ] as [Operation])
    func ambiguous(_ operation: Operation) throws {
        let director = try filledDirector()
        try director.perform([.elements(of: .section(.first), .set(drafts("a", "b", "a", "c", "a")))])
        let error = #expect(throws: DirectorError.self) { try director.perform([operation]) }
        #expect(error?.reason == .ambiguous(.element, identifier: "a", positions: [0, 2, 4]))
        #expect(error?.category == .conflict)
        #expect(error?.detail.contains("@0, @2, @4") == true)
        try director.perform([.elements(of: .section(.first), .remove(.position(2)))])
        #expect(director.working.list.sections[0].elements.map(\.identifier) == ["a", "b", "c", "a"])
    }

    @Test(
        "an identifier that stands for several sections names their positions",
        arguments: [
            (.sections(.put(.identifier("a"), section("a", "x"))), "/section"),
            (.sections(.patch(.identifier("a"), ValueDraft(JSONValue(string: "x")))), "/section"),
            (.sections(.remove(.identifier("a"))), "/section"),
            (.sections(.removeSeveral([.first, .identifier("a")])), "/at/1"),
            (.sections(.move(from: .identifier("a"), to: .first)), "/from"),
            (.sections(.swap(.first, with: .identifier("a"))), "/with"),
            (.sections(.add([], at: .identifier("a"))), "/at"),
            (.elements(of: .section(.identifier("a")), .set([])), "/section"),
            (.elements(of: .section(.identifier("a")), .add(drafts("x"))), "/section"),
            (
                .elements(
                    of: .section(.first),
                    .move(from: .first, to: .first, into: ElementDestination(section: .identifier("a")))), "/toSection"
            ),
        ] as [(Operation, String)])
    func ambiguousSection(_ operation: Operation, pointer: String) throws {
        let director = try emptyDirector()
        try director.perform([.sections(.set(["a", "b", "a", "c", "a"].map { section($0, "e") }))])
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
        try director.perform([.sections(.set([section("x", "1"), section("x", "2")]))])
        try director.perform([.sections(.add([section("y"), section("x", "3")], at: .position(1)))])
        try director.perform([.sections(.put(.position(1), section("x", "4")))])
        try director.perform([.sections(.patch(.position(3), ValueDraft(json(#"{"id":"z","headerTitle":"Z"}"#))))])
        #expect(director.outline == "x: 1 | x: 4 | x: 3 | z: 2")
        try director.perform([.elements(of: .section(.position(2)), .add(drafts("5"))), .sections(.remove(.first))])
        try director.perform([.sections(.patch(.identifier("z"), ValueDraft(json(#"{"id":"x"}"#))))])
        #expect(director.outline == "x: 4 | x: 3 5 | x: 2")
        let list = director.working.list
        #expect(list.address(ofSection: 1) == .position(1))
        // The same sections again, in part: what is the same stays the same object.
        try director.perform([.sections(.set([section("x", "4"), section("x", "3", "5"), section("x", "6")]))])
        let again = director.working.list
        #expect(again.content[0].isInterchangeable(with: list.content[0]))
        #expect(again.content[1].isInterchangeable(with: list.content[1]))
    }

    @Test("an identifier that stands for very many elements names the first ones and says that there are more")
    func veryAmbiguous() throws {
        let director = try filledDirector()
        let same = (0..<1_000).map { _ in ElementDraft(value: JSONValue(string: "same")) }
        try director.perform([.elements(of: .section(.first), .set(drafts("x") + same))])
        let error = #expect(throws: DirectorError.self) {
            try director.perform([.elements(of: .section(.first), .remove(.identifier("same")))])
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
            try director.perform([.elements(of: .section(.first), .add(bad))])
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
        let error = #expect(throws: DirectorError.self) {
            try director.perform([.elements(of: .section(.first), .set(bad))])
        }
        #expect(error?.faults.count == Fault.limit)
    }

    @Test("a model may be left out where there is exactly one adapter")
    func models() throws {
        let director = try filledDirector()
        try director.register(CellAdapter(model: "Other", cell: "OtherCell"))
        let error = #expect(throws: DirectorError.self) {
            try director.perform([.elements(of: .section(.first), .set(drafts("x")))])
        }
        #expect(error?.faults.map(\.pointer) == ["/elements/0"])
        try director.perform([
            .elements(of: .section(.first), .set([draft("\"x\"", model: "Other"), draft("\"x\"", model: "Item")]))
        ])
        #expect(director.working.list.sections[0].elements.map(\.model) == ["Other", "Item"])
        try director.perform([.elements(of: .section(.first), .patch(.position(0), ValueDraft(json("\"y\""))))])
        #expect(director.working.list.sections[0].elements.map(\.model) == ["Other", "Item"])
    }

    @Test("a patch that takes the identifier away is refused at the patch")
    func patches() throws {
        let director = try emptyDirector()
        try director.perform([.newSection(identifier: "s", [draft(#"{"id":"a"}"#)])])
        let before = director.traces
        let error = #expect(throws: DirectorError.self) {
            try director.perform([
                .elements(of: .section(.first), .patch(.first, ValueDraft(json(#"{"id":{"x":1}}"#))))
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
                try director.perform([.sections(.patch(.first, ValueDraft(json(patch))))])
            }
            #expect(error?.faults.map(\.pointer) == [pointer])
        }
        #expect(director.traces == before)
    }

    @Test("limits hold for every way in")
    func limits() throws {
        let director = try emptyDirector(
            limits: DirectorLimits(sections: 2, elements: 3, variables: 1, adapters: 1, valueLength: 10))
        try director.perform([.sections(.set([section("one", "a", "b")]))])
        let refused: [(Operation, DirectorError.Bound)] = [
            (.sections(.add([section("two"), section("three")])), .sections),
            (.sections(.add([section("two", "c", "d")])), .elements),
            (.sections(.set([section("x", "1", "2"), section("y", "3", "4")])), .elements),
            (.elements(of: .section(.first), .set(drafts("1", "2", "3", "4"))), .elements),
            (.elements(of: .section(.first), .add(drafts("c", "d"))), .elements),
            (.sections(.put(.first, section("one", "1", "2", "3", "4"))), .elements),
            (.newSection(identifier: "n", drafts("c", "d")), .elements),
            (
                .sections(
                    .patch(
                        .first,
                        try ValueDraft(json(#"{"elements":[{"value":"1"},{"value":"2"},{"value":"3"},{"value":"4"}]}"#))
                    )),
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
            try director.perform([.elements(of: .section(.first), .set(drafts("longer than ten")))])
        }
    }
}
