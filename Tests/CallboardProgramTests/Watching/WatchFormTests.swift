import ListDiff
import Testing

@testable import CallboardClient
@testable import CallboardProgram

@Suite("What rows of a watched list show")
struct WatchFormTests {
    private static func element(_ id: String, _ value: JSON) -> RemoteElement {
        RemoteElement(id: id, model: "M", value: value)
    }

    private static func list(_ values: [JSON]) throws -> RemoteList {
        let elements = values.enumerated().map { element("\($0)", $1) }
        let json: JSON = [
            "director": "d", "epoch": "e", "version": 3,
            "sections": .array([RemoteSection(id: "s", elements: elements).json]),
        ]
        return try RemoteList(Snapshot(JSONReader(json)))
    }

    private static let ada: JSON = [
        "name": "Ada", "age": 36, "home": ["city": "London", "a/b": [1, true]], "gone": nil,
    ]

    @Test(
        "a template shows members by name and by pointer, and nothing for what is missing",
        arguments: [
            ("{name}", "Ada"), ("{name} ({age})", "Ada (36)"), ("{/home/city}-{name}{name}", "London-AdaAda"),
            ("{/home/a~1b}", "[1,true]"), ("{/home/a~1b/0}", "1"), ("<{missing}{gone}{/home/x}>", "<>"),
            ("{name}\u{301}", "Ada\u{301}"),
        ])
    func template(text: String, expected: String) throws {
        #expect(try RowForm.template(RowTemplate(text)).text(Self.element("1", Self.ada), RowPreviews(nil)) == expected)
    }

    @Test(
        "a template that is none is a wrong command line",
        arguments: ["", "x", "{", "}", "{}", "{{a}}", "a}b{c}", "{/~2}"])
    func badTemplate(text: String) async {
        let error = await programError { try RowTemplate(text) }
        #expect(error?.status == .usage)
        #expect(await exitStatus { _ = try WatchCommand.parse(["d", "--template", text]) } == 64)
    }

    @Test("columns that are none are a wrong command line", arguments: ["", ",", "a,", "a,,b", "/~2", "a, ,b"])
    func badColumns(text: String) async {
        let error = await programError { try RowColumns(text) }
        #expect(error?.status == .usage)
        #expect(await exitStatus { _ = try WatchCommand.parse(["d", "--columns", text]) } == 64)
    }

    @Test(
        "options that contradict each other are a wrong command line",
        arguments: [
            ["--columns", "a", "--template", "{a}"], ["--json", "--columns", "a"], ["--json", "--template", "{a}"],
            ["--once", "--limit", "1"],
        ])
    func together(arguments: [String]) async {
        #expect(await exitStatus { _ = try WatchCommand.parse(["d"] + arguments) } == 64)
    }

    @Test("columns are as wide as their cells, in the window as on a page, and what is missing is a dash")
    func columns() throws {
        let form = RowForm.columns(try RowColumns("name, age,/home/city"))
        let list = try Self.list([
            Self.ada, ["name": "漢字 Grace", "age": "eighty-five"], "plain", ["name": nil],
            ["name": .string(String(repeating: "x", count: 90))],
        ])
        let cut = String(repeating: "x", count: 39) + "…"
        func line(_ cells: String...) -> String { RowColumns.line(cells, [40, 11, 10]) }
        let rows = [
            line("Ada", "36", "London"), line("漢字 Grace", "eighty-five", "-"), line("plain", "-", "-"),
            line("-", "-", "-"), line(cut, "-", "-"),
        ]
        let screen = ListScreen(form: form, list: list)
        let heading = line("name", "age", "/home/city")
        let title = "d  version 3  1 section, 5 elements"
        #expect(screen.page == [title, "  " + heading, "s (5)"] + rows.map { "  " + $0 })
        let window = screen.render(.init(columns: 90, rows: 10), color: false)
        let shown = ["    " + heading, "  s (5)"] + rows.map { "    " + $0 }
        #expect(Array(window[2...8]) == shown)
        #expect(rows[1] == "漢字 Grace" + String(repeating: " ", count: 32) + "eighty-five  -")
    }

    @Test("a window with columns is no larger than the terminal", arguments: [1, 5, 80], [1, 2, 3, 4, 5, 40])
    func fits(columns: Int, rows: Int) throws {
        var screen = ListScreen(form: .columns(try RowColumns("name,age")))
        screen.show(try Self.list(Array(repeating: Self.ada, count: 30)), ListMarks(), rows: rows)
        let lines = screen.render(.init(columns: columns, rows: rows), color: false)
        #expect(lines.count == rows)
        for line in lines { #expect(TextWidth.columns(of: line) <= columns, "\(line)") }
    }

    @Test("nothing of a value moves the cursor or breaks a line, whatever the form")
    func safe() throws {
        let hostile = Self.element("1", ["name": "a\u{1B}[2J\nb\u{202E}c"])
        let forms = [RowForm.template(try RowTemplate("{name}")), .columns(try RowColumns("name")), .summary]
        for form in forms {
            let text = form.text(hostile, RowPreviews(nil))
            #expect(text.hasSuffix("a\u{FFFD}[2J\u{FFFD}b\u{FFFD}c"))
        }
    }

    @Test("the log shows its operations in the form that was asked for")
    func log() throws {
        let before = try Self.list([Self.ada])
        var after = try Self.list([Self.ada, ["name": "Grace", "age": 85]])
        let changeset = RemoteChangeset(
            epoch: "e", from: 3, version: 4, stages: StagedChangeset(from: before.sections, to: after.sections),
            counts: nil)
        after = before
        try after.apply(changeset)
        var log = WatchLog(style: .plain, form: .template(try RowTemplate("{name}, {age}")))
        _ = log.lines(for: .replaced(before, reset: nil))
        #expect(log.lines(for: .changed(after, by: changeset)).last == "  + [0, 1] Grace, 85")
    }
}
