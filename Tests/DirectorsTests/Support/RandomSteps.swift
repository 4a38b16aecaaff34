import JSONValues
import TestSupport

@testable import Directors

/// One step in a director's life.
enum Step: CustomStringConvertible {
    case perform([Directors.Operation])
    case look(NaiveDirector.Sight)
    case reload

    var description: String {
        switch self {
        case .perform(let operations):
            "perform [" + operations.map { operation in text { operation.encode(to: &$0) } }.joined(separator: ", ")
                + "]"
        case .look(let sight): "look at \(sight)"
        case .reload: "reload"
        }
    }
}

/// Makes steps of a small alphabet, so that identifiers meet and places miss often enough.
struct StepGenerator {
    var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func steps() -> [Step] {
        (0..<Int.random(in: 1...20, using: &random)).map { _ in
            if random.chance(4) { return .reload }
            if random.chance(12) { return .look(pick(.all, .n, .nothing)) }
            return .perform(
                (0..<(random.chance(3) ? Int.random(in: 2...5, using: &random) : 1)).map { _ in operation() })
        }
    }

    private mutating func pick<Item>(_ items: Item...) -> Item {
        items[Int.random(in: 0..<items.count, using: &random)]
    }

    private mutating func address(_ ids: [String], upTo count: Int) -> Address {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .first
        case 1: .last
        case 2, 3, 4: .identifier(ids[Int.random(in: 0..<ids.count, using: &random)])
        default: .position(Int.random(in: 0..<count, using: &random))
        }
    }

    private mutating func sectionAddress() -> Address {
        address(["s", "t", "u", "v"], upTo: 4)
    }

    private mutating func elementAddress() -> Address {
        address(["a", "b", "c", "d", "e"], upTo: 6)
    }

    private mutating func place(_ address: Address) -> Address? {
        random.chance(3) ? nil : address
    }

    private mutating func elements() -> [ElementDraft] {
        (0..<Int.random(in: 0...4, using: &random)).map { _ in element() }
    }

    private mutating func element() -> ElementDraft {
        let id = random.chance(40) ? "null" : "\"\(pick("a", "b", "c", "d", "e"))\""
        let (n, m) = (Int.random(in: 0...2, using: &random), Int.random(in: 0...2, using: &random))
        let value = "{\"id\":\(id),\"n\":\(n),\"m\":\(m)}"
        return ElementDraft(model: random.chance(40) ? "Unknown" : pick(nil, "Item"), value: parsed(value))
    }

    private func parsed(_ text: String) -> JSONValue {
        do {
            return try JSONValue(parsing: text)
        } catch {
            fatalError("the generator has made a text that is no JSON: \(text)")
        }
    }

    private mutating func section(_ id: String?) -> SectionDraft {
        SectionDraft(identifier: id, attributes: SectionAttributes(isCollapsed: random.chance(5)), elements: elements())
    }

    private mutating func sections() -> [SectionDraft] {
        (0..<Int.random(in: 0...2, using: &random)).map { _ in section(pick("s", "t", "u", "v")) }
    }

    private mutating func operation() -> Directors.Operation {
        switch Int.random(in: 0..<24, using: &random) {
        case 0: return .setSections(sections())
        case 1, 2: return .addSections(sections(), at: place(sectionAddress()))
        case 3: return .setSection(sectionAddress(), section(pick(nil, "s", "t", "u")))
        case 4:
            return .patchSection(sectionAddress(), patch: parsed("{\"isCollapsed\":\(pick("true", "false", "null"))}"))
        case 5: return random.chance(3) ? .removeSection(sectionAddress()) : .setVariable(name: "v", value: parsed("1"))
        case 6: return .removeSections(at: [sectionAddress()])
        case 7:
            return random.chance(4) ? .removeAllSections : .moveSection(from: sectionAddress(), to: sectionAddress())
        case 8: return .moveSection(from: sectionAddress(), to: sectionAddress())
        case 9: return .swapSections(at: sectionAddress(), with: sectionAddress())
        case 10: return .setElements(section: sectionAddress(), elements())
        case 11, 12, 13: return .addElements(.section(sectionAddress()), elements(), at: place(elementAddress()))
        case 14:
            return .addElements(.newSection(identifier: pick("s", "t", "u", "v")), elements(), at: place(.position(0)))
        case 15, 16: return .setElement(section: sectionAddress(), element: elementAddress(), element())
        case 17, 18:
            let patch = pick(#"{"n":1}"#, #"{"n":2}"#, #"{"m":1}"#, #"{"m":2}"#, #"{"id":"c"}"#, #"{"id":[]}"#)
            return .patchElement(section: sectionAddress(), element: elementAddress(), patch: parsed(patch))
        case 19: return .removeElement(section: sectionAddress(), element: elementAddress())
        case 20: return .removeElements(section: sectionAddress(), at: [elementAddress(), elementAddress()])
        case 21: return random.chance(3) ? .removeAllElements(section: sectionAddress()) : .removeVariable(name: "none")
        case 22:
            return .moveElement(
                section: sectionAddress(), from: elementAddress(), to: elementAddress(),
                toSection: random.chance(2) ? sectionAddress() : nil)
        default: return .swapElements(section: sectionAddress(), at: elementAddress(), with: elementAddress())
        }
    }
}
