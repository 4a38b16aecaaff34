import JSONValues
import Testing

@testable import Directors

@Suite("The names of mutations")
struct CauseListTests {
    @Test("a name is there once, where it was used last, and the newest 100 are kept")
    func order() {
        var list = CauseList(["a", "b", "a"])
        #expect(list.names == ["b", "a"])
        for number in 0..<99 { list.append("\(number)") }
        #expect(list.names.count == 100 && list.names.first == "a")
        list.append("100")
        #expect(list.names.count == 100 && list.names.first == "0" && list.names.last == "100")
    }

    @Test("several lists together are what appending all of them gives")
    func spans() {
        let lists = [["a", "b"], [], (0..<70).map { "\($0)" }, ["a"], (40..<100).map { "\($0)" }]
        var one = CauseList()
        for name in lists.joined() { one.append(name) }
        #expect(CauseList(newestFirst: lists.reversed().map { CauseList($0) }) == one)
        #expect(one.names.count == 100 && one.names.first == "1")
    }

    @Test(
        "a name has 1 to 64 visible ASCII characters",
        arguments: [
            ("a", true), ("!~", true), (String(repeating: "x", count: 64), true), ("", false), ("a b", false),
            ("é", false), ("\u{7f}", false), ("a\tb", false), (String(repeating: "x", count: 65), false),
        ])
    func form(name: String, isGood: Bool) {
        #expect(CauseList.isWellFormed(name) == isGood)
    }

    private func subject() throws -> Director {
        var director = Director(name: "d", epoch: "e", properties: DirectorProperties(defaultsOf: .table))
        try director.register(CellAdapter(model: "M", cell: "C"))
        try director.perform([.sections(.set([SectionDraft(identifier: "s")]))])
        _ = try director.reload()
        return director
    }

    @Test("a reload that finds nothing to publish leaves the names to the next version, and keeps none of its own")
    func equal() throws {
        var director = try subject()
        try director.perform([.setVariable(name: "v", value: try JSONValue(parsing: "null"))])
        director.note(cause: "first")
        #expect(try director.reload(cause: "own") == nil)
        #expect(director.working.causes.names == ["first"])
        try director.perform([.sections(.add([SectionDraft(identifier: "t")]))])
        #expect(try director.reload(cause: "reload")?.causes.names == ["first", "reload"])
        #expect(director.working.causes.isEmpty)
        try director.perform([.sections(.remove(.first))])
        #expect(try director.reload()?.causes.isEmpty == true)
    }

    @Test("a changeset without causes does not mention them, and one with some is read as it was written")
    func coding() throws {
        var director = try subject()
        let before = director
        let causes = CauseList(["quote\"", "back\\slash", "plain"])
        try director.perform([.sections(.add([SectionDraft(identifier: "t")]))])
        for cause in causes.names { director.note(cause: cause) }
        let change = try #require(try director.reload())
        var writer = JSONWriter()
        change.encode(to: &writer)
        #expect(writer.bytes.count <= change.textEstimate)
        let root = try JSONDocument(writer.bytes).root
        #expect(root["causes"]?.elements.compactMap(\.string) == causes.names)
        #expect(try PublishedChange.decode(root, for: director).causes == causes)
        writer = JSONWriter()
        director.change(from: before.published, to: director.published).encode(to: &writer)
        #expect(try JSONDocument(writer.bytes).root["causes"] == nil)
    }
}
