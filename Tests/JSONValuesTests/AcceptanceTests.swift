import Foundation
import JSONValues
import Testing

@Suite("What is taken as JSON")
struct AcceptanceTests {
    /// Texts that are JSON, and texts that are not, from the corners of RFC 8259.
    static let accepted = [
        "null", "true", "false", "0", "-0", "-1", "1.5", "1e5", "1E+5", "1e-5", "0.0", "\"\"", "\"a\"", "[]", "{}",
        " [ ] ",
        "\t\r\n 1 \t\r\n", "[1,2]", "[[],{}]", "{\"a\":1}", "{\"\":0}", "{\"a\":{\"a\":[{\"a\":null}]}}", "\"\\u0000\"",
        "\"\\ud83d\\ude00\"", "\"😀\"", "\"\\/\\b\\f\\n\\r\\t\\\"\\\\\"", "\"\u{7F}\"", "\"\u{2028}\"", "\"[{,:}]\"",
        "[\"\\\\\"]", "{\"a\\\"\":\"\\\\\"}",
        "[ 1 , 2 ]", "{ \"a\" : 1 , \"b\" : 2 }", "[null,true,false]", "\"\\uD7FF\\uE000\"", "1e999999999",
        "123456789012345678901234567890",
    ]

    static let refused = [
        "", " ", "nul", "nulll", "True", "NaN", "Infinity", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "0x10",
        "1.e5",
        "1_000", "1 2", "[1,]", "[,1]", "[1,,2]", "[1 2]", "[", "]", "[1", "{", "}", "{\"a\"}", "{\"a\":}",
        "{\"a\":1,}", "{,}",
        "{\"a\" 1}", "{a:1}", "{'a':1}", "{1:2}", "[1}", "{\"a\":1]", "'a'", "\"", "\"a", "\"\\x\"", "\"\\u12\"",
        "\"\\u12G4\"",
        "\"a\nb\"", "\"a\tb\"", "\"\u{0}\"", "[1]]", "{}{}", "null null", "\"a\"\"b\"", "\"a\"b", "b\"a\"", "12\"a\"",
        "true\"a\"", "[\"a\"1]",
        "\\\"a\"", "\u{FEFF}1", "/* */ 1", "1 // c", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\ud800\"", "\"\\ud800x\"",
        "\"\\ud83d\\u0041\"",
        "{\"a\":1 \"b\":2}", "{\"a\":1:2}", "[1:2]", ":", ",", "{:}", "{\"a\"::1}", "\u{A0}1", "\"\\", "\"\\\"",
        "{\"a\":1,\"a\":2}",
        "{\"a\":1,\"\\u0061\":2}",
    ]

    @Test("JSON is taken", arguments: accepted)
    func accepts(_ text: String) throws {
        _ = try JSONDocument(text)
    }

    @Test("what is not JSON is refused", arguments: refused)
    func refuses(_ text: String) {
        #expect(throws: JSONError.self) { try JSONDocument(text) }
    }

    /// Where Foundation's reader and ours rightly differ.
    ///
    /// Foundation takes the last of two members with one name and numbers beyond the range of a double only in part; it
    /// lets a comma follow the last element or member, which RFC 8259 does not; it skips a byte order mark, which RFC
    /// 8259, section 8.1, allows a reader to do but not a sender to write.
    static let foundationDiffers: Set<String> = [
        "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "1e999999999", "\u{FEFF}1", "[1,]",
        "{\"a\":1,}",
    ]

    @Test("Foundation's reader agrees but for known differences", arguments: accepted + refused)
    func foundation(_ text: String) {
        guard !Self.foundationDiffers.contains(text) else { return }
        #expect(isTakenByFoundation(Array(text.utf8)) == ((try? JSONDocument(text)) != nil))
    }

