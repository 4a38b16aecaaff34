import JSONValues
import ListDiff
import Testing

@testable import Directors

@Suite("What a reload of rows evaluates")
struct RowEvaluationTests {
    private static func set(_ name: String, _ value: String) -> String {
        "{\"op\":\"setVariable\",\"name\":\"\(name)\",\"value\":\(value)}"
    }

    @Test("of 10,000 rows, those alone that read the variable that was set")
    func oneReader() throws {
        let rows = (0..<10_000).map { number in
            constant("r\(number)", ",\"hideWhen\":{\"var\":\"variables.\(number == 5_000 ? "x" : "y\(number)")\"}")
        }
        let director = try rowDirector("{\"id\":\"s\",\"rows\":[\(rows.joined(separator: ","))]}")
        #expect(try director.evaluationsOfReload() == 10_000)
        try director.perform(form: Self.set("x", "true"))
        #expect(try director.evaluationsOfReload() == 1)
        #expect(director.published.list.elementCount == 9_999)
        try director.perform(form: Self.set("nobody", "1"))
        #expect(try director.evaluationsOfReload() == 0)
        #expect(try director.evaluationsOfReload() == 0)
        try director.perform(form: #"{"op":"moveRow","section":"s","from":"r7","to":9000}"#)
        let change = try director.reload()
        #expect(change?.changeset.operationCount == 1 && director.evaluations == 10_001)
    }

    @Test("of 1,000 elements, the one that has changed")
    func oneElement() throws {
        let director = try rowDirector(
            rowSection("s", constant("c"), modelRow("m", numbered(1_000), #","height":{"+":[{"var":"model.n"},1]}"#)))
        #expect(try director.evaluationsOfReload() == 1_000)
        try director.perform(form: #"{"op":"patchElement","section":"s","row":"m","element":"e500","patch":{"n":7}}"#)
        #expect(try director.evaluationsOfReload() == 1)
        #expect(director.form(0, 501).hasSuffix(#""value":{"id":"e500","n":7},"height":8}"#))
        try director.perform(form: #"{"op":"moveElement","section":"s","row":"m","from":"e1","to":900}"#)
        #expect(try director.evaluationsOfReload() == 1)
        try director.perform(form: #"{"op":"removeElement","section":"s","row":"m","element":"e2"}"#)
        #expect(try director.evaluationsOfReload() == 0)
    }

    @Test("a row of 1,000 elements once, where what hides it reads none of them")
    func hiding() throws {
        let director = try rowDirector(
            rowSection("s", constant("c"), modelRow("m", numbered(1_000), #","hideWhen":{"var":"variables.x"}"#)))
        #expect(try director.evaluationsOfReload() == 1)
        for (value, count) in [("true", 1), ("false", 1_001)] {
            try director.perform(form: Self.set("x", value))
            #expect(try director.evaluationsOfReload() == 1)
            #expect(director.published.list.elementCount == count)
        }
    }

    @Test("all elements behind the change where the index is read")
    func index() throws {
        let director = try rowDirector(
            rowSection("s", modelRow("m", numbered(100), #","height":{"var":"index"}"#)))
        #expect(try director.evaluationsOfReload() == 100)
        try director.perform(form: #"{"op":"removeElement","section":"s","row":"m","element":"e60"}"#)
        #expect(try director.evaluationsOfReload() == 39)
        #expect(director.form(0, 98).hasSuffix(#""height":98}"#))
        try director.perform(form: #"{"op":"patchElement","section":"s","row":"m","element":"e3","patch":{"n":0}}"#)
        #expect(try director.evaluationsOfReload() == 1)
    }

    @Test("a row and its elements once, where they and a variable have changed, by what the row comes to be")
    func both() throws {
        // The height has no value once the row is hidden, and nobody asks for it then.
        let director = try rowDirector(
            rowSection(
                "s", constant("c"),
                modelRow(
                    "m", numbered(10),
                    #","hideWhen":{"!":[{"var":"variables.x"}]},"height":{"/":[{"var":"variables.x"},{"var":"variables.x"}]}"#
                )),
            variables: ["x": "1"])
        #expect(try director.evaluationsOfReload() == 2)
        try director.performForms([
            Self.set("x", "0"), #"{"op":"patchElement","section":"s","row":"m","element":"e3","patch":{"n":7}}"#,
        ])
        #expect(try director.evaluationsOfReload() == 1)
        #expect(director.shown == "s: c")
        let each = try rowDirector(
            rowSection(
                "s", constant("c"),
                modelRow(
                    "m", numbered(10),
                    #","hideWhen":{"var":"variables.x"},"height":{"/":[{"var":"model.n"},{"var":"variables.z"}]}"#)),
            variables: ["z": "1"])
        #expect(try each.evaluationsOfReload() == 11)
        try each.performForms([
            Self.set("x", "true"), Self.set("z", "0"),
            #"{"op":"patchElement","section":"s","row":"m","element":"e3","patch":{"n":7}}"#,
        ])
        #expect(try each.evaluationsOfReload() == 1)
        #expect(each.shown == "s: c")
    }

    @Test("rows of each of several sections with one identifier")
    func namesakes() throws {
        let row = constant("r", #","height":{"var":"variables.h"}"#)
        let director = try rowDirector(rowSection("s", row), rowSection("s", row), variables: ["h": "10"])
        #expect(try director.evaluationsOfReload() == 2)
        try director.performForms([
            #"{"op":"patchRow","section":0,"row":"r","patch":{"cell":"D"}}"#, Self.set("h", "20"),
        ])
        #expect(try director.evaluationsOfReload() == 2)
        for section in 0..<2 { #expect(director.form(section, 0).hasSuffix(#""height":20}"#)) }
    }

    @Test("what reads the section's titles, where these have changed, and nothing else")
    func titles() throws {
        let director = try rowDirector(
            rowSection(
                "s", constant("c", #","additionalConfig":{"t":{"$logic":{"var":"section.headerTitle"}}}"#),
                modelRow("m", numbered(100), #","height":{"var":"model.n"}"#)))
        #expect(try director.evaluationsOfReload() == 101)
        try director.perform(form: #"{"op":"patchSection","section":"s","patch":{"headerTitle":"T"}}"#)
        #expect(try director.evaluationsOfReload() == 1)
        #expect(director.form(0, 0).hasSuffix(#""config":{"t":"T"}}"#))
        try director.perform(
            form: #"{"op":"patchSection","section":"s","patch":{"indexTitle":"I","isCollapsed":true}}"#)
        #expect(try director.evaluationsOfReload() == 0)
        #expect(director.shown == "s:")
    }

    @Test("a constant row once, whatever its expressions read")
    func constants() throws {
        let director = try rowDirector(
            rowSection(
                "s", constant("a", #","hideWhen":{"var":{"cat":["variables.",{"var":"variables.k"}]}}"#),
                constant("b", #","height":{"if":[{"var":"model.n"},1,2]}"#)),
            variables: ["k": "\"x\""])
        #expect(try director.evaluationsOfReload() == 2)
        #expect(director.shown == "s: a b" && director.form(0, 1).hasSuffix(#""height":2}"#))
        try director.perform(form: Self.set("x", "true"))
        #expect(try director.evaluationsOfReload() == 1)
        #expect(director.shown == "s: b")
    }
}
