import ListDiff
import Synchronization
import Testing

@testable import CallboardClient
@testable import CallboardProgram

@Suite("Watching")
struct WatchTests {
    static func element(_ id: String, _ value: JSON? = nil) -> RemoteElement {
        RemoteElement(id: id, model: "M", value: value ?? ["id": .string(id), "name": .string("Name \(id)")])
    }

    static func section(_ id: String, _ elements: [RemoteElement], title: String? = nil) -> RemoteSection {
        RemoteSection(id: id, attributes: title.map { ["headerTitle": .string($0)] } ?? [:], elements: elements)
    }

    static func list(_ sections: [RemoteSection], version: Int) throws -> RemoteList {
        let json: JSON = [
            "director": "contacts", "epoch": "e", "version": .number(JSONNumber(version)),
            "sections": .array(sections.map(\.json)),
        ]
        return try RemoteList(Snapshot(JSONReader(json)))
    }

    private static let before = [
        section("a", [element("1"), element("2"), element("3")], title: "Letters"), section("b", [element("4")]),
        section("gone", []),
    ]
    private static let after = [
        section("a", [element("3"), element("1", ["name": "New"]), element("5")], title: "Letters"),
        section("new", [element("6")]), section("b", [element("4")]),
    ]

    private static var changeset: RemoteChangeset {
        RemoteChangeset(
            epoch: "e", from: 1, version: 2, stages: StagedChangeset(from: before, to: after),
            counts: ListCounts(of: after))
    }

    private static var screen: ListScreen {
        get throws {
            var screen = ListScreen()
            screen.state = "connected"
            screen.show(try list(before, version: 1), ListMarks(), rows: 24)
            screen.show(try list(after, version: 2), ListMarks(changeset, from: before, to: after), rows: 24)
            screen.notice = "version 2"
            return screen
        }
    }

