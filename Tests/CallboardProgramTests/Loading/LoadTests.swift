import Testing

@testable import CallboardClient
@testable import CallboardProgram

@Suite("Loading")
struct LoadTests {
    private static func records(_ texts: [String]) throws -> LoadedRecords {
        LoadedRecords(
            records: try texts.enumerated().map {
                LoadRecord(place: .init(record: $0 + 1, line: nil), value: try JSON(parsing: $1))
            })
    }

    @Test("sections, titles, their order, and columns are told apart by the bytes of their names")
    func spellings() throws {
        let (one, other) = ("caf\u{E9}", "cafe\u{301}")
        let loaded = try Self.records([#"{"s":"\#(one)"}"#, #"{"s":"\#(other)"}"#, #"{"s":"\#(one)"}"#])
        let titles = try SectionTitles(
            path: "t", content: Array(#"{"\#(one)":"1","\#(other)":"2"}"#.utf8), pointer: nil, key: nil, title: nil)
        let content = LoadContent(loaded, rule: try SectionRule(field: "s"), titles: titles, fallback: "all")
        #expect(content.sections.map { Array($0.id.utf8) } == [Array(one.utf8), Array(other.utf8)])
        #expect(content.sections.map(\.title) == ["1", "2"] && content.sections.map { $0.records.count } == [2, 1])
        let ordered = content.keepingOrder(of: [other, one])
        #expect(ordered.sections.map { Array($0.id.utf8) } == [Array(other.utf8), Array(one.utf8)])
        let types = try #require(ColumnTypes(parsing: "\(one):number,\(other):string"))
        let rows = try CSVRecords(path: "t", delimiter: 0x2C, types: types).read(Array("\(one),\(other)\n1,1\n".utf8))
        #expect(rows.records.map(\.value.text) == [#"{"\#(one)":1,"\#(other)":"1"}"#])
    }

    @Test("sections come from a field, cut at a separator, in the order of their first record")
    func separator() throws {
        let loaded = try Self.records([#"{"code":"DE-BE"}"#, #"{"code":"AT-1"}"#, #"{"code":"DE-BY"}"#, #"{"x":1}"#])
        let titles = try SectionTitles(
            path: "t", content: Array(#"{"list":[{"a":"DE","n":"Germany"},{"a":"XX","n":"?"}]}"#.utf8), pointer: nil,
            key: "a", title: "n")
        let content = LoadContent(
            loaded, rule: try SectionRule(field: "code", separator: "-"), titles: titles, fallback: "all")
        #expect(content.sections.map(\.id) == ["DE", "AT"])
        #expect(content.sections.map(\.title) == ["Germany", nil])
        #expect(content.sections.map { $0.records.count } == [2, 1])
        #expect(content.rejected.map(\.place.record) == [4])
    }

    @Test(
        "a pattern's first group names the section, or its match",
        arguments: [("^([a-z]+)[0-9]", "abc"), ("[0-9]+", "123"), ("^x", nil), ("^(y?)a", nil)] as [(String, String?)])
    func pattern(pattern: String, section: String?) throws {
        let loaded = try Self.records([#"{"deep":{"f":"abc123"}}"#])
        let rule = try SectionRule(field: "/deep/f", pattern: pattern)
        let content = LoadContent(loaded, rule: rule, titles: nil, fallback: "all")
        #expect(content.sections.first?.id == section)
        #expect(content.rejected.count == (section == nil ? 1 : 0))
    }

    @Test("a pattern that is none is refused with an example")
    func badPattern() {
        #expect(throws: ProgramError.self) { try SectionRule(field: "f", pattern: "(") }
    }

    private static func content(_ sizes: [Int]) -> LoadContent {
        var number = 0
        let records = sizes.enumerated().flatMap { section, count in
            (0..<count).map { _ in
                number += 1
                return LoadRecord(
                    place: .init(record: number, line: nil), value: .number(JSONNumber(number)),
                    section: "s\(section)")
            }
        }
        return LoadContent(LoadedRecords(records: records), rule: nil, titles: nil, fallback: "all")
    }

    @Test("a list goes as lines: each section's head, and its records behind it")
    func lines() {
        let lines = ContentLines(Self.content([2, 1]), model: "M", isRow: false)
        #expect(
            String(decoding: lines.data, as: UTF8.self) == """
                {"id":"s0","headerTitle":"s0"}
                {"model":"M","value":1}
                {"model":"M","value":2}
                {"id":"s1","headerTitle":"s1"}
                {"model":"M","value":3}

                """)
        #expect((0...6).map { lines.record(ofLine: $0)?.record } == [nil, nil, 1, 2, nil, 3, nil])
    }

    @Test("a record is sent as its file has it, without the white space between tokens")
    func compact() throws {
        let line = #" { "id" : 1.50 , "a b" : [ "x \" y" , "\\" , null ] ,\#t"ü": "\\"} "#
        let loaded = NDJSONRecords.read(Array((line + "\r\n").utf8))
        var body: [UInt8] = []
        try #require(loaded.records.first).text.write(to: &body)
        #expect(String(decoding: body, as: UTF8.self) == #"{"id":1.50,"a b":["x \" y","\\",null],"ü":"\\"}"#)
    }

    @Test("records that the server refuses are named by its pointers")
    func rejection() throws {
        let lines = ContentLines(Self.content([2, 3]), model: "M", isRow: false)
        let problem = Problem(status: 422, errors: Self.faults([("/2/value", "line 3: no id"), ("/4", "line 5: bad")]))
        #expect(lines.rejected(by: problem)?.map(\.description) == ["record 2: no id", "record 3: bad"])
    }

    @Test(
        "a fault that is no record's is nobody's",
        arguments: ["", "/0", "/3/id", "/9/value", "/x/value", "/-1"])
    func otherFaults(pointer: String) {
        let lines = ContentLines(Self.content([2, 3]), model: "M", isRow: false)
        #expect(lines.rejected(by: Problem(status: 422, errors: Self.faults([(pointer, "x")]))) == nil)
    }

    @Test("sections whose records are mixed keep their order when the first of them goes; others have the file's")
    func order() throws {
        func content(_ names: String) -> LoadContent {
            let records = names.enumerated().map { position, name in
                LoadRecord(place: .init(record: position + 1, line: nil), value: 1, section: String(name))
            }
            return LoadContent(LoadedRecords(records: records), rule: nil, titles: nil, fallback: "all")
        }
        #expect(!content("aabbc").isMixed && content("abab").isMixed)
        #expect(content("baab").keepingOrder(of: ["a", "b"]).sections.map(\.id) == ["a", "b"])
        #expect(content("xbayab").keepingOrder(of: ["a", "q", "b"]).sections.map(\.id) == ["x", "a", "y", "b"])
        #expect(content("cab").keepingOrder(of: []).sections.map(\.id) == ["c", "a", "b"])
    }

    private static func faults(_ faults: [(String, String)]) -> [Problem.Fault] {
        faults.map { Problem.Fault(pointer: $0.0, detail: $0.1) }
    }

    @Test("an identifier that cannot work is found before anything is sent")
    func identifier() throws {
        let content = LoadContent(
            try Self.records([#"{"code":"x","name":"y"}"#]), rule: nil, titles: nil, fallback: "all")
        #expect(throws: ProgramError.self) { try IdentifierCheck.check("{id}", against: content) }
        let mended = LoadContent(
            try Self.records([#"{"code":"x"}"#, #"{"id":1}"#]), rule: nil, titles: nil, fallback: "all")
        try IdentifierCheck.check("{id}", against: mended)
        try IdentifierCheck.check("{code}-{/name}", against: content)
        #expect(IdentifierCheck.names(in: "{a}_{b}{/c}{}{") == ["a", "b"])
    }

    @Test("the progress bar fits its line and fills")
    func progressBar() {
        #expect(ProgressBar.line(label: "list", done: 5, total: 10, width: 30) == "list [########.........] 5/10")
        #expect(ProgressBar.line(label: "list", done: 0, total: 0, width: 30).contains("] 0/0"))
        for width in 1...100 {
            let line = ProgressBar.line(label: "a long name of a list", done: 3999, total: 4000, width: width)
            #expect(TextWidth.columns(of: line) <= max(1, width), "\(width)")
        }
    }

    @Test("a summary says what went in and what did not")
    func summary() {
        var summary = LoadSummary(
            director: "d", sections: 1, rejected: [RejectedRecord(place: .init(record: 3, line: 4), reason: "bad")])
        summary.loaded = 1234
        #expect(
            summary.lines == [
                "1,234 records in 1 section loaded into \"d\"", "1 record left out:", "  record 3, line 4: bad",
            ])
        #expect(
            summary.json.text
                == #"{"director":"d","sections":1,"loaded":1234,"rejected":[{"record":3,"line":4,"reason":"bad"}]}"#)
        #expect(summary.status == .partial)
    }

    @Test("a file counts as changed once it keeps still")
    func fileWatch() async throws {
        @Sendable func stamp(_ size: Int?) -> FileWatch.Stamp { .init(modified: nil, size: size, number: 1) }
        let sizes = SizeScript([1, 1, 5, 7, nil, 9, 9])
        let watch = FileWatch(clock: ImmediateClock()) { stamp(sizes.next()) }
        #expect(try await watch.change(from: stamp(1)) == stamp(9))
    }
}
