import JSONLogic
import JSONValues
import TestSupport
import Testing

@Suite("Expressions with numbers at every edge")
struct EdgeNumberTests {
    private static let operators = RandomExpression.operators

    /// An expression whose literals are numbers at edges, alone and in texts and lists.
    private static func expression(depth: Int, _ generator: inout SeededGenerator) -> String {
        guard depth > 0, !generator.chance(4) else {
            return generator.chance(3)
                ? #"{"var":["\#(["a", "b.0", "n", "a.1"][generator.below(4)])",0]}"#
                : EdgeNumbers.json(depth: 1, using: &generator)
        }
        let arguments = (0..<generator.below(4)).map { _ in expression(depth: depth - 1, &generator) }
        return "{\"\(operators[generator.below(operators.count)])\":[" + arguments.joined(separator: ",") + "]}"
    }

    @Test("an expression is refused, fails or gives a value that can be written and read")
    func noTrap() throws {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("expressions with numbers at every edge"))
        var values = 0
        for _ in 0..<EdgeNumbers.cases(percent: 15) {
            let text = Self.expression(depth: 3, &generator)
            let data = EdgeNumbers.json(depth: 3, using: &generator)
            guard let expression = try? read(text) else { continue }
            guard let value = try? expression.evaluate(LogicData(.json(JSONDocument(data).root))) else { continue }
            values += 1
            let json = try value.json
            #expect(try JSONValue(parsing: json.bytes) == json, "\(text) of \(data)")
        }
        #expect(values > 100)
    }

    @Test("every operator takes every pair of numbers, or says why it does not")
    func pairs() throws {
        let edges = [
            "-9223372036854775808", "9223372036854775807", "1e-9223372036854775809", "1e9223372036854775808", "-0",
            "0.5",
            "1e308", "5e-324", "-1", "1e99999999999999999999", "9007199254740993", "18446744073709551616",
        ]
        for name in Self.operators {
            for one in edges {
                for other in edges {
                    for arguments in [
                        "[\(one),\(other)]", "[\(one)]", "[\"abc\",\(one),\(other)]", "[[\(one)],\(other)]",
                    ] {
                        guard let expression = try? read("{\"\(name)\":\(arguments)}") else { continue }
                        _ = try? expression.evaluate(LogicData(.null)).json
                    }
                }
            }
        }
    }
}
