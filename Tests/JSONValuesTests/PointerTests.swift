import JSONValues
import TestSupport
import Testing

@Suite("JSON pointers")
struct PointerTests {
    static let document = #"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#

    /// RFC 6901, section 5.
    @Test(
        "the examples of RFC 6901 lead to its values",
        arguments: [
            ("", document), ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"),
            ("/c%d", "2"),
            ("/e^f", "3"), ("/g|h", "4"), (#"/i\j"#, "5"), (#"/k"l"#, "6"), ("/ ", "7"), ("/m~0n", "8"),
        ])
    func examples(_ row: (String, String)) throws {
        let pointer = try #require(JSONPointer(parsing: row.0))
        #expect(try JSONValue(parsing: Self.document).value(at: pointer)?.text == row.1)
        #expect(pointer.description == row.0)
    }

    @Test(
        "what leads nowhere finds nothing",
        arguments: [
            "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/+1", "/foo/x", "/bar", "/a", "//", "/foo/0/0",
            "/foo/99999999999999999999",
        ])
    func nothing(_ text: String) throws {
        let pointer = try #require(JSONPointer(parsing: text))
        #expect(try JSONValue(parsing: Self.document).value(at: pointer) == nil)
    }

    @Test("what is no pointer is refused", arguments: ["foo", "~", "/~", "/~2", "/a~", " /a"])
    func invalid(_ text: String) {
        #expect(JSONPointer(parsing: text) == nil)
    }

    @Test("many pointers find what each finds alone, in whatever order they come", arguments: [1, 4, 5, 300])
    func many(_ count: Int) throws {
        let long = (0..<300).map { "{\"n\":\($0)}" }.joined(separator: ",")
        let wide = (0..<20).map { "\"m\($0)\":[\($0)]" }.joined(separator: ",")
        let document = try JSONDocument("{\"long\":[\(long)],\"wide\":{\(wide)},\"none\":[]}")
        let seed = SeededGenerator.seedOfRun("finder")
        var generator = SeededGenerator(seed: seed)
        let texts =
            (0...310).map { "/long/\($0)/n" } + (0...20).map { "/wide/m\($0)/0" } + ["/none/0", "/x/0", "/long/01"]
        for _ in 0..<20 {
            var finder = PointerFinder(document.root, count: count)
            for text in texts.shuffled(using: &generator).prefix(count) {
                let pointer = try #require(JSONPointer(parsing: text))
                let (found, alone) = (finder.node(at: pointer), document.root.node(at: pointer))
                #expect(found?.pointer == alone?.pointer, "\(text), seed \(seed)")
            }
        }
    }

    @Test("every node knows the way that leads to it")
    func ways() throws {
        let seed = SeededGenerator.seedOfRun("pointers")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            var rendering = Rendering(seed: generator.next())
            let document = try JSONDocument(rendering.text(.random(depth: 3, using: &generator)))
            check(document.root, in: document)
        }
        func check(_ node: JSONNode, in document: JSONDocument) {
            let found = JSONPointer(parsing: node.pointer.description).flatMap { document.root.node(at: $0) }
            #expect(found?.text == node.text && found?.pointer == node.pointer, "seed \(seed)")
            for member in node.members { check(member.value, in: document) }
            for element in node.elements { check(element, in: document) }
        }
    }
}