    @Test("a change is marked where it happens")
    func snapshot() throws {
        let rows = try Self.screen.render(.init(columns: 60, rows: 16), color: false)
        #expect(
            rows == [
                "contacts  version 2  3 sections, 5 elements", "connected", "  a  Letters (3)", ">   3  Name 3",
                "~   1  New", "-   2  Name 2", "+   5  Name 5", "+ new (1)", "    6  Name 6", "  b (1)",
                "    4  Name 4",
                "- gone (0)", "", "", "", "version 2",
            ])
    }

    @Test(
        "a row that is gone is drawn behind the rows that it stood behind, whatever moves in, out or past it",
        arguments: [
            (["12", "345"], ["412", "35"], "> 4, 1, 2 / 3, 5"), (["123", "45"], ["413", "5"], "> 4, 1, - 2, 3 / 5"),
            (["1234", "5"], ["24", "51"], "2, - 3, 4 / 5, > 1"), (["1234", ""], ["214", ""], "> 2, 1, - 3, 4 / "),
            (["123", "45"], ["136", "45"], "1, - 2, 3, + 6 / 4, 5"), (["1", "2"], ["2", ""], "- 1, > 2 / "),
        ])
    func gone(old: [String], new: [String], expected: String) throws {
        func sections(_ rows: [String]) -> [RemoteSection] {
            zip(["a", "b"], rows).map { id, rows in Self.section(id, rows.map { Self.element(String($0), "") }) }
        }
        let (before, after) = (sections(old), sections(new))
        let changeset = RemoteChangeset(
            epoch: "e", from: 1, version: 2, stages: StagedChangeset(from: before, to: after), counts: nil)
        var screen = ListScreen()
        screen.show(try Self.list(after, version: 2), ListMarks(changeset, from: before, to: after), rows: 24)
        let rows = screen.lines.map { line in
            line.isHeading
                ? "/" : line.mark.map { "\($0.rawValue) " + line.text.prefix(1) } ?? String(line.text.prefix(1))
        }
        let told = rows.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
            $0.joined(separator: ", ")
        }
        #expect(told.joined(separator: " / ") == expected)
    }

    @Test("marks have colours, and every colour ends on its line")
    func colors() throws {
        let rows = try Self.screen.render(.init(columns: 60, rows: 16), color: true)
        #expect(rows.contains("\u{1B}[32m+   5  Name 5\u{1B}[0m"))
        #expect(rows.contains("\u{1B}[31;9m-   2  Name 2\u{1B}[0m"))
        for row in rows where row.contains("\u{1B}") { #expect(row.hasSuffix("\u{1B}[0m")) }
    }

    @Test("whatever the window's size, nothing is larger than it", arguments: [1, 2, 5, 11, 80], [1, 2, 3, 4, 40])
    func fits(columns: Int, rows: Int) throws {
        let lines = try Self.screen.render(.init(columns: columns, rows: rows), color: false)
        #expect(lines.count == rows)
        for line in lines { #expect(TextWidth.columns(of: line) <= columns, "\(line)") }
    }

    @Test("a value that no cell shows is replaced: its row's text follows without a mark, and the log says so")
    func replaced() throws {
        let new = Self.element("2", ["name": "Replaced"])
        var section = Self.before[0]
        section.elements[1] = new
        let after = [section] + Self.before.dropFirst()
        let path = ElementPath(section: 0, element: 1)
        let changeset = RemoteChangeset(
            epoch: "e", from: 1, version: 2,
            stages: StagedChangeset(stages: [], replaced: [ElementChange(at: path, element: new)]),
            counts: ListCounts(of: after))
        var list = try Self.list(Self.before, version: 1)
        try list.apply(changeset)
        #expect(list.sections == after)
        var screen = ListScreen()
        screen.show(try Self.list(Self.before, version: 1), ListMarks(), rows: 20)
        screen.show(list, ListMarks(changeset, from: Self.before, to: list.sections), rows: 20)
        let rows = screen.render(.init(columns: 60, rows: 20), color: false)
        #expect(rows.contains("    2  Replaced") && !rows.contains { $0.hasPrefix("~") })
        var log = WatchLog(style: .plain)
        _ = log.lines(for: .replaced(try Self.list(Self.before, version: 1), reset: nil))
        let lines = log.lines(for: .changed(list, by: changeset))
        #expect(
            lines == [
                "version 1 -> 2: 1 element replaced; now 3 sections, 4 elements", "  = [0, 1] 2  Replaced",
            ])
        #expect(ChangeCounts(changeset).json.text == #"{"replaced":1}"#)
    }

    @Test("an element of a row shows its row and cell, and the height that the row sets", arguments: [false, true])
    func rows(log: Bool) throws {
        func hide(_ on: Bool) -> RemoteElement {
            RemoteElement(
                id: "hide", row: "hide", cell: "SwitchCell", reuseIdentifier: "s", value: ["label": "Hide people"],
                config: ["on": .bool(on)])
        }
        let people = [(1, 44.0), (2, 60.5)].map { id, height in
            RemoteElement(
                id: "\(id)", row: "people", cell: "PersonCell", reuseIdentifier: "p", model: "Person",
                value: ["name": .string("Name \(id)")], height: height)
        }
        let before = [RemoteSection(id: "settings", elements: [hide(false)] + people)]
        let after = [RemoteSection(id: "settings", elements: [hide(true), people[0]])]
        let changeset = RemoteChangeset(
            epoch: "e", from: 1, version: 2, stages: StagedChangeset(from: before, to: after), counts: nil)
        let list = try Self.list(after, version: 2)
        if log {
            var log = WatchLog(style: .plain)
            _ = log.lines(for: .replaced(try Self.list(before, version: 1), reset: nil))
            #expect(
                log.lines(for: .changed(list, by: changeset)).dropFirst() == [
                    "  ~ [0, 0] hide  Hide people  (hide: SwitchCell)",
                    "  - [0, 2] 2  Name 2  (people: PersonCell, height 60.5)",
                ])
        } else {
            var screen = ListScreen()
            screen.show(list, ListMarks(changeset, from: before, to: after), rows: 20)
            #expect(
                screen.render(.init(columns: 60, rows: 7), color: false)[3...5] == [
                    "~   hide  Hide people  (hide: SwitchCell)", "    1  Name 1  (people: PersonCell, height 44)",
                    "-   2  Name 2  (people: PersonCell, height 60.5)",
                ])
        }
    }

    @Test("sections of one identifier keep their marks and what has gone from them apart")
    func duplicateSections() throws {
        let before = [
            Self.section("s", [Self.element("1"), Self.element("2")]), Self.section("s", [Self.element("3")]),
        ]
        let after = [
            Self.section("s", [Self.element("1")]), Self.section("s", [Self.element("3")], title: "T"),
            Self.section("s", [Self.element("4")]),
        ]
        let changeset = RemoteChangeset(
            epoch: "e", from: 1, version: 2, stages: StagedChangeset(from: before, to: after), counts: nil)
        var list = try Self.list(before, version: 1)
        try list.apply(changeset)
        #expect(list.sections == after)
        var screen = ListScreen()
        screen.show(list, ListMarks(changeset, from: before, to: after), rows: 20)
        let rows = screen.render(.init(columns: 60, rows: 12), color: false)
        #expect(
            rows[2...8] == [
                "  s (1)", "    1  Name 1", "-   2  Name 2", "~ s  T (1)", "    3  Name 3", "+ s (1)", "    4  Name 4",
            ])
    }

    @Test("content cannot move the cursor or turn the line around")
    func controlCharacters() {
        let hostile = Self.element("a\u{1B}[2J\nb\u{202E}c\u{7}", "x")
        let text = ElementText.summary(hostile)
        #expect(text == "a\u{FFFD}[2J\u{FFFD}b\u{FFFD}c\u{FFFD}  x")
    }

    @Test(
        "text is cut by columns, not by characters",
        arguments: [
            ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("漢字", 4, "漢字"), ("漢字x", 4, "漢…"), ("😀😀", 3, "😀…"), ("x", 0, ""),
        ])
    func width(text: String, columns: Int, expected: String) {
        #expect(TextWidth.fit(text, columns) == expected)
    }

    @Test("the log lists every operation")
    func log() throws {
        var log = WatchLog(style: .plain)
        #expect(
            log.lines(for: .replaced(try Self.list(Self.before, version: 1), reset: nil)) == [
                "snapshot at version 1: 3 sections, 4 elements"
            ])
        let lines = log.lines(for: .changed(try Self.list(Self.after, version: 2), by: Self.changeset))
        #expect(
            lines.first
                == "version 1 -> 2: 1 section inserted, 1 section deleted, 1 element inserted, 1 element deleted, "
                + "1 element moved, 1 element updated; now 3 sections, 5 elements")
        #expect(lines.contains("  - [0, 1] 2  Name 2"))
        #expect(lines.contains("  + [1] new, 1 element"))
        #expect(lines.contains("  ~ [0, 0] 1  New"))
        #expect(lines.contains("  - [2] gone"))
    }

    @Test("a long log of one change is cut, and says so")
    func longLog() throws {
        var log = WatchLog(style: .plain, operationLimit: 2)
        _ = log.lines(for: .replaced(try Self.list(Self.before, version: 1), reset: nil))
        let lines = log.lines(for: .changed(try Self.list(Self.after, version: 2), by: Self.changeset))
        #expect(lines.count == 4)
        #expect(lines.last == "  and 4 more")
    }

    @Test("each cause of an outage is told once, and that it is over")
    func outage() throws {
        var log = WatchLog(style: .plain)
        let list = try Self.list(Self.before, version: 1)
        _ = log.lines(for: .replaced(list, reset: nil))
        var lines: [String] = []
        for attempt in 1...50 {
            let reason = attempt.isMultiple(of: 2) ? "refused after \(attempt) ms" : "refused after 1 ms"
            let interruptions = [StreamInterruption.connection(reason: reason), .refused(status: 502)]
            for interruption in interruptions {
                lines += log.lines(for: .connection(.lost(interruption, retryIn: .seconds(1))))
                lines += log.lines(for: .connection(.connecting(attempt: attempt)))
                lines += log.lines(for: .connection(.open))
            }
        }
        #expect(lines.count == 2, "\(lines)")
        #expect(log.lines(for: .heartbeat(version: 1)) == ["connected", "alive at version 1"])
        #expect(log.lines(for: .connection(.lost(.refused(status: 502), retryIn: .seconds(1)))).count == 1)
    }

    @Test("nothing that a terminal would act on is written, and line breaks of the program's own are")
    func safe() throws {
        let bad = [
            "\u{1B}[31m", "\u{9B}2J", "\u{7}", "\r", "\u{8}", "\u{202E}", "\u{2066}", "\u{2028}", "\u{7F}", "\0",
        ]
        for text in bad {
            let first = try #require(text.unicodeScalars.first)
            #expect(!TextWidth.safe("a\(text)b\n\tc").unicodeScalars.contains(first))
            let json = JSON.string(text).text
            #expect(!TextWidth.escaped(json).unicodeScalars.contains(first))
            #expect(try JSON(parsing: TextWidth.escaped(json)) == JSON.string(text))
        }
        #expect(TextWidth.safe("a\n\tb é 𝄞") == "a\n\tb é 𝄞")
    }

    @Test("JSON lines are one object each")
    func json() throws {
        var log = WatchLog(style: .json)
        let updates: [LiveList.Update] = [
            .connection(.connecting(attempt: 2)), .connection(.open),
            .replaced(try Self.list(Self.before, version: 1), reset: "gone"),
            .changed(try Self.list(Self.after, version: 2), by: Self.changeset), .heartbeat(version: 2),
            .connection(.lost(.closedByServer, retryIn: .milliseconds(1500))),
        ]
        let lines = updates.flatMap { log.lines(for: $0) }
        #expect(lines.count == updates.count)
        let events = try lines.map { try JSON(parsing: $0) }
        #expect(
            events.compactMap { $0["event"]?.stringValue } == [
                "connecting", "connected", "snapshot", "changeset", "heartbeat", "lost",
            ])
        #expect(events[3]["verified"] == true)
        #expect(events[3]["changeset"]?["version"] == 2)
        #expect(events[5]["retryMilliseconds"] == 1500)
    }

    @Test("the window is taken over and given back")
    func window() async throws {
        let written = Mutex("")
        let view = ScreenView(
            color: false, size: { .init(columns: 40, rows: 8) }, write: { text in written.withLock { $0 += text } })
        await view.open()
        let generation = await view.show(.replaced(try Self.list(Self.before, version: 1), reset: nil))
        await view.fade(generation)
        await view.close()
        await view.draw()
        let text = written.withLock { $0 }
        #expect(text.hasPrefix("\u{1B}[?1049h\u{1B}[?25l"))
        #expect(text.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
        #expect(text.contains("contacts  version 1"))
    }

    @Test("directors are listed in columns")
    func directors() throws {
        #expect(DirectorTable.lines([]).count == 1)
        let json =
            #"{"name":"contacts","kind":"table","revision":12,"version":3,"epoch":"e","properties":{},"counts":{"sections":2,"elements":10}}"#
        let director = try DirectorDescription(JSONReader(JSON(parsing: json)))
        #expect(
            DirectorTable.lines([director]) == [
                "NAME      KIND   SECTIONS  ELEMENTS  VERSION  REVISION",
                "contacts  table         2        10        3        12",
            ])
        #expect(try JSON(parsing: DirectorTable.json(director)) == JSON(parsing: json))
    }
}
