import JSONValues
import Notation
import TestSupport
import Testing

@testable import Directors

@Suite("Unique identifiers")
struct UniqueElementTests {
    private func director(isUnique: Bool = true) throws -> Director {
        var director = Director(name: "d", epoch: "e", properties: .table(TableProperties()))
        for model in ["M", "N"] {
            let unique = isUnique && model == "M" ? #","unique":true"# : ""
            try director.register(CellAdapter.decode(node(#"{"model":"\#(model)","cell":"C"\#(unique)}"#), model: nil))
        }
        let sections = #"""
            [{"id":"a","elements":[{"model":"M","value":"1"},{"model":"N","value":"2"}]},{"id":"b"},
             {"id":"r","rows":[{"id":"m","type":"model","model":"M","elements":[{"value":"9"}]}]}]
            """#
        try director.perform([operation(#"{"op":"setSections","sections":\#(sections)}"#)])
        return director
    }

    private func operation(_ text: String) throws -> Directors.Operation {
        try Directors.Operation.decode(node(text))
    }

    private func element(_ value: String, _ model: String = "M") -> String {
        #"{"model":"\#(model)","value":"\#(value)"}"#
    }

    @Test(
        "what brings in a second element of an identifier is a conflict with its place, and changes nothing",
        arguments: [
            (
                #"{"op":"addElements","section":"b","elements":[{"model":"M","value":"5"},{"model":"M","value":"1"}]}"#,
                "/elements/1"
            ),
            (#"{"op":"addElements","section":"a","elements":[{"model":"M","value":"1"}]}"#, "/elements/0"),
            (#"{"op":"setElements","section":"b","elements":[{"model":"M","value":"9"}]}"#, "/elements/0"),
            (
                #"{"op":"setElements","section":"b","elements":[{"model":"M","value":"7"},{"model":"M","value":"7"}]}"#,
                "/elements/1"
            ),
            (#"{"op":"setElement","section":"b","element":"1","value":{"model":"M","value":"1"}}"#, "/value/value"),
            (#"{"op":"setElement","section":"a","element":"2","value":{"model":"M","value":"1"}}"#, "/value/value"),
            (#"{"op":"patchElement","section":"r","row":"m","element":"9","patch":"1"}"#, "/patch"),
            (
                #"{"op":"addSections","sections":[{"id":"c"},{"id":"x","elements":[{"model":"M","value":"1"}]}]}"#,
                "/sections/1/elements/0"
            ),
            (
                #"{"op":"setSection","section":"b","value":{"id":"b","elements":[{"model":"M","value":"1"}]}}"#,
                "/value/elements/0"
            ),
            (#"{"op":"patchSection","section":"b","patch":{"elements":[{"model":"M","value":"1"}]}}"#, "/patch"),
            (
                #"{"op":"addRows","section":"r","rows":[{"id":"n","type":"model","model":"M","elements":[{"value":"1"}]}]}"#,
                "/rows/0/elements/0"
            ),
        ])
    func conflicts(_ text: String, _ pointer: String) throws {
        var director = try director()
        let before = director.working
        let error = try #require(throws: DirectorError.self) { try director.perform([operation(text)]) }
        #expect(error.category == .conflict && error.isDuplicate && error.pointer == pointer, "\(error)")
        #expect(director.working == before)
        var free = try self.director(isUnique: false)
        try free.perform([operation(text)])
    }

    @Test("other models, other spellings, the same element again, and a move by removing and adding are no conflict")
    func allowed() throws {
        var director = try director()
        try director.perform([operation(#"{"op":"addElements","section":"b","elements":[\#(element("1", "N"))]}"#)])
        try director.perform(
            [operation(#"{"op":"addElements","section":"b","elements":[\#(element("\u{212A}")),\#(element("K"))]}"#)])
        let put = #"{"op":"setElement","section":"a","element":"1","value":\#(element("1"))}"#
        try director.perform([operation(put), operation(put)])
        let add = #"{"op":"addElements","section":"b","elements":[\#(element("1"))]}"#
        let remove = #"{"op":"removeElement","section":"a","element":"1"}"#
        try director.perform([operation(add), operation(remove)])
        let upsert = #"{"op":"setElement","section":"a","element":"8","at":0,"value":\#(element("8"))}"#
        try director.perform([operation(upsert), operation(upsert)])
        #expect(director.working.list.sections[0].list.count == 2)
    }

    @Test("an adapter cannot become unique while there are duplicates, nor while a batch leaves some")
    func becoming() throws {
        var director = try director(isUnique: false)
        try director.perform([operation(#"{"op":"addElements","section":"b","elements":[\#(element("1"))]}"#)])
        let adapter = try CellAdapter.decode(node(#"{"model":"M","cell":"C","unique":true}"#), model: nil)
        let error = try #require(throws: DirectorError.self) { try director.register(adapter) }
        #expect(error.isDuplicate && error.pointer == "/unique")
        try director.perform([operation(#"{"op":"removeElement","section":"b","element":"1"}"#)])
        let before = director.working
        let set = Directors.Operation.setAdapter(adapter)
        #expect(throws: DirectorError.self) {
            try director.perform(
                [set, operation(#"{"op":"addElements","section":"b","elements":[\#(element("1"))]}"#)])
        }
        #expect(director.working == before)
        #expect(try director.register(adapter) && director.adapters.cells["M"]?.isUnique == true)
        var writer = JSONWriter()
        adapter.encode(to: &writer)
        #expect(String(decoding: writer.bytes, as: UTF8.self).contains(#""unique":true"#))
    }

    @Test("what was accepted once is performed again, whatever its identifiers are")
    func replay() throws {
        var director = Director(
            name: "d", epoch: "e", properties: .table(TableProperties()),
            limits: DirectorLimits(checksIdentifiers: false))
        try director.register(CellAdapter.decode(node(#"{"model":"M","cell":"C","unique":true}"#), model: nil))
        let twice = "\(element("x\\u0000")),\(element("x\\u0000"))"
        try director.perform([
            operation(#"{"op":"addSections","sections":[{"id":"a\n"},{"id":"b"}]}"#),
            operation(#"{"op":"addElements","section":"b","elements":[\#(twice)]}"#),
        ])
        #expect(director.working.list.elementCount == 2)
    }

    @Test("a merge patch without elements does not have the whole list looked through, one with some does")
    func patches() throws {
        var working = try director(isUnique: false).working
        let adapters = try director().adapters
        _ = try working.apply(
            try operation(#"{"op":"addElements","section":"b","elements":[\#(element("1"))]}"#),
            OperationContext(kind: .table, adapters: adapters, limits: DirectorLimits()))
        for (patch, isLookedThrough) in [
            (#"{"footerTitle":"f"}"#, false), (#"{"isCollapsed":true}"#, false), (#"{"elements":[]}"#, true),
            (#"{"rows":[]}"#, true),
        ] {
            var unique = UniqueElements(adapters)
            unique.note(try operation(#"{"op":"patchSection","section":"b","patch":\#(patch)}"#), at: 0, nil)
            #expect(((try? unique.check(working.list)) == nil) == isLookedThrough, "\(patch)")
        }
    }

    @Test("identifiers that have come in for several models are looked up for each")
    func severalModels() throws {
        var director = try director()
        try director.register(
            CellAdapter.decode(node(#"{"model":"N","cell":"C","unique":true}"#), model: nil))
        let both = element("5") + "," + element("5", "N")
        try director.perform([operation(#"{"op":"addElements","section":"b","elements":[\#(both)]}"#)])
        for model in ["M", "N"] {
            #expect(throws: DirectorError.self) {
                try director.perform([
                    operation(#"{"op":"addElements","section":"a","elements":[\#(element("5", model))]}"#)
                ])
            }
        }
    }
}
