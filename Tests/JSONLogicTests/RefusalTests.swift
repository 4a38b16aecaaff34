import JSONLogic
import JSONValues
import Testing

@Suite("Expressions that are refused")
struct RefusalTests {
    @Test(
        "an unknown operator is named with its place and the nearest known name",
        arguments: [
            (#"{"and":[true,{"vra":"a"}]}"#, "vra", "var", "/and/1/vra"), (#"{"IF":[1]}"#, "IF", "if", "/IF"),
            (#"{"substring":["a",1]}"#, "substring", nil, "/substring"), (#"{"log":1}"#, "log", nil, "/log"),
            (#"{"method":[]}"#, "method", nil, "/method"), (#"[[{"a/b~":1}]]"#, "a/b~", nil, "/0/0/a~1b~0"),
            (#"{"try":[1]}"#, "try", nil, "/try"), (#"{"throw":1}"#, "throw", nil, "/throw"),
            (#"{"=":[1,1]}"#, "=", nil, "/="), (#"{"missing_one":[]}"#, "missing_one", "missing_some", "/missing_one"),
            (#"{"":1}"#, "", nil, "/"),
        ] as [(String, String, String?, String)])
    func unknown(_ row: (String, String, String?, String)) throws {
        let error = try #require(try refusal(row.0))
        #expect(error.reason == .unknownOperator(row.1, nearest: row.2))
        #expect(error.pointer == row.3)
    }

    @Test(
        "a wrong number of arguments is refused",
        arguments: [
            (#"{"in":["a"]}"#, "in", "2 arguments", 1), (#"{"in":"a"}"#, "in", "2 arguments", 1),
            (#"{"!":[1,2]}"#, "!", "1 argument at most", 2), (#"{"==":[1]}"#, "==", "2 arguments or more", 1),
            (#"{"%":[1]}"#, "%", "2 arguments or more", 1), (#"{"-":[]}"#, "-", "1 arguments or more", 0),
            (#"{"substr":["a"]}"#, "substr", "2 to 3 arguments", 1), (#"{"map":[[1]]}"#, "map", "2 arguments", 1),
            (#"{"reduce":[[],1,2,3]}"#, "reduce", "2 to 3 arguments", 4),
            (#"{"var":["a",1,2]}"#, "var", "0 to 2 arguments", 3),
        ])
    func counts(_ row: (String, String, String, Int)) throws {
        let error = try #require(try refusal(row.0))
        #expect(error.reason == .argumentCount(row.1, expected: row.2, found: row.3))
        #expect(error.pointer == "/" + row.1)
    }

    @Test(
        "some operators want their arguments as an array",
        arguments: ["if", "and", "or", "==", "<", "map", "filter", "reduce", "all", "none", "some"])
    func listed(_ name: String) throws {
        for argument in ["5", "\"a\"", #"{"var":"a"}"#, "{}"] {
            #expect(try refusal(#"{"\#(name)":\#(argument)}"#)?.reason == .argumentsNotListed(name))
        }
    }

    @Test(
        "a literal where it cannot be used is refused",
        arguments: [
            (#"{"var":[true]}"#, JSONKind.bool, "/var/0"), (#"{"var":[["a"]]}"#, .array, "/var/0"),
            (#"{"var":{}}"#, .object, "/var"), (#"{"val":["a",[1]]}"#, .array, "/val/1"),
            (#"{"val":[["x"],"a"]}"#, .array, "/val/0"), (#"{"exists":[true]}"#, .bool, "/exists/0"),
            (#"{"some":[null,true]}"#, .null, "/some/0"), (#"{"all":[null,true]}"#, .null, "/all/0"),
            (#"{"none":[null,true]}"#, .null, "/none/0"),
        ])
    func literals(_ row: (String, JSONKind, String)) throws {
        let error = try #require(try refusal(row.0))
        guard case .unsuitableLiteral(_, row.1, _) = error.reason else {
            Issue.record("\(error)")
            return
        }
        #expect(error.pointer == row.2)
    }

    @Test("an error says what is wrong in a sentence")
    func sentences() throws {
        #expect(
            try refusal(#"{"and":[{"vra":"a"}]}"#)?.description
                == #"not a JsonLogic expression: there is no operator "vra"; the nearest is "var" (at "/and/0/vra")"#)
        #expect(
            try failure(#"{"or":[false,{"+":["x"]}]}"#)?.description
                == #"the expression has no value: a string does not stand for a number (at "/or/1/+")"#)
    }

    @Test("a long name is cut in the error, and so is the pointer")
    func longNames() throws {
        let name = String(repeating: "n", count: 100_000)
        let error = try #require(try refusal(#"{"if":[{"\#(name)":1}]}"#))
        #expect(error.description.utf8.count < 500)
        #expect(error.pointer == "/if/0")
    }

    @Test("expressions are equal as JSON values")
    func equality() throws {
        #expect(try read(#"{"<":[1,{"var":"a"}]}"#) == read(#" {"<" : [1.0, {"var":"\u0061"}]}"#))
        #expect(try read(#"{"<":[1,{"var":"a"}]}"#).hashValue == read(#" {"<" : [1.0, {"var":"a"}]}"#).hashValue)
        #expect(try read(#"{"<":[1,{"var":"a"}]}"#) != read(#"{"<":[1,{"var":"b"}]}"#))
        #expect(try read("1", limits: LogicLimits(steps: 5)) != read("1"))
        #expect(try read(#" {"var" : "a"} "#).source.text == #"{"var":"a"}"#)
    }
}
