import Testing

@testable import Directors

/// Lists that come in whole, as lines: they are read in parts, and nothing tells where one ends.
@Suite("Lists that are read by lines")
struct ContentReaderTests {
    /// Heads, elements, blank lines and every kind of line that is refused, with a byte order mark and two line ends.
    private static let lines =
        "\u{FEFF}"
        + [
            #"{"value":{"id":"stray"}}"#, "", #"{"id":"a","headerTitle":"A"}"#, #"{"value":{"id":"1"}}"#,
            "  \t ", #"{"value":{"id":"2"}}"#, #"{"value":{"id":"1"}}"#, "not JSON", "[1]", #"{"value":{}}"#,
            #"{"model":"Other","value":{"id":"3"}}"#, #"{"id":""}"#, #"{"value":{"id":"behind"}}"#,
            #"{"id":"b","elements":[{"value":{"id":"x"}},{"value":{"id":"x"}}]}"#, #"{"value":{"id":"x"}}"#,
            #"{"value":{"id":"y"}}"#, #"{"id":"r","rows":[{"type":"constant","cell":"C"}]}"#,
            #"{"value":{"id":"inRows"}}"#, #"{"id":"c","wrong":1}"#, #"{"id":"d"}"#, #"{"value":{"id":"last"}}"#,
        ].joined(separator: "\r\n")

    private func reader(of text: String, isPartial: Bool = true, partLength: Int) throws -> ContentReader {
        var director = Director(name: "d", epoch: "e", properties: DirectorProperties(defaultsOf: .table))
        let form = #"{"op":"setAdapter","model":"M","value":{"cell":"Cell","identifier":"{id}"}}"#
        try director.perform([Directors.Operation.decode(node(form))])
        var reader = try ContentReader(.everything, of: director)
        reader.read(lines: Array(text.utf8), isPartial: isPartial, partLength: partLength)
        return reader
    }

    /// What a reader has made of its lines: sections with their elements, and what it says of lines.
    private func trace(_ reader: ContentReader) -> [String] {
        var reader = reader
        let sections = reader.finish().sections.map { section in
            "\(section.identifier): \(section.elements.map(\.identifier)) \(section.rows?.count ?? -1)"
        }
        let refused = reader.refused.map { "\($0.line) \($0.fault.pointer) \($0.fault.detail)" }
        let duplicates = reader.duplicates.map { "\($0.line) \($0.identifier)" }
        return sections + refused + duplicates + ["\(reader.refusedCount) \(reader.duplicateCount)"]
    }

    @Test("a list is read as a whole is, wherever its parts end, in one part and in hundreds")
    func parts() throws {
        let whole = trace(try reader(of: Self.lines, partLength: .max / 2))
        let sections = [#"a: ["1", "2", "1"] -1"#, #"b: ["x", "x", "x", "y"] -1"#, "r: [] 1", #"d: ["last"] -1"#]
        #expect(whole.prefix(4) == sections[...])
        let refused = whole.compactMap { Int($0.prefix { $0 != " " }) }.prefix(9)
        #expect(refused == [1, 8, 9, 10, 11, 12, 13, 18, 19])
        #expect(whole.suffix(3) == ["7 1", "15 x", "9 2"])
        for length in 0...Self.lines.utf8.count {
            #expect(trace(try reader(of: Self.lines, partLength: length)) == whole, "parts of \(length) bytes")
        }
    }

    @Test("a list that has to be whole is given up where an error names no more, whatever the parts")
    func limit() throws {
        let text = "{\"id\":\"a\"}\n" + String(repeating: "1\n\n[]\n", count: 200)
        let whole = trace(try reader(of: text, isPartial: false, partLength: .max / 2))
        #expect(whole.last == "\(Fault.limit) 0")
        for length in [0, 1, 7, 64, 300] {
            #expect(trace(try reader(of: text, isPartial: false, partLength: length)) == whole)
        }
    }

    @Test("lines without an adapter name the adapters as long as somebody is told of them")
    func adapters() throws {
        let line = #"{"model":"Other","value":{"id":"1"}}"# + "\n"
        let count = ContentReader.keptRefusals + 10
        let reader = try reader(of: "{\"id\":\"a\"}\n" + String(repeating: line, count: count), partLength: 4096)
        #expect(reader.refusedCount == count && reader.refused.count == ContentReader.keptRefusals)
        #expect(reader.refused.allSatisfy { $0.fault.detail.hasSuffix("there are \"M\"") })
    }
}
