import ListDiff
import Testing

@testable import CallboardClient
@testable import CallboardProgram

@Suite("What a watched list's window shows")
struct WatchScrollTests {
    @Test("keys scroll to every part, and leave the last change behind until the next one")
    func keys() throws {
        let before = WatchTests.section("s", (0..<100).map { WatchTests.element("e\($0)") })
        var elements = before.elements
        elements[70] = WatchTests.element("e70", ["name": "Changed"])
        let after = RemoteSection(copying: before, elements: elements)
        let changeset = RemoteChangeset(
            epoch: "e", from: 1, version: 2, stages: StagedChangeset(from: [before], to: [after]), counts: nil)
        var screen = ListScreen()
        let list = try WatchTests.list([after], version: 2)
        let marks = ListMarks(changeset, from: [before], to: [after])
        screen.show(try WatchTests.list([before], version: 1), ListMarks(), rows: 20)
        let steps: [(WatchKey, Int)] = [
            (.up, 0), (.pageUp, 0), (.down, 1), (.down, 2), (.up, 1), (.pageDown, 17), (.end, 84), (.down, 84),
            (.pageDown, 84), (.pageUp, 68), (.home, 0),
        ]
        for isChanged in [false, true] {
            if isChanged { screen.show(list, marks, rows: 20) }
            for (key, top) in [(.home, 0)] + steps {
                screen.scroll(key, rows: 20)
                screen.scroll(rows: 20)
                #expect(screen.top == top, "\(key)")
            }
        }
        // A smaller window, and one without marks, stay where the key has brought them; the next change is shown.
        screen.scroll(rows: 10)
        screen.clearMarks(rows: 10)
        #expect(screen.top == 0)
        screen.show(list, marks, rows: 20)
        #expect(screen.top == 68)
    }

    @Test("a change out of view comes into view")
    func scrolls() throws {
        let long = WatchTests.section("s", (0..<1000).map { WatchTests.element("e\($0)") })
        var elements = long.elements
        elements[700] = WatchTests.element("e700", ["name": "Changed"])
        let changed = [RemoteSection(copying: long, elements: elements)]
        let changeset = RemoteChangeset(
            epoch: "e", from: 1, version: 2, stages: StagedChangeset(from: [long], to: changed), counts: nil)
        var screen = ListScreen()
        screen.show(try WatchTests.list([long], version: 1), ListMarks(), rows: 20)
        screen.show(
            try WatchTests.list(changed, version: 2), ListMarks(changeset, from: [long], to: changed), rows: 20)
        let rows = screen.render(.init(columns: 60, rows: 20), color: false)
        #expect(rows.contains("~   e700  Changed"))
        #expect(rows.last?.hasPrefix("rows 699-715 of 1,001, 698 above, 286 below") == true)
        // A window that was made smaller still shows it, and so does one with its marks gone.
        for size in [20, 8, 4, 40] {
            screen.scroll(rows: size)
            let rows = screen.render(.init(columns: 60, rows: size), color: false)
            #expect(rows.contains("~   e700  Changed"), "\(size)")
        }
        screen.clearMarks(rows: 10)
        #expect(screen.render(.init(columns: 60, rows: 10), color: false).contains("    e700  Changed"))
    }

    @Test("rows that are gone make room without moving what is in view", arguments: [0, 650, 985])
    func fading(gone: Int) throws {
        let before = WatchTests.section("s", (0..<1000).map { WatchTests.element("e\($0)") })
        var elements = before.elements
        elements[gone + 8] = WatchTests.element("e\(gone + 8)", ["name": "Changed"])
        elements.removeSubrange(gone..<gone + 8)
        let after = [RemoteSection(copying: before, elements: elements)]
        let changeset = RemoteChangeset(
            epoch: "e", from: 1, version: 2, stages: StagedChangeset(from: [before], to: after), counts: nil)
        var screen = ListScreen()
        screen.show(try WatchTests.list([before], version: 1), ListMarks(), rows: 20)
        screen.show(try WatchTests.list(after, version: 2), ListMarks(changeset, from: [before], to: after), rows: 20)
        let first = try #require(Self.shown(screen).first { !$0.hasPrefix("-") })
        let marked = Self.shown(screen).filter { !$0.hasPrefix(" ") }.map { String($0.dropFirst(4)) }
        #expect(marked == (gone..<gone + 8).map { "e\($0)  Name e\($0)" } + ["e\(gone + 8)  Changed"])
        screen.clearMarks(rows: 20)
        let rows = Self.shown(screen)
        #expect(rows.count == 17 && rows.contains { $0.dropFirst(2) == first.dropFirst(2) }, "\(rows)")
        #expect(!rows.contains { $0.hasPrefix("-") || $0.isEmpty })
        // Rows that are gone are no part of what is kept in view: a window that the change still fits in stays where it is.
        let changed = try #require(rows.firstIndex { $0.hasSuffix("Changed") })
        screen.scroll(rows: changed + 4)
        #expect(Self.shown(screen, rows: changed + 4) == Array(rows.prefix(changed + 1)))
    }

    /// The rows of the list in a window.
    private static func shown(_ screen: ListScreen, rows: Int = 20) -> [String] {
        Array(screen.render(.init(columns: 60, rows: rows), color: false).dropFirst(2).dropLast())
    }
}
