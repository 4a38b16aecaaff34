import Directors
import JSONValues
import ListDiff
import Notation
import Testing

@testable import Views

@Suite("A view of a source")
struct ViewTests {
    private static let dishes = [
        #"{"id":"a","station":"grill","at":3,"course":2,"price":1.10}"#,
        #"{"id":"b","station":"bar","at":1,"course":1,"price":2}"#,
        #"{"id":"c","station":"grill","at":2,"course":1,"price":0.3}"#,
        #"{"id":"d","station":"grill","at":1,"course":2,"price":5}"#,
    ]
    private static let grill = #""where":{"==":[{"var":"value.station"},"grill"]}"#

    private func element(_ id: String, _ text: String) throws -> Directors.Operation {
        .elements(of: .section(.first), .patch(.identifier(id), ValueDraft(try json(text))))
    }

    @Test("shows what belongs in the source's sections and order, and follows it with the least changeset")
    func filter() throws {
        var source = try Source(Self.dishes)
        let view = try source.view("{\"from\":\"orders\",\(Self.grill)}")
        #expect(view.outline == "s: a c d")
        try source.publish(try element("b", #"{"station":"grill"}"#))
        #expect(view.apply(source)?.changeset.summary == "1 inserted")
        #expect(view.outline == "s: a b c d")
        try source.publish(try element("a", #"{"station":"bar"}"#), try element("c", #"{"at":9}"#))
        #expect(view.apply(source)?.changeset.summary == "1 updated; 1 deleted")
        #expect(view.outline == "s: b c d")
    }

    @Test("a version that leaves the view as it was is not announced, and the next change spans it")
    func unchanged() throws {
        var source = try Source(Self.dishes)
        let view = try source.view("{\"from\":\"orders\",\(Self.grill)}")
        try source.publish(try element("b", #"{"at":7}"#))
        #expect(view.apply(source) == nil)
        #expect((view.version, view.changedVersion) == (2, 1))
        try source.publish(.elements(of: .section(.first), .remove(.identifier("d"))))
        let change = try #require(view.apply(source))
        #expect((change.from, change.version) == (1, 3))
        let published = change.published(as: "grill", epoch: "x1y2", animations: nil, causes: CauseList())
        #expect((published.director, published.epoch, published.counts.elements) == ("grill", "x1y2", 2))
    }

    @Test("an element whose key changes moves; what moves up into a limit comes in the same changeset")
    func limit() throws {
        var source = try Source(Self.dishes)
        let view = try source.view(
            #"{"from":"orders","sectionBy":null,"sortBy":[{"key":{"var":"value.at"}}],"limit":3}"#)
        #expect(view.outline == "all: b d c")
        try source.publish(try element("b", #"{"at":2.5}"#))
        #expect(view.apply(source)?.changeset.summary == "1 updated; 1 moved")
        #expect(view.outline == "all: d c b")
        try source.publish(.elements(of: .section(.first), .remove(.identifier("c"))))
        #expect(view.apply(source)?.changeset.summary == "1 deleted; 1 inserted")
        #expect(view.outline == "all: d b a")
    }

    @Test("groups by a key, with titles and an order of the sections")
    func groups() throws {
        var source = try Source(Self.dishes)
        let view = try source.view(
            #"""
            {"from":"orders","sectionBy":{"key":{"var":"value.course"},"title":{"cat":["Course ",{"var":"key"}]},
            "order":"descending"},"sortBy":[{"key":{"var":"value.at"},"order":"descending"}]}
            """#)
        #expect(view.outline == "2: a d | 1: c b")
        #expect(view.list.sections.map(\.attributes.headerTitle) == ["Course 2", "Course 1"])
        try source.publish(try element("a", #"{"course":10}"#))
        #expect(view.apply(source)?.changeset.summary == "1 deleted; 1 sections inserted")
        #expect(view.outline == "10: a | 2: d | 1: c b")
    }

    @Test(
        "keys with equal identifiers share a section, and one that is no text decides its place as long as it is there")
    func mixedKeys() throws {
        var source = try Source([
            #"{"id":"a","k":1}"#, #"{"id":"b","k":"1"}"#, #"{"id":"c","k":1.0}"#, #"{"id":"d","k":"0"}"#,
        ])
        let view = try source.view(
            #"{"from":"orders","sectionBy":{"key":{"var":"value.k"},"title":{"if":[{"===":[{"var":"key"},1]},"number","text"]}}}"#
        )
        #expect(view.outline == "1: a b c | 0: d")
        #expect(view.list.sections[0].attributes.headerTitle == "number")
        try source.publish(.elements(of: .section(.first), .removeSeveral([.identifier("a"), .identifier("c")])))
        #expect(view.apply(source)?.changeset.summary == "2 deleted; 1 sections moved; 1 sections updated")
        #expect(view.outline == "0: d | 1: b")
        #expect(view.list.sections[1].attributes.headerTitle == "text")
    }

    @Test("a section whose elements have all left goes, unless it is to be kept")
    func empty() throws {
        var source = try Source(Self.dishes)
        let none = #""where":{"==":[{"var":"value.station"},"bar"]}"#
        let view = try source.view("{\"from\":\"orders\",\(none)}")
        let keeping = try source.view("{\"from\":\"orders\",\(none),\"keepEmpty\":true}")
        let single = try source.view(#"{"from":"orders","where":false,"sectionBy":null}"#)
        try source.publish(.elements(of: .section(.first), .remove(.identifier("b"))))
        #expect(view.apply(source)?.changeset.summary == "1 sections deleted")
        #expect(keeping.apply(source)?.changeset.summary == "1 deleted")
        #expect([view.outline, keeping.outline, single.outline] == ["", "s:", "all:"])
    }

    @Test(
        "sections that change places do so where they show the same",
        arguments: [
            #"{"from":"orders","keepEmpty":true,"where":false}"#, #"{"from":"orders","keepEmpty":true}"#,
        ])
    func swappedSections(_ text: String) throws {
        var source = try Source()
        try source.publish(.sections(.set(try ["a", "b", "c", "d"].map { try Source.section($0, []) })))
        let view = try source.view(text)
        try source.publish(.sections(.swap(.first, with: .last)))
        #expect(view.apply(source)?.changeset.summary == "2 sections moved")
        #expect(view.outline == "d: | b: | c: | a:")
    }

    @Test("readers get the fields alone, and a change outside them publishes nothing")
    func fields() throws {
        var source = try Source(Self.dishes)
        let view = try source.view(#"{"from":"orders","fields":["/at","/id","/missing"]}"#)
        #expect(view.list.sections[0].list[0].value.text == #"{"at":3,"id":"a"}"#)
        try source.publish(try element("a", #"{"station":"bar"}"#))
        #expect(view.apply(source) == nil)
        try source.publish(try element("a", #"{"at":4}"#))
        #expect(view.apply(source)?.changeset.summary == "1 updated")
    }

    @Test("parameters and claims decide what belongs")
    func binding() throws {
        let source = try Source(Self.dishes)
        let text = #"""
            {"from":"orders","parameters":{"s":{"type":"string","default":"grill"}},
            "where":{"and":[{"==":[{"var":"value.station"},{"var":"parameters.s"}]},
            {"<=":[{"var":"value.course"},{"var":"claims.most"}]}]}}
            """#
        #expect(try source.view(text, claims: try json(#"{"most":1}"#)).outline == "s: c")
        #expect(try source.view(text, ["s": try json(#""bar""#)], claims: try json(#"{"most":9}"#)).outline == "s: b")
    }

    @Test(
        "an element that an expression fails on is left out, counted and named, ten at most; it comes back when mended")
    func faults() throws {
        var source = try Source((0..<12).map { "{\"id\":\"e\($0)\",\"n\":\"x\"}" } + [#"{"id":"ok","n":2}"#])
        let view = try source.view(#"{"from":"orders","where":{">":[{"+":[{"var":"value.n"},1]},2]}}"#)
        #expect(view.outline == "s: ok")
        #expect(view.faults.count == 12)
        #expect(view.faults.first.map(\.identifier) == (0..<10).map { "e\($0)" })
        #expect(view.faults.first.first?.fault.pointer == "/where/>/0/+")
        #expect(
            view.faults.first.first?.fault.detail == "the expression has no value: a string does not stand for a number"
        )
        try source.publish(try element("e3", #"{"n":5}"#))
        #expect(view.apply(source)?.changeset.summary == "1 inserted")
        #expect((view.outline, view.faults.count) == ("s: e3 ok", 11))
    }

    @Test("an expression that would take too long on an element leaves it out")
    func steps() throws {
        let long = (0..<400).map(String.init).joined(separator: ",")
        let source = try Source(["{\"id\":\"a\",\"l\":[\(long)]}", #"{"id":"b","l":[]}"#])
        let sum = "{\"reduce\":[[\(long)],{\"+\":[{\"var\":\"accumulator\"},{\"var\":\"current\"}]},0]}"
        let costly = try source.view(
            "{\"from\":\"orders\",\"sortBy\":[{\"key\":{\"map\":[{\"var\":\"value.l\"},\(sum)]}}]}")
        #expect(costly.outline == "s: b")
        #expect(costly.faults.first.first?.fault.detail.contains("steps") == true)
    }

    @Test("a key that is too long leaves its element out, since every key is kept")
    func longKeys() throws {
        let long = String(repeating: "x", count: SortKey.maximumLength + 1)
        let source = try Source(["{\"id\":\"a\",\"s\":\"\(long)\"}", #"{"id":"b","s":"y"}"#])
        let view = try source.view(#"{"from":"orders","sectionBy":{"key":{"var":"value.s"}}}"#)
        #expect((view.outline, view.faults.count) == ("y: b", 1))
    }

    @Test("totals are exact and announced when they change, also without a change of the list")
    func totals() throws {
        var source = try Source(Self.dishes)
        let view = try source.view(
            #"""
            {"from":"orders","sectionBy":null,"limit":1,"totals":{"n":{"count":true},"sum":{"sum":{"var":"value.price"}},
            "least":{"min":{"var":"value.price"}},"most":{"max":{"var":"value.station"}},
            "mean":{"average":{"var":"value.course"}}}}
            """#)
        #expect(view.totalsText == #"{"n":4,"sum":8.4,"least":0.3,"most":"grill","mean":1.5}"#)
        try source.publish(.elements(of: .section(.first), .remove(.identifier("c"))))
        let change = try #require(view.apply(source))
        #expect(change.changeset.isEmpty)
        #expect(change.totals.map { totals in text { totals.encode(to: &$0) } } == view.totalsText)
        #expect(view.totalsText.hasPrefix(#"{"n":3,"sum":8.1,"least":1.1,"#))
    }

    @Test("totals by section have the sections that have members")
    func totalsBySection() throws {
        var source = try Source(Self.dishes)
        let view = try source.view(
            #"""
            {"from":"orders","sectionBy":{"key":{"var":"value.course"}},
            "totals":{"sum":{"sum":{"var":"value.price"},"by":"section"}}}
            """#)
        #expect(view.totalsText == #"{"sum":{"1":2.3,"2":6.1}}"#)
        try source.publish(.elements(of: .section(.first), .removeSeveral([.identifier("b"), .identifier("c")])))
        _ = view.apply(source)
        #expect(view.totalsText == #"{"sum":{"2":6.1}}"#)
    }

    @Test("variables are those of the source; one that no expression reads changes nothing")
    func variables() throws {
        var source = try Source(Self.dishes)
        let view = try source.view(
            #"{"from":"orders","where":{"==":[{"var":"value.station"},{"var":"variables.open"}]}}"#)
        #expect(view.outline == "")
        try source.publish(.setVariable(name: "open", value: try json(#""bar""#)))
        #expect(view.apply(source)?.changeset.summary == "1 sections inserted")
        let evaluations = view.evaluations
        try source.publish(.setVariable(name: "other", value: try json("1")))
        #expect(view.apply(source) == nil)
        #expect(view.evaluations == evaluations)
    }

    @Test("a view can have a view as its source")
    func nested() throws {
        var source = try Source(Self.dishes)
        let inner = try source.view("{\"from\":\"orders\",\(Self.grill)}")
        let plan = try ViewPlan(try definition(#"{"from":"grill","sortBy":[{"key":{"var":"value.at"}}],"limit":2}"#))
        let outer = LiveView(View(plan, of: inner.published))
        #expect(outer.outline == "s: d c")
        try source.publish(try element("a", #"{"at":0}"#))
        _ = inner.apply(source)
        #expect(outer.apply(inner)?.changeset.summary == "1 deleted; 1 inserted")
        #expect(outer.outline == "s: a d")
    }
}
