import JSONValues
import Testing

@testable import Directors

@Suite("The heights and sizes of a section's header and footer")
struct SupplementarySizeTests {
    private func director(_ kind: DirectorKind, _ sections: String) throws -> LiveDirector {
        let director = try emptyDirector(DirectorProperties(defaultsOf: kind))
        try director.register(HeaderFooterAdapter(view: "V"))
        try director.perform([.sections(.set(try SectionDraft.decodeSeveral(node(sections))))])
        _ = try director.reload()
        return director
    }

    private func patch(_ director: LiveDirector, _ patch: String) throws {
        try director.perform([.sections(.patch(.first, ValueDraft(json(patch))))])
    }

    @Test(
        "they are read and written as they came",
        arguments: [
            #"{"id":"s","isCollapsed":false,"headerHeight":44.5,"footerHeight":-1,"elements":[]}"#,
            #"{"id":"s","isCollapsed":false,"headerHeight":0,"elements":[]}"#,
            #"{"id":"s","isCollapsed":false,"headerSize":{"width":320,"height":0},"footerSize":{"width":1,"height":2.5},"elements":[]}"#,
        ])
    func form(_ form: String) throws {
        let draft = try SectionDraft.decode(node(form))
        #expect(text { draft.encode(to: &$0) } == form)
        let isTable = form.contains("Height")
        let director = try director(isTable ? .table : .flow, "[\(form)]")
        let section = director.published.list.sections[0]
        #expect(text { section.encode(to: &$0, includingElements: true) } == form)
        #expect(section.attributes.bytes >= SectionAttributes.none.bytes)
    }

    @Test(
        "what is no height or size is named with its place",
        arguments: [
            (#"{"headerHeight":-2}"#, "/headerHeight: a height is a number from 0 to 1e9, or -1 for an automatic one"),
            (#"{"footerHeight":"44"}"#, "/footerHeight: expected a number, found a string"),
            (#"{"headerSize":44}"#, "/headerSize: expected a size, an object, found a number"),
            (#"{"footerSize":{"width":1}}"#, #"/footerSize: a size needs the member "height""#),
        ])
    func faults(_ row: (String, String)) throws {
        let error = #expect(throws: RepresentationError.self) { try SectionDraft.decode(node(row.0)) }
        #expect(error?.description == row.1)
    }

    @Test(
        "a height belongs to a table, a size to a collection or a flow",
        arguments: [
            (DirectorKind.table, #"{"headerSize":{"width":1,"height":1}}"#, "headerSize", "collection or flow"),
            (.collection, #"{"footerHeight":1}"#, "footerHeight", "table"),
            (.flow, #"{"headerHeight":-1}"#, "headerHeight", "table"),
        ])
    func kinds(_ kind: DirectorKind, _ section: String, _ name: String, _ owners: String) throws {
        let error = #expect(throws: DirectorError.self) { try director(kind, section) }
        #expect(error?.faults.map(\.pointer) == ["/sections/0/\(name)"])
        #expect(error?.detail.contains("in a \(owners) director only; this one is a \(kind.rawValue)") == true)
    }

    @Test("a change of one is published as a change of its section, and null takes it away")
    func published() throws {
        let table = try director(.table, #"{"id":"s","headerHeight":44}"#)
        try patch(table, #"{"headerHeight":50,"footerHeight":-1}"#)
        let change = try #require(try table.reload())
        let form = text { change.encode(to: &$0) }
        #expect(
            form.contains(
                #""sectionUpdated":[{"at":0,"section":{"id":"s","isCollapsed":false,"headerHeight":50,"footerHeight":-1}}]"#
            ))
        let read = try PublishedChange.decode(node(form), for: table.value)
        #expect(text { read.encode(to: &$0) } == form)
        try patch(table, #"{"headerHeight":50}"#)
        #expect(try table.reload() == nil)
        try patch(table, #"{"headerHeight":null,"footerHeight":null}"#)
        #expect(try table.reload() != nil)
        #expect(table.published.list.sections[0].attributes == .none)
        let flow = try director(.flow, #"{"id":"s","headerSize":{"width":10,"height":20}}"#)
        try patch(flow, #"{"headerSize":{"height":30}}"#)
        #expect(flow.working.list.sections[0].attributes.headerSize == LayoutSize(width: 10, height: 30))
    }

    @Test(
        "a question about a header or footer is answered with what its section says, before the director's property",
        arguments: [
            (#"{"event":"headerHeight","header":0}"#, "44.5", "10"),
            (#"{"event":"headerHeight","header":1}"#, "10", "10"),
            (#"{"event":"footerHeight","footer":0}"#, "-1", "-1"),
            (#"{"event":"estHeaderHeight","header":0}"#, "44.5", "10"),
            // An automatic height is no estimate: the director has one.
            (#"{"event":"estFooterHeight","footer":0}"#, "20", "20"),
        ])
    func heights(_ report: String, _ answer: String, _ ofProperties: String) throws {
        for (own, wanted) in [(#""headerHeight":44.5,"footerHeight":-1,"#, answer), ("", ofProperties)] {
            let director = try director(
                .table,
                #"[{"id":"a",\#(own)"headerView":"V","footerView":"V"},{"id":"b","headerTitle":"T"}]"#)
            _ = director.redefine(
                try DirectorProperties.decode(
                    node(#"{"headerHeight":{"explicit":10},"footerHeight":{"auto":20}}"#), kind: .table))
            let events = try director.value.resolve(
                EventReport.decode(node(report)), in: director.published)
            #expect(events.map(\.defaultAnswers).first?.map(\.text) == [wanted])
        }
    }

    @Test("the reference size is that of the header or footer, else nothing")
    func referenceSizes() throws {
        let director = try director(
            .collection,
            #"[{"id":"a","headerSize":{"width":1,"height":2},"headerView":"V","footerView":"V"}]"#)
        for (place, wanted) in [("header", #"{"width":1,"height":2}"#), ("footer", #"{"width":0,"height":0}"#)] {
            let report = try EventReport.decode(node(#"{"event":"referenceSize","\#(place)":0}"#))
            let events = try director.value.resolve(report, in: director.published)
            #expect(events.first?.defaultAnswers.map(\.text) == [wanted])
        }
    }
}
