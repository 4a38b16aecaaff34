import JSONLogic
import JSONValues
import Testing

@Suite("What an expression reads")
struct ReadsTests {
    @Test(
        "paths that are written out are named",
        arguments: [
            ("5", []), (#"{"var":"a"}"#, [["a"]]), (#"{"var":"a.b.0"}"#, [["a", "b", "0"]]), (#"{"var":3}"#, [["3"]]),
            (#"{"val":["a.b",1]}"#, [["a.b", "1"]]), (#"{"exists":["a","b"]}"#, [["a", "b"]]),
            (#"{"missing":["a.b","c"]}"#, [["a", "b"], ["c"]]), (#"{"missing_some":[1,["a","b"]]}"#, [["a"], ["b"]]),
            (#"{"if":[{"var":"x"},{"var":"y"},{"var":"z"}]}"#, [["x"], ["y"], ["z"]]),
            (#"{"var":["a",{"var":"b"}]}"#, [["a"], ["b"]]),
            (#"[{"var":"a"},{"var":"a.b"}]"#, [["a"]]),
            (#"{"and":[{"var":"a.b"},{"var":"a"},{"var":"ab"}]}"#, [["a"], ["ab"]]),
        ] as [(String, [[String]])])
    func written(_ row: (String, [[String]])) throws {
        #expect(try read(row.0).reads.paths == Set(row.1))
    }

    @Test(
        "a path that is computed, or the whole, is everything",
        arguments: [
            #"{"var":""}"#, #"{"var":[]}"#, #"{"var":null}"#, #"{"val":[]}"#, #"{"var":{"var":"n"}}"#,
            #"{"val":{"var":"n"}}"#, #"{"val":[{"var":"n"},"a"]}"#, #"{"exists":[]}"#, #"{"missing":{"var":"n"}}"#,
            #"{"missing":["a",{"cat":["b",{"var":"n"}]}]}"#, #"{"missing_some":[1,{"var":"n"}]}"#, #"{"missing":[""]}"#,
            #"{"map":[[1],{"val":{"var":""}}]}"#, #"{"map":[[1],{"val":[[2]]}]}"#,
            #"{"map":[[1],{"map":[[1],{"val":[{"var":""},"a"]}]}]}"#,
        ])
    func everything(_ expression: String) throws {
        #expect(try read(expression).reads.isEverything)
        #expect(try read(expression).reads.mayRead(["any"]))
    }

    @Test("a path that is computed below known steps is all under them")
    func prefix() throws {
        let reads = try read(#"{"val":["model",{"var":"variables.field"},"x"]}"#).reads
        #expect(reads.paths == [["model"], ["variables", "field"]])
        #expect(reads.mayRead(["model", "anything"]))
        #expect(!reads.mayRead(["variables", "other"]))
        #expect(reads.mayRead(["variables"]))
        #expect(reads.mayRead([]))
    }

    @Test(
        "inside an iteration only what climbs out of it counts",
        arguments: [
            (#"{"map":[{"var":"list"},{"var":"x"}]}"#, [["list"]]), (#"{"map":[[1],{"var":""}]}"#, []),
            (#"{"filter":[{"var":"list"},{"==":[{"var":"k"},{"val":[[2],"k"]}]}]}"#, [["list"], ["k"]]),
            (#"{"filter":[[1],{"val":[[-2],"k"]}]}"#, [["k"]]), (#"{"filter":[[1],{"val":[[1],"index"]}]}"#, []),
            (#"{"all":[[1],{"val":[[0],"k"]}]}"#, []), (#"{"all":[[1],{"val":[[4],"k"]}]}"#, []),
            (#"{"all":[[1],{"some":[{"val":[[2],"l"]},{"val":[[4],"k"]}]}]}"#, [["l"], ["k"]]),
            (#"{"all":[[1],{"some":[{"var":"l"},{"val":[[2],"k"]}]}]}"#, []),
            (
                #"{"reduce":[{"var":"l"},{"+":[{"var":"current.a"},{"var":"accumulator.b"}]},{"var":"i"}]}"#,
                [["l"], ["i"]]
            ),
            (#"{"map":[[1],{"val":[[2],"a",{"var":"k"}]}]}"#, [["a"]]), (#"{"map":[[1],{"missing":["a"]}]}"#, []),
            (#"{"map":[[1],{"missing":{"var":"k"}}]}"#, []), (#"{"map":[[1],{"var":{"var":"k"}}]}"#, []),
        ] as [(String, [[String]])])
    func scopes(_ row: (String, [[String]])) throws {
        #expect(try read(row.0).reads.paths == Set(row.1))
    }

    @Test("a very long path is cut, and read as a whole from there")
    func longPath() throws {
        let names = (0..<1_000).map { "n\($0)" }
        let reads = try read(#"{"var":"\#(names.joined(separator: "."))"}"#).reads
        #expect(reads.paths == [Array(names.prefix(16))])
        #expect(reads.mayRead(names + ["x"]))
        #expect(!reads.mayRead(["n0", "n2"]))
    }
}
