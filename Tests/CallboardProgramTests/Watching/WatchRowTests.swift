import ListDiff
import Testing

@testable import CallboardClient
@testable import CallboardProgram

@Suite("What is shown beside a watched list's changes")
struct WatchRowTests {
    private static let ada: JSON = [
        "first": "Ada", "age": 36, "flag": "🇬🇧", "home": ["city": "London"], "gone": nil, "longer": ["a", "b"],
    ]

    private static func line(_ preview: JSON, _ value: JSON = ada, id: String = "1") throws -> String {
        let definition: JSON = [
            "director": "d",
            "adapters": [["model": "M", "cell": "C", "preview": preview], ["model": "N", "cell": "D"]],
        ]
        let previews = RowPreviews(try ListDefinition(JSONReader(definition)))
        return RowForm.summary.text(RemoteElement(id: id, model: "M", value: value), previews)
    }

    @Test("a row shows the parts of its adapter's preview, and leaves out those whose members are not there")
    func preview() throws {
        #expect(try Self.line(["title": "{first}"]) == "1  Ada")
        #expect(
            try Self.line([
                "trailing": "{age} years", "subtitle": "{/home/city}", "badge": "new", "title": "{first}",
                "image": "{flag}",
            ]) == "1  🇬🇧 Ada · new · London · 36 years")
        #expect(
            try Self.line(["title": "{first}", "subtitle": "{gone}", "badge": "{home}", "trailing": "{none}"])
                == "1  Ada")
        // A picture's address is none that a terminal shows.
        #expect(try Self.line(["title": "{first}", "image": "/ada.png"]) == "1  Ada")
        #expect(try Self.line(["title": "{first}"], Self.ada, id: "Ada") == "Ada")
    }

    @Test("a row whose preview has no title for the value is shown as without one")
    func noTitle() throws {
        let guessed = try Self.line([:])
        #expect(guessed == #"1  Ada · age 36 · 🇬🇧 · home {"city":"London"} · gone null · longer ["a","b"]"#)
        for preview: JSON in [["title": "{none}"], ["title": "{home}"], ["title": "{"], ["subtitle": "{first}"], "x"] {
            #expect(try Self.line(preview) == guessed)
        }
        #expect(try Self.line(["title": "{first}"], "plain") == "1  plain")
        #expect(try Self.line(["title": "always"], "plain") == "1  always")
        #expect(try Self.line([:], ["id": "1", "n": 2]) == "1  n 2")
        #expect(try Self.line([:], ["id": "1"]) == "1")
    }

    @Test("nothing of a preview moves the cursor")
    func safe() throws {
        #expect(try Self.line(["title": "\u{1B}[2J{first}", "badge": "a\nb"]) == "1  \u{FFFD}[2JAda · a\u{FFFD}b")
    }

    private static func list(_ totals: JSON) throws -> RemoteList {
        let sections = [RemoteSection(id: "a", attributes: ["headerTitle": "Table 1"]), RemoteSection(id: "b")]
        let json: JSON = [
            "director": "grill", "epoch": "e", "version": 3, "sections": .array(sections.map(\.json)), "totals": totals,
        ]
        return try RemoteList(Snapshot(JSONReader(json)))
    }

    @Test("totals stand in the title and at their sections, and the query behind the state")
    func totals() throws {
        let list = try Self.list(["open": 9, "amount": ["a": 120, "c": 3], "least": nil])
        var screen = ListScreen(query: "station=bar", list: list)
        screen.state = "connected"
        let title = "grill  version 3  2 sections, 0 elements  open 9, least none"
        #expect(
            screen.render(.init(columns: 70, rows: 6), color: false) == [
                title, "connected; station=bar", "  a  Table 1 (0)  amount 120", "  b (0)", "", "",
            ])
        #expect(screen.page == ["\(title)  station=bar", "a  Table 1 (0)  amount 120", "b (0)"])
    }

    @Test("the log tells the totals where they have changed")
    func log() throws {
        let before = try Self.list(["open": 9])
        var log = WatchLog(style: .plain)
        #expect(log.lines(for: .replaced(before, reset: nil)).last == "  totals: open 9")
        for totals in [nil, ["open": 8] as JSONObject] {
            let changeset = RemoteChangeset(
                epoch: "e", from: 3, version: 4, stages: StagedChangeset(stages: []), counts: nil, totals: totals)
            var after = before
            try after.apply(changeset)
            #expect(after.totals == totals ?? before.totals)
            let lines = log.lines(for: .changed(after, by: changeset))
            #expect(Array(lines.dropFirst()) == (totals == nil ? [] : ["  totals: open 8"]))
        }
    }

    @Test(
        "a query is told in words",
        arguments: [
            ([], ""), (["--first", "3"], "first 3"), (["--sort", "-value.a,id"], "sorted by -value.a,id"),
            (
                ["--where", #"{"!": {"var": "value.done"}}"#, "--first", "3"],
                #"where {"!":{"var":"value.done"}}, first 3"#
            ),
            (["--parameter", "a=1", "--parameter", "b=\u{1B}"], "a=1, b=\u{FFFD}"),
        ] as [([String], String)])
    func query(arguments: [String], words: String) throws {
        #expect(try WatchCommand.parse(["d"] + arguments).selection.words == words)
    }
}
