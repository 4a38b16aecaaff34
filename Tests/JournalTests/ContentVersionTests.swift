import DirectorLife
import Directors
import JSONValues
import Testing

@testable import Journal

@Suite("What programs of the version before can read")
struct ContentVersionTests {
    private func director(_ kind: DirectorKind = .table) throws -> Director {
        var director = Director(name: "d", epoch: "e", properties: DirectorProperties(defaultsOf: kind))
        try director.register(CellAdapter(model: "M", cell: "C"))
        return director
    }

    /// The version that a command needs.
    private func version(
        of change: (inout LifeDraft) throws -> Void, on director: Director
    ) throws -> Int {
        var draft = LifeDraft(director, published: director.published, cause: nil)
        try change(&draft)
        return draft.contentVersion(since: director)
    }

    @Test("a hook needs the version that knows its event", arguments: EventCatalog.all.map(\.name))
    func hooks(_ name: String) throws {
        for event in EventCatalog.all where event.name == name {
            let kind = [DirectorKind.table, .flow, .stack].first {
                event.source == .section || EventSource.all(of: $0).contains(event.source)
            }
            var director = try director(try #require(kind))
            try director.register(HeaderFooterAdapter(view: "V"))
            try director.perform([.sections(.set([SectionDraft(identifier: "s")]))])
            let level: HookLevel =
                switch event.source {
                case .tableCell, .collectionCell, .stackCell: .cell("M")
                case .tableHeaderFooter, .collectionHeaderFooter, .stackHeaderFooter: .headerFooter("V")
                case .tableDirector, .collectionDirector, .stackDirector: .director
                case .scroll: .scroll
                case .section: .section("s")
                }
            let hook = EventHook(url: try HookURL(parsing: "http://a.example"), secrets: [.random()])
            let before = director
            try director.setHook(hook, on: name, at: level)
            #expect(Definition(of: director).contentVersion == event.contentVersion)
            let needed = try version(
                of: { draft in try draft.define { try $0.setHook(hook, on: name, at: level) } }, on: before)
            // A stack is known to nobody who does not know its events.
            #expect(max(needed, Definition(of: before).contentVersion) == event.contentVersion)
        }
    }

    @Test(
        "an operation needs the version that knows its members",
        arguments: [
            (#"{"op":"setSections","sections":[{"id":"a"},{"id":"b","headerHeight":44}]}"#, ContentVersion.views),
            (
                #"{"op":"addSections","sections":[{"id":"b","footerSize":{"width":1,"height":2}}]}"#,
                ContentVersion.views
            ),
            (#"{"op":"setSection","section":"a","value":{"headerHeight":-1}}"#, ContentVersion.views),
            (#"{"op":"patchSection","section":"a","patch":{"footerHeight":1}}"#, ContentVersion.views),
            (#"{"op":"patchSection","section":"a","patch":{"footerHeight":null}}"#, ContentVersion.views),
            (#"{"op":"patchSection","section":"a","patch":{"headerTitle":"A","rows":[]}}"#, ContentVersion.plain),
            (#"{"op":"setSection","section":"a","value":{"headerTitle":"A"}}"#, ContentVersion.plain),
            (#"{"op":"setElements","section":"a","elements":[{"value":{"headerHeight":1}}]}"#, ContentVersion.plain),
            (#"{"op":"removeAllSections"}"#, ContentVersion.plain),
            (
                #"{"op":"addRows","section":"a","rows":[{"type":"constant","cell":"C","afterSelection":"none"}]}"#,
                ContentVersion.views
            ),
            (
                #"{"op":"setSection","section":"a","value":{"rows":[{"type":"constant","cell":"C","afterSelection":"none"}]}}"#,
                ContentVersion.views
            ),
            (
                #"{"op":"patchSection","section":"a","patch":{"rows":[{"type":"constant","cell":"C","afterSelection":"none"}]}}"#,
                ContentVersion.views
            ),
            (
                #"{"op":"patchRow","section":"a","row":"r","patch":{"afterSelection":"deselect"}}"#,
                ContentVersion.views
            ),
            (#"{"op":"patchRow","section":"a","row":"r","patch":{"separator":null}}"#, ContentVersion.views),
            (#"{"op":"patchRow","section":"a","row":"r","patch":{"height":44}}"#, ContentVersion.plain),
        ])
    func operations(_ form: String, _ wanted: Int) throws {
        let operation = try Directors.Operation.decode(JSONDocument(form).root)
        #expect(operation.contentVersion == wanted)
    }

    @Test("a command needs the version of all that it brings in")
    func commands() throws {
        let director = try director()
        func section(_ height: Double?) -> Directors.Operation {
            let attributes = SectionAttributes { $0.headerHeight = height }
            return .sections(.add([SectionDraft(identifier: "s\(height ?? 0)", attributes: attributes)]))
        }
        #expect(try version(of: { try $0.perform([section(nil)]) }, on: director) == ContentVersion.plain)
        #expect(try version(of: { try $0.perform([section(nil), section(44)]) }, on: director) == ContentVersion.views)
        #expect(try version(of: { try $0.perform(batch: [section(44)]) }, on: director) == ContentVersion.views)
    }

    @Test("an adapter needs the version that knows its members")
    func adapters() throws {
        for (member, wanted) in [
            (#""unique":true"#, ContentVersion.plain), (#""preview":{"title":"A"}"#, ContentVersion.views),
            (#""afterSelection":"none""#, ContentVersion.views),
        ] {
            let adapter = try CellAdapter.decode(
                JSONDocument(#"{"model":"M","cell":"C",\#(member)}"#).root, model: nil)
            #expect(adapter.contentVersion == wanted)
            #expect(try version(of: { try $0.perform([.setAdapter(adapter)]) }, on: director()) == wanted)
        }
        // Of a stack alone, which needs it, too.
        let styled = try JSONDocument(#"{"model":"M","cell":"C","backgroundColor":"sand"}"#)
        #expect(try CellAdapter.decode(styled.root, model: nil).contentVersion == ContentVersion.views)
    }

    @Test(
        "properties need the version that knows them where they are not at their defaults",
        arguments: [
            (DirectorKind.table, #"{"rowHeight":{"explicit":44}}"#, ContentVersion.plain),
            (.table, #"{"isPrefetchingEnabled":true,"dragDropEnabled":false}"#, ContentVersion.plain),
            (.table, #"{"isPrefetchingEnabled":false}"#, ContentVersion.views),
            (.flow, #"{"dragDropEnabled":true}"#, ContentVersion.views),
            (.collection, #"{"layout":{"name":"grid"}}"#, ContentVersion.views),
            (.stack, "{}", ContentVersion.views),
            (.stack, ##"{"axis":"horizontal","separator":{"color":"#FFFFFF"}}"##, ContentVersion.views),
        ])
    func properties(_ kind: DirectorKind, _ form: String, _ wanted: Int) throws {
        let properties = try DirectorProperties.decode(JSONDocument(form).root, kind: kind)
        let changed = Director(name: "d", epoch: "e", properties: properties)
        #expect(Definition(of: changed).contentVersion == wanted)
        #expect(try Definition(json: Definition(of: changed).json).properties == properties)
        let needed = try version(
            of: { draft in draft.define { $0.redefine(properties) } }, on: try director(kind))
        #expect(max(needed, Definition(of: try director(kind)).contentVersion) == wanted)
    }

    @Test("a definition that is no harder to read than before needs nothing")
    func unchanged() throws {
        var director = try director()
        let hook = EventHook(url: try HookURL(parsing: "http://a.example"), secrets: [.random()])
        try director.setHook(hook, on: "contextMenu", at: .cell("M"))
        #expect(Definition(of: director).contentVersion == ContentVersion.views)
        let needed = try version(
            of: { draft in try draft.define { try $0.setHook(hook, on: "didSelect", at: .cell("M")) } }, on: director)
        #expect(needed == ContentVersion.plain)
    }
}
