import Directors
import Foundation
import Testing

@Suite("The page of events")
struct EventPageTests {
    /// The page, beside the sources of which this file is a test.
    static let path = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/Directors/Directors.docc/Event-Hooks.md")

    @Test("the page has the table of each source as the catalogue has it", arguments: EventSource.allCases)
    func tables(_ source: EventSource) throws {
        let page = try String(contentsOf: Self.path, encoding: .utf8)
        let table = EventPage.table(source)
        #expect(page.contains(table), "put this table into Event-Hooks.md:\n\(table)")
    }

    @Test("the page has one row for each event and no other")
    func rows() throws {
        let page = try String(contentsOf: Self.path, encoding: .utf8)
        let tables = page.split(separator: EventPage.head + "\n").dropFirst()
        let rows = tables.map { table in table.split(separator: "\n").prefix { $0.hasPrefix("|") }.count }
        #expect(rows == EventSource.allCases.map { EventCatalog.events(of: $0).count })
        #expect(rows.reduce(0, +) == 146)
    }
}
