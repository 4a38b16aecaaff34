import JSONValues
import TestSupport
import Testing

@testable import Directors

@Suite("Snapshots and changes that are read back")
struct SnapshotFormTests {
    @Test("a director made of a snapshot has its published state and adapters")
    func snapshotRoundTrip() throws {
        let director = try filledDirector()
        try director.register(HeaderFooterAdapter(view: "V"))
        try director.perform([.sections(.patch(.first, ValueDraft(json(#"{"isCollapsed":true,"headerView":"V"}"#))))])
        _ = try director.reload()
        let (value, state) = (director.value, director.published)
        let form = text { value.encodeSnapshot(of: state, includingElements: true, to: &$0) }
        let copy = try Director.decodeSnapshot(node(form))
        #expect(copy.published == director.published)
        #expect(copy.adapters == director.adapters)
        #expect(text { copy.encodeSnapshot(of: copy.published, includingElements: true, to: &$0) } == form)
        let bad = form.replacing(#""elements":1}"#, with: #""elements":2}"#)
            .replacing(#""id":"two""#, with: #""id":"one""#)
        let error = #expect(throws: RepresentationError.self) { try Director.decodeSnapshot(node(bad)) }
        #expect(error?.faults.map(\.pointer) == ["/sections", "/counts"])
        #expect(throws: RepresentationError.self) { try Director.decodeSnapshot(node("{}")) }
    }

    @Test("what is wrong with a change is named")
    func badChange() throws {
        let director = try filledDirector().value
        let updates = #"[{"at":[0],"element":{"value":"a"}},{"at":[0,1],"element":{"value":{}}}]"#
        let inserts = #"[{"at":-1,"section":{}},{"at":0,"section":{"id":"x","elements":[{"value":null}]}}]"#
        let body = """
            {"director":"d","epoch":"e","from":1,"version":2,"counts":{"sections":1},"stages":[
            {"elementUpdated":\(updates),"rowMoved":[]},{"sectionInserted":\(inserts)}]}
            """
        let error = #expect(throws: RepresentationError.self) { try PublishedChange.decode(node(body), for: director) }
        let pointers = [
            "/counts", "/stages/0/elementUpdated/0/at", "/stages/0/elementUpdated/1/element/value",
            "/stages/0/rowMoved",
            "/stages/1/sectionInserted/0/at", "/stages/1/sectionInserted/1/section/elements/0/value",
        ]
        #expect(Set(error?.faults.map(\.pointer) ?? []) == Set(pointers))
    }

    /// How long it takes to read a change that inserts so many elements, with their section or into one.
    private func readingTime(_ count: Int, inSection: Bool) throws -> Duration {
        let director = try emptyDirector()
        if !inSection {
            try director.perform([.sections(.set([section("s", "first")]))])
            _ = try director.reload()
        }
        let elements = ["first"] + (0..<count).map { "\($0)" }
        try director.perform([
            .sections(
                .set([
                    SectionDraft(identifier: "s", elements: elements.map { ElementDraft(value: JSONValue(string: $0)) })
                ]))
        ])
        let change = try #require(try director.reload())
        let document = try node(text { change.encode(to: &$0) })
        let value = director.value
        var read: PublishedChange?
        let time = try processorTime { read = try PublishedChange.decode(document, for: value) }
        #expect(read?.changeset == change.changeset)
        return time
    }

    @Test(
        "the time that reading a change takes grows with its elements, not with their square", arguments: [true, false])
    func readingIsLinear(inSection: Bool) throws {
        #expect(try growthOfEightfold(3_000) { try readingTime($0, inSection: inSection) } < 24)
    }

    @Test("the time that reading rows with configurations takes grows with them, not with their square")
    func rowsAreLinear() throws {
        let growth = try growthOfEightfold(2_000) { count in
            let rows = (0..<count).map { #"{"id":"\#($0)","type":"constant","cell":"C","additionalConfig":{"a":1}}"# }
                .joined(separator: ",")
            let document = try node(#"{"id":"s","rows":[\#(rows)]}"#)
            return processorTime {
                var faults = FaultList()
                let read = SectionDraft.decode(document, &faults)?.rows?.count
                #expect(read == count && faults.isEmpty, "\(faults.faults)")
            }
        }
        #expect(growth < 24)
    }

    @Test("a refresh of more rows than there may be is refused at once, and a fault names its row")
    func manyRows() throws {
        let row = #"{"section":"s","row":"r"}"#
        let many = Array(repeating: row, count: 100_000).joined(separator: ",")
        let error = #expect(throws: RepresentationError.self) {
            try RefreshRequest.decode(node(#"{"rows":[\#(many)]}"#))
        }
        #expect(error?.faults.map(\.pointer) == ["/rows"])
        let bad = #expect(throws: RepresentationError.self) {
            try RefreshRequest.decode(node(#"{"rows":[\#(row),{"section":"s"}]}"#))
        }
        #expect(bad?.faults.map(\.pointer) == ["/rows/1"])
        #expect(
            try RefreshRequest.decode(node(#"{"rows":[\#(row),\#(row)]}"#)).rows.map(\.pointer) == [
                "/rows/0", "/rows/1",
            ])
    }
}
