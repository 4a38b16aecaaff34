import JSONValues
import ListDiff
import Testing

@testable import Directors

@Suite("Operations on rows")
struct RowOperationTests {
    private func director() throws -> LiveDirector {
        try rowDirector(
            rowSection("s", constant("a"), modelRow("m", ["\"x\"", "\"y\""]), constant("b")),
            rowSection("t", constant("c"), modelRow("m", ["\"z\""])))
    }

    private func shown(after operation: String) throws -> String {
        let director = try director()
        try director.perform(form: operation)
        _ = try director.reload()
        return director.shown
    }

    @Test(
        "do to the rows what they say",
        arguments: [
            (
                #"{"op":"addRows","section":"s","rows":[{"id":"n","type":"constant","cell":"C"}],"at":"m"}"#,
                "s: a n x y b | t: c z"
            ),
            (#"{"op":"setRows","section":"s","rows":[{"id":"n","type":"constant","cell":"C"}]}"#, "s: n | t: c z"),
            (#"{"op":"setRow","section":"s","row":"m","value":{"type":"constant","cell":"C"}}"#, "s: a m b | t: c z"),
            (
                #"{"op":"setRow","section":"s","row":"n","value":{"type":"constant","cell":"C"},"at":0}"#,
                "s: n a x y b | t: c z"
            ),
            (#"{"op":"removeRow","section":"s","row":"@last"}"#, "s: a x y | t: c z"),
            (#"{"op":"removeRows","section":"s","at":["a","m"]}"#, "s: b | t: c z"),
            (#"{"op":"removeAllRows","section":"s"}"#, "s: | t: c z"),
            (#"{"op":"moveRow","section":"s","from":"m","to":"@last"}"#, "s: a b x y | t: c z"),
            (#"{"op":"moveRow","section":"s","from":"a","to":1,"toSection":"t"}"#, "s: x y b | t: c a z"),
            (#"{"op":"swapRows","section":"s","at":"a","with":"m"}"#, "s: x y a b | t: c z"),
            (
                #"{"op":"addElements","section":"s","row":"m","elements":[{"value":"n"}],"at":0}"#,
                "s: a n x y b | t: c z"
            ),
            (
                #"{"op":"moveElement","section":"s","row":"m","from":"x","to":0,"toSection":"t","toRow":"m"}"#,
                "s: a y b | t: c x z"
            ),
            (#"{"op":"removeAllElements","section":"s","row":"m"}"#, "s: a b | t: c z"),
            (#"{"op":"patchRow","section":"s","row":"m","patch":{"elements":[{"value":"n"}]}}"#, "s: a n b | t: c z"),
            (#"{"op":"patchRow","section":"s","row":"m","patch":{"id":"k","cell":"D"}}"#, "s: a x y b | t: c z"),
            (#"{"op":"patchRow","section":"s","row":"m","patch":{"elements":null}}"#, "s: a b | t: c z"),
            (#"{"op":"patchSection","section":"s","patch":{"headerTitle":"H"}}"#, "s: a x y b | t: c z"),
            (#"{"op":"patchSection","section":"s","patch":{"rows":null}}"#, "s: | t: c z"),
            (
                #"{"op":"patchSection","section":"s","patch":{"rows":null,"elements":[{"model":"Item","value":"e"}]}}"#,
                "s: e | t: c z"
            ),
            (
                #"{"op":"patchSection","section":"s","patch":{"rows":[{"id":"n","type":"constant","cell":"C"}]}}"#,
                "s: n | t: c z"
            ),
        ])
    func each(_ row: (String, String)) throws {
        #expect(try shown(after: row.0) == row.1)
    }

    @Test("a row that moves to another section moves its elements")
    func moves() throws {
        let director = try director()
        _ = try director.reload()
        try director.performForms([
            #"{"op":"patchRow","section":"s","row":"m","patch":{"id":"n"}}"#,
            #"{"op":"moveRow","section":"t","from":"m","to":0,"toSection":"s"}"#,
        ])
        let change = try #require(try director.reload())
        #expect(change.changeset.stages.flatMap(\.elementMoved).count == 1)
        #expect(director.shown == "s: z a x y b | t: c")
        #expect(director.value.published.list.indexPaths(ofRow: "n", in: "s").map(\.element) == [2, 3])
        #expect(director.value.published.list.indexPaths(ofRow: "m", in: "t").isEmpty)
    }

    @Test("elements that are patched into a section of rows are refused, and members of another kind too")
    func refused() throws {
        let director = try director()
        for (operation, pointers) in [
            (
                #"{"op":"patchSection","section":"s","patch":{"elements":[{"model":"Item","value":"e"}]}}"#,
                ["/patch/elements"]
            ),
            (#"{"op":"patchRow","section":"s","row":"m","patch":{"value":1}}"#, ["/patch/value"]),
            (#"{"op":"patchRow","section":"s","row":"a","patch":{"cell":null}}"#, ["/patch/cell"]),
            (#"{"op":"patchRow","section":"s","row":"a","patch":{"id":null}}"#, ["/patch/id"]),
            (#"{"op":"patchRow","section":"s","row":"a","patch":{"hideWhen":{"no":1}}}"#, ["/patch/hideWhen/no"]),
            (
                #"{"op":"setRow","section":"s","row":"n","value":{"id":"k","type":"constant","cell":"C"}}"#,
                ["/value/id"]
            ),
        ] {
            let error = #expect(throws: DirectorError.self) { try director.perform(form: operation) }
            #expect(error?.faults.map(\.pointer) == pointers, "\(operation)")
        }
    }
}
