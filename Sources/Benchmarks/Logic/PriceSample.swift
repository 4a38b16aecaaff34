import JSONLogic

/// The data and expressions whose steps are measured.
enum PriceSample {
    /// The content of `variables`.
    static let text: String = {
        let texts: [(String, String)] = [
            ("one", "1"), ("tenth", "0.1"), ("digits", "1" + String(repeating: "0", count: 59) + "1"),
            ("double", "1.2345678901234567e-300"), ("spelledOne", "\"1.50e-9\""), ("text", quoted("t", 10_000)),
            ("short", quoted("x", 60)),
            ("words", list(quoted("w", 4), 5_000)), ("list", list("1", 10_000)), ("lists", list("[1]", 5_000)),
            ("tenths", list("0.1", 5_000)), ("doubles", list("1.2345678901234567e-300", 5_000)),
            ("longNumbers", list(String(repeating: "7", count: 60), 2_000)),
            ("spelled", list(quoted("1", 60), 2_000)), ("spelledShort", list("\"1.0\"", 5_000)),
            ("spelledDoubles", list("\"1.2345678901234567e-300\"", 2_000)),
            ("mixed", list("0.12345678901234567,12345678901234567890.5", 2_000)),
            ("numerals", list("1.0", 5_000)), ("otherNumerals", list("1.00", 5_000)),
            ("longNumerals", list("12345678901234567890.0", 2_000)),
            ("otherLongNumerals", list("12345678901234567890.00", 2_000)),
            ("few", list(#"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8}"#, 500)),
            ("turned", list(#"{"h":8,"g":7,"f":6,"e":5,"d":4,"c":3,"b":2,"a":1}"#, 500)),
            ("many", object(0..<1_000)), ("manyTurned", object((0..<1_000).reversed())),
            ("escaped", quoted("\\u00e9", 2_000)), ("escapes", list(quoted("\\n", 30), 1_000)),
            ("accents", quoted("é", 5_000)), ("deep", nested(100)), ("empty", "\"\""), ("points", quoted(".", 1_000)),
            ("paths", list("\"variables.one\"", 2_000)), ("path", #"["variables","one"]"#),
            (String(repeating: "n", count: 200), "1"), ("almost", list(quoted("t", 60), 1_000)),
            ("unlike", quoted("tttttttttttts", 300)), ("alike", quoted("t", 128)),
        ]
        return "{" + texts.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }()

    /// Each operator on what is dearest for it.
    static let forms: [String] = {
        let literals = Array(repeating: quoted("1", 60), count: 1_000).joined(separator: ",")
        let ones = Array(repeating: "1", count: 1_000).joined(separator: ",")
        return access + comparisons + arithmetic + lists + texts + [
            "{\"max\":[\(literals),\(variable("one"))]}", "{\"<\":[\(ones),\(variable("one"))]}",
            "{\"==\":[\(literals),1,\(variable("one"))]}", "{\"cat\":[\(ones),\(variable("one"))]}",
            "{\"and\":[\(ones),\(variable("one"))]}", "{\"merge\":[\(ones),\(variable("one"))]}",
            "{\"+\":[\(Array(repeating: "0.1", count: 1_000).joined(separator: ",")),\(variable("one"))]}",
        ]
    }()

    private static let access = [
        #"{"var":"variables.one"}"#, #"{"var":"variables.many.member999"}"#, #"{"var":"variables.list.9999"}"#,
        #"{"var":""}"#, #"{"var":["variables.none",1]}"#, #"{"val":["variables","many","member999"]}"#,
        #"{"var":{"cat":["variables.","one"]}}"#, #"{"var":{"var":"variables.points"}}"#,
        #"{"val":["variables",{"cat":["o","ne"]}]}"#, #"{"val":{"var":"variables.path"}}"#,
        #"{"val":[{"var":"variables.empty"}]}"#, #"{"exists":["variables",{"cat":["o","ne"]}]}"#,
        #"{"exists":["variables","none"]}"#, #"{"missing":{"var":"variables.paths"}}"#,
        #"{"missing":["variables.one","variables.none"]}"#, #"{"missing_some":[1,{"var":"variables.paths"}]}"#,
        #"{"map":[{"var":"variables.list"},{"val":[[1],"index"]}]}"#,
        #"{"map":[{"var":"variables.list"},{"val":[[2]]}]}"#,
        #"{"map":[{"var":"variables.list"},{"val":[[2],"variables","one"]}]}"#,
        "{\"var\":\"variables.\(String(repeating: "n", count: 200))\"}",
    ]

    private static let comparisons: [String] =
        ["==", "!=", "===", "!==", "<", "<=", ">", ">="].flatMap { symbol in
            [
                ("text", "text"), ("digits", "digits"), ("digits", "tenth"), ("double", "double"),
                ("escaped", "escaped"),
                ("one", "tenth"), ("spelledOne", "tenth"),
            ].map { "{\"\(symbol)\":[\(variable($0)),\(variable($1))]}" }
        }
        + [
            ("numerals", "otherNumerals"), ("longNumerals", "otherLongNumerals"), ("few", "turned"),
            ("many", "manyTurned"), ("many", "many"), ("lists", "lists"), ("escapes", "escapes"), ("list", "list"),
            ("deep", "deep"), ("words", "words"),
        ].map { "{\"===\":[\(variable($0)),\(variable($1))]}" }
        + [
            #"{"===":[[{"var":"variables.one"}],[{"var":"variables.one"}]]}"#,
            #"{"===":[[{"var":"variables.short"}],{"var":"variables.path"}]}"#,
            #"{"in":[[{"var":"variables.one"}],{"var":"variables.lists"}]}"#,
            #"{"in":[[2],{"var":"variables.lists"}]}"#,
            #"{"in":[0.2,{"var":"variables.tenths"}]}"#, #"{"in":["none",{"var":"variables.words"}]}"#,
            #"{"in":["\n\n\n",{"var":"variables.escapes"}]}"#, #"{"in":["ttts",{"var":"variables.text"}]}"#,
            #"{"in":["zz",{"var":"variables.text"}]}"#, #"{"in":["zz",{"var":"variables.escaped"}]}"#,
            #"{"in":["",{"var":"variables.escaped"}]}"#,
            #"{"in":[{"var":"variables.text"},{"var":"variables.escaped"}]}"#,
            #"{"in":["tttttttttttttt",{"var":"variables.unlike"}]}"#, #"{"in":[null,{"var":"variables.escaped"}]}"#,
            "{\"in\":[\"\(String(repeating: "t", count: 63))s\",\(variable("alike"))]}",
            #"{"in":[{"var":"variables.escapes.0"},{"var":"variables.words"}]}"#,
            #"{"in":[{"var":"variables.digits"},{"var":"variables.longNumbers"}]}"#,
        ]

    private static let arithmetic: [String] =
        ["max", "min"].flatMap { symbol in
            [
                "list", "tenths", "doubles", "longNumbers", "spelled", "spelledShort", "spelledDoubles", "mixed",
                "numerals",
            ].map { "{\"\(symbol)\":\(variable($0))}" }
        }
        + ["+", "-", "*", "/", "%"].flatMap { symbol in
            ["list", "spelledShort", "numerals"].map { "{\"\(symbol)\":\(variable($0))}" }
                + ["{\"\(symbol)\":[\(variable("one")),\(variable("tenth"))]}"]
        }
        + ["{\"-\":\(variable("digits"))}", "{\"+\":\(variable("digits"))}", "{\"+\":\(variable("doubles"))}"]

    private static let lists: [String] =
        ["map", "filter", "all", "none", "some"].flatMap { symbol in
            [
                "{\"\(symbol)\":[\(variable("list")),{\"var\":\"\"}]}",
                "{\"\(symbol)\":[\(variable("few")),{\"var\":\"h\"}]}",
                "{\"\(symbol)\":[\(variable("list")),{\"==\":[{\"var\":\"\"},0.1]}]}",
            ]
        }
        + [
            #"{"map":[{"var":"variables.list"},[{"var":""}]]}"#,
            #"{"map":[{"var":"variables.list"},{"cat":["a",{"var":""}]}]}"#,
            #"{"reduce":[{"var":"variables.list"},{"+":[{"var":"current"},{"var":"accumulator"}]},0]}"#,
            #"{"reduce":[{"var":"variables.list"},1,0]}"#,
            #"{"reduce":[{"var":"variables.list"},{"var":"current"},0]}"#,
            #"{"merge":{"var":"variables.lists"}}"#, #"{"merge":[{"var":"variables.list"},{"var":"variables.list"}]}"#,
            #"[{"var":"variables.one"}]"#, #"[[[[[{"var":"variables.one"}]]]]]"#,
            #"{"if":[{"var":"variables.none"},1,2]}"#, #"{"?:":[{"var":"variables.one"},1,2]}"#,
            #"{"!":{"var":"variables.digits"}}"#, #"{"!!":{"var":"variables.digits"}}"#,
            #"{"??":[{"var":"variables.none"},1]}"#,
            #"{"or":[{"var":"variables.none"},0]}"#, #"{"and":[{"var":"variables.one"},1]}"#,
        ]

    private static let texts =
        ["words", "tenths", "doubles", "longNumbers", "escapes", "mixed", "list", "numerals"].map {
            "{\"cat\":\(variable($0))}"
        } + [
            #"{"cat":[{"var":"variables.one"},"a"]}"#, #"{"cat":[{"var":"variables.text"},{"var":"variables.text"}]}"#,
            #"{"cat":[{"var":"variables.escaped"}]}"#, #"{"cat":[{"var":"variables.double"}]}"#,
            #"{"cat":[{"/":[{"var":"variables.one"},3]}]}"#, #"{"substr":[{"var":"variables.text"},1]}"#,
            #"{"substr":[{"var":"variables.text"},-1]}"#, #"{"substr":[{"var":"variables.accents"},4000]}"#,
            #"{"substr":[{"var":"variables.accents"},0,-4000]}"#, #"{"substr":[{"var":"variables.escaped"},-1]}"#,
            #"{"substr":["é",0,{"var":"variables.one"}]}"#, #"{"substr":[{"var":"variables.double"},0,1]}"#,
        ]

    private static func variable(_ name: String) -> String { "{\"var\":\"variables.\(name)\"}" }

    private static func quoted(_ part: String, _ count: Int) -> String {
        "\"" + String(repeating: part, count: count) + "\""
    }

    private static func list(_ element: String, _ count: Int) -> String {
        "[" + Array(repeating: element, count: count).joined(separator: ",") + "]"
    }

    private static func object(_ numbers: some Sequence<Int>) -> String {
        "{" + numbers.map { "\"member\($0)\":\($0)" }.joined(separator: ",") + "}"
    }

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
}
