import Testing

@Suite("Conditions and truth")
struct ControlTests {
    @Test(
        "one branch of if is evaluated, and no other",
        arguments: [
            Case(#"{"if":[]}"#, "null"), Case(#"{"if":[5]}"#, "5"), Case(#"{"if":[0,"yes"]}"#, "null"),
            Case(#"{"if":[{"var":"on"},"yes",{"/":[1,0]}]}"#, #"{"on":"0"}"#, "\"yes\""),
            Case(#"{"if":[false,{"/":[1,0]},{"var":"on"},2,{"/":[1,0]}]}"#, #"{"on":true}"#, "2"),
            Case(#"{"?:":[{"var":"on"},1,2]}"#, #"{"on":[]}"#, "2"),
        ])
    func branches(_ row: Case) throws {
        #expect(try evaluate(row.expression, row.data) == row.value)
    }

    @Test(
        "and, or and ?? give a value, and stop where it is known",
        arguments: [
            Case(#"{"and":[]}"#, "false"), Case(#"{"or":[]}"#, "false"), Case(#"{"??":[]}"#, "null"),
            Case(#"{"and":[1,"",{"/":[1,0]}]}"#, "\"\""), Case(#"{"and":[1,"x",[2]]}"#, "[2]"),
            Case(#"{"or":[0,[],"x",{"/":[1,0]}]}"#, "\"x\""), Case(#"{"or":[0,null]}"#, "null"),
            Case(#"{"??":[null,{"var":"a"},0,{"/":[1,0]}]}"#, "0"),
            Case(#"{"??":{"var":"a"}}"#, #"{"a":[null]}"#, "[null]"),
        ])
    func chains(_ row: Case) throws {
        #expect(try evaluate(row.expression, row.data) == row.value)
    }

    @Test(
        "six values are false",
        arguments: [
            ("null", false), ("false", false), ("0", false), ("0.0", false), ("-0e9", false), ("\"\"", false),
            ("[]", false), ("{}", true), ("[0]", true), ("\"0\"", true), ("\" \"", true), ("1e-400", true),
            ("0.5", true), ("-1", true),
        ])
    func truth(_ row: (String, Bool)) throws {
        let data = #"{"v":\#(row.0)}"#
        #expect(try evaluate(#"{"!!":{"var":"v"}}"#, data) == "\(row.1)")
        #expect(try evaluate(#"{"!":[{"var":"v"}]}"#, data) == "\(!row.1)")
        #expect(try evaluate(#"{"if":[{"var":"v"},true,false]}"#, data) == "\(row.1)")
        #expect(try evaluate(#"{"!!":[\#(row.0)]}"#) == "\(row.1)")
    }

    @Test("not and truth of nothing")
    func nothing() throws {
        #expect(try evaluate(#"{"!":[]}"#) == "true")
        #expect(try evaluate(#"{"!!":[]}"#) == "false")
    }

    @Test(
        "missing names what is not there, null or an empty string",
        arguments: [
            Case(#"{"missing":["a","b.c",1]}"#, #"{"a":0,"b":{"c":""}}"#, #"["b.c",1]"#),
            Case(#"{"missing":[["a","d"],"e"]}"#, #"{"a":0,"e":null}"#, #"["d","e"]"#),
            Case(#"{"missing":{"if":[{"var":"on"},["x","y"],[]]}}"#, #"{"on":1,"x":1}"#, #"["y"]"#),
            Case(#"{"missing":"a"}"#, #"{"a":false}"#, "[]"), Case(#"{"missing":[]}"#, "[]"),
            Case(#"{"missing_some":[2,["a","b","c"]]}"#, #"{"a":1,"c":[]}"#, "[]"),
            Case(#"{"missing_some":[2,["a","b","c"]]}"#, #"{"c":1}"#, #"["a","b"]"#),
            Case(#"{"missing_some":[{"var":"n"},{"var":"keys"}]}"#, #"{"n":"1","keys":["x","y"]}"#, #"["x","y"]"#),
        ])
    func missing(_ row: Case) throws {
        #expect(try evaluate(row.expression, row.data) == row.value)
    }
}
