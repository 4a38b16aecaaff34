import JSONValues
import ListDiff
import TestSupport
import Testing

@testable import Directors

@Suite("Events that a client reports")
struct EventResolutionTests {
    private func sample(
        _ name: String = "didSelect", _ source: EventSource = .tableCell, properties: DirectorProperties? = nil
    ) throws -> EventSample {
        try EventSample(#require(EventCatalog.event(name, of: source)), properties: properties)
    }

    private func resolve(_ body: String, _ director: Director) throws -> [ResolvedEvent] {
        try director.resolve(EventReport.decode(node(body)), in: director.published)
    }

    private static let time = WallTime(milliseconds: 1_700_000_000_250)

    private func message(_ event: ResolvedEvent) -> String {
        String(decoding: event.message(at: Self.time), as: UTF8.self)
    }

    @Test("every event of the contract is found at its place, with its hook and the hook's address")
    func everyEvent() throws {
        for event in EventCatalog.forUIs {
            var sample = try EventSample(event)
            let before = try #require(try sample.resolved().first)
            #expect(before.hook == nil && before.level == sample.level)
            let hook = try EventSample.hook()
            try sample.director.setHook(hook, on: event.name, at: sample.level)
            let found = try sample.resolved()
            let resolved = try #require(found.first)
            #expect(found.count == 1 && resolved.hook == hook && resolved.definition.name == event.name)
            #expect(resolved.definition.source == event.source && resolved.version == 1)
            let address = HookAddress(director: "contacts", epoch: "k3f9", level: sample.level, event: event.name)
            #expect(resolved.address == address && !resolved.isBatch)
            let root = try node(message(resolved))
            #expect(root["type"]?.string == event.name && root["timestamp"]?.string == "2023-11-14T22:13:20.250Z")
            let data = try #require(root["data"])
            #expect(data["director"]?.string == "contacts" && data["epoch"]?.string == "k3f9")
            #expect(data["version"]?.int == 1)
            #expect(try data["parameters"]?.value == json(sample.parameters))
            switch event.place {
            case .element:
                #expect(data["indexPath"]?.value.text == "[0,1]" && data["cell"]?.string == "BCell")
                #expect(data["element"]?.value.text == #"{"id":"e1","model":"B","value":"e1"}"#)
                #expect(data["section"]?["id"]?.string == "one" && data["section"]?["elements"] == nil)
            case .header, .headerOrFooter:
                #expect(data["header"]?.int == 0 && data["view"]?.string == "Head" && data["footer"] == nil)
                #expect(data["section"]?["headerTitle"]?.string == "One")
            case .footer:
                #expect(data["footer"]?.int == 0 && data["view"]?.string == "Foot")
            case .list:
                #expect(data["section"] == nil && data["element"] == nil)
            }
        }
    }

    @Test("a message of one element has the contract's members and no others")
    func exactMessage() throws {
        let event = try #require(try sample("moveRow").resolved().first)
        let section =
            #"{"id":"one","headerTitle":"One","headerView":"Head","footerView":"Foot","indexTitle":"O","isCollapsed":false}"#
        #expect(
            message(event)
                == #"{"type":"moveRow","timestamp":"2023-11-14T22:13:20.250Z","data":{"director":"contacts","epoch":"k3f9","#
                + #""version":1,"indexPath":[0,1],"section":\#(section),"#
                + #""element":{"id":"e1","model":"B","value":"e1"},"cell":"BCell","parameters":{"to":[1,0]}}}"#)
        let scrolled = try #require(try resolve(#"{"event":"didScroll"}"#, sample().director).first)
        #expect(
            message(scrolled)
                == #"{"type":"didScroll","timestamp":"2023-11-14T22:13:20.250Z","data":{"director":"contacts","#
                + #""epoch":"k3f9","version":1}}"#)
    }

    @Test("one name means the cell's event with an index path and the view's with a header or footer")
    func samename() throws {
        let director = try sample().director
        for name in ["dequeue", "willDisplay", "endDisplay"] {
            let cell = try #require(try resolve(#"{"event":"\#(name)","indexPath":[1,0]}"#, director).first)
            #expect(cell.definition.source == .tableCell && cell.level == .cell("A"))
            let header = try #require(try resolve(#"{"event":"\#(name)","header":0}"#, director).first)
            #expect(header.definition.source == .tableHeaderFooter && header.level == .headerFooter("Head"))
            let footer = try #require(try resolve(#"{"event":"\#(name)","footer":0}"#, director).first)
            #expect(footer.level == .headerFooter("Foot"))
        }
    }

    @Test("a header that is a title has no adapter and so no hook, but the director's event has one")
    func titleHeader() throws {
        var director = try sample().director
        try director.setHook(EventSample.hook(), on: "willDisplay", at: .headerFooter("Head"))
        try director.setHook(EventSample.hook(), on: "willDisplayHeader", at: .director)
        let view = try #require(try resolve(#"{"event":"willDisplay","header":1}"#, director).first)
        #expect(view.level == nil && view.hook == nil && view.address == nil)
        #expect(message(view).contains(#""header":1,"section":{"id":"two","headerTitle":"Two""#))
        #expect(try resolve(#"{"event":"willDisplayHeader","header":1}"#, director).first?.hook != nil)
        let height = try #require(try resolve(#"{"event":"headerHeight","header":1}"#, director).first)
        #expect(height.defaultAnswers.map(\.text) == ["-1"])
    }

    @Test(
        "an event of a header or footer is refused where the section has none: willDisplayHeader, dequeue and all others"
    )
    func missingHeaders() throws {
        for event in EventCatalog.forUIs {
            let members =
                switch event.place {
                case .header: ["header"]
                case .footer: ["footer"]
                case .headerOrFooter: ["header", "footer"]
                case .element, .list: [String]()
                }
            var director = try EventSample(event).director
            try director.perform([.sections(.add([SectionDraft(identifier: "bare")]))])
            _ = try director.reload()
            for member in members {
                let body = #"{"event":"\#(event.name)","\#(member)":2}"#
                let error = #expect(throws: DirectorError.self) { try resolve(body, director) }
                #expect(error?.faults.map(\.pointer) == ["/\(member)"] && error?.category == .invalid)
                #expect(error?.detail.contains("section 2 has no \(member) in version 2") == true)
                // The other section shows it.
                #expect(throws: Never.self) { try resolve(body.replacing(":2}", with: ":0}"), director) }
            }
        }
    }

    @Test("a version that still has the header is what a report of its end is about")
    func earlierHeader() throws {
        var director = try sample().director
        let earlier = director.published
        try director.perform([.sections(.patch(.last, ValueDraft(json(#"{"headerTitle":null}"#))))])
        _ = try director.reload()
        let body = #"{"event":"endDisplayHeader","header":1}"#
        #expect(throws: DirectorError.self) { try resolve(body, director) }
        #expect(try director.resolve(EventReport.decode(node(body)), in: earlier).count == 1)
    }

    /// Reports that are not about anything, with the pointer and the status of the error.
    static let badReports: [(body: String, pointer: String, category: DirectorError.Category, phrase: String)] = [
        (#"{"event":"didSelct","indexPath":[0,0]}"#, "/event", .invalid, "it has didSelect, "),
        (#"{"event":"itemSize","indexPath":[0,0]}"#, "/event", .invalid, "rowHeight"),
        (#"{"event":"didSelect"}"#, "", .invalid, "an indexPath"),
        (#"{"event":"didSelect","header":0}"#, "", .invalid, "an indexPath"),
        (#"{"event":"didSelect","indexPaths":[[0,0]]}"#, "", .invalid, "an indexPath"),
        (#"{"event":"willDisplay"}"#, "", .invalid, "several indexPaths, or a header or a footer"),
        (#"{"event":"headerHeight","footer":0}"#, "", .invalid, "a header"),
        (#"{"event":"didScroll","indexPath":[0,0]}"#, "", .invalid, "the whole list"),
        (#"{"event":"didSelect","indexPath":[2,0]}"#, "/indexPath", .invalid, "2 sections"),
        (#"{"event":"didSelect","indexPath":[1,1]}"#, "/indexPath", .invalid, "one element"),
        (#"{"event":"rowHeight","indexPaths":[[0,0],[0,3]]}"#, "/indexPaths/1", .invalid, "3 elements"),
        (#"{"event":"willDisplay","header":2}"#, "/header", .invalid, "2 sections"),
        (#"{"event":"endDisplayFooter","footer":9}"#, "/footer", .invalid, "2 sections"),
        (#"{"event":"willDisplayFooter","footer":1}"#, "/footer", .invalid, "section 1 has no footer in version 1"),
        (#"{"event":"endDisplay","footer":1}"#, "/footer", .invalid, "footerView"),
        (#"{"event":"footerHeight","footer":1}"#, "/footer", .invalid, "no footer"),
        (#"{"event":"moveRow","indexPath":[0,0]}"#, "/parameters", .invalid, "the parameter to"),
        (#"{"event":"moveRow","indexPath":[0,0],"parameters":{"to":[1]}}"#, "/parameters/to", .invalid, "index path"),
        (
            #"{"event":"didScroll","parameters":{"contentOffset":{"x":1}}}"#, "/parameters/contentOffset", .invalid,
            #"the member "y""#
        ),
        (
            #"{"event":"commitEdit","indexPath":[0,0],"parameters":{"style":"remove"}}"#, "/parameters/style", .invalid,
            #""delete""#
        ),
    ]

    @Test("a report that nothing is found for says what is wrong, and where", arguments: badReports)
    func badReport(_ row: (body: String, pointer: String, category: DirectorError.Category, phrase: String)) throws {
        let director = try sample().director
        let error = #expect(throws: DirectorError.self) { try resolve(row.body, director) }
        #expect(error?.faults.map(\.pointer) == [row.pointer] && error?.category == row.category)
        #expect(error?.detail.contains(row.phrase) == true, "\(error?.detail ?? "")")
    }

    @Test(
        "a body that is no report is refused with every fault",
        arguments: [
            ("[]", [""]), ("{}", [""]), (#"{"event":7}"#, ["/event"]), (#"{"event":""}"#, ["/event"]),
            (#"{"event":"x","indexPath":[0]}"#, ["/indexPath"]), (#"{"event":"x","indexPath":[0,-1]}"#, ["/indexPath"]),
            (#"{"event":"x","indexPath":[0,0],"header":1}"#, [""]),
            (#"{"event":"x","indexPaths":[]}"#, ["/indexPaths"]),
            (#"{"event":"x","indexPaths":{}}"#, ["/indexPaths"]),
            (#"{"event":"x","indexPaths":[[0,0],[1.5,0]]}"#, ["/indexPaths/1"]),
            (#"{"event":"x","footer":"0"}"#, ["/footer"]), (#"{"event":"x","version":-1}"#, ["/version"]),
            (#"{"event":"x","parameters":[]}"#, ["/parameters"]), (#"{"event":"x","paramters":{}}"#, ["/paramters"]),
        ])
    func badBody(_ row: (body: String, pointers: [String])) {
        let error = #expect(throws: RepresentationError.self) { try EventReport.decode(node(row.body)) }
        #expect(error?.faults.map(\.pointer) == row.pointers)
    }

    @Test("a report is bounded in its index paths and its parameters")
    func bounds() throws {
        func paths(_ count: Int) -> String {
            #"{"event":"x","indexPaths":["# + Array(repeating: "[0,0]", count: count).joined(separator: ",") + "]}"
        }
        #expect(throws: Never.self) { try EventReport.decode(node(paths(10_000))) }
        let error = #expect(throws: RepresentationError.self) { try EventReport.decode(node(paths(10_001))) }
        #expect(error?.pointer == "/indexPaths")
        let long = #"{"event":"x","parameters":{"a":"\#(String(repeating: "a", count: 65_536))"}}"#
        #expect(throws: RepresentationError.self) { try EventReport.decode(node(long)) }
        let other = #"{"event":"didScroll","version":1,"header":null,"parameters":{"mine":[1,2.50]}}"#
        let event = try #require(try resolve(other, sample().director).first)
        #expect(event.parameters?.text == #"{"mine":[1,2.50]}"#)
    }

    @Test("UIKit's default of a size is what the director's properties say")
    func sizes() throws {
        var table = TableProperties()
        table.rowHeight = .explicit(44.5)
        table.headerHeight = .auto(estimate: 20)
        let director = try sample(properties: .table(table)).director
        func answer(_ body: String, _ director: Director) throws -> String? {
            try resolve(body, director).first?.defaultAnswers.first?.text
        }
        #expect(try answer(#"{"event":"rowHeight","indexPath":[0,0]}"#, director) == "44.5")
        #expect(try answer(#"{"event":"rowHeightEstimated","indexPath":[0,0]}"#, director) == "44.5")
        #expect(try answer(#"{"event":"headerHeight","header":0}"#, director) == "-1")
        #expect(try answer(#"{"event":"estHeaderHeight","header":0}"#, director) == "20")
        #expect(try answer(#"{"event":"estFooterHeight","footer":0}"#, director) == "-1")
        let item = #"{"event":"itemSize","indexPath":[0,0]}"#
        var flow = FlowProperties()
        flow.itemSize = .auto(estimate: LayoutSize(width: 10, height: 20))
        let auto = try sample("itemSize", .collectionCell, properties: .flow(flow)).director
        #expect(try answer(item, auto) == #"{"width":10,"height":20}"#)
        flow.itemSize = .explicit(LayoutSize(width: 1, height: 2))
        let explicit = try sample("itemSize", .collectionCell, properties: .flow(flow)).director
        #expect(try answer(item, explicit) == #"{"width":1,"height":2}"#)
        var collection = CollectionProperties()
        let plain = try sample("itemSize", .collectionCell, properties: .collection(collection)).director
        #expect(try answer(item, plain) == #"{"width":50,"height":50}"#)
        collection.itemSize = .explicit(LayoutSize(width: 3, height: 4))
        let sized = try sample("itemSize", .collectionCell, properties: .collection(collection)).director
        #expect(try answer(item, sized) == #"{"width":3,"height":4}"#)
    }

    @Test("a row can be moved by default where its adapter hears of moves, as UIKit has it")
    func hooked() throws {
        var director = try sample().director
        try director.setHook(EventSample.hook(), on: "moveRow", at: .cell("B"))
        let events = try resolve(#"{"event":"canMoveRow","indexPaths":[[0,0],[0,1]]}"#, director)
        #expect(events.map(\.level) == [.cell("A"), .cell("B")])
        #expect(events.flatMap(\.defaultAnswers).map(\.text) == ["false", "true"])
    }

    @Test("an index title leads to the section that has it, sections without one left out")
    func indexTitles() throws {
        var director = try sample().director
        try director.perform([
            .sections(.add([SectionDraft(identifier: "zero"), SectionDraft(identifier: "half")], at: .first))
        ])
        _ = try director.reload()
        func answer(_ index: Int) throws -> String? {
            let body = #"{"event":"sectionForSectionIndex","parameters":{"title":"T","index":\#(index)}}"#
            return try resolve(body, director).first?.defaultAnswers.first?.text
        }
        #expect(try answer(0) == "2")
        #expect(try answer(1) == "3")
        #expect(try answer(7) == "7")
    }

    @Test("hidden elements cannot be fired at: places are those of the published state")
    func collapsed() throws {
        var director = try sample().director
        try director.perform([.sections(.patch(.first, ValueDraft(json(#"{"isCollapsed":true}"#))))])
        let body = #"{"event":"didSelect","indexPath":[0,1]}"#
        let earlier = director.published
        #expect(try resolve(body, director).first?.items.first?.element.identifier == "e1")
        _ = try director.reload()
        let error = #expect(throws: DirectorError.self) { try resolve(body, director) }
        #expect(error?.category == .invalid && error?.detail.contains("there are no elements") == true)
        let old = try director.resolve(EventReport.decode(node(body)), in: earlier)
        #expect(old.first?.version == 1 && old.first?.items.first?.element.identifier == "e1")
    }

    @Test("many index paths are one event for each adapter, with positions that put the answers back in order")
    func batches() throws {
        var random = SeededGenerator(seed: SeededGenerator.seedOfRun("batches"))
        for _ in 0..<60 {
            let director = try randomDirector(&random)
            let sections = director.published.list.sections
            let full = sections.indices.filter { !sections[$0].list.isEmpty }
            guard !full.isEmpty else { continue }
            let paths = (0...random.below(40)).map { _ in
                let section = full[random.below(full.count)]
                return ElementPath(section: section, element: random.below(sections[section].list.count))
            }
            let name = ["rowHeight", "prefetch", "willDisplay"][random.below(3)]
            let events = try director.resolve(
                EventReport(event: name, target: .elements(paths)), in: director.published)
            var order: [ElementPath?] = Array(repeating: nil, count: paths.count)
            for event in events {
                #expect(event.isBatch && !event.items.isEmpty)
                #expect(event.items.map(\.position) == event.items.map(\.position).sorted())
                #expect(event.defaultAnswers.count == (name == "rowHeight" ? event.items.count : 0))
                for item in event.items {
                    #expect(order[item.position] == nil && event.level == .cell(item.element.model))
                    #expect(item.element === sections[item.path.section].list[item.path.element])
                    order[item.position] = item.path
                }
                let items = try #require(try node(message(event))["data"]?["items"])
                #expect(items.elements.map { $0["indexPath"]?.value.text } == event.items.map { "\($0.path)".compact })
            }
            #expect(order == paths && Set(events.map(\.level)).count == events.count)
            let kept = Set(paths.indices.filter { _ in random.chance(2) })
            let narrowed = events.map { $0.narrowed(to: kept) }
            #expect(Set(narrowed.flatMap { $0.items.map(\.position) }) == kept)
            #expect(narrowed.allSatisfy { name != "rowHeight" || $0.defaultAnswers.count == $0.items.count })
        }
    }

    private func randomDirector(_ random: inout SeededGenerator) throws -> Director {
        var director = try sample().director
        try director.register(CellAdapter(model: "C", cell: "CCell"))
        let sections = (0..<1 + random.below(4)).map { index in
            let elements = (0..<random.below(20)).map { number in
                ElementDraft(model: ["A", "B", "C"][random.below(3)], value: JSONValue(string: "\(number)"))
            }
            return SectionDraft(identifier: "s\(index)", elements: elements)
        }
        try director.perform([.sections(.set(sections))])
        _ = try director.reload()
        return director
    }

    @Test("an element is found by section and identifier, whatever has moved, and by its row in a section of rows")
    func identified() throws {
        var director = Director(name: "d", epoch: "e", properties: .table(TableProperties()))
        try director.register(CellAdapter(model: "M", cell: "C"))
        let rows = #"""
            [{"id":"p","type":"model","model":"M","elements":[{"value":"1"},{"value":"2"}]},
             {"id":"q","type":"model","model":"M","elements":[{"value":"1"}]},
             {"id":"c","type":"constant","cell":"C"}]
            """#
        let sections = #"""
            [{"id":"new","elements":[{"value":"102"},{"value":"103"}]},{"id":"r","rows":\#(rows)},
             {"id":"twice","elements":[{"value":"x"},{"value":"x"}]}]
            """#
        try director.perform([Directors.Operation.decode(node(#"{"op":"setSections","sections":\#(sections)}"#))])
        _ = try director.reload()
        func path(_ place: String) throws -> String? {
            let event = try #require(
                try director.resolve(
                    EventReport.decode(node(#"{"event":"didSelect",\#(place)}"#)), in: director.published
                ).first)
            let text = String(decoding: event.message(at: Self.time), as: UTF8.self)
            return try node(text)["data"]?["indexPath"]?.value.text
        }
        #expect(try path(#""section":"new","element":"103""#) == "[0,1]")
        #expect(try path(#""section":"@0","element":"@last""#) == "[0,1]")
        #expect(try path(#""section":"r","row":"q","element":"1""#) == "[1,2]")
        #expect(try path(#""section":"r","row":"p","element":"2""#) == "[1,1]")
        #expect(try path(#""section":"r","row":"q","element":0"#) == "[1,2]")
        #expect(try path(#""section":"r","element":"c""#) == "[1,3]")
        for (place, pointer) in [
            (#""section":"r","element":"1""#, "/element"), (#""section":"twice","element":"x""#, "/element"),
        ] {
            let error = try #require(throws: DirectorError.self) { try path(place) }
            #expect(error.category == .conflict && error.pointer == pointer)
        }
        try director.perform([
            Directors.Operation.decode(node(#"{"op":"removeElement","section":"new","element":"103"}"#))
        ])
        _ = try director.reload()
        for (place, pointer) in [
            (#""section":"new","element":"103""#, "/element"), (#""section":"none","element":"103""#, "/section"),
            (#""section":"r","row":"q","element":"2""#, "/element"),
            (#""section":"r","row":"q","element":1"#, "/element"),
            (#""section":"r","row":"@0","element":"1""#, "/row"),
        ] {
            let error = try #require(throws: DirectorError.self) { try path(place) }
            #expect(error.category == .invalid && error.pointer == pointer, "\(place): \(error)")
        }
        for text in [
            #""element":"1""#, #""section":"r""#, #""section":"r","indexPath":[0,0]"#, #""row":"q","header":0"#,
        ] {
            #expect(throws: RepresentationError.self) {
                try EventReport.decode(node(#"{"event":"didSelect",\#(text)}"#))
            }
        }
    }
}

extension String {
    fileprivate var compact: String {
        filter { $0 != " " }
    }
}
