import CallboardClient
import Testing

@testable import CallboardProgram

@Suite("Reading records")
struct RecordTests {
    private func read(
        _ text: String, _ format: RecordFormat, pointer: String? = nil, types: String? = nil
    ) throws -> LoadedRecords {
        var reader = RecordReader(path: "file", format: format, pointer: pointer)
        if let types { reader.types = try #require(ColumnTypes(parsing: types)) }
        return try reader.read(Array(text.utf8))
    }

    /// The same three records in every format, with LF as line ends.
    private static let samples: [(RecordFormat, String)] = [
        (.csv, "id,t\n1,x\n2,\"y y\"\n3,z\n"), (.ndjson, "{\"id\":\"1\"}\n{\"id\":\"2\"}\n{\"id\":\"3\"}\n"),
        (.json, "[{\"id\":\"1\"},\n{\"id\":\"2\"},\n{\"id\":\"3\"}]\n"),
        (
            .emojiTest,
            "# group: G\n1 ; q # a E1.0 a\n2 ; q # b E1.0 b\n3 ; q # c E1.0 c\n"
        ),
    ]

    @Test(
        "line ends are LF, CR LF or CR, with and without the last one and a byte order mark", arguments: samples.indices
    )
    func lineEnds(sample: Int) throws {
        let (format, text) = Self.samples[sample]
        for end in ["\n", "\r\n", "\r"] {
            for mark in ["", "\u{FEFF}"] {
                for isWhole in [true, false] {
                    let lines = isWhole ? text : String(text.dropLast())
                    let loaded = try read(mark + lines.replacing("\n", with: end), format)
                    #expect(loaded.records.count == 3 && loaded.rejected.isEmpty, "\(format) \(end.debugDescription)")
                }
            }
        }
    }

    @Test("a file that is cut anywhere has what a shorter file has, or is told to be cut", arguments: samples.indices)
    func truncated(sample: Int) throws {
        let (format, text) = Self.samples[sample]
        let whole = try read(text, format).records.map(\.value)
        for count in 0..<text.utf8.count {
            let part = String(decoding: Array(text.utf8.prefix(count)), as: UTF8.self)
            guard let loaded = try? read(part, format) else { continue }
            // What CSV and the emoji's file have at their end may be cut without anybody being able to tell.
            let known = format == .csv || format == .emojiTest ? loaded.records.dropLast() : loaded.records[...]
            #expect(known.map(\.value) == Array(whole.prefix(known.count)), "\(format), \(count) bytes")
            if format == .json { #expect(count == text.utf8.count - 1, "\(count) bytes") }
        }
    }

    @Test(
        "one record that is no JSON, or too deep, is left out of a document and named, wherever it stands",
        arguments: 0..<3)
    func badRecordInDocument(place: Int) throws {
        let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
        for (bad, pointer, form) in [
            ("{oops}", nil, "[%]"), (deep, nil, #"{"n":1,"list":[%]}"#),
            ("{\"a\":1,\"a\":2}", "/a/b", #"{"a":{"b":[%]}}"#),
            ("nul", nil, "\n [ % ]\n"), ("\"\u{1}\"", nil, "[%]"),
        ] as [(String, String?, String)] {
            var records = [#"{"id":"a,]\""}"#, #"{"id":[{}]}"#]
            records.insert(bad, at: place)
            let text = form.replacing("%", with: records.joined(separator: " , "))
            let loaded = try read(text, .json, pointer: pointer)
            #expect(loaded.records.map(\.place.record) == [1, 2, 3].filter { $0 != place + 1 }, "\(bad.prefix(20))")
            #expect(loaded.rejected.map(\.place.record) == [place + 1], "\(bad.prefix(20))")
        }
    }

    @Test("columns have the types that they are given, and a value that is of another one is left out")
    func types() throws {
        let loaded = try read(
            "n,b,j,s\n1.50,TRUE,\"[1]\",7\n,,,\nx,no,{},y\n2,maybe,{},y\n3,0,{,y\n01,1,1,1\n", .csv,
            types: "n:number,b:boolean,j:json")
        #expect(
            loaded.records.map(\.value.text) == [
                #"{"n":1.50,"b":true,"j":[1],"s":"7"}"#, #"{"n":null,"b":null,"j":null,"s":""}"#,
            ])
        #expect(loaded.rejected.map(\.place.line) == [4, 5, 6, 7])
        #expect(loaded.rejected.first?.reason == "\"x\" in the column \"n\" is not a number")
        #expect(throws: ProgramError.self) { try read("a\n1\n", .csv, types: "b:number") }
        for bad in ["", "a", "a:int", ":number", "a:number,"] { #expect(ColumnTypes(parsing: bad) == nil, "\(bad)") }
    }

    @Test(
        "a document's records are the array, the only array in it, or what --at names",
        arguments: [
            ("[1,2]", nil, "[1,2]"), (#"{"3166-2":[1,2],"count":2}"#, nil, "[1,2]"),
            (#"{"a":[1],"b":{"c":[2,3]}}"#, "/b/c", "[2,3]"),
            (#"{"x":{"id":1},"y":{"id":2}}"#, "", #"[{"id":1},{"id":2}]"#),
        ] as [(String, String?, String)])
    func documents(text: String, pointer: String?, expected: String) throws {
        let records = try read(text, .json, pointer: pointer).records
        #expect(JSON.array(records.map(\.value)).text == expected)
        #expect(records.map(\.place.record) == Array(1...records.count))
    }

    @Test(
        "a document without clear records says what to do",
        arguments: [
            (#"{"a":[1],"b":[2]}"#, nil, "--at"), ("{\"a\":1}", "/b", "/a"), ("{\"a\":1}", "/a", "neither"),
            ("[1,\n 2,,]", nil, "file:2:4"),
        ] as [(String, String?, String)])
    func unclearDocuments(text: String, pointer: String?, part: String) {
        #expect {
            try read(text, .json, pointer: pointer)
        } throws: { error in
            "\(error)".contains(part)
        }
    }

    @Test("bad lines of NDJSON are left out with their line numbers")
    func ndjson() throws {
        let loaded = try read("{\"id\":1}\n\n{oops}\r\n {\"id\":1.0}\r\n", .ndjson)
        #expect(loaded.records.map(\.value.text) == [#"{"id":1}"#, #"{"id":1.0}"#])
        #expect(loaded.records.map(\.place) == [.init(record: 1, line: 1), .init(record: 3, line: 4)])
        #expect(loaded.rejected.map(\.place) == [.init(record: 2, line: 3)])
    }

    @Test("a long file of NDJSON is read in parts, and its records and their places are those of one part")
    func longNDJSON() throws {
        var lines: [String] = []
        for number in 1...60_000 {
            // A line of its own length each, with blank lines and bad ones among them, so that parts begin anywhere.
            if number % 7 == 0 { lines.append("") }
            let text = String(repeating: "x", count: number % 97)
            lines.append(number % 1_000 == 0 ? "{oops" : #"{"id":\#(number),"t":"\#(text)"}"#)
        }
        let loaded = try read(lines.joined(separator: "\n"), .ndjson)
        var (number, expected, rejected): (Int, [LoadRecord.Place], [LoadRecord.Place]) = (0, [], [])
        for (index, line) in lines.enumerated() where !line.isEmpty {
            number += 1
            let place = LoadRecord.Place(record: number, line: index + 1)
            if line == "{oops" { rejected.append(place) } else { expected.append(place) }
        }
        #expect(loaded.records.map(\.place) == expected && loaded.rejected.map(\.place) == rejected)
        #expect(loaded.records.allSatisfy { $0.value.objectValue?["id"] == .number(JSONNumber($0.place.record)) })
    }

    @Test("CSV is read as RFC 4180 has it")
    func csv() throws {
        let text = "\u{FEFF}name,\"the \"\"note\"\"\"\r\nAnn,\"a,\nb\"\r\nBob,\n\nÜmit,x"
        let loaded = try read(text, .csv)
        #expect(
            loaded.records.map(\.value.text) == [
                #"{"name":"Ann","the \"note\"":"a,\nb"}"#, #"{"name":"Bob","the \"note\"":""}"#,
                #"{"name":"Ümit","the \"note\"":"x"}"#,
            ])
        #expect(loaded.records.map(\.place.line) == [2, 4, 6])
        #expect(loaded.rejected.isEmpty)
    }

    @Test("bad rows of CSV are left out with the reason")
    func badRows() throws {
        let loaded = try read("a,b\n1\n1,2,3\n\"x\"y,2\n3,4\n5,\"open\n", .csv)
        #expect(loaded.records.map(\.value.text) == [#"{"a":"3","b":"4"}"#])
        #expect(loaded.rejected.map(\.place.line) == [2, 3, 4, 6])
        #expect(loaded.rejected.first?.reason == "1 field where the heading has 2")
        #expect(loaded.rejected.last?.reason == "a quote that is never closed")
    }

    @Test("bytes that are not UTF-8 reject their row only")
    func badEncoding() throws {
        let bytes = Array("a\nx\n".utf8) + [0xFF, 0x0A] + Array("y\n".utf8)
        let loaded = try RecordReader(path: "file", format: .csv).read(bytes)
        #expect(loaded.records.count == 2)
        #expect(loaded.rejected.map(\.reason) == ["not UTF-8"])
    }

    @Test("a heading that cannot name members stops the load", arguments: ["a,a\n1,2\n", "a,,b\n1,2,3\n", "\"a"])
    func badHeading(text: String) {
        #expect(throws: ProgramError.self) { try read(text, .csv) }
    }

    @Test("emoji come in groups")
    func emoji() throws {
        let text = """
            # emoji-test.txt
            # group: Smileys & Emotion
            # subgroup: face-smiling
            1F600      ; fully-qualified     # 😀 E1.0 grinning face
            nonsense
            # group: Flags
            # subgroup: flag
            1F3C1      ; fully-qualified     # 🏁 E0.6 chequered flag
            1F3FB      ; component           # \u{1F3FB} E1.0 light skin tone
            """
        let loaded = try read(text, .emojiTest)
        #expect(loaded.records.map(\.section) == ["Smileys & Emotion", "Flags", "Flags"])
        // A space and a skin tone are one character to Swift; the emoji is the skin tone alone.
        #expect(loaded.records.last?.value.text.hasPrefix("{\"emoji\":\"\u{1F3FB}\",") == true)
        #expect(
            loaded.records.first?.value.text
                == #"{"emoji":"😀","name":"grinning face","codePoints":"1F600","status":"fully-qualified","since":"E1.0","subgroup":"face-smiling"}"#
        )
        #expect(loaded.rejected.map(\.place.line) == [5])
    }

    @Test(
        "a format is told from a file's name",
        arguments: [
            ("a.json", .json), ("a.NDJSON", .ndjson), ("b.jsonl", .ndjson), ("c.csv", .csv), ("c.tsv", .csv),
            ("/x/emoji-test.txt", .emojiTest), ("x.txt", nil), ("json", .json), ("", nil),
        ] as [(String, RecordFormat?)])
    func formats(path: String, format: RecordFormat?) {
        // A file that is called "json" has no ending; taking it for JSON does no harm.
        #expect(RecordFormat(path: path) == format)
    }
}
