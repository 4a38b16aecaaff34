import TestSupport
import Testing

@testable import CallboardClient
@testable import CallboardProgram

@Suite("Records that are sent as they stand in their file")
struct JSONScannerTests {
    private static let texts = [
        #"{"id":0,"name":"Ada","tags":["a","b"],"nested":{"x":-1.5e+3,"y":null,"z":[true,false,{}]}}"#, "[]", "{}",
        "  12 ", #""text""#, "-0", "1.0E5", "[[[[]]]]", #"{"a":1,"b":{"a":1}}"#, #"{"ü":"é \\ \" \n"}"#, "null",
        #"{ "a" : [ 1 , 2 ] , "b" : "c" }"#, #"[1,"\u00e9"]"#,
    ]

    @Test("a scanner takes what a parser takes", arguments: texts)
    func takes(_ text: String) {
        let bytes = Array(text.utf8)
        // Escapes by number are left to the parser.
        #expect(JSONScanner.accepts(bytes, in: 0..<bytes.count) == !text.contains("\\u"))
    }

    @Test(
        "a scanner takes no text that is two values, or none, so that no line can break out of its element",
        arguments: [
            #"1},{"model":"M","value":2"#, "1,2", "", " ", "{", "}", "[1,]", #"{"a":1,}"#, #"{"a":1,"a":2}"#, "01",
            "1.",
            "-", "+1", "tru", "nulll", #""a"#, #"{"a"}"#, "[1 2]", "\"a\u{1}b\"", #""\x""#, "1e", "NaN", "'a'",
        ])
    func refuses(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(!JSONScanner.accepts(bytes, in: 0..<bytes.count))
        #expect(NDJSONRecords.read(bytes).records.isEmpty)
    }

    @Test("whatever a scanner takes of texts that were changed at random, a parser takes too")
    func mutations() throws {
        var random = SeededGenerator(seed: SeededGenerator.seedOfRun("scanner"))
        let alphabet = Array("{}[],:\"\\ 0123456789.eE+-truefalsn\n".utf8) + [0x00, 0x80, 0xC3, 0xFF]
        var taken = 0
        for _ in 0..<20_000 {
            var bytes = Array(Self.texts[random.below(Self.texts.count)].utf8)
            for _ in 0...random.below(3) where !bytes.isEmpty {
                let position = random.below(bytes.count)
                switch random.below(3) {
                case 0: bytes[position] = alphabet[random.below(alphabet.count)]
                case 1: bytes.insert(alphabet[random.below(alphabet.count)], at: position)
                default: bytes.remove(at: position)
                }
            }
            guard JSONScanner.accepts(bytes, in: 0..<bytes.count) else { continue }
            taken += 1
            let value = try? JSON(parsing: bytes)
            #expect(value != nil, "\(String(decoding: bytes, as: UTF8.self))")
            var copy: [UInt8] = []
            RecordText(bytes).write(to: &copy)
            #expect((try? JSON(parsing: copy)) == value, "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(taken > 1000)
    }

    @Test("a document's records are the elements of its array, and another document is left to the parser")
    func documents() throws {
        let content = Array(#" [ {"id": 1} , 2,"x" ] "#.utf8)
        let records = try JSONRecords(path: "p", pointer: nil).read(content).records
        #expect(records.map(\.value) == [["id": 1], 2, "x"] && records.map(\.place.record) == [1, 2, 3])
        #expect(JSONScanner.elements(of: Array("[]".utf8)) == [])
        for other in ["{}", "[1,", "[1] 2", "7"] { #expect(JSONScanner.elements(of: Array(other.utf8)) == nil) }
    }

    private static let changeset = #"""
        {"director":"d \"stages\": [","epoch":"e","from":1,"version":12,"animations":{"elementInserted":"fade"},
         "stages":[{"elementUpdated":[{"at":[0,1],"element":{"id":"a","value":{"stages":[{"x":[1,2]}]}}}],
         "sectionDeleted":[1,2,3],"elementDeleted":[[0,1],[0,2]]},{"sectionInserted":[{"at":0,"section":{"id":"s",
         "elements":[{"id":"1","value":"]}"},{"id":"2","value":2}]}}],"elementMoved":[]}],
         "replaced":[{"at":[0,0],"element":{"id":"r","value":[1,2]}}],"counts":{"sections":1,"elements":2},
         "causes":["a,b"]}
        """#

    @Test("a changeset is counted the same however it is cut into pieces", arguments: [1, 2, 7, 64, 10_000])
    func counting(_ length: Int) throws {
        var counter = ChangesetCounter()
        let bytes = Array(Self.changeset.utf8)
        for start in stride(from: 0, to: bytes.count, by: length) {
            counter.read(Array(bytes[start..<min(start + length, bytes.count)]))
        }
        let counts = try #require(counter.counts)
        #expect(counts.version == 12 && counts.changes.replaced == 1 && !counts.isEmpty)
        #expect(
            counts.changes.description
                == "1 section inserted, 3 sections deleted, 2 elements deleted, 1 element updated, 1 element replaced")
    }

    @Test("an answer without a version is none, and one without stages has changed nothing")
    func otherAnswers() {
        var counter = ChangesetCounter()
        counter.read(Array(#"{"title":"x"}"#.utf8))
        #expect(counter.counts == nil)
        counter.read(Array(#"{"version":3,"stages":[]}"#.utf8))
        #expect(counter.counts?.isEmpty == true && counter.counts?.version == 3)
    }
}
