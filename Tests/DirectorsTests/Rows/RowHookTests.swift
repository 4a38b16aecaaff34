import JSONValues
import ListDiff
import Testing

@testable import Directors

@Suite("Hooks on rows")
struct RowHookTests {
    private func director() throws -> Director {
        try rowDirector(
            rowSection(
                "s", constant("c", #","height":30"#),
                modelRow("m", ["\"a\"", "\"b\""], #","height":{"var":"variables.h"}"#), modelRow("n", ["\"a\""])),
            #"{"id":"t","elements":[{"model":"Item","value":"x"}]}"#, variables: ["h": "20"]
        ).value
    }

    private func resolve(_ director: Director, _ event: String, _ section: Int, _ element: Int) throws -> ResolvedEvent
    {
        let report = "{\"event\":\"\(event)\",\"indexPath\":[\(section),\(element)],\"version\":\(director.version)}"
        let events = try director.resolve(EventReport.decode(node(report)), in: director.published)
        return try #require(events.first)
    }

    @Test("win over those of the adapter, row by row and event by event")
    func levels() throws {
        var director = try director()
        _ = try director.reload()
        let (own, adapters) = (try EventSample.hook("https://example.com/row"), try EventSample.hook())
        let level = HookLevel.row(section: "s", row: "m")
        try director.setHook(own, on: "didSelect", at: level)
        try director.setHook(adapters, on: "didSelect", at: .cell("Item"))
        try director.setHook(adapters, on: "didDeselect", at: .cell("Item"))
        let expected: [(String, Int, HookLevel, EventHook?)] = [
            ("didSelect", 1, level, own), ("didSelect", 2, level, own), ("didSelect", 3, .cell("Item"), adapters),
            ("didDeselect", 1, .cell("Item"), adapters), ("didSelect", 0, .row(section: "s", row: "c"), nil),
        ]
        for (name, element, level, hook) in expected {
            let event = try resolve(director, name, 0, element)
            #expect(event.level == level && event.hook == hook, "\(name) at \(element)")
        }
        #expect(try resolve(director, "didSelect", 1, 0).level == .cell("Item"))
    }

    @Test("stay when the row goes, and can be removed then")
    func gone() throws {
        var director = try director()
        let level = HookLevel.row(section: "s", row: "m")
        try director.setHook(EventSample.hook(), on: "didSelect", at: level)
        try director.perform([.rows(of: .identifier("s"), .remove(.identifier("m")))])
        #expect(try director.hook(on: "didSelect", at: level).url == EventSample.hook().url)
        try director.removeHook(on: "didSelect", at: level)
        let (live, hook) = (LiveDirector(director), try EventSample.hook())
        let error = #expect(throws: DirectorError.self) { try live.value.setHook(hook, on: "didSelect", at: level) }
        #expect(error?.category == .notFound)
    }

    @Test("are not needed: a row answers its height, and what any element answers")
    func defaults() throws {
        var director = try director()
        _ = try director.reload()
        let heights = try [0, 1, 3].map { try resolve(director, "rowHeight", 0, $0).defaultAnswers.map(\.text) }
        #expect(heights[0] == ["30"] && heights[1] == ["20"])
        #expect(try heights[2] == resolve(director, "rowHeight", 1, 0).defaultAnswers.map(\.text))
        let constant = try resolve(director, "shouldHighlight", 0, 0)
        #expect(constant.hook == nil)
        #expect(try constant.defaultAnswers == resolve(director, "shouldHighlight", 1, 0).defaultAnswers)
    }
}