    private func isTakenByFoundation(_ bytes: [UInt8]) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])) != nil
    }

    @Test("every beginning of a document but the whole is refused")
    func prefixes() throws {
        let text = Array("{\"a\": [1, true, null, \"x\\n\\u00e9é\", {\"b\": -1.5e3}], \"c\": {}}".utf8)
        _ = try JSONDocument(text)
        for end in 0..<text.count {
            #expect(throws: JSONError.self, "\(end) bytes") { try JSONDocument(Array(text[..<end])) }
        }
    }

    @Test(
        "bytes that are not UTF-8 are refused and found",
        arguments: [
            ([0x22, 0xFF, 0x22], 1), ([0x22, 0xC0, 0x80, 0x22], 1), ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),
            ([0x22, 0x61, 0xC3, 0x22], 2), ([0x22, 0xC3, 0xA9, 0xF5, 0x22], 3), ([0x22, 0x80, 0x22], 1),
            ([0x22, 0xF0, 0x9F, 0x98, 0x22], 1),
        ] as [([UInt8], Int)])
    func invalidUTF8(_ row: ([UInt8], Int)) {
        let error = #expect(throws: JSONError.self) { try JSONDocument(row.0) }
        #expect(error == JSONError(reason: .invalidUTF8, offset: row.1))
    }

    @Test(
        "an error says what is wrong and where",
        arguments: [
            ("[1,]", .expectedValue, 3), ("[1 2]", .expectedCommaOrBracket, 3),
            ("{\"a\":1 \"b\"}", .expectedCommaOrBrace, 7),
            ("{\"a\" 1}", .expectedColon, 5), ("{a:1}", .expectedName, 1), ("{\"a\":1,}", .expectedName, 7),
            ("01", .invalidNumber, 0),
            ("[1.]", .invalidNumber, 1), ("tru", .invalidLiteral, 0), ("\"\\x\"", .invalidEscape, 1),
            ("\"\\ud800\"", .loneSurrogate, 1),
            ("1 1", .trailingContent, 2), ("", .empty, 0), ("[", .unexpectedEnd, 1), ("[\"", .unclosedString, 2),
            ("\"a\nb\"", .controlCharacter, 2),
            ("{\"a\":1,\"\\u0061\":2}", .duplicateName("a"), 7),
        ] as [(String, JSONError.Reason, Int)])
    func errors(_ row: (String, JSONError.Reason, Int)) {
        let error = #expect(throws: JSONError.self) { try JSONDocument(row.0) }
        #expect(error == JSONError(reason: row.1, offset: row.2))
    }

    @Test("nesting is taken up to the limit and refused beyond it")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try JSONDocument(nested(128))
        let error = #expect(throws: JSONError.self) { try JSONDocument(nested(129)) }
        #expect(error == JSONError(reason: .tooDeep(limit: 128), offset: 128))
        _ = try JSONDocument(nested(512), maximumDepth: 512)
        #expect(throws: JSONError.self) { try JSONDocument(nested(513), maximumDepth: 100_000) }
        #expect(throws: JSONError.self) { try JSONDocument(String(repeating: "{\"a\":", count: 1_000_000)) }
    }

    @Test("a member that is there twice is found among many", arguments: [2, 8, 9, 200, 5_000])
    func duplicates(_ count: Int) throws {
        var names = (0..<count).map { "\"name\($0)\":\($0)" }
        _ = try JSONDocument("{" + names.joined(separator: ",") + "}")
        names.insert("\"n\\u0061me\(count / 2)\":0", at: 0)
        let error = #expect(throws: JSONError.self) { try JSONDocument("{" + names.joined(separator: ",") + "}") }
        #expect(error?.reason == .duplicateName("name\(count / 2)"))
    }

    @Test(
        "bytes that are not UTF-8 are refused outside of strings too",
        arguments: [[0x31, 0xC3], [0xFF], [0x5B, 0x80, 0x5D]])
    func invalidUTF8OutsideStrings(_ bytes: [UInt8]) {
        #expect(throws: JSONError.self) { try JSONDocument(bytes) }
    }

    @Test("names that look alike but are written with other scalars are different members")
    func normalization() throws {
        let document = try JSONDocument("{\"\u{E9}\":1,\"e\u{301}\":2}")
        #expect(document.root["e\u{301}"]?.int == 2)
        #expect(document.root["\u{E9}"]?.int == 1)
        #expect(try JSONValue(parsing: "\"\u{E9}\"") != JSONValue(parsing: "\"e\u{301}\""))
    }
}
