import JSONValues
import Notation
import TestSupport
import Testing

@testable import Directors

@Suite("The hooks of a director")
struct HookRegistryTests {
    private func sample(_ name: String = "didSelect", _ source: EventSource = .tableCell) throws -> EventSample {
        try EventSample(#require(EventCatalog.event(name, of: source)))
    }

    @Test("every event of the contract can have a hook, where its source is and nowhere else")
    func everyEvent() throws {
        for event in EventCatalog.forUIs {
            var sample = try EventSample(event)
            let hook = try EventSample.hook()
            let revision = sample.director.revision
            #expect(try sample.director.setHook(hook, on: event.name, at: sample.level))
            #expect(sample.director.revision == revision + 1 && sample.director.hooks.count == 1)
            #expect(try sample.director.hook(on: event.name, at: sample.level) == hook)
            for level in [HookLevel.cell("A"), .headerFooter("Head"), .director, .scroll] {
                let source = level.source(in: sample.director.kind)
                guard EventCatalog.event(event.name, of: source) == nil else { continue }
                let error = #expect(throws: DirectorError.self) {
                    var copy = sample.director
                    return try copy.setHook(hook, on: event.name, at: level)
                }
                #expect(error?.reason == .eventUnknown(event.name, source) && error?.category == .notFound)
                for known in EventCatalog.events(of: source) { #expect(error?.detail.contains(known.name) == true) }
            }
        }
    }

    @Test("registering an equal hook again changes nothing, another one replaces it, removing it is a mutation")
    func replacing() throws {
        var director = try sample().director
        let level = HookLevel.cell("B")
        var hook = try EventSample.hook()
        let revision = director.revision
        #expect(throws: DirectorError(.hookNotFound(event: "didSelect"))) {
            try director.hook(on: "didSelect", at: level)
        }
        try director.setHook(hook, on: "didSelect", at: level)
        #expect(try !director.setHook(hook, on: "didSelect", at: level))
        hook.url = try HookURL(parsing: "http://other/")
        #expect(try director.setHook(hook, on: "didSelect", at: level))
        #expect(director.revision == revision + 2 && director.hooks.count == 1)
        #expect(director.disableHook(on: "didSelect", at: level, reason: "410") == true)
        #expect(director.disableHook(on: "didSelect", at: level, reason: "410") == false)
        #expect(director.disableHook(on: "didDeselect", at: level, reason: "410") == false)
        #expect(director.hooks[level, "didSelect"]?.disabledReason == "410")
        try director.removeHook(on: "didSelect", at: level)
        #expect(director.revision == revision + 4 && director.hooks.isEmpty)
        #expect(throws: DirectorError(.hookNotFound(event: "didSelect"))) {
            try director.removeHook(on: "didSelect", at: level)
        }
        #expect(throws: DirectorError(.adapterNotFound(model: "X"))) {
            try director.setHook(hook, on: "didSelect", at: .cell("X"))
        }
        #expect(throws: DirectorError(.viewNotFound(view: "X"))) {
            try director.removeHook(on: "willDisplay", at: .headerFooter("X"))
        }
    }

    @Test("an adapter with its hooks is one mutation: given hooks are all, none given are kept, and elements stay")
    func withAdapter() throws {
        var director = try sample().director
        let hooks: [Name: EventHook] = ["didSelect": try EventSample.hook(), "rowHeight": try EventSample.hook()]
        let same = CellAdapter(model: "A", cell: "ACell")
        let elements = director.working.list
        let revision = director.revision
        #expect(try director.register(same, hooks: hooks))
        #expect(director.revision == revision + 1 && director.hooks.hooks(at: .cell("A")) == hooks)
        #expect(director.working.list.isIdentical(to: elements))
        #expect(try !director.register(same, hooks: hooks))
        #expect(try !director.register(same, hooks: nil))
        #expect(try director.register(CellAdapter(model: "A", cell: "Other"), hooks: nil))
        #expect(director.hooks.count == 2)
        #expect(try director.register(same, hooks: ["didSelect": EventSample.hook()]))
        #expect(director.revision == revision + 3 && director.hooks.count == 1)
        let before = director.traces
        #expect(throws: DirectorError(.eventUnknown("itemSize", .tableCell))) {
            try director.register(CellAdapter(model: "A", cell: "Third"), hooks: ["itemSize": EventSample.hook()])
        }
        #expect(director.traces == before)
        #expect(try director.register(HeaderFooterAdapter(view: "New"), hooks: ["willDisplay": EventSample.hook()]))
        #expect(director.hooks.entries.map(\.level) == [.cell("A"), .headerFooter("New")])
        #expect(try director.register(same, hooks: [:]) && director.hooks.count == 1)
    }

    @Test("hooks go with their adapter, and with a kind that does not have their events")
    func leaving() throws {
        var director = try sample().director
        let hook = try EventSample.hook()
        try director.register(CellAdapter(model: "C", cell: "C"), hooks: ["didSelect": hook])
        try director.register(HeaderFooterAdapter(view: "V"), hooks: ["willDisplay": hook])
        try director.setHook(hook, on: "rowHeight", at: .cell("A"))
        try director.setHook(hook, on: "didSelect", at: .cell("A"))
        try director.setHook(hook, on: "sectionForSectionIndex", at: .director)
        try director.setHook(hook, on: "willDisplayHeader", at: .director)
        try director.setHook(hook, on: "didScroll", at: .scroll)
        var copy = director
        try director.removeCellAdapter(model: "C")
        try director.removeHeaderFooterAdapter(view: "V")
        #expect(director.hooks.count == 5 && director.hooks.hooks(at: .cell("C")).isEmpty)
        let revision = copy.revision
        copy.redefine(DirectorProperties(defaultsOf: .flow))
        #expect(copy.revision == revision + 1)
        #expect(
            copy.hooks.entries.map(\.event) == [
                "didSelect", "didSelect", "willDisplay", "willDisplayHeader", "didScroll",
            ])
        #expect(copy.hooks.count == 5)
    }

    @Test("a director holds as many hooks as its limits say; fewer than there are is always taken")
    func limit() throws {
        var director = Director(
            name: "d", epoch: "e", properties: DirectorProperties(defaultsOf: .table), limits: DirectorLimits(hooks: 2))
        let hook = try EventSample.hook()
        let adapter = CellAdapter(model: "A", cell: "C")
        let full = DirectorError(.limitExceeded(.hooks, limit: 2))
        try director.register(adapter, hooks: ["didSelect": hook, "rowHeight": hook])
        #expect(throws: full) { try director.setHook(hook, on: "didScroll", at: .scroll) }
        #expect(try !director.setHook(hook, on: "didSelect", at: .cell("A")))
        #expect(throws: full) {
            try director.register(adapter, hooks: ["didSelect": hook, "rowHeight": hook, "moveRow": hook])
        }
        #expect(full.category == .limit && full.detail == "a director holds at most 2 hooks")
        try director.register(adapter, hooks: ["didSelect": hook])
        try director.setHook(hook, on: "didScroll", at: .scroll)
        #expect(director.hooks.count == 2)
    }

    @Test("clients see which events have hooks and of which kind, and neither addresses nor secrets")
    func shownToClients() throws {
        var director = try sample().director
        let hook = try EventSample.hook("https://secret.example/")
        for (event, level) in [
            ("didSelect", HookLevel.cell("A")), ("rowHeight", .cell("A")), ("willDisplay", .headerFooter("Head")),
            ("sectionForSectionIndex", .director), ("didScroll", .scroll),
        ] {
            try director.setHook(hook, on: event, at: level)
        }
        let form = text { director.encodeDefinition(to: &$0) }
        #expect(form.contains(#""events":{"didSelect":{"kind":"notification"},"rowHeight":{"kind":"question"}}"#))
        #expect(form.contains(#""events":{"willDisplay":{"kind":"notification"}}"#))
        #expect(
            form.hasSuffix(
                #""events":{"sectionForSectionIndex":{"kind":"question"}},"scrollEvents":{"didScroll":{"kind":"notification"}}}"#
            ))
        #expect(!form.contains("secret.example") && !form.contains("whsec_"))
        let snapshot = text { director.encodeSnapshot(of: director.published, includingElements: true, to: &$0) }
        #expect(try Director.decodeSnapshot(node(snapshot)).hooks.isEmpty)
        let adapter = try #require(director.adapters.cells["A"])
        let read = text { writer in
            adapter.encode(to: &writer) { director.encodeEvents(at: .cell("A"), to: &$0) }
        }
        #expect(read.contains(#""url":"https://secret.example/","secret":["whsec_…"#))
        let drafts = try #require(try EventHookDraft.decodeEvents(of: node(read), source: .tableCell))
        for (event, draft) in drafts { #expect(try draft.resolved(replacing: hook).hook == hook, "\(event)") }
        #expect(try CellAdapter.decode(node(read), model: nil) == adapter)
    }

    @Test("stored hooks are read as they were, whatever they are")
    func stored() throws {
        var random = SeededGenerator(seed: SeededGenerator.seedOfRun("stored hooks"))
        for _ in 0..<200 {
            let kind = DirectorKind.allCases[random.below(3)]
            let entries = try (0..<random.below(8)).map { _ in try HookRegistryTests.entry(of: kind, &random) }
            let registry = HookRegistry(entries)
            let form = text { registry.encodeStored(to: &$0) }
            let read = try HookRegistry.decodeStored(node(form), kind: kind)
            #expect(read == registry && read.count == registry.entries.count, "\(form)")
        }
        #expect(throws: RepresentationError.self) { try HookRegistry.decodeStored(node("[{}]"), kind: .table) }
        let unknown =
            #"[{"level":"scroll","event":"didFall","url":"https://h/","secret":["\#(EventHookTests.secret)"]}]"#
        #expect(throws: RepresentationError.self) { try HookRegistry.decodeStored(node(unknown), kind: .table) }
    }

    /// A random hook on a random event that a kind of director has.
    private static func entry(
        of kind: DirectorKind, _ random: inout SeededGenerator
    ) throws -> HookRegistry.Entry {
        let levels: [HookLevel] = [.cell("Ä/1"), .cell("B"), .headerFooter("V \u{1F600}"), .director, .scroll]
        let own = levels[random.below(levels.count)]
        let level = random.chance(3) ? HookLevel.viewed(ViewLife(name: "grill/ä", epoch: "k3"), own) : own
        let events = EventCatalog.events(of: level.source(in: kind))
        let event = events[random.below(events.count)]
        var hook = EventHook(
            url: try HookURL(parsing: "https://h\(random.below(9)):\(1 + random.below(65535))/?q=%20"),
            secrets: (0...random.below(8)).map { _ in .random() })
        if random.chance(2) { hook.timeout = .milliseconds(10 + random.below(100_000)) }
        if random.chance(2) { hook.headers = [HookHeader(name: "X-Key", value: #"a "quoted" value"#)] }
        if random.chance(4) { hook.disabledReason = "gone\nfor good" }
        if let type = event.answerType {
            if random.chance(2) { hook.defaultAnswer = try json(EventSample.value(of: type)) }
            hook.isCached = event.place != .list && random.chance(2)
        } else if random.chance(2) {
            hook.coalesce = .milliseconds(1 + random.below(3_600_000))
        }
        return HookRegistry.Entry(level: level, event: event.name, hook: hook)
    }

    @Test("an address is read from its text, and its path is that of the resource")
    func addresses() {
        let names = ["contacts", "a/b", "%2F", "ä 😀", "..", "?", "x=1&y"]
        for director in names {
            for name in names {
                let view = ViewLife(name: name, epoch: "v1")
                for level in [
                    HookLevel.cell(name), .headerFooter(name), .director, .scroll, .viewed(view, .cell(name)),
                    .viewed(view, .director), .viewed(view, .row(section: name, row: name)),
                ] {
                    let address = HookAddress(director: director, epoch: "k3f9", level: level, event: "didSelect")
                    #expect(HookAddress(address.description) == address)
                }
            }
        }
        let address = HookAddress(director: "a/b", epoch: "e", level: .cell("ä"), event: "didSelect")
        #expect(address.description == "a%2Fb/e/adapters/%C3%A4/events/didSelect")
        #expect(address.path == "/v1/directors/a%2Fb/adapters/%C3%A4/events/didSelect")
        let scroll = HookAddress(director: "d", epoch: "e", level: .scroll, event: "didScroll")
        #expect(scroll.path == "/v1/directors/d/scroll-events/didScroll")
        let viewed = HookAddress(
            director: "d", epoch: "e", level: .viewed(ViewLife(name: "a/b", epoch: "v"), .scroll), event: "didScroll")
        #expect(viewed.path == "/v1/directors/a%2Fb/scroll-events/didScroll")
        #expect(viewed.description == "d/e/views/a%2Fb/v/scroll-events/didScroll")
        for text in [
            "", "d", "d/e", "d/e/events", "d/e/adapters/A/x/y", "d/e/events/a/b", "d/%/events/x", "d/%ff/events/x",
            "d/e/views/v", "d/e/views/v/f", "d/e/views/v/f/events", "d/e/views/v/f/views/w/g/events/x",
        ] {
            #expect(HookAddress(text) == nil, "\(text)")
        }
    }
}
