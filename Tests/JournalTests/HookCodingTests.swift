import DirectorLife
import Directors
import JSONValues
import JournalTesting
import Testing

@testable import Journal
@testable import JournalSQLite

/// Event hooks are part of a director's definition, with their secrets.
struct HookCodingTests {
    private func director() throws -> Director {
        var director = Director(name: "d", epoch: "e", properties: DirectorProperties(defaultsOf: .table))
        try director.register(CellAdapter(model: "Item", cell: "Cell"))
        try director.register(HeaderFooterAdapter(view: "View"))
        return director
    }

    private func hook(_ url: String = "https://example.com/hook") throws -> EventHook {
        EventHook(url: try HookURL(parsing: url), secrets: [.random(), .random()], disabledReason: "gone")
    }

    @Test("a definition keeps every hook as it was, secrets too")
    func roundTrip() throws {
        var director = try director()
        var asked = try hook()
        asked.defaultAnswer = try JSONValue(parsing: "44.50")
        asked.isCached = true
        try director.setHook(asked, on: "rowHeight", at: .cell("Item"))
        try director.setHook(hook(), on: "willDisplay", at: .headerFooter("View"))
        try director.setHook(hook(), on: "willDisplayHeader", at: .director)
        try director.setHook(hook(), on: "didScroll", at: .scroll)
        let read = try Definition(json: Definition(of: director).json)
        #expect(read.hooks == director.hooks && read.hooks.count == 4)
        #expect(read.hooks[.cell("Item"), "rowHeight"] == asked)
    }

    @Test("a definition that was stored before there were hooks has none, and one without any is stored as it was then")
    func earlierForm() throws {
        let json = Definition(of: try director()).json
        let text = String(decoding: json, as: UTF8.self)
        #expect(!text.contains("hooks"))
        #expect(try Definition(json: json).hooks.isEmpty)
    }

    @Test("a definition with a hook that cannot be is refused")
    func refused() throws {
        var director = try director()
        try director.setHook(hook(), on: "didSelect", at: .cell("Item"))
        let text = String(decoding: Definition(of: director).json, as: UTF8.self)
        for (part, other) in [("didSelect", "didFall"), ("https://", "gopher://"), ("whsec_", "secret")] {
            let damaged = text.replacing(part, with: other)
            #expect(damaged != text)
            #expect(throws: RepresentationError.self) { try Definition(json: Array(damaged.utf8)) }
        }
    }

    @Test("a director that is redefined has the hooks of the definition, and its revision rises by one for each call")
    func redefining() throws {
        let before = try director()
        var after = before
        try after.setHook(hook(), on: "didSelect", at: .cell("Item"))
        try check(before, after)
        var next = after
        try next.register(CellAdapter(model: "Item", cell: "Other"), hooks: ["moveRow": hook()])
        try check(after, next)
        var gone = next
        try gone.removeCellAdapter(model: "Item")
        try check(next, gone)
        var disabled = next
        disabled.disableHook(on: "moveRow", at: .cell("Item"), reason: "is disabled already")
        try check(next, disabled)
        var other = next
        other.redefine(DirectorProperties(defaultsOf: .flow))
        #expect(other.hooks.isEmpty)
        try check(next, other)
    }

    private func check(_ before: Director, _ after: Director) throws {
        var replayed = before
        try replayed.redefine(as: Definition(json: Definition(of: after).json))
        #expect(replayed.hooks == after.hooks && replayed.revision == after.revision)
        #expect(replayed.adapters == after.adapters && replayed.properties == after.properties)
    }
}
