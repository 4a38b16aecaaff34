import JSONValues
import ListDiff
import Testing

@testable import Directors

@Suite("Adapters")
struct AdapterTests {
    static let templateRows: [(String, String, String)] = [
        ("{id}", #"{"id":"a"}"#, "a"),
        ("{firstName}_{lastName}", #"{"firstName":"John","lastName":"Doe"}"#, "John_Doe"),
        ("{/name/first}-{/tags/0}", #"{"name":{"first":"J"},"tags":["t"]}"#, "J-t"), ("x{id}", #"{"id":7}"#, "x7"),
        ("{id}", #"{"id":7.0}"#, "7"),
        ("{id}", #"{"id":true}"#, "true"), ("{a~1b}{/a~1b}", #"{"a~1b":"x","a/b":"y"}"#, "xy"),
        ("{id}", "\"own\"", "own"), ("{id}", "1.50", "1.5"),
        ("{id}", "-0", "0"), ("{id}", "123456789012345678901234567890", "1.2345678901234567890123456789e29"),
        ("{/}", #"{"":"empty"}"#, "empty"),
    ]

    @Test("an identifier is read by its template", arguments: templateRows)
    func templates(_ row: (String, String, String)) throws {
        let adapter = CellAdapter(model: "M", cell: "C", identifier: try IdentifierTemplate(parsing: row.0))
        #expect(try Element(ElementDraft(value: json(row.1)), adapter: adapter).identifier == row.2)
    }

    @Test(
        "a template that means nothing is refused",
        arguments: ["", "fixed", "{", "}", "{}", "{a", "a}", "{a}}", "{{a}}", "{/a~2}", "{a}{"])
    func badTemplates(_ text: String) {
        #expect(throws: RepresentationError.self) { try IdentifierTemplate(parsing: text) }
    }

    @Test("a preview is told as it came, and one that means nothing is refused with its place")
    func previews() throws {
        let preview = #"{"title":"{name}","subtitle":"{/a/b} and {c}","image":"x","badge":"b","trailing":"{n}"}"#
        let body = #"{"cell":"C","preview":\#(preview)}"#
        let adapter = try CellAdapter.decode(json(body).document.root, model: "M")
        #expect(adapter.preview?.title == "{name}" && adapter.preview?.image == "x")
        let told = JSONValue { adapter.encode(to: &$0) }
        #expect(try CellAdapter.decode(told.document.root, model: nil) == adapter)
        // Names are bytes: what only looks alike is another preview.
        let (composed, decomposed) = ("\u{e9}", "e\u{301}")
        #expect(CellPreview(title: composed) != CellPreview(title: decomposed))
        for (preview, pointer) in [
            (#""x""#, "/preview"), (#"{"title":"{"}"#, "/preview/title"), (#"{"badge":""}"#, "/preview/badge"),
            (#"{"image":7}"#, "/preview/image"), (#"{"other":"x"}"#, "/preview/other"),
        ] {
            let node = try json(#"{"cell":"C","preview":\#(preview)}"#).document.root
            let error = #expect(throws: RepresentationError.self) { try CellAdapter.decode(node, model: "M") }
            #expect(error?.faults.map(\.pointer) == [pointer])
        }
    }

    @Test("registering an equal adapter again is ignored, another one is a mutation")
    func registering() throws {
        let director = try emptyDirector()
        let revision = director.revision
        #expect(try !director.register(CellAdapter(model: "Item", cell: "ItemCell")))
        #expect(director.revision == revision)
        #expect(try director.register(CellAdapter(model: "Item", cell: "OtherCell")))
        #expect(director.revision == revision + 1)
        #expect(try director.register(HeaderFooterAdapter(view: "V")))
        #expect(try !director.register(HeaderFooterAdapter(view: "V", reuseIdentifier: "V", viewSource: .storyboard)))
        #expect(try director.register(HeaderFooterAdapter(view: "V", reuseIdentifier: "W")))
        #expect(director.revision == revision + 3)
    }

    @Test("another template gives the elements that are there new identifiers, all or none")
    func readoption() throws {
        let director = try emptyDirector()
        try director.perform([
            .newSection(identifier: "s", [draft(#"{"id":"a","n":1}"#), draft(#"{"id":"b","n":2}"#)])
        ])
        _ = try director.reload()
        try director.register(CellAdapter(model: "Item", cell: "C", identifier: IdentifierTemplate(parsing: "{n}")))
        #expect(director.outline == "s: 1 2")
        #expect(director.published.list.outline == "s: a b")
        let before = director.traces
        let error = #expect(throws: DirectorError.self) {
            try director.register(
                CellAdapter(model: "Item", cell: "C", identifier: IdentifierTemplate(parsing: "{missing}")))
        }
        #expect(error?.category == .invalid)
        #expect(error?.detail.contains("[0, 1]") == true)
        #expect(director.traces == before)
        let change = try director.reload()
        #expect(change?.changeset.stages.map(\.elementDeleted.count) == [2, 0])
        #expect(change?.changeset.stages.map(\.elementInserted.count) == [0, 2])
    }

    @Test("an adapter that elements need is not removed, and the error says where they are")
    func removing() throws {
        let director = try filledDirector()
        _ = try director.reload()
        let error = #expect(throws: DirectorError.self) { try director.removeCellAdapter(model: "Item") }
        let paths = [
            ElementPath(section: 0, element: 0), ElementPath(section: 0, element: 1),
            ElementPath(section: 0, element: 2), ElementPath(section: 1, element: 0),
        ]
        #expect(error?.reason == .adapterInUse(model: "Item", at: paths, total: 4, state: .working))
        #expect(error?.category == .conflict)
        try director.perform([.sections(.removeAll)])
        let published = #expect(throws: DirectorError.self) { try director.removeCellAdapter(model: "Item") }
        #expect(published?.reason == .adapterInUse(model: "Item", at: paths, total: 4, state: .published))
        _ = try director.reload()
        try director.removeCellAdapter(model: "Item")
        #expect(director.adapters.cells.isEmpty)
        #expect(throws: DirectorError(.adapterNotFound(model: "Item"))) {
            try director.removeCellAdapter(model: "Item")
        }
    }

    @Test("a header or footer view needs an adapter, which stays as long as it is shown")
    func headerFooters() throws {
        let director = try emptyDirector()
        let shown = SectionDraft(
            identifier: "s",
            attributes: SectionAttributes {
                $0.headerView = "H"
                $0.footerView = "F"
            })
        let error = #expect(throws: DirectorError.self) { try director.perform([.sections(.set([shown]))]) }
        #expect(error?.faults.map(\.pointer) == ["/sections/0/headerView", "/sections/0/footerView"])
        try director.register(HeaderFooterAdapter(view: "H"))
        try director.register(HeaderFooterAdapter(view: "F"))
        try director.perform([.sections(.set([shown]))])
        #expect(throws: DirectorError(.viewInUse(view: "F", sections: [0], state: .working))) {
            try director.removeHeaderFooterAdapter(view: "F")
        }
        try director.perform([.sections(.patch(.first, ValueDraft(json(#"{"footerView":null}"#))))])
        try director.removeHeaderFooterAdapter(view: "F")
        #expect(throws: DirectorError(.viewNotFound(view: "F"))) { try director.removeHeaderFooterAdapter(view: "F") }
    }
}
