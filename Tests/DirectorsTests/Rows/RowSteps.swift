import JSONValues
import TestSupport

@testable import Directors

/// One step in the life of a director with rows; operations are kept as their texts.
enum RowStep: CustomStringConvertible {
    case perform([String])
    case reload
    /// The director is stored and put together again.
    case restore

    var description: String {
        switch self {
        case .perform(let operations): "perform [" + operations.joined(separator: ", ") + "]"
        case .reload: "reload"
        case .restore: "restore"
        }
    }
}

/// Makes steps of a small alphabet, so that identifiers meet and places miss often enough.
struct RowStepGenerator {
    var random: SeededGenerator

    /// The most elements that one operation brings in.
    let most: Int
    /// The identifiers of elements.
    let identifiers: [String]

    init(seed: UInt64, isLong: Bool = false) {
        random = SeededGenerator(seed: seed)
        most = isLong ? 120 : 4
        identifiers = isLong ? (0..<300).map { "e\($0)" } : ["a", "b", "c", "d", "e"]
    }

    mutating func steps() -> [RowStep] {
        let first = [operation("setSections", #""sections":["# + section("s") + "," + section("t") + "]")]
        let variables = ["x", "z", "h"].map { setVariable($0) }
        return [.perform(variables + first), .reload]
            + (0..<Int.random(in: 1...16, using: &random)).map { _ in
                if random.chance(3) { return .reload }
                if random.chance(30) { return .restore }
                return .perform((0..<(random.chance(3) ? 2 + random.below(3) : 1)).map { _ in operation() })
            } + [.reload]
    }

    // MARK: Parts

    mutating func pick(_ items: String...) -> String {
        items[random.below(items.count)]
    }

    /// A member that is there once in so many times.
    mutating func maybe(_ oneIn: Int, _ member: (inout Self) -> String) -> String {
        random.chance(oneIn) ? "," + member(&self) : ""
    }

    mutating func address(_ names: String...) -> String {
        address(of: names)
    }

    private mutating func address(of names: [String]) -> String {
        random.chance(3) ? pick("0", "1", "\"@last\"", "\"@first\"", "2") : "\"\(names[random.below(names.count)])\""
    }

    mutating func sectionAddress() -> String { address("s", "t", "u") }
    mutating func rowAddress() -> String { address("p", "q", "r") }
    mutating func elementAddress() -> String {
        random.chance(2) ? "\(random.below(most + 2))" : address(of: identifiers)
    }

    mutating func operation(_ name: String, _ members: String = "") -> String {
        "{\"op\":\"\(name)\"" + (members.isEmpty ? "" : "," + members) + "}"
    }

    mutating func setVariable(_ name: String) -> String {
        let value =
            switch name {
            case "h": random.chance(12) ? "\"tall\"" : pick("10", "20", "null", "30")
            case "z": pick("0", "1", "2", "2")
            case "k": pick("\"x\"", "\"y\"")
            default: pick("true", "false", "1", "0")
            }
        return operation("setVariable", "\"name\":\"\(name)\",\"value\":\(value)")
    }

    mutating func value() -> String {
        let identifier = identifiers[random.below(identifiers.count)]
        return "{\"id\":\"\(identifier)\",\"n\":\(random.below(3)),\"m\":\(random.below(2))}"
    }

    mutating func element(_ model: String) -> String {
        "{\"model\":\"\(model)\",\"value\":\(value())}"
    }

    mutating func elements(_ model: String? = nil) -> String {
        let count = most > 4 && random.chance(2) ? random.below(4) : random.below(most + 1)
        return "[" + (0..<count).map { _ in element(model ?? pick("A", "B")) }.joined(separator: ",") + "]"
    }

    // MARK: Sections and rows

    mutating func section(_ id: String) -> String {
        "{\"id\":\"\(id)\"" + maybe(3) { #""headerTitle":"# + $0.pick("\"H\"", "\"G\"") }
            + maybe(4) { #""footerTitle":"# + $0.pick("\"F\"", "\"\"") }
            + maybe(8) { _ in #""isCollapsed":true"# }
            + (random.chance(5) ? ",\"elements\":" + elements() : ",\"rows\":" + rows()) + "}"
    }

    mutating func rows(_ most: Int = 3) -> String {
        let names = ["p", "q", "r"].shuffled(using: &random).prefix(random.below(most + 1))
        return "[" + names.map { row($0) }.joined(separator: ",") + "]"
    }

    mutating func row(_ id: String) -> String {
        let rules =
            maybe(2) { "\"hideWhen\":" + $0.condition() } + maybe(3) { "\"height\":" + $0.length() }
            + maybe(6) { "\"estimatedHeight\":" + $0.length() } + maybe(3) { "\"additionalConfig\":" + $0.config() }
            + maybe(5) { "\"reuseIdentifier\":" + $0.pick("\"R\"", "\"S\"") }
            + maybe(5) { "\"afterSelection\":" + $0.pick("\"none\"", "\"deselect\"") }
        if random.chance(3) {
            return "{\"id\":\"\(id)\",\"type\":\"constant\",\"cell\":\"\(pick("C", "D"))\""
                + maybe(2) { "\"value\":" + $0.value() }
                + rules + "}"
        }
        let model = pick("A", "A", "B")
        return "{\"id\":\"\(id)\",\"type\":\"model\",\"model\":\"\(model)\",\"elements\":" + elements(model)
            + maybe(4) { "\"cell\":" + $0.pick("\"C\"", "\"D\"") } + rules + "}"
    }

    mutating func condition() -> String {
        pick(
            "true", "false", #"{"var":"variables.x"}"#, #"{"!":[{"var":"variables.x"}]}"#, #"{"var":"variables.y"}"#,
            #"{">":[{"var":"model.n"},1]}"#, #"{"==":[{"var":"model.n"},{"var":"variables.z"}]}"#,
            #"{"and":[{"var":"variables.x"},{">":[{"var":"model.n"},0]}]}"#,
            #"{"==":[{"%":[{"var":"index"},2]},1]}"#, #"{"==":[{"var":"section.headerTitle"},"H"]}"#,
            #"{"var":{"cat":["variables.",{"var":"variables.k"}]}}"#, #"{"missing":["variables.y"]}"#,
            #"{"==":[{"var":"row.id"},"p"]}"#)
    }

    mutating func length() -> String {
        pick(
            "44", "0", #"{"var":"variables.h"}"#, #"{"+":[{"var":"model.n"},10]}"#,
            #"{"/":[10,{"var":"variables.z"}]}"#,
            #"{"/":[10,{"var":"model.n"}]}"#, #"{"*":[{"var":"index"},10]}"#,
            #"{"if":[{"var":"section.footerTitle"},20,30]}"#, #"{"if":[{"var":"variables.y"},{"var":"model.m"},7]}"#)
    }

    mutating func config() -> String {
        pick(
            #"{"a":1}"#, #"{"a":{"$logic":{"var":"variables.x"}},"b":[1,{"$logic":{"var":"model.n"}}]}"#,
            #"{"a":{"b":{"$logic":{"var":"section.headerTitle"}}}}"#, #"{"a":{"$logic":{"var":"variables"}}}"#,
            #"{"a":{"$logic":{"var":"index"}},"b":{"$logic":{"var":"row.id"}}}"#,
            #"{"a":{"$logic":{"var":"variables.z"}}}"#)
    }
}
