import JSONValues
import ListDiff
import Testing

@testable import Directors

@Suite("What rows show")
struct RowShowingTests {
    @Test("a section whose rows are all hidden is not shown, and one without rows or elements is")
    func hiddenSections() throws {
        let director = try rowDirector(
            rowSection("none"), rowSection("empty", modelRow("m", [])),
            rowSection("hidden", constant("c", #","hideWhen":true"#)),
            rowSection(
                "each", modelRow("m", numbered(3), #","hideWhen":{"<":[{"var":"model.n"},{"var":"variables.n"}]}"#)),
            #"{"id":"elements","elements":[]}"#, variables: ["n": "1"])
        _ = try director.reload()
        #expect(director.shown == "none: | empty: | each: e1 e2 | elements:")
        try director.perform(form: #"{"op":"setVariable","name":"n","value":3}"#)
        let change = try #require(try director.reload())
        #expect(change.changeset.stages.map(\.sectionDeleted) == [[2]])
        #expect(director.shown == "none: | empty: | elements:")
        try director.perform(form: #"{"op":"setVariable","name":"n","value":0}"#)
        #expect(try director.reload()?.changeset.stages.flatMap(\.sectionInserted).map(\.at) == [2])
    }

    @Test("a collapsed section of rows shows its header alone")
    func collapsed() throws {
        let director = try rowDirector(
            rowSection(
                "s", constant("a"), modelRow("m", numbered(2)), members: #","isCollapsed":true,"headerTitle":"H""#))
        _ = try director.reload()
        #expect(director.shown == "s:" && director.value.published.list.counts == ListCounts(sections: 1, elements: 0))
        #expect(director.value.published.list.indexPaths(ofRow: "m", in: "s").isEmpty)
        try director.perform(form: #"{"op":"patchSection","section":"s","patch":{"isCollapsed":false}}"#)
        _ = try director.reload()
        #expect(director.shown == "s: a e0 e1")
    }

    @Test("a section without rows is published as one of elements, whether other sections have rows or not")
    func published() throws {
        let director = try rowDirector(rowSection("s"))
        let change = try #require(try director.reload())
        let form = text { change.encode(to: &$0) }
        #expect(form.contains(#"{"id":"s","isCollapsed":false,"elements":[]}"#))
        for operation in [
            "{\"op\":\"addRows\",\"section\":\"s\",\"rows\":[\(constant("c"))]}",
            #"{"op":"removeAllRows","section":"s"}"#,
            #"{"op":"patchSection","section":"s","patch":{"headerTitle":"H"}}"#,
        ] {
            try director.perform(form: operation)
            _ = try director.reload()
            let section = director.value.published.list.sections[0]
            let form = text { section.encode(to: &$0, includingElements: true) }
            #expect(section.rows == nil && form.contains("\"elements\":["))
        }
    }

    @Test("a row's cell is its own or its adapter's, and so is what the client dequeues it by")
    func cells() throws {
        let director = try rowDirector(
            rowSection(
                "s", constant("a", #","value":{"t":1}"#), constant("b", #","reuseIdentifier":"R""#),
                modelRow("c", ["\"x\""]),
                modelRow("d", ["\"x\""], #","cell":"Own""#), modelRow("e", ["\"x\""], #","reuseIdentifier":"R""#)))
        _ = try director.reload()
        let model = #","model":"Item","value":"x"}"#
        #expect(director.form(0, 0) == #"{"id":"a","row":"a","cell":"C","reuseIdentifier":"C","value":{"t":1}}"#)
        #expect(director.form(0, 1) == #"{"id":"b","row":"b","cell":"C","reuseIdentifier":"R","value":null}"#)
        #expect(director.form(0, 2) == #"{"id":"x","row":"c","cell":"ItemCell","reuseIdentifier":"ItemCell""# + model)
        #expect(director.form(0, 3) == #"{"id":"x","row":"d","cell":"Own","reuseIdentifier":"Own""# + model)
        #expect(director.form(0, 4) == #"{"id":"x","row":"e","cell":"ItemCell","reuseIdentifier":"R""# + model)
    }

    @Test("an adapter that is replaced is that of the elements of rows too")
    func adapters() throws {
        let director = try rowDirector(
            rowSection("s", constant("a"), modelRow("m", numbered(2)), modelRow("n", numbered(1), #","cell":"Own""#)))
        _ = try director.reload()
        try director.perform(
            form: #"{"op":"setAdapter","model":"Item","value":{"cell":"New","identifier":"{id}-{n}"}}"#)
        let change = try #require(try director.reload())
        #expect(change.changeset.operationCount == 6)
        #expect(director.shown == "s: a e0-0 e1-1 e0-0")
        #expect(
            director.form(0, 1).contains(#""cell":"New","reuseIdentifier":"New""#)
                && director.form(0, 3).contains("Own"))
        let error = #expect(throws: DirectorError.self) {
            try director.perform(
                form: #"{"op":"setAdapter","model":"Item","value":{"cell":"New","identifier":"{name}"}}"#)
        }
        #expect(error?.faults.count == 3 && error?.faults.first?.detail.contains(#"row "m""#) == true)
        try director.perform(
            form:
                #"{"op":"setAdapter","model":"Item","value":{"cell":"New","identifier":"{id}-{n}","content":["/id"]}}"#)
        try director.perform(form: #"{"op":"patchElement","section":"s","row":"m","element":"e0-0","patch":{"m":7}}"#)
        let replaced = try #require(try director.reload())
        #expect(replaced.changeset.stages.isEmpty && replaced.changeset.replaced.count == 1)
    }

    @Test("what a row tells is updated where it has changed, and nowhere else")
    func updates() throws {
        let director = try rowDirector(
            rowSection(
                "s", constant("a"),
                modelRow("m", numbered(4), #","height":{"if":[{">":[{"var":"model.n"},{"var":"variables.n"}]},60,44]}"#)
            ),
            variables: ["n": "1"])
        _ = try director.reload()
        try director.perform(form: #"{"op":"setVariable","name":"n","value":2}"#)
        let change = try #require(try director.reload())
        #expect(change.changeset.stages.flatMap(\.elementUpdated).map(\.at.element) == [3])
        #expect(change.changeset.operationCount == 1)
    }

    @Test("what is done after a selection is published with the elements of a row that says it, and read back")
    func afterSelection() throws {
        let director = try rowDirector(
            rowSection(
                "s", constant("a", #","afterSelection":"deselect""#), modelRow("m", ["\"x\""], #","height":44"#)))
        try director.perform(
            form: #"{"op":"setAdapter","model":"Item","value":{"cell":"C","afterSelection":"deselectAnimated"}}"#)
        _ = try director.reload()
        #expect(director.form(0, 0).hasSuffix(#""value":null,"afterSelection":"deselect"}"#))
        // The adapter's is told with the definition, and is no part of an element.
        #expect(director.form(0, 1).hasSuffix(#""value":"x","height":44}"#))
        try director.perform(
            form: #"{"op":"patchRow","section":"s","row":"m","patch":{"afterSelection":"none"}}"#)
        let change = try #require(try director.reload())
        #expect(change.changeset.stages.flatMap(\.elementUpdated).map(\.at.element) == [1])
        #expect(director.form(0, 1).hasSuffix(#""value":"x","height":44,"afterSelection":"none"}"#))
        let form = text { change.encode(to: &$0) }
        let read = try PublishedChange.decode(node(form), for: director.value)
        #expect(text { read.encode(to: &$0) } == form)
        let (value, state) = (director.value, director.published)
        let snapshot = text { value.encodeSnapshot(of: state, includingElements: true, to: &$0) }
        #expect(try Director.decodeSnapshot(node(snapshot)).published == director.published)
        let bad = snapshot.replacing(#""afterSelection":"none""#, with: #""afterSelection":"keep""#)
        #expect(throws: RepresentationError.self) { try Director.decodeSnapshot(node(bad)) }
        try director.perform(form: #"{"op":"patchRow","section":"s","row":"m","patch":{"afterSelection":null}}"#)
        #expect(try director.reload() != nil && !director.form(0, 1).contains("afterSelection"))
    }
}
