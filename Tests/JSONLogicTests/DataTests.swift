import JSONLogic
import JSONValues
import Notation
import Testing

@Suite("Data and values")
struct DataTests {
    private func data() throws -> LogicData {
        LogicData(members: [
            "variables": .object(reading: [
                "hide": try JSONValue(parsing: "[1, 2]"), "größe": try JSONValue(parsing: "3"),
            ]),
            "model": .json(try JSONDocument(#"{"age": 61, "name": "Ad\u0061"}"#).root), "index": .integer(4),
            "section": .object(["id": .string("s\"1"), "tags": .array([.bool(true), .number(0.5), .null])]),
        ])
    }

    @Test(
        "members that are held apart are one object",
        arguments: [
            Case(#"{"var":"variables.hide.1"}"#, "2"), Case(#"{"var":"variables.größe"}"#, "3"),
            Case(#"{"var":"variables.none"}"#, "null"), Case(#"{"var":"none.variables"}"#, "null"),
            Case(#"{">":[{"var":"model.age"},60]}"#, "true"), Case(#"{"==":[{"var":"model.name"},"Ada"]}"#, "true"),
            Case(#"{"var":"index"}"#, "4"), Case(#"{"var":"index.x"}"#, "null"),
            Case(#"{"var":"section.id"}"#, #""s\"1""#), Case(#"{"var":"section.tags.1"}"#, "0.5"),
            Case(#"{"var":"section.tags.3"}"#, "null"), Case(#"{"exists":["section","tags",2]}"#, "true"),
            Case(#"{"map":[{"var":"section.tags"},{"val":[[2],"index"]}]}"#, "[4,4,4]"),
            Case(#"{"var":"section"}"#, #"{"id":"s\"1","tags":[true,0.5,null]}"#),
            Case(#"{"in":[{"var":"section.id"},[{"var":"section.id"}]]}"#, "true"),
            Case(
                #"{"val":[{"var":"none"}]}"#,
                #"{"variables":{"größe":3,"hide":[1,2]},"model":{"age":61,"name":"Ad\u0061"},"index":4,"section":{"id":"s\"1","tags":[true,0.5,null]}}"#
            ),
        ])
    func members(_ row: Case) throws {
        let value = try read(row.expression).evaluate(data()).json
        #expect(try value == JSONValue(parsing: row.value))
    }

    @Test("members can be exchanged one by one")
    func exchange() throws {
        let expression = try read(#"{"+":[{"var":"index"},{"var":"model.age"}]}"#)
        var data = try data()
        let (index, model) = (try #require(data.place(of: "index")), try #require(data.place(of: "model")))
        for number in 0..<3 {
            data[index] = .integer(number)
            data[model] = .json(try JSONDocument(#"{"age":\#(number * 10)}"#).root)
            #expect(try expression.evaluate(data).int == number * 11)
        }
        #expect(data.place(of: "none") == nil)
    }

    @Test("objects with many members are searched by hash, and long names to their ends")
    func manyMembers() throws {
        let long = String(repeating: "n", count: 40)
        let members = Dictionary(uniqueKeysWithValues: (0..<500).map { (Name("\(long)\($0)"), LogicValue.integer($0)) })
        let data = LogicData(members: ["all": .object(members)])
        for number in [0, 7, 499] {
            #expect(try read(#"{"var":"all.\#(long)\#(number)"}"#).evaluate(data).int == number)
        }
        #expect(try read(#"{"exists":["all","\#(long)500"]}"#).holds(data) == false)
        let document = LogicData(
            .json(try JSONDocument(#"{"\#(long)1":1,"\#(long)2":2,"e\u0073c":3,"abcdefgh":4}"#).root))
        #expect(try read(#"{"var":"\#(long)2"}"#).evaluate(document).int == 2)
        #expect(try read(#"{"var":"esc"}"#).evaluate(document).int == 3)
        #expect(try read(#"{"var":"abcdefgh"}"#).evaluate(document).int == 4)
    }

    @Test("a value can be read as what it is")
    func readings() throws {
        func value(_ text: String) throws -> LogicValue { .json(try JSONDocument(text).root) }
        #expect(try value("true").bool == true)
        #expect(LogicValue.bool(false).bool == false)
        #expect(try value("1").bool == nil)
        #expect(try value("2.0").int == 2)
        #expect(try value("2.5").int == nil)
        #expect(try value("\"2\"").int == nil)
        #expect(try value("2.5").double == 2.5)
        #expect(try value("1e400").double == nil)
        #expect(LogicValue.integer(3).double == 3)
        #expect(try value(#""a\n""#).string == "a\n")
        #expect(LogicValue.string("é").string == "é")
        #expect(LogicValue.null.string == nil)
        #expect(try LogicValue.number(0.1).json.text == "0.1")
        #expect(try LogicValue.number(.nan).json.text == "null")
        #expect(LogicValue.array([]).isTruthy == false)
        #expect(LogicValue.object([:]).isTruthy)
    }

    @Test("a value that is nested too deep for a document has no JSON")
    func deepValue() throws {
        var value = LogicValue.null
        for _ in 0..<600 { value = .array([value]) }
        #expect(throws: JSONError.self) { try value.json }
    }

    @Test("holds tells whether the value is taken for true")
    func holds() throws {
        #expect(try read(#"{"var":"index"}"#).holds(data()))
        #expect(try !read(#"{"<":[{"var":"index"},4]}"#).holds(data()))
        #expect(throws: LogicEvaluationError.self) { try read(#"{"!":[{"/":[1,0]}]}"#).holds(data()) }
    }
}
