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

    /// Whether a text is surely one JSON value: the only element of an array.
    private func isTaken(_ text: [UInt8]) -> Bool {
        JSONScanner.elements(of: Array("[".utf8) + text + Array("]".utf8))?.count == 1
    }

    @Test("a scanner takes what a parser takes, and lines of NDJSON are taken too", arguments: texts)
    func takes(_ text: String) {
        let bytes = Array(text.utf8)
        // Escapes by number are left to the parser.
        #expect(isTaken(bytes) == !text.contains("\\u"))
        #expect(NDJSONRecords.read(bytes).records.count == 1)
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
        #expect(!isTaken(bytes))
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
            guard isTaken(bytes) else { continue }
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
}
