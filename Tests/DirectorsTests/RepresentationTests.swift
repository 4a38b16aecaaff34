import JSONValues
import ListDiff
import Testing

@testable import Directors

@Suite("JSON forms")
struct RepresentationTests {
    static let operations = [
        #"{"op":"setSections","sections":[{"id":"s","headerTitle":"S","isCollapsed":true,"elements":[{"model":"Item","value":{"id":1.0}}]}]}"#,
        #"{"op":"addSections","sections":[],"at":1}"#,
        #"{"op":"addSections","sections":[{"id":"s","isCollapsed":false,"elements":[]}]}"#,
        #"{"op":"setSection","section":"people","value":{"isCollapsed":false,"elements":[]}}"#,
        #"{"op":"patchSection","section":0,"patch":{"headerTitle":null}}"#,
        #"{"op":"removeSection","section":"@last"}"#,
        #"{"op":"removeSections","at":[1,"four","@first"]}"#, #"{"op":"removeAllSections"}"#,
        #"{"op":"moveSection","from":0,"to":"@last"}"#,
        #"{"op":"swapSections","at":0,"with":1}"#, #"{"op":"setElements","section":"@@at","elements":[{"value":"a"}]}"#,
        #"{"op":"addElements","section":"people","elements":[{"value":"a"}],"at":0}"#,
        #"{"op":"addElements","newSection":"n","elements":[]}"#,
        #"{"op":"setElement","section":0,"element":"a","value":{"model":"Item","value":null}}"#,
        #"{"op":"patchElement","section":0,"element":"John_Doe","patch":[1]}"#,
        #"{"op":"removeElement","section":0,"element":3}"#,
        #"{"op":"removeElements","section":0,"at":[1,4]}"#, #"{"op":"removeAllElements","section":0}"#,
        #"{"op":"moveElement","section":0,"from":0,"to":1}"#,
        #"{"op":"moveElement","section":0,"from":0,"to":1,"toSection":"two"}"#,
        #"{"op":"swapElements","section":0,"at":0,"with":1}"#, #"{"op":"setVariable","name":"n","value":1.50}"#,
        #"{"op":"removeVariable","name":"n"}"#,
        #"{"op":"setElement","section":0,"element":"a","value":{"value":"a"},"at":"@first"}"#,
        #"{"op":"setAdapter","model":"Item","value":{"model":"Item","cell":"C","reuseIdentifier":"C","viewSource":"storyboard","identifier":"{id}","content":["/a"],"events":{}}}"#,
        #"{"op":"removeAdapter","model":"Item"}"#,
        #"{"op":"setSection","section":"s","value":{"isCollapsed":false,"rows":[{"id":"r","type":"constant","cell":"C","height":{"var":"variables.h"}}]}}"#,
        #"{"op":"setRows","section":"s","rows":[{"id":"r","type":"constant","cell":"C","reuseIdentifier":"R","value":{"a":1.0},"hideWhen":false,"height":44.0,"estimatedHeight":{"var":"variables.e"},"additionalConfig":{"a":{"$logic":{"!":[true]}}},"afterSelection":"deselectAnimated"}]}"#,
        #"{"op":"addRows","section":0,"rows":[{"id":"r","type":"model","model":"Item","hideWhen":{"var":"model.n"},"elements":[{"value":"a"}]}],"at":"@first"}"#,
        #"{"op":"addRows","section":0,"rows":[]}"#,
        #"{"op":"setRow","section":0,"row":"r","value":{"id":"r","type":"constant","cell":"C"},"at":1}"#,
        #"{"op":"setRow","section":0,"row":"@last","value":{"id":"r","type":"model","model":"Item","elements":[]}}"#,
        #"{"op":"patchRow","section":0,"row":"r","patch":{"height":null}}"#,
        #"{"op":"removeRow","section":0,"row":"r"}"#, #"{"op":"removeRows","section":0,"at":[0,"r"]}"#,
        #"{"op":"removeAllRows","section":0}"#, #"{"op":"moveRow","section":0,"from":"r","to":0}"#,
        #"{"op":"moveRow","section":0,"from":"r","to":"@last","toSection":1}"#,
        #"{"op":"swapRows","section":0,"at":"r","with":"@last"}"#,
        #"{"op":"setElements","section":0,"row":"r","elements":[{"value":"a"}]}"#,
        #"{"op":"addElements","section":0,"row":"r","elements":[{"value":"a"}],"at":0}"#,
        #"{"op":"setElement","section":0,"row":"r","element":"a","value":{"value":"a"},"at":"@first"}"#,
        #"{"op":"patchElement","section":0,"row":"r","element":"a","patch":[1]}"#,
        #"{"op":"removeElement","section":0,"row":"r","element":3}"#,
        #"{"op":"removeElements","section":0,"row":"r","at":[1]}"#,
        #"{"op":"removeAllElements","section":0,"row":"r"}"#,
        #"{"op":"moveElement","section":0,"row":"r","from":0,"to":1,"toSection":"two","toRow":"q"}"#,
        #"{"op":"moveElement","section":0,"row":"r","from":0,"to":1,"toRow":"q"}"#,
        #"{"op":"swapElements","section":0,"row":"r","at":0,"with":1}"#,
    ]

