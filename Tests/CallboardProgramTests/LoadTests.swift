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

    /// What a server makes of batches: sections with their records' numbers.
    private func apply(_ batches: [LoadBatch], to start: [(String, [Int])] = []) -> [String: [Int]] {
        var sections = Dictionary(uniqueKeysWithValues: start)
        for step in batches.flatMap(\.steps) {
            switch step {
            case .replace(let new):
                sections = [:]
                for section in new { sections[section.id] = section.records.map(\.place.record) }
            case .addSection(let section): sections[section.id] = section.records.map(\.place.record)
            case .fill(let records, let place): sections[Self.name(place)] = records.map(\.place.record)
            case .append(let records, let place):
                sections[Self.name(place), default: []] += records.map(\.place.record)
            }
        }
        return sections
    }

    /// A place as a key of the sections: a row stands behind its section.
    private static func name(_ place: LoadPlace) -> String {
        place.row.map { "\(place.section)/\($0)" } ?? place.section
    }

    @Test("batches together are the list, and none is larger than allowed", arguments: 1...9, [3, 1000])
    func plan(records: Int, bytes: Int) {
        let content = Self.content([4, 1, 7, 2])
        let batches = LoadPlan(recordsPerBatch: records, bytesPerBatch: bytes).batches(for: content)
        #expect(batches.allSatisfy { $0.recordCount <= records })
        #expect(
            apply(batches, to: [("old", [99])])
                == ["s0": [1, 2, 3, 4], "s1": [5], "s2": [6, 7, 8, 9, 10, 11, 12], "s3": [13, 14]])
    }

    @Test("a list that fits one batch replaces the old one in one step")
    func atomic() throws {
        let batches = LoadPlan().batches(for: Self.content([2, 2]))
        #expect(batches.count == 1 && batches.first?.steps.count == 1)
        #expect(
            batches.first.map { String(decoding: $0.body(model: "M"), as: UTF8.self) }
                == #"{"operations":[{"op":"setSections","sections":[{"id":"s0","headerTitle":"s0","elements":[{"model":"M","value":1},{"model":"M","value":2}]},{"id":"s1","headerTitle":"s1","elements":[{"model":"M","value":3},{"model":"M","value":4}]}]}]}"#
        )
    }

    @Test("a record is sent as its file has it, without the white space between tokens")
    func compact() throws {
        let line = #" { "id" : 1.50 , "a b" : [ "x \" y" , "\\" , null ] ,\#t"ü": "\\"} "#
        let loaded = NDJSONRecords.read(Array((line + "\r\n").utf8))
        var body: [UInt8] = []
        try #require(loaded.records.first).text.write(to: &body)
        #expect(String(decoding: body, as: UTF8.self) == #"{"id":1.50,"a b":["x \" y","\\",null],"ü":"\\"}"#)
    }

    @Test("appending keeps what is there and makes only sections that are missing")
    func append() {
        let batches = LoadPlan(recordsPerBatch: 2, appends: true).batches(for: Self.content([3, 1]), existing: ["s0"])
        #expect(apply(batches, to: [("s0", [50]), ("x", [60])]) == ["s0": [50, 1, 2, 3], "s1": [4], "x": [60]])
    }

    @Test("records that the server refuses are taken out by its pointers, with or without the only operation")
    func rejection() throws {
        var batch = try #require(LoadPlan().batches(for: Self.content([2, 3])).first)
        let faults = try Self.faults([
            ("/operations/0/sections/1/elements/0/value", "no id"), ("/sections/1/elements/2", "bad"),
            ("/operations/0/sections/0/elements/1", "worse"), ("/operations/0/sections/1/elements/0", "again"),
        ])
        let removed = batch.removeRecords(faults)
        #expect(removed?.map(\.description) == ["record 2: worse", "record 3: no id", "record 5: bad"])
        #expect(apply([batch]) == ["s0": [1], "s1": [4]])
    }

    @Test(
        "a fault that is no record's is nobody's",
        arguments: [
            "", "/operations/0", "/operations/1/sections/0/elements/0",
            "/operations/0/sections/9/elements/0", "/operations/0/sections/0/elements/9", "/operations/0/sections/0/id",
        ])
    func otherFaults(pointer: String) throws {
        var batch = try #require(LoadPlan().batches(for: Self.content([2])).first)
        #expect(batch.removeRecords(try Self.faults([(pointer, "x")])) == nil)
        #expect(batch.recordCount == 2)
    }

    private static func faults(_ faults: [(String, String)]) throws -> [Problem.Fault] {
        faults.map { Problem.Fault(pointer: $0.0, detail: $0.1) }
    }

    @Test("an identifier that cannot work is found before anything is sent")
    func identifier() throws {
        let content = LoadContent(
            try Self.records([#"{"code":"x","name":"y"}"#]), rule: nil, titles: nil, fallback: "all")
        #expect(throws: ProgramError.self) { try IdentifierCheck.check("{id}", against: content) }
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
