import Testing

@Suite("Operators")
struct OperatorTests {
    @Test(
        "what is no operation stands for itself",
        arguments: [
            Case("null", "null"), Case("\"var\"", "\"var\""), Case("[]", "[]"), Case("{}", "{}"),
            Case(#"{"width":1,"height":{"var":"h"}}"#, #"{"width":1,"height":{"var":"h"}}"#),
            Case(#"[7,[{"var":"h"}]]"#, #"{"h":9}"#, "[7,[9]]"),
            Case("1.50", "1.50"), Case("-0", "-0"),
            Case("123456789012345678901234567890", "123456789012345678901234567890"),
        ])
    func literals(_ row: Case) throws {
        #expect(try evaluate(row.expression, row.data) == row.value)
    }

    @Test(
        "var goes step by step, and falls back where nothing stands",
        arguments: [
            Case(#"{"var":"room.seats"}"#, #"{"room":{"seats":12}}"#, "12"),
            Case(#"{"var":["room.seats",3]}"#, #"{"room":{}}"#, "3"),
            Case(#"{"var":["room.seats",3]}"#, #"{"room":{"seats":null}}"#, "null"),
            Case(#"{"var":["room.seats",{"var":"other"}]}"#, #"{"other":[1]}"#, "[1]"),
            Case(#"{"var":"rows.1"}"#, #"{"rows":["a","b"]}"#, "\"b\""),
            Case(#"{"var":"rows.01"}"#, #"{"rows":["a","b"]}"#, "null"),
            Case(#"{"var":"rows.-1"}"#, #"{"rows":["a","b"]}"#, "null"),
            Case(#"{"var":"1"}"#, #"{"1":true}"#, "true"), Case(#"{"var":1}"#, #"{"1":true}"#, "true"),
            Case(#"{"var":"a..b"}"#, #"{"a":{"":{"b":5}}}"#, "5"),
            Case(#"{"var":"na\u0069ve"}"#, #"{"n\u0061ive":1}"#, "1"),
            Case(#"{"var":"e\u0301"}"#, #"{"\u00e9":1}"#, "null"),
            Case(#"{"var":{"cat":["ro","om"]}}"#, #"{"room":1}"#, "1"),
            Case(#"{"var":""}"#, "[ 1 , 2 ]", "[1,2]"), Case(#"{"var":[]}"#, "4", "4"),
            Case(#"{"var":"length"}"#, "\"four\"", "null"), Case(#"{"var":"x.y"}"#, #"{"x":"text"}"#, "null"),
        ])
    func variables(_ row: Case) throws {
        #expect(try evaluate(row.expression, row.data) == row.value)
    }

    @Test(
        "val and exists take names as they are, and climb out of iterations",
        arguments: [
            Case(#"{"val":["a.b","c"]}"#, #"{"a.b":{"c":1}}"#, "1"), Case(#"{"val":""}"#, #"{"":6}"#, "6"),
            Case(#"{"val":[]}"#, "[3]", "[3]"), Case(#"{"val":null}"#, "[3]", "[3]"),
            Case(#"{"val":["list",1]}"#, #"{"list":[4,5]}"#, "5"),
            Case(#"{"val":["list",{"var":"at"}]}"#, #"{"list":[4,5],"at":0}"#, "4"),
            Case(#"{"val":{"var":"way"}}"#, #"{"way":["list",1],"list":[4,5]}"#, "5"),
            Case(#"{"map":[{"var":"l"},{"+":[{"val":[]},{"val":[[2],"add"]}]}]}"#, #"{"l":[1,2],"add":10}"#, "[11,12]"),
            Case(#"{"map":[{"var":"l"},{"val":[[-1],"index"]}]}"#, #"{"l":["x","y"]}"#, "[0,1]"),
            Case(#"{"map":[{"var":"l"},{"val":[[1]]}]}"#, #"{"l":["x"]}"#, #"[{"index":0}]"#),
            Case(#"{"map":[[7],{"map":[[1],{"val":[[2]]}]}]}"#, "null", "[[7]]"),
            Case(#"{"map":[[7],{"map":[[1],{"val":[[4],"out"]}]}]}"#, #"{"out":3}"#, "[[3]]"),
            Case(#"{"map":[[[2]],{"val":[{"var":""},"out"]}]}"#, #"{"out":3}"#, "[3]"),
            Case(#"{"val":[[9],"x"]}"#, #"{"x":1}"#, "null"),
            Case(#"{"exists":["a","b"]}"#, #"{"a":{"b":null}}"#, "true"),
            Case(#"{"exists":"c"}"#, #"{"a":1}"#, "false"), Case(#"{"exists":{"var":"n"}}"#, #"{"n":"n"}"#, "true"),
        ])
    func values(_ row: Case) throws {
        #expect(try evaluate(row.expression, row.data) == row.value)
    }
}
