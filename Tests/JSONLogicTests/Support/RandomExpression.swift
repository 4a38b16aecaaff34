import JSONValues
import TestSupport

/// Makes random values and expressions, written as JSON.
struct RandomExpression {
    var generator: SeededGenerator

    static let names = ["a", "b", "c", "0", "1", "", "current", "accumulator", "index"]
    static let operators = [
        "var", "missing", "missing_some", "if", "?:", "==", "===", "!=", "!==", "!", "!!", "or", "and", ">", ">=", "<",
        "<=", "max", "min", "+", "-", "*", "/", "%", "map", "filter", "reduce", "all", "none", "some", "merge", "in",
        "cat", "substr", "val", "exists", "??",
    ]

    private mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[generator.below(choices.count)]
    }

    private mutating func list(_ count: Int, _ element: (inout Self) -> String) -> String {
        var elements: [String] = []
        for _ in 0..<count { elements.append(element(&self)) }
        return "[" + elements.joined(separator: ",") + "]"
    }

    /// A value without operations.
    mutating func value(depth: Int) -> String {
        switch generator.below(depth > 0 ? 11 : 8) {
        case 0: return "null"
        case 1: return pick(["true", "false"])
        case 2, 3: return String(generator.below(7) - 2)
        case 4:
            return pick([
                "9223372036854775807", "-9223372036854775808", "9007199254740993", "1e400", "-1e-400", "0.1", "1.50",
                "1e300", "123456789012345678901234567890", "-0.0", "1e99999999999999999999",
            ])
        case 5:
            return pick(["\"\"", "\"a\"", "\"b\"", "\"1\"", "\"a.b\"", "\"1e400\"", "\" 2 \"", "\"\\ud83d\\ude00\""])
        case 6: return "\"\(pick(Self.names))\""
        case 7: return pick(["[]", "{}", "[2]", "[1,2,3]", "[[2],\"a\"]", "[\"a\",\"b\"]"])
        case 8, 9: return list(generator.below(4)) { $0.value(depth: depth - 1) }
        default:
            var members: [String: String] = [:]
            for _ in 0..<generator.below(4) + 2 { members[pick(Self.names)] = value(depth: depth - 1) }
            return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
        }
    }

    /// An expression that often, but not always, is a valid one.
    mutating func expression(depth: Int) -> String {
        guard depth > 0, !generator.chance(6) else { return value(depth: 1) }
        if generator.chance(12) { return list(generator.below(4)) { $0.expression(depth: depth - 1) } }
        let name = generator.chance(3) ? pick(["var", "val", "reduce", "map", "missing"]) : pick(Self.operators)
        return "{\"\(name)\":\(arguments(of: name, depth: depth - 1))}"
    }

    private mutating func arguments(of name: String, depth: Int) -> String {
        switch name {
        case "var", "missing", "exists", "val":
            switch generator.below(6) {
            case 0: return expression(depth: depth)
            case 1: return list(generator.below(3)) { $0.expression(depth: depth) }
            case 2: return "\"\(pick(Self.names)).\(pick(Self.names))\""
            case 3 where name == "val" || name == "exists":
                return
                    "[[\(generator.below(6) - 1)],\"\(pick(Self.names))\"\(generator.chance(3) ? "," + expression(depth: depth) : "")]"
            default: return "\"\(pick(Self.names))\""
            }
        case "map", "filter", "all", "none", "some": return "[\(source(depth: depth)),\(body(depth: depth))]"
        case "reduce": return "[\(source(depth: depth)),\(body(depth: depth)),\(expression(depth: depth))]"
        default:
            if generator.chance(8) { return expression(depth: depth) }
            return list(generator.chance(4) ? generator.below(5) : 2) { $0.expression(depth: depth) }
        }
    }

    /// What is evaluated on each element: often a path that climbs, its level written out or computed.
    private mutating func body(depth: Int) -> String {
        let level = [-2, 0, 1, 2, 2, 4][generator.below(6)]
        let name = pick(Self.names)
        switch generator.below(9) {
        case 0, 1: return "{\"val\":[[\(level)],\"\(name)\"]}"
        case 2: return "{\"val\":[{\"merge\":[\(level)]},\"\(name)\"]}"
        case 3: return "{\"val\":{\"merge\":[[[\(level)]],\"\(name)\"]}}"
        default: return expression(depth: depth)
        }
    }

    private mutating func source(depth: Int) -> String {
        switch generator.below(4) {
        case 0: return expression(depth: depth)
        case 1: return list(generator.below(4)) { $0.expression(depth: depth - 1) }
        case 2: return "{\"var\":\"\(pick(Self.names))\"}"
        default: return pick(["[1,2,3]", "[[1,2],[3]]", "[\"a\",\"b\"]", "[[]]"])
        }
    }

    /// The members of an object, each with its value.
    mutating func members() -> [(name: String, value: String)] {
        Self.names.map { ($0, value(depth: 2)) }
    }
}
