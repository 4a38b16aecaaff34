import JSONValues
import Testing

@testable import Directors

@Suite("Snapshots and changes that are read back")
struct SnapshotFormTests {
    @Test("a director made of a snapshot has its published state and adapters")
    func snapshotRoundTrip() throws {
        let director = try filledDirector()
        try director.register(HeaderFooterAdapter(view: "V"))
        try director.perform([.patchSection(.first, patch: json(#"{"isCollapsed":true,"headerView":"V"}"#))])
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
}
