import JSONValues
import ListDiff
import Testing

@testable import Directors

@Suite("The bounds of rows")
struct RowBoundTests {
    /// What a reload fails with.
    private func failure(_ director: LiveDirector) throws -> DirectorError {
        let before = director.traces
        let error = try #require(throws: DirectorError.self) { try director.reload() }
        #expect(director.traces == before && error.category == .invalid)
        return error
    }

    /// An expression of so many steps and more, where the variable is a list of a hundred.
    private func steps(_ count: Int) -> String {
        let inner =
            "{\"reduce\":[{\"var\":\"variables.list\"},{\"+\":[{\"var\":\"current\"},{\"var\":\"accumulator\"}]},0]}"
        return "{\"+\":[{\"var\":\"model.n\"}," + Array(repeating: inner, count: count / 100 + 1).joined(separator: ",")
            + "]}"
    }

    @Test("the steps of one evaluation are, and the row that passes the bound is named")
    func oneEvaluation() throws {
        let list = "[" + Array(repeating: "1", count: 600).joined(separator: ",") + "]"
        let square = "{\"map\":[\(list),{\"reduce\":[\(list),1,0]}]}"
        let director = try rowDirector(
            rowSection("a", constant("c")), rowSection("s", constant("c"), constant("d", ",\"hideWhen\":\(square)")))
        let error = try failure(director)
        #expect(error.pointer.hasPrefix("/sections/1/rows/1/hideWhen"))
        #expect(error.detail.contains("\"d\"") && error.detail.contains("\"s\"") && error.detail.contains("steps"))
        try director.perform(form: #"{"op":"patchRow","section":"s","row":"d","patch":{"hideWhen":null}}"#)
        _ = try director.reload()
        #expect(director.shown == "a: c | s: c d")
    }

    @Test("what was published once is evaluated again whatever counts as a step by now")
    func stored() throws {
        let list = "[" + Array(repeating: "1", count: 600).joined(separator: ",") + "]"
        let square = "{\"map\":[\(list),{\"reduce\":[\(list),1,0]}]}"
        let director = try rowDirector(
            rowSection("s", constant("c"), constant("d", ",\"hideWhen\":\(square)")),
            limits: DirectorLimits(evaluationSteps: .max))
        _ = try director.reload()
        #expect(director.shown == "s: c")
    }

    @Test("the steps of a reload are, taken together")
    func reload() throws {
        let row = modelRow("m", numbered(20), ",\"height\":\(steps(1_000))")
        for (limit, isTaken) in [(1_000_000, true), (10_000, false)] {
            let list = "[" + Array(repeating: "1", count: 100).joined(separator: ",") + "]"
            let director = try rowDirector(
                rowSection("s", row), variables: ["list": list], limits: DirectorLimits(evaluationSteps: limit))
            guard !isTaken else {
                #expect(try director.reload() != nil)
                continue
            }
            let error = try failure(director)
            #expect(error.pointer == "/sections/0/rows/0/height")
            #expect(error.detail.contains("more than 10000 steps together"))
        }
    }

    @Test("the number of rows is, whichever operation brings them in")
    func rows() throws {
        let two = rowSection("s", constant("a"), constant("b"))
        let director = try rowDirector(two, limits: DirectorLimits(rows: 3))
        for operation in [
            "{\"op\":\"setSections\",\"sections\":[\(two),\(two)]}", "{\"op\":\"addSections\",\"sections\":[\(two)]}",
            "{\"op\":\"addRows\",\"section\":\"s\",\"rows\":[\(constant("c")),\(constant("d"))]}",
            "{\"op\":\"patchSection\",\"section\":\"s\",\"patch\":{\"rows\":[\((0..<4).map { constant("\($0)") }.joined(separator: ","))]}}",
            "{\"op\":\"setRows\",\"section\":\"s\",\"rows\":[\((0..<4).map { constant("\($0)") }.joined(separator: ","))]}",
        ] {
            let error = #expect(throws: DirectorError.self) { try director.perform(form: operation) }
            #expect(error?.reason == .limitExceeded(.rows, limit: 3), "\(operation)")
        }
        try director.perform(form: "{\"op\":\"setRow\",\"section\":\"s\",\"row\":\"c\",\"value\":\(constant("c"))}")
        let error = #expect(throws: DirectorError.self) {
            try director.perform(form: "{\"op\":\"setRow\",\"section\":\"s\",\"row\":\"d\",\"value\":\(constant("d"))}")
        }
        #expect(error?.category == .limit)
    }

    @Test("the expressions of a template are, and its length once they are evaluated")
    func template() throws {
        func row(_ count: Int) -> String {
            let holes = Array(repeating: #"{"$logic":{"var":"variables.x"}}"#, count: count).joined(separator: ",")
            return constant("c", ",\"additionalConfig\":{\"a\":[\(holes)]}")
        }
        let refused = #expect(throws: RepresentationError.self) { try rowDirector(rowSection("s", row(1_001))) }
        #expect(refused?.faults.map(\.pointer) == ["/sections/0/rows/0/additionalConfig"])
        #expect(refused?.detail.contains("at most 1000 expressions") == true)
        let director = try rowDirector(
            rowSection("s", row(1_000)), variables: ["x": "\"\(String(repeating: "x", count: 2_000))\""])
        let error = try failure(director)
        #expect(error.pointer.hasPrefix("/sections/0/rows/0/additionalConfig/a/"))
        #expect(error.detail.contains("more than 1048576 bytes"))
        try director.perform(form: #"{"op":"setVariable","name":"x","value":1}"#)
        #expect(try director.reload() != nil)
    }

    @Test(
        "what gives no height fails the reload",
        arguments: [
            (#"{"cat":["4","4"]}"#, "/height"), (#"{"-":[1]}"#, "/height"), (#"{"*":[1e9,2]}"#, "/height"),
            (#"{"/":[1,{"var":"variables.none"}]}"#, "/height"), (#"{"if":[true,{"+":["x"]}]}"#, "/height"),
        ])
    func height(_ row: (String, String)) throws {
        let director = try rowDirector(rowSection("s", modelRow("m", ["\"a\""], ",\"height\":\(row.0)")))
        #expect(try failure(director).pointer.hasPrefix("/sections/0/rows/0" + row.1))
        try director.perform(form: #"{"op":"patchRow","section":"s","row":"m","patch":{"height":{"if":[false,1]}}}"#)
        _ = try director.reload()
        #expect(!director.form(0, 0).contains("height"))
    }
}
