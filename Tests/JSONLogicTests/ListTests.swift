import JSONLogic
import JSONValues
import Testing

@Suite("Lists and texts")
struct ListTests {
    @Test(
        "map, filter and reduce go through a list",
        arguments: [
            Case(#"{"map":[{"var":""},{"*":[{"var":"n"},10]}]}"#, #"[{"n":1},{"n":2}]"#, "[10,20]"),
            Case(#"{"filter":[{"var":""},{">":[{"var":""},1]}]}"#, "[3,1,2.0]", "[3,2.0]"),
            Case(#"{"reduce":[{"var":""},{"cat":[{"var":"accumulator"},{"var":"current"}]},">"]}"#, "[1,2]", "\">12\""),
            Case(#"{"reduce":[{"var":""},{"+":[{"var":"current"},{"val":"accumulator"}]}]}"#, "[1,2]", "3"),
            Case(#"{"reduce":[[5],{"var":""},1]}"#, #"{"current":5,"accumulator":1}"#),
            Case(#"{"map":[{"var":"no"},1]}"#, "[]"), Case(#"{"filter":[{"var":"no"},1]}"#, "[]"),
            Case(#"{"map":[null,{"var":""}]}"#, "[]"), Case(#"{"filter":[null,true]}"#, "[]"),
            Case(#"{"reduce":[null,{"var":"current"},5]}"#, "5"), Case(#"{"reduce":[null,1]}"#, "null"),
            Case(#"{"map":[[1,2],null]}"#, "[null,null]"), Case(#"{"filter":[[1,2],null]}"#, "[]"),
            Case(#"{"reduce":[{"var":"no"},1,"first"]}"#, "\"first\""),
            Case(
                #"{"map":[[[1,2],[3]],{"reduce":[{"var":""},{"+":[{"var":"current"},{"var":"accumulator"}]},0]}]}"#,
                "[3,3]"),
        ])
    func iterations(_ row: Case) throws {
        #expect(try evaluate(row.expression, row.data) == row.value)
    }

    @Test(
        "all, none and some stop where it is known",
        arguments: [
            Case(#"{"all":[{"var":""},{"var":""}]}"#, "[1,true]", "true"), Case(#"{"all":[[],true]}"#, "false"),
            Case(#"{"all":[[1,0,"x"],{"<":[{"var":""},1]}]}"#, "false"), Case(#"{"none":[[],true]}"#, "true"),
            Case(#"{"some":[[0,1,"x"],{">":[{"var":""},0]}]}"#, "true"), Case(#"{"some":[[],true]}"#, "false"),
            Case(#"{"none":[[0,1,"x"],{">":[{"var":""},0]}]}"#, "false"),
        ])
    func quantifiers(_ row: Case) throws {
        #expect(try evaluate(row.expression, row.data) == row.value)
    }

    @Test(
        "an iteration wants a list",
        arguments: [
            (#"{"map":[{"var":"a"},1]}"#, #"{"a":"text"}"#, JSONKind.string, "/map"),
            (#"{"if":[1,{"some":[{"var":"a"},1]}]}"#, "null", .null, "/if/1/some"),
            (#"{"all":[{"var":"a"},1]}"#, #"{"a":{}}"#, .object, "/all"),
        ])
    func noList(_ row: (String, String, JSONKind, String)) throws {
        let failure = try failure(row.0, row.1)
        #expect(failure?.reason == .notArray(row.2))
        #expect(failure?.pointer == row.3)
    }

    @Test(
        "merge makes one list",
        arguments: [
            Case(#"{"merge":[]}"#, "[]"), Case(#"{"merge":[1,[2,[3]],null]}"#, "[1,2,[3],null]"),
            Case(#"{"merge":{"var":""}}"#, "[[1],2,[3]]", "[1,2,3]"),
            Case(#"{"merge":{"var":"a"}}"#, #"{"a":{"b":1}}"#, #"[{"b":1}]"#),
        ])
    func merging(_ row: Case) throws {
        #expect(try evaluate(row.expression, row.data) == row.value)
    }

    @Test(
        "in looks for an element or a part",
        arguments: [
            Case(#"{"in":[2,{"var":""}]}"#, "[1,2.0]", "true"), Case(#"{"in":["2",[1,2]]}"#, "false"),
            Case(#"{"in":[[1],[[1],2]]}"#, "true"), Case(#"{"in":[{"var":"x"},[null]]}"#, "true"),
            Case(#"{"in":["aab","aaab"]}"#, "true"), Case(#"{"in":["é","Café"]}"#, "true"),
            Case(#"{"in":["",""]}"#, "true"),
            Case(#"{"in":["abc","ab"]}"#, "false"), Case(#"{"in":[1,"a1"]}"#, "true"),
            Case(#"{"in":[null,"null"]}"#, "false"),
            Case(#"{"in":[["a"],"a"]}"#, "false"), Case(#"{"in":["a",{"var":"x"}]}"#, "false"),
            Case(#"{"in":["a",{}]}"#, "false"), Case(#"{"in":["\n",{"var":""}]}"#, #""a\u000ab""#, "true"),
        ])
    func containment(_ row: Case) throws {
        #expect(try evaluate(row.expression, row.data) == row.value)
    }

    @Test(
        "cat writes scalars",
        arguments: [
            Case(#"{"cat":[]}"#, "\"\""), Case(#"{"cat":[1.0,"-",2.50,true,null]}"#, "\"1-2.5true\""),
            Case(#"{"cat":{"var":""}}"#, #"["a","\"",1e2]"#, #""a\"100""#),
        ])
    func texts(_ row: Case) throws {
        #expect(try evaluate(row.expression, row.data) == row.value)
    }

    @Test("cat refuses what has no text")
    func noText() throws {
        #expect(try failure(#"{"cat":["a",[1]]}"#)?.reason == .notText(.array))
        #expect(try failure(#"{"substr":[{},0]}"#)?.reason == .notText(.object))
    }

    @Test(
        "substr counts code points",
        arguments: [
            Case(#"{"substr":["abcdef",2]}"#, "\"cdef\""), Case(#"{"substr":["abcdef",-2]}"#, "\"ef\""),
            Case(#"{"substr":["abcdef",1,3]}"#, "\"bcd\""), Case(#"{"substr":["abcdef",1,-2]}"#, "\"bcd\""),
            Case(#"{"substr":["abcdef",-3,-2]}"#, "\"d\""), Case(#"{"substr":["abc",9]}"#, "\"\""),
            Case(#"{"substr":["abc",-9,2]}"#, "\"ab\""), Case(#"{"substr":["abc",1.9,"1"]}"#, "\"b\""),
            Case(#"{"substr":["😀e\u0301x",1,2]}"#, "\"e\u{301}\""), Case(#"{"substr":[12345,1,2]}"#, "\"23\""),
            Case(#"{"substr":["abc",-9223372036854775808,-9223372036854775808]}"#, "\"\""),
            Case(#"{"substr":["abc",9223372036854775807,1e300]}"#, "\"\""),
            Case(#"{"substr":["abc",-1e300]}"#, "\"abc\""),
        ])
    func parts(_ row: Case) throws {
        let value = try evaluate(row.expression, row.data)
        #expect(Array(value.utf8) == Array(row.value.utf8))
    }
}