    @Test("an operation is written as it was read", arguments: operations)
    func operationRoundTrip(_ form: String) throws {
        let operation = try Directors.Operation.decode(node(form))
        #expect(text { operation.encode(to: &$0) } == form)
        #expect(try Directors.Operation.decode(node(form)) == operation)
    }

    @Test("there is a form of every operation")
    func everyOperation() throws {
        let names = try Set(Self.operations.map { try Directors.Operation.decode(node($0)).name })
        #expect(names == Set(Directors.Operation.names))
    }

    static let badOperations: [(String, [String])] = [
        ("[]", [""]), ("{}", [""]), (#"{"op":1}"#, ["/op"]), (#"{"op":"moveTable"}"#, ["/op"]),
        (#"{"op":"moveRow"}"#, [""]), (#"{"op":"moveRow","section":0,"from":[],"x":1}"#, ["/from", "", "/x"]),
        (#"{"op":"addRows","section":0,"rows":{"id":"r"}}"#, ["/rows"]),
        (
            #"{"op":"addRows","section":0,"rows":[{"type":"row"},{"type":"constant","id":"","cell":1},{"cell":"C"},7]}"#,
            ["/rows/0/type", "/rows/1/id", "/rows/1/cell", "/rows/2", "/rows/3"]
        ),
        (
            #"{"op":"setRow","section":0,"row":"r","value":{"type":"constant","cell":"C","hideWhen":{"vra":"x"},"height":-1,"estimatedHeight":"44","hight":1,"count":2,"afterSelection":"keep"}}"#,
            [
                "/value/hideWhen/vra", "/value/height", "/value/estimatedHeight", "/value/hight", "/value/count",
                "/value/afterSelection",
            ]
        ),
        (
            #"{"op":"setRow","section":0,"row":"r","value":{"type":"constant","cell":"C","hideWhen":{"and":[1,{"nad":[]}]},"additionalConfig":{"a":[{"$logic":{"x":1}},{"$logic":1,"b":2}]}}}"#,
            [
                "/value/hideWhen/and/1/nad", "/value/additionalConfig/a/0/$logic/x", "/value/additionalConfig/a/1",
            ]
        ),
        (
            #"{"op":"setSection","section":0,"value":{"rows":[],"elements":[]}}"#, ["/value/elements"]
        ),
        (#"{"op":"removeSection"}"#, [""]),
        (#"{"op":"removeSection","section":null}"#, ["/section"]),
        (#"{"op":"removeSection","section":-1}"#, ["/section"]),
        (#"{"op":"removeSection","section":1.5}"#, ["/section"]),
        (#"{"op":"removeSection","section":"@x"}"#, ["/section"]),
        (#"{"op":"removeSection","section":""}"#, ["/section"]),
        (#"{"op":"removeSection","section":0,"sektion":1}"#, ["/sektion"]),
        (#"{"op":"moveSection","from":[],"to":{},"x":1}"#, ["/from", "/to", "/x"]),
        (
            #"{"op":"setElements","section":0,"elements":[{"value":1},{"valeu":1},7]}"#,
            ["/elements/1/valeu", "/elements/1", "/elements/2"]
        ),
        (
            #"{"op":"addSections","sections":[{"id":""},{"rows":1},{"headerTitle":1,"sectionInsets":{"up":1}}]}"#,
            ["/sections/0/id", "/sections/1/rows", "/sections/2/headerTitle", "/sections/2/sectionInsets/up"]
        ),
        (#"{"op":"setVariable","name":"","value":1}"#, ["/name"]),
        (#"{"op":"removeElements","section":0,"at":1}"#, ["/at"]),
        (#"{"op":"patchElement","section":0,"element":0}"#, [""]),
    ]

    @Test("everything that is wrong with an operation is named", arguments: badOperations)
    func badOperation(_ row: (String, [String])) throws {
        let error = #expect(throws: RepresentationError.self) { try Directors.Operation.decode(node(row.0)) }
        #expect(error?.faults.map(\.pointer) == row.1)
    }

    @Test("a batch is read with what goes with it")
    func batch() throws {
        let batch = try OperationBatch.decode(
            node(
                #"{"operations":[{"op":"removeAllSections"}],"reload":true,"dryRun":false,"animations":{"elementInserted":"fade"}}"#
            ))
        #expect(
            batch
                == OperationBatch(
                    operations: [.sections(.removeAll)], reload: true, animations: Animations([.elementInserted: .fade])
                ))
        #expect(try OperationBatch.decode(node(#"{"operations":[]}"#)) == OperationBatch(operations: []))
        let error = #expect(throws: RepresentationError.self) {
            try OperationBatch.decode(
                node(
                    #"{"operations":[{"op":"x"},{"op":"removeAllSections","y":1}],"relaod":true,"animations":{"elementInserted":"spin","rowMoved":"fade"}}"#
                ))
        }
        #expect(
            error?.faults.map(\.pointer) == [
                "/operations/0/op", "/operations/1/y", "/relaod", "/animations/elementInserted", "/animations/rowMoved",
            ])
        let many = "{\"operations\":[" + Array(repeating: "{}", count: 1_000).joined(separator: ",") + "]}"
        #expect(
            #expect(throws: RepresentationError.self) { try OperationBatch.decode(node(many)) }?.faults.count
                == Fault.limit)
    }

    @Test("elements are read wrapped, in arrays, in lists and bare")
    func elements() throws {
        let wrapped = [try draft("1", model: "M")]
        #expect(try ElementDraft.decodeSeveral(node(#"{"id":"1","model":"M","value":1}"#)) == wrapped)
        #expect(try ElementDraft.decodeSeveral(node(#"[{"model":"M","value":1}]"#)) == wrapped)
        #expect(
            try ElementDraft.decodeSeveral(
                node(#"{"elements":[{"model":"M","value":1}],"offset":0,"limit":100,"total":1}"#)) == wrapped)
        #expect(try ElementDraft.decodeSeveral(node("1"), model: "M") == wrapped)
        #expect(
            try ElementDraft.decodeSeveral(node(#"[1, {"elements" : [ ]}]"#), model: "M") == wrapped + [
                draft(#"{"elements":[]}"#, model: "M")
            ])
        for (body, pointer) in [
            ("1", ""), (#"{"elements":1}"#, "/elements"), (#"{"elements":[],"x":1}"#, "/x"),
            (#"[{"model":"","value":1}]"#, "/0/model"), (#"{"id":1,"value":1}"#, "/id"),
        ] {
            let error = #expect(throws: RepresentationError.self) { try ElementDraft.decodeSeveral(node(body)) }
            #expect(error?.faults.map(\.pointer) == [pointer])
        }
    }

    @Test("a section is read and written with all that it says, and given an id where it has none")
    func sections() throws {
        let form =
            #"{"id":"s","headerTitle":"H","footerTitle":"F","headerView":"HV","footerView":"FV","indexTitle":"I","isCollapsed":true,"sectionInsets":{"top":-1,"left":2.5,"bottom":3,"right":4},"minimumInteritemSpacing":5,"minimumLineSpacing":6.25,"elements":[{"model":"M","value":{"b":1,"a":2.0}}]}"#
        let draft = try SectionDraft.decode(node(form))
        #expect(text { draft.encode(to: &$0) } == form)
        #expect(try SectionDraft.decode(node("{}")) == SectionDraft(identifier: nil))
        let several = try SectionDraft.decodeSeveral(node("[{},{}]"))
        let uuid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        #expect(several.allSatisfy { ($0.identifier ?? "").wholeMatch(of: uuid) != nil })
        #expect(several[0].identifier != several[1].identifier)
        #expect(
            try SectionDraft.decodeSeveral(node(#"{"sections":[{"id":"s"}],"total":1}"#)).map(\.identifier) == ["s"])
        #expect(try SectionDraft.decodeSeveral(node(#"{"id":"s"}"#)).map(\.identifier) == ["s"])
    }

    static let properties: [(DirectorKind, String)] = [
        (.table, #"{"rowHeight":"default","headerHeight":{"auto":44.5},"footerHeight":{"explicit":0}}"#),
        (
            .table,
            ##"{"rowHeight":"default","headerHeight":"default","footerHeight":"default","isPrefetchingEnabled":false}"##
        ),
        (.collection, #"{"itemSize":"default"}"#),
        (.collection, #"{"itemSize":"default","dragDropEnabled":true,"layout":{"name":"waterfall"}}"#),
        (
            .collection,
            #"{"itemSize":"default","isPrefetchingEnabled":false,"layout":{"name":"grid","parameters":{"columns":2.0}}}"#
        ),
        (.collection, #"{"itemSize":{"auto":{"width":10,"height":20.5}}}"#),
        (
            .flow,
            #"{"itemSize":{"explicit":{"width":10,"height":20.5}},"sectionInsets":{"top":1,"left":2,"bottom":3,"right":4},"minimumInteritemSpacing":1,"minimumLineSpacing":2,"stickyHeaders":true,"stickyFooters":false,"sectionInsetReference":"fromSafeArea","dragDropEnabled":true}"#
        ),
    ]

    @Test("properties are written as they were read", arguments: properties)
    func propertyRoundTrip(_ row: (DirectorKind, String)) throws {
        let properties = try DirectorProperties.decode(node(row.1), kind: row.0)
        #expect(text { properties.encode(to: &$0) } == row.1)
        #expect(properties.kind == row.0)
        #expect(try DirectorProperties.decode(node("{}"), kind: row.0) == DirectorProperties(defaultsOf: row.0))
    }

    static let badProperties: [(DirectorKind, String, [String])] = [
        (.table, #"{"itemSize":"default"}"#, ["/itemSize"]), (.collection, #"{"rowHeight":"default"}"#, ["/rowHeight"]),
        (.collection, #"{"itemSize":{"explicit":1},"stickyHeaders":true}"#, ["/itemSize/explicit", "/stickyHeaders"]),
        (.flow, #"{"rowHeight":"default"}"#, ["/rowHeight"]),
        (
            .table, #"{"rowHeight":44,"headerHeight":{"auto":-1},"footerHeight":{"auto":1,"explicit":1}}"#,
            ["/rowHeight", "/headerHeight/auto", "/footerHeight"]
        ),
        (.table, #"{"rowHeight":{"auto":{"width":1,"height":1}}}"#, ["/rowHeight/auto"]),
        (.table, #"{"rowHeight":{"explicit":1e10}}"#, ["/rowHeight/explicit"]),
        (
            .flow,
            #"{"itemSize":{"explicit":{"width":1}},"stickyHeaders":1,"sectionInsetReference":"x","sectionInsets":1}"#,
            ["/itemSize/explicit", "/stickyHeaders", "/sectionInsetReference", "/sectionInsets"]
        ),
        (.flow, "null", [""]),
        (.flow, #"{"layout":{"name":"grid"}}"#, ["/layout"]),
        (.table, #"{"layout":{"name":"grid"},"dragDropEnabled":1}"#, ["/layout", "/dragDropEnabled"]),
        (.collection, #"{"layout":{}}"#, ["/layout"]),
        (
            .collection, #"{"layout":{"name":"","parameters":[]},"isPrefetchingEnabled":"no"}"#,
            ["/layout/name", "/layout/parameters", "/isPrefetchingEnabled"]
        ),
        (
            .collection,
            #"{"layout":{"name":"grid","parameters":{"a":"\#(String(repeating: "a", count: 1 << 16))"}}}"#,
            ["/layout/parameters"]
        ),
    ]

    @Test("properties of another kind, unknown ones and bad ones are all named", arguments: badProperties)
    func badProperty(_ row: (DirectorKind, String, [String])) throws {
        let error = #expect(throws: RepresentationError.self) {
            try DirectorProperties.decode(node(row.1), kind: row.0)
        }
        #expect(error?.faults.map(\.pointer) == row.2)
    }

    @Test("a merge patch changes some properties, puts others back and is checked as a whole")
    func patchedProperties() throws {
        var table = TableProperties()
        table.rowHeight = .explicit(44)
        table.headerHeight = .auto(estimate: 10)
        let patched = try DirectorProperties.table(table).merging(
            node(#"{"rowHeight":null,"headerHeight":{"auto":20}}"#))
        table.rowHeight = .default
        table.headerHeight = .auto(estimate: 20)
        #expect(patched == .table(table))
        let replaced = try DirectorProperties.table(table).merging(node(#"{"headerHeight":{"explicit":1}}"#))
        table.headerHeight = .explicit(1)
        #expect(replaced == .table(table))
        var collection = CollectionProperties()
        collection.itemSize = .auto(estimate: LayoutSize(width: 1, height: 2))
        let other = try DirectorProperties.collection(collection).merging(
            node(#"{"itemSize":{"explicit":{"width":3,"height":4}}}"#))
        collection.itemSize = .explicit(LayoutSize(width: 3, height: 4))
        #expect(other == .collection(collection))
        for (patch, pointer) in [
            (#"{"headerHeight":{"auto":1,"explicit":1}}"#, "/headerHeight"), (#"{"x":1}"#, "/x"), ("1", ""),
        ] {
            let error = #expect(throws: RepresentationError.self) {
                try DirectorProperties.table(table).merging(node(patch))
            }
            #expect(error?.faults.map(\.pointer) == [pointer])
        }
    }

    @Test("adapters are read with their defaults and written in full")
    func adapters() throws {
        let least = try CellAdapter.decode(node(#"{"cell":"ContactCell","events":{}}"#), model: "Contact")
        let full =
            #"{"model":"Contact","cell":"ContactCell","reuseIdentifier":"ContactCell","viewSource":"storyboard","identifier":"{id}","content":null,"events":{}}"#
        #expect(text { least.encode(to: &$0) } == full)
        #expect(try CellAdapter.decode(node(full), model: nil) == least)
        let other =
            #"{"model":"M","cell":"C","reuseIdentifier":"R","viewSource":{"xib":"X","bundle":"B"},"identifier":"{a}_{/b/0}","content":["/age",""],"events":{}}"#
        #expect(try text { try CellAdapter.decode(node(other), model: "M").encode(to: &$0) } == other)
        let view = #"{"view":"V","reuseIdentifier":"R","viewSource":"class","events":{}}"#
        #expect(try text { try HeaderFooterAdapter.decode(node(view), view: nil).encode(to: &$0) } == view)
        #expect(try HeaderFooterAdapter.decode(node("{}"), view: "V") == HeaderFooterAdapter(view: "V"))
    }

    @Test("`{\"xib\": null}` is the cell's, or the view's, own name")
    func ownXib() throws {
        let cell = try CellAdapter.decode(node(#"{"viewSource":{"xib":null},"cell":"C"}"#), model: "M")
        #expect(cell.viewSource == .xib(name: "C", bundle: nil))
        let view = try HeaderFooterAdapter.decode(node(#"{"viewSource":{"xib":null,"bundle":"B"}}"#), view: "V")
        #expect(view.viewSource == .xib(name: "V", bundle: "B"))
        #expect(throws: RepresentationError.self) {
            try CellAdapter.decode(node(#"{"viewSource":{"bundle":"B"},"cell":"C"}"#), model: "M")
        }
    }

    static let badAdapters: [(String, [String])] = [
        ("{}", ["", ""]), (#"{"model":"M"}"#, [""]), (#"{"model":"Other","cell":"C"}"#, ["/model"]),
        (#"{"cell":"C","events":["didSelect"]}"#, ["/events", ""]),
        (
            #"{"model":"M","cell":"","identifier":"{","content":["age",1],"viewSource":"nib","x":1}"#,
            ["/cell", "/identifier", "/content/0", "/content/1", "/viewSource", "/x"]
        ),
        (#"{"model":"M","cell":"C","viewSource":{"xib":"","bundel":1}}"#, ["/viewSource/bundel", "/viewSource/xib"]),
        ("7", [""]),
    ]

    @Test("everything that is wrong with an adapter is named", arguments: badAdapters)
    func badAdapter(_ row: (String, [String])) throws {
        let given = row.0.contains("Other") ? "M" : nil
        let error = #expect(throws: RepresentationError.self) { try CellAdapter.decode(node(row.0), model: given) }
        #expect(error?.faults.map(\.pointer).sorted() == row.1.sorted())
    }

    @Test("a director is written as the contract has it and can be sent back")
    func director() throws {
        let director = try filledDirector()
        let form = text { director.value.write(to: &$0) }
        #expect(
            form
                == #"{"name":"contacts","kind":"table","revision":2,"version":0,"epoch":"k3f9","properties":{"rowHeight":"default","headerHeight":"default","footerHeight":"default"},"counts":{"sections":3,"elements":4}}"#
        )
        #expect(try DirectorDefinition.decode(node(form), name: "contacts").properties == director.properties)
        for (body, pointer) in [
            ("{}", ""), (#"{"kind":"grid"}"#, "/kind"), (#"{"kind":"table","name":"x"}"#, "/name"),
            (#"{"kind":"table","sections":[]}"#, "/sections"),
            (#"{"kind":"flow","properties":{"rowHeight":"default"}}"#, "/properties/rowHeight"),
        ] {
            let error = #expect(throws: RepresentationError.self) {
                try DirectorDefinition.decode(node(body), name: "contacts")
            }
            #expect(error?.faults.map(\.pointer) == [pointer])
        }
    }

    @Test("a change is written as the contract shows it")
    func change() throws {
        let director = try emptyDirector()
        try director.perform([.sections(.set([section("a", "1", "2"), section("gone"), section("c", "3")]))])
        _ = try director.reload()
        try director.perform([
            .sections(.remove(.identifier("gone"))),
            .sections(.add([section("new", "x", attributes: SectionAttributes { $0.headerTitle = "N" })], at: .first)),
            .elements(of: .section(.identifier("c")), .remove(.first)),
            .elements(of: .section(.identifier("a")), .add(drafts("4"), at: .first)),
            .sections(.patch(.identifier("c"), ValueDraft(json(#"{"headerTitle":"C"}"#)))),
        ])
        let change = try #require(try director.value.reloaded(Animations([.elementInserted: .fade])))
        #expect(
            text { change.encode(to: &$0) }
                == #"{"director":"contacts","epoch":"k3f9","from":1,"version":2,"animations":{"elementInserted":"fade"},"stages":["#
                + #"{"sectionDeleted":[1],"elementDeleted":[[2,0]]},"#
                + #"{"sectionInserted":[{"at":0,"section":{"id":"new","headerTitle":"N","isCollapsed":false,"elements":[{"id":"x","model":"Item","value":"x"}]}}]},"#
                + #"{"elementInserted":[{"at":[1,0],"element":{"id":"4","model":"Item","value":"4"}}]},"#
                + #"{"sectionUpdated":[{"at":2,"section":{"id":"c","headerTitle":"C","isCollapsed":false}}]}],"#
                + #""counts":{"sections":3,"elements":4}}"#)
        let nothing = director.unchanged()
        #expect(
            text { nothing.encode(to: &$0) }
                == #"{"director":"contacts","epoch":"k3f9","from":1,"version":1,"stages":[],"counts":{"sections":3,"elements":3}}"#
        )
    }

    @Test("moves and updates are written with both ends and their element")
    func moves() throws {
        let director = try emptyDirector()
        try director.perform([
            .sections(.set([section("a"), section("b"), section("c")])),
            .elements(of: .section(.first), .set([draft(#"{"id":"x","n":1.0}"#), draft(#"{"id":"y"}"#)])),
        ])
        _ = try director.reload()
        try director.perform([
            .elements(of: .section(.first), .patch(.first, ValueDraft(json(#"{"n":2.50}"#)))),
            .elements(of: .section(.first), .move(from: .last, to: .last, into: ElementDestination(section: .last))),
            .sections(.move(from: .last, to: .first)),
        ])
        let change = try #require(try director.value.reloaded())
        let form = text { change.encode(to: &$0) }
        #expect(
            form.contains(
                #"{"elementUpdated":[{"at":[0,0],"element":{"id":"x","model":"Item","value":{"id":"x","n":2.50}}}]}"#))
        #expect(form.contains(#"{"sectionMoved":[{"from":2,"to":0}]}"#))
        #expect(form.contains(#"{"elementMoved":[{"from":[1,1],"to":[0,0]}]}"#))
    }

    @Test("a snapshot holds all that a client needs, with or without elements")
    func snapshot() throws {
        let director = try emptyDirector()
        try director.register(HeaderFooterAdapter(view: "V"))
        try director.perform([.sections(.set([section("a", "1")]))])
        _ = try director.reload()
        let definition =
            #"{"director":"contacts","kind":"table","epoch":"k3f9","version":1,"properties":{"rowHeight":"default","headerHeight":"default","footerHeight":"default"},"adapters":[{"model":"Item","cell":"ItemCell","reuseIdentifier":"ItemCell","viewSource":"storyboard","identifier":"{id}","content":null,"events":{}}],"headerFooterAdapters":[{"view":"V","reuseIdentifier":"V","viewSource":"storyboard","events":{}}],"events":{},"scrollEvents":{}"#
        let (value, state) = (director.value, director.published)
        #expect(text { value.encodeDefinition(to: &$0) } == definition + "}")
        #expect(
            text { value.encodeSnapshot(of: state, includingElements: true, to: &$0) } == definition
                + #","counts":{"sections":1,"elements":1},"sections":[{"id":"a","isCollapsed":false,"elements":[{"id":"1","model":"Item","value":"1"}]}]}"#
        )
        #expect(
            text { value.encodeSnapshot(of: state, includingElements: false, to: &$0) } == definition
                + #","counts":{"sections":1,"elements":1},"sections":[{"id":"a","isCollapsed":false,"count":1}]}"#)
    }

    @Test(
        "an address is read as the contract writes it",
        arguments: [
            ("people", .identifier("people")), ("@0", .position(0)), ("@12", .position(12)), ("@first", .first),
            ("@last", .last), ("@@x", .identifier("@x")),
            ("@@", .identifier("@")), ("@99999999999999999999", .position(.max)), ("0", .identifier("0")), ("", nil),
            ("@", nil), ("@-1", nil), ("@x", nil), ("@+1", nil),
        ] as [(String, Address?)])
    func addresses(_ row: (String, Address?)) {
        #expect(Address(parsing: row.0) == row.1)
        if let address = row.1, address != .position(.max) { #expect(address.description == row.0) }
        #expect(Address(parsingPlace: "4") == .position(4))
        #expect(Address(parsingPlace: "@last") == .last)
    }
}

extension Director {
    /// What a reload of a copy would answer.
    fileprivate func reloaded(_ animations: Animations? = nil) throws -> PublishedChange? {
        var copy = self
        return try copy.reload(animations: animations)
    }
}
