import Foundation
import JSONLogic
import JSONValues
import Testing

@Suite("Limits")
struct LimitTests {
    private func nested(_ depth: Int, in operation: String = "!") -> String {
        String(repeating: #"{"\#(operation)":["#, count: depth) + #"{"var":"a"}"#
            + String(repeating: "]}", count: depth)
    }

    @Test("an expression may be as deep as the limit, and no deeper")
    func depth() throws {
        #expect(try evaluate(nested(63), #"{"a":1}"#) == "false")
        #expect(try refusal(nested(64))?.reason == .tooDeep(limit: 64))
        #expect(try refusal(nested(64))?.pointer == String(repeating: "/!/0", count: 64))
        #expect(try refusal(nested(3), limits: LogicLimits(depth: 3))?.reason == .tooDeep(limit: 3))
        #expect(try refusal(nested(200), limits: LogicLimits(depth: 1_000))?.reason == .tooDeep(limit: 128))
        let arrays = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        #expect(try refusal(arrays)?.reason == .tooDeep(limit: 64))
    }

    @Test(
        "the deepest expression of each kind needs little of a thread's stack, even without optimisation",
        arguments: ["+", "if", "cat", "all", "merge"])
    func stack(_ operation: String) throws {
        let depth = 126
        let body: String
        switch operation {
        case "all":
            body = String(repeating: #"{"all":[[1],"#, count: depth) + "1" + String(repeating: "]}", count: depth)
        case "if":
            body =
                String(repeating: #"{"if":["#, count: depth) + #"{"var":"a"}"#
                + String(repeating: ",1,1]}", count: depth)
        default: body = nested(depth, in: operation)
        }
        let expression = try read(body, limits: LogicLimits(depth: 128))
        let data = LogicData(members: ["a": .integer(1)])
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            #expect(throws: Never.self) { _ = try expression.evaluate(data) }
            done.signal()
        }
        thread.stackSize = 2 * 1024 * 1024
        thread.start()
        done.wait()
    }

    @Test("an expression may consist of as many values as the limit")
    func nodes() throws {
        let limits = LogicLimits(nodes: 4)
        #expect(try evaluate("[1,2,3]", limits: limits) == "[1,2,3]")
        #expect(try refusal("[1,2,3,4]", limits: limits)?.reason == .tooLarge(limit: 4))
        #expect(try refusal("[1,2,3,4]", limits: limits)?.pointer == "/3")
        #expect(try refusal(#"{"missing":["a","b","c","d"]}"#, limits: limits)?.reason == .tooLarge(limit: 4))
        let many = "[" + Array(repeating: "0", count: 10_000).joined(separator: ",") + "]"
        #expect(try refusal(many)?.reason == .tooLarge(limit: 10_000))
    }

    @Test("steps are counted for operations, turns and elements")
    func steps() throws {
        func steps(_ expression: String, _ data: String = "null") throws -> Int? {
            try (0..<100).first {
                try failure(expression, data, limits: LogicLimits(steps: $0))?.reason != .tooManySteps(limit: $0)
            }
        }
        #expect(try steps("7") == 0)
        #expect(try steps(#"{"var":"a"}"#) == 1)
        #expect(try steps(#"{"!":[{"var":"a"}]}"#) == 2)
        #expect(try steps(#"{"map":[{"var":""},1]}"#, "[0,0,0]") == 5)
        #expect(try steps(#"{"map":[{"var":""},{"var":""}]}"#, "[0,0,0]") == 8)
        #expect(try steps(#"{"merge":[{"var":""}]}"#, "[0,0,0]") == 5)
        #expect(try steps(#"{"in":[9,{"var":""}]}"#, "[0,0,0]") == 5)
        #expect(try steps(#"{"cat":{"var":""}}"#, "[0,0,0]") == 5)
    }

    @Test("nested iterations end at the limit of steps, soon")
    func nestedIterations() throws {
        let data = "[" + Array(repeating: "1", count: 1_000).joined(separator: ",") + "]"
        let three = #"{"map":[{"var":""},{"map":[{"val":[[2]]},{"map":[{"val":[[4]]},1]}]}]}"#
        #expect(try failure(three, data)?.reason == .tooManySteps(limit: 100_000))
        #expect(try failure(three, data)?.pointer == "/map/1/map/1/map")
    }

    @Test("looking for a part of a text takes steps, however unfortunate the texts are")
    func search() throws {
        let data =
            #"{"text":"\#(String(repeating: "a", count: 200_000))","part":"\#(String(repeating: "a", count: 50_000))b"}"#
        let time = try ContinuousClock().measure {
            let failure = try failure(#"{"in":[{"var":"part"},{"var":"text"}]}"#, data)
            #expect(failure?.reason == .tooManySteps(limit: 100_000))
        }
        #expect(time < .seconds(5))
    }

    @Test(
        "long texts take steps wherever they are read",
        arguments: [
            (#"{"!":{"var":"zeros"}}"#, 15_000), (#"{"and":[{"var":"zeros"},1]}"#, 15_000),
            (#"{"==":[{"var":"zeros"},1]}"#, 15_000), (#"{"var":{"var":"points"}}"#, 1_000_000),
            (#"{"in":[{"var":"zeros"},"0"]}"#, 15_000), (#"{"val":[{"var":"zeros"}]}"#, 15_000),
            (#"{"<":[{"var":"points"},"."]}"#, 15_000), (#"{"substr":[{"var":"points"},0]}"#, 15_000),
        ])
    func longTexts(_ row: (String, Int)) throws {
        let data = """
            {"zeros":0.\(String(repeating: "0", count: 1_000_000))1,"points":"\(String(repeating: ".", count: 1_000_000))"}
            """
        let limits = LogicLimits(steps: row.1, size: 1 << 30)
        #expect(try failure(row.0, data, limits: limits)?.reason == .tooManySteps(limit: row.1))
    }

    @Test(
        "what doubles with every turn ends at the limit of size",
        arguments: [
            #"{"cat":[{"var":"accumulator"},{"var":"accumulator"},"x"]}"#,
            #"{"merge":[{"var":"accumulator"},{"var":"accumulator"},1]}"#,
            #"[{"var":"accumulator"},{"var":"accumulator"}]"#,
            #"{"reduce":[[{"var":"accumulator"}],{"var":""},{"var":"accumulator"}]}"#,
        ])
    func doubling(_ body: String) throws {
        let data = "[" + Array(repeating: "1", count: 100).joined(separator: ",") + "]"
        let limits = LogicLimits(steps: 10_000_000)
        let reason = try failure(#"{"reduce":[{"var":""},\#(body),""]}"#, data, limits: limits)?.reason
        #expect(reason == .tooLarge(limit: 1 << 20))
    }

    @Test(
        "what gets deeper with every turn ends at the limit of depth",
        arguments: [#"[{"var":"accumulator"}]"#, #"{"var":""}"#, #"{"map":[[1],{"val":[[2],"accumulator"]}]}"#])
    func deepening(_ body: String) throws {
        let data = "[" + Array(repeating: "1", count: 1_000).joined(separator: ",") + "]"
        #expect(try failure(#"{"reduce":[{"var":""},\#(body),0]}"#, data)?.reason == .tooDeep(limit: 128))
    }

    @Test("what is built counts once for each array that it is put into")
    func size() throws {
        let limits = LogicLimits(size: 64)
        #expect(
            try evaluate(#"[{"var":""}]"#, "\"\(String(repeating: "t", count: 50))\"", limits: limits).utf8.count == 54)
        let failure = try failure(
            #"[{"var":""},{"var":""}]"#, "\"\(String(repeating: "t", count: 50))\"", limits: limits)
        #expect(failure?.reason == .tooLarge(limit: 64))
    }

    @Test("limits stay in their range")
    func range() {
        var limits = LogicLimits(depth: -1, nodes: .max, steps: .max, size: .min)
        #expect(limits.depth == 0)
        #expect(limits.size == 0)
        limits.depth = .max
        limits.steps = -5
        #expect(limits.depth == 128)
        #expect(limits.steps == 0)
    }
}
