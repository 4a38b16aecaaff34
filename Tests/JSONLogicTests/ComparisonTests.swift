import JSONValues
import Testing

@Suite("Comparisons")
struct ComparisonTests {
    static let loose: [(String, String, Bool)] = [
        ("null", "null", true), ("null", "0", true), ("null", "false", true), ("null", "1", false),
        ("null", "\"\"", false), ("null", "\"text\"", false), ("null", "[]", false), ("null", "{}", false),
        ("1", "\"1\"", true), ("1", "\" 1.0 \"", true), ("0", "\"\"", true), ("10", "\"1e1\"", true),
        ("true", "1", true), ("true", "\"1\"", true), ("false", "\"\"", true), ("true", "2", false),
        ("\"1\"", "\"1.0\"", false), ("\"a\"", "\"a\"", true), ("\"\\u0061\"", "\"a\"", true), ("1", "1.0", true),
    ]

    @Test(
        "== turns what is not the same kind into numbers, but null equals only null, zero and false", arguments: loose)
    func equality(_ row: (String, String, Bool)) throws {
        let data = #"{"a":\#(row.0),"b":\#(row.1)}"#
        #expect(try evaluate(#"{"==":[{"var":"a"},{"var":"b"}]}"#, data) == "\(row.2)")
        #expect(try evaluate(#"{"==":[{"var":"b"},\#(row.0)]}"#, data) == "\(row.2)")
        #expect(try evaluate(#"{"!=":[{"var":"a"},{"var":"b"}]}"#, data) == "\(!row.2)")
    }

    @Test(
        "what does not stand for a number cannot be compared with one",
        arguments: [
            (#"{"==":[1,"one"]}"#, JSONKind.string), (#"{"==":[[1],[1]]}"#, .array), (#"{"!=":[{},1]}"#, .object),
            (#"{"==":[true,"true"]}"#, .string), (#"{"<":[null,"one"]}"#, .string), (#"{">=":[[],0]}"#, .array),
            (#"{"<":["0x10",1]}"#, .string), (#"{"<":["1e",1]}"#, .string), (#"{"<":[".",1]}"#, .string),
        ])
    func incomparable(_ row: (String, JSONKind)) throws {
        #expect(try failure(row.0)?.reason == .notNumber(row.1))
    }

    @Test(
        "=== wants the same kind and value, inside arrays and objects too",
        arguments: [
            Case(#"{"===":[1,1.0]}"#, "true"), Case(#"{"===":[1,"1"]}"#, "false"), Case(#"{"===":[0,null]}"#, "false"),
            Case(#"{"===":[[1,{"a":2,"b":3}],{"var":""}]}"#, #"[1.0,{"b":3,"a":2e0}]"#, "true"),
            Case(#"{"===":[{"merge":[1,[2]]},{"var":""}]}"#, "[1,2]", "true"),
            Case(#"{"===":[{"merge":[1,[2]]},{"var":""}]}"#, "[2,1]", "false"),
            Case(#"{"===":[{"var":"a"},{"var":"b"}]}"#, #"{"a":{"x":1,"y":2},"b":{"y":2,"x":1}}"#, "true"),
            Case(#"{"!==":["a","b","b"]}"#, "false"), Case(#"{"!==":["a","b","a"]}"#, "true"),
        ])
    func identity(_ row: Case) throws {
        #expect(try evaluate(row.expression, row.data) == row.value)
    }

    @Test(
        "strings are in the order of their code points, all else in that of numbers",
        arguments: [
            Case(#"{"<":["10","9"]}"#, "true"), Case(#"{"<":["10",9]}"#, "false"), Case(#"{"<":["","a"]}"#, "true"),
            Case(#"{"<":["\ufffd","\ud83d\ude00"]}"#, "true"), Case(#"{"<":["Z","a"]}"#, "true"),
            Case(#"{"<=":[1,1,2]}"#, "true"), Case(#"{"<":[1,2,2]}"#, "false"), Case(#"{">":[3,2,1]}"#, "true"),
            Case(#"{">=":[3,3,4]}"#, "false"), Case(#"{"<":[2,1,{"/":[1,0]}]}"#, "false"),
            Case(#"{"<":[null,true]}"#, "true"), Case(#"{">=":[null,0]}"#, "true"),
        ])
    func order(_ row: Case) throws {
        #expect(try evaluate(row.expression, row.data) == row.value)
        #expect(try evaluate(row.expression.replacingConstants(), #"{"one":1}"#) == row.value)
    }
}

extension String {
    /// The expression inside an array that cannot be computed when it is read, so that it is evaluated for certain.
    fileprivate func replacingConstants() -> String {
        #"{"if":[{"var":"one"},\#(self),null]}"#
    }
}
