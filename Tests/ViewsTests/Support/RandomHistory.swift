import Directors
import JSONValues
import ListDiff
import TestSupport

/// One step in the life of a source.
enum SourceStep: CustomStringConvertible {
    case perform([Directors.Operation])
    case look([JSONPointer]?)
    /// Publishes; the view takes the version unless it is passed over.
    case publish(isTaken: Bool)

    var description: String {
        switch self {
        case .perform(let operations):
            "perform [" + operations.map { operation in text { operation.encode(to: &$0) } }.joined(separator: ", ")
                + "]"
        case .look(let pointers): "look at \(pointers.map { "\($0)" } ?? "all")"
        case .publish(let isTaken): isTaken ? "publish" : "publish, passed over"
        }
    }
}

/// Makes steps over few identifiers and values, so that these meet often enough.
struct HistoryGenerator {
    var random: SeededGenerator
    private let isLong: Bool
    /// Whether no two elements have the same identifier.
    private let isUnique: Bool
    private let identifiers: [String]
    private var made = 0

    init(_ random: SeededGenerator, isLong: Bool, isUnique: Bool = false) {
        self.random = random
        self.isLong = isLong
        self.isUnique = isUnique
        identifiers = (0..<(isLong ? 600 : 8)).map { "e\($0)" }
    }

    mutating func steps() -> [SourceStep] {
        var steps: [SourceStep] = [.perform([.sections(.set(["s", "t", "u"].map { section($0) }))])]
        if random.percent(70) { steps.append(.publish(isTaken: true)) }
        for _ in 0..<Int.random(in: 2...14, using: &random) {
            switch random.below(12) {
            case 0: steps.append(.look(pick([nil, [JSONPointer(tokens: ["n"])], []])))
            case 1, 2, 3, 4: steps.append(.publish(isTaken: random.percent(80)))
            default: steps.append(.perform((0..<(random.percent(30) ? 4 : 1)).map { _ in operation() }))
            }
        }
        return steps + [.publish(isTaken: true)]
    }

    private mutating func pick<Item>(_ items: [Item]) -> Item { items[random.below(items.count)] }

    private mutating func address(_ ids: [String], upTo count: Int) -> Address {
        random.percent(40) ? .identifier(pick(ids)) : .position(random.below(count))
    }

    private mutating func sectionAddress() -> Address { address(["s", "t", "u", "v"], upTo: 4) }

    private mutating func elementAddress() -> Address { address(identifiers, upTo: isLong ? 150 : 6) }

    private mutating func operation() -> Directors.Operation {
        let owner = ElementOwner.section(sectionAddress())
        switch random.below(24) {
        case 0: return .sections(.set((0..<random.below(4)).map { _ in section(pick(["s", "t", "u", "v"])) }))
        case 1: return .sections(.add([section(pick(["s", "t", "u", "v"]))], at: .position(random.below(3))))
        case 2: return .sections(.remove(sectionAddress()))
        case 3: return .sections(.move(from: sectionAddress(), to: .position(random.below(3))))
        case 4, 5: return .sections(.patch(sectionAddress(), ValueDraft(parsed(attributes()))))
        case 6: return .sections(.swap(sectionAddress(), with: sectionAddress()))
        case 7, 8: return .setVariable(name: "v", value: parsed("\(random.below(4))"))
        case 9: return .elements(of: owner, .set(elements()))
        case 10, 11, 12: return .elements(of: owner, .add([element()], at: random.percent(50) ? elementAddress() : nil))
        case 13: return .elements(of: owner, .add(elements(), at: random.percent(50) ? elementAddress() : nil))
        case 14, 15: return .elements(of: owner, .remove(elementAddress()))
        case 16: return .elements(of: owner, .removeSeveral([elementAddress(), elementAddress()]))
        case 17: return .elements(of: owner, .swap(elementAddress(), with: elementAddress()))
        case 18, 19:
            let into = random.percent(50) ? ElementDestination(section: sectionAddress()) : nil
            return .elements(of: owner, .move(from: elementAddress(), to: .position(random.below(4)), into: into))
        case 20: return .elements(of: owner, .put(elementAddress(), element()))
        default: return .elements(of: owner, .patch(elementAddress(), ValueDraft(parsed(patch()))))
        }
    }

    private mutating func attributes() -> String {
        pick([#"{"isCollapsed":true}"#, #"{"isCollapsed":false}"#, #"{"headerTitle":"A"}"#, #"{"headerTitle":null}"#])
    }

    private mutating func section(_ id: String) -> SectionDraft {
        let (isCollapsed, title) = (random.chance(8), random.percent(50) ? "A" : nil)
        return SectionDraft(
            identifier: id,
            attributes: SectionAttributes {
                $0.isCollapsed = isCollapsed
                $0.headerTitle = title
            }, elements: elements())
    }

    private mutating func elements() -> [ElementDraft] {
        (0..<random.below(isLong ? 250 : 6)).map { _ in element() }
    }

    private mutating func element() -> ElementDraft {
        made += 1
        var members = ["\"id\":\"\(isUnique ? "e\(made)" : pick(identifiers))\""]
        for name in ["k", "n", "s", "p", "x"] where random.percent(85) { members.append(member(name)) }
        members.append(member("t"))
        if random.percent(50) { members.append(#""o":{"a":\#(random.below(3)),"b":\#(random.below(3))}"#) }
        if random.percent(50) { members.append(#""l":[0,\#(random.below(3))]"#) }
        return ElementDraft(
            model: random.percent(75) ? "Item" : "Other", value: parsed("{" + members.joined(separator: ",") + "}"))
    }

    private mutating func patch() -> String {
        "{" + member(pick(["k", "n", "s", "t", "p", "x"])) + "}"
    }

    private mutating func member(_ name: String) -> String {
        let values: [String] =
            switch name {
            case "k":
                [
                    "null", "true", "1", "1.0", #""1""#, #""a""#, #""null""#, "[1]", #"{"y":2,"x":1.0}"#,
                    #"{"x":1,"y":2}"#,
                ]
            case "n": ["1", "2", "10", "1.5", "-2", #""a""#, "false", "null"]
            case "s": [#""a2""#, #""a10""#, #""A2""#, #""a02""#, #""B1""#, #""b1x20""#, #""é""#, "3"]
            case "t": ["0", "1", "2", "3"]
            case "p": ["0.1", "0.2", "2.25", "1e2", "-7e-3", "12345678901234567890", "-12345678901234567889.5", "1"]
            default: ["0", "1"]
            }
        if name == "p", random.chance(25) { return #""p":"a""# }
        return "\"\(name)\":\(pick(values))"
    }

    private func parsed(_ text: String) -> JSONValue {
        do {
            return try JSONValue(parsing: text)
        } catch {
            fatalError("the generator has made a text that is no JSON: \(text)")
        }
    }
}
