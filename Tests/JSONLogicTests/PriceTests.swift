import JSONValues
import Testing

@testable import JSONLogic

/// That no operator does much for the price of a step.
@Suite("What steps cost")
struct PriceTests {
    private static let count = 10_000

    /// An expression for each operator that does much on `{"list": […], "object": {…}, "text": "…"}`, and the fewest steps
    /// that it has to take: its price follows what it looks at.
    static let expressions: [(form: String, steps: Int)] = [
        (#"{"var":"object.last"}"#, count / 16), (#"{"val":["object","last"]}"#, count / 16),
        (#"{"exists":["object","last"]}"#, count / 16), (#"{"var":{"cat":["object.","last"]}}"#, 1),
        (#"{"var":["object.none",{"var":"object.last"}]}"#, count / 8), (#"{"missing":["object.last"]}"#, count / 16),
        (#"{"missing_some":[1,["object.last","object.none"]]}"#, count / 8), (#"{"var":"list.9999"}"#, count / 16),
        (#"{"if":[{"var":"object.last"},1,2]}"#, count / 16), (#"{"?:":[{"var":"object.last"},1,2]}"#, count / 16),
        (#"{"==":[{"var":"text"},{"var":"text"}]}"#, count / 64),
        (#"{"!=":[{"var":"text"},{"var":"text"}]}"#, count / 64),
        (#"{"===":[{"var":"object"},{"var":"object"}]}"#, count),
        (#"{"!==":[{"var":"list"},{"var":"list"}]}"#, count / 16),
        (#"{"!":{"var":"object.last"}}"#, count / 16), (#"{"!!":{"var":"object.last"}}"#, count / 16),
        (#"{"or":[{"var":"object.last"}]}"#, count / 16), (#"{"and":[{"var":"object.last"}]}"#, count / 16),
        (#"{"??":[{"var":"object.none"},1]}"#, count / 16), (#"{">":[{"var":"text"},{"var":"text"}]}"#, count / 64),
        (#"{">=":[{"var":"text"},{"var":"text"}]}"#, count / 64),
        (#"{"<":[{"var":"text"},{"var":"text"}]}"#, count / 64),
        (#"{"<=":[{"var":"text"},{"var":"text"}]}"#, count / 64), (#"{"max":{"var":"list"}}"#, count),
        (#"{"min":{"var":"list"}}"#, count), (#"{"+":{"var":"list"}}"#, count), (#"{"-":{"var":"list"}}"#, count),
        (#"{"*":{"var":"list"}}"#, count), (#"{"/":{"var":"list"}}"#, count), (#"{"%":{"var":"list"}}"#, count),
        (#"{"map":[{"var":"list"},1]}"#, count), (#"{"filter":[{"var":"list"},true]}"#, count),
        (#"{"reduce":[{"var":"list"},1,0]}"#, count), (#"{"all":[{"var":"list"},1]}"#, count),
        (#"{"none":[{"var":"list"},0]}"#, count), (#"{"some":[{"var":"list"},0]}"#, count),
        (#"{"merge":{"var":"list"}}"#, count), (#"{"in":[2,{"var":"list"}]}"#, count),
        (#"{"cat":{"var":"list"}}"#, count), (#"{"substr":[{"var":"text"},1]}"#, count / 64),
        ("{\"+\":[\(Array(repeating: "1", count: 5_000).joined(separator: ",")),{\"var\":\"\"}]}", 0),
        ("{\"and\":[\(Array(repeating: "1", count: 5_000).joined(separator: ",")),{\"var\":\"x\"}]}", 600),
        ("[\(Array(repeating: "1", count: 5_000).joined(separator: ",")),{\"var\":\"x\"}]", 600),
    ]

    private static let data: String = {
        let members = (0..<count).map { "\"member\($0)\":\($0)" } + ["\"last\":1"]
        let list = Array(repeating: "1", count: count).joined(separator: ",")
        return "{\"object\":{\(members.joined(separator: ","))},\"list\":[\(list)],"
            + "\"text\":\"\(String(repeating: "t", count: count))\"}"
    }()

    @Test("an operator takes steps for what it looks at")
    func prices() throws {
        let data = LogicData(.json(try JSONDocument(Self.data).root))
        for (form, least) in Self.expressions {
            let expression = try read(form)
            var steps = 0
            _ = try? expression.evaluate(data, addingSteps: &steps)
            #expect(steps >= least || least == 0, "\(form.prefix(60)) takes \(steps) steps")
        }
    }

    @Test("every operator has a price in the table")
    func everyOperator() throws {
        let known = Set(
            Self.expressions.compactMap { $0.form.split(separator: "\"").dropFirst().first.map(String.init) })
        for name in LogicOperator.allCases.map(\.rawValue) { #expect(known.contains(name), "\(name) has none") }
    }

    @Test("names with escapes, and long names that begin alike, count for what is compared")
    func names() throws {
        let begin = String(repeating: "n", count: 10_000)
        let long = (0..<100).map { "\"\(begin)\($0 % 10)\($0 / 10)\":1" }.joined(separator: ",")
        let escaped = (0..<1_000).map { "\"\\u0061\($0)\":1" }.joined(separator: ",")
        for (data, name, least) in [(long, begin + "xx", 100 * 600 / 16), (escaped, "abcde", 1_000 * 9 / 16)] {
            var steps = 0
            let data = LogicData(.json(try JSONDocument("{\(data)}").root))
            _ = try read("{\"val\":[\"\(name)\"]}").evaluate(data, addingSteps: &steps)
            #expect(steps >= least, "\(steps) of \(least)")
        }
    }
}
