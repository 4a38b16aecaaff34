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

/// Makes steps of an alphabet that suits the length of the lists, so that identifiers meet and places miss often enough.
struct StepGenerator {
    var random: SeededGenerator

    /// The identifiers of elements.
    private let identifiers: [String]
    /// The most elements that one operation brings in.
    private let most: Int

    /// Makes lists of a few elements, or of some hundred, which take trees of several levels.
    init(seed: UInt64, isLong: Bool = false) {
        random = SeededGenerator(seed: seed)
        identifiers = isLong ? (0..<400).map { "e\($0)" } : ["a", "b", "c", "d", "e"]
        most = isLong ? 200 : 4
    }

    mutating func steps() -> [Step] {
        // Most lives begin with something to change; from nothing it takes many steps until there is.
        var first: [Step] = random.chance(3) ? [.look(pick(.n, .nothing))] : []
        if !random.chance(4) {
            first += [.perform([.sections(.set(["s", "t", "u"].map { section($0) }))]), .reload]
        }
        return first
            + (0..<Int.random(in: 1...20, using: &random)).map { _ in
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
        address(identifiers, upTo: most + 2)
    }

    private mutating func place(_ address: Address) -> Address? {
        random.chance(3) ? nil : address
    }

    private mutating func elements() -> [ElementDraft] {
        // Long lists are of many elements at times, and of a few more at others.
        let count = most > 4 && random.chance(2) ? 3 : most
        return (0..<Int.random(in: 0...count, using: &random)).map { _ in element() }
    }

    private mutating func element() -> ElementDraft {
        let identifier = identifiers[Int.random(in: identifiers.indices, using: &random)]
        let id = random.chance(10 * most) ? "null" : "\"\(identifier)\""
        let (n, m) = (Int.random(in: 0...2, using: &random), Int.random(in: 0...2, using: &random))
        let value = "{\"id\":\(id),\"n\":\(n),\"m\":\(m)}"
        return ElementDraft(model: random.chance(10 * most) ? "Unknown" : pick(nil, "Item"), value: parsed(value))
    }

    private func parsed(_ text: String) -> JSONValue {
        do {
            return try JSONValue(parsing: text)
        } catch {
            fatalError("the generator has made a text that is no JSON: \(text)")
        }
    }

    private mutating func section(_ id: String?) -> SectionDraft {
        SectionDraft(
            identifier: id, attributes: SectionAttributes { $0.isCollapsed = random.chance(5) }, elements: elements())
    }

    private mutating func sections() -> [SectionDraft] {
        (0..<Int.random(in: 0...2, using: &random)).map { _ in section(pick("s", "t", "u", "v")) }
    }

    private mutating func operation() -> Directors.Operation {
        switch Int.random(in: 0..<24, using: &random) {
        case 0: return .sections(.set(sections()))
        case 1, 2: return .sections(.add(sections(), at: place(sectionAddress())))
        case 3: return .sections(.put(sectionAddress(), section(pick(nil, "s", "t", "u"))))
        case 4:
            return .sections(
                .patch(sectionAddress(), ValueDraft(parsed("{\"isCollapsed\":\(pick("true", "false", "null"))}"))))
        case 5:
            return random.chance(3) ? .sections(.remove(sectionAddress())) : .setVariable(name: "v", value: parsed("1"))
        case 6: return .sections(.removeSeveral([sectionAddress()]))
        case 7:
            return random.chance(4)
                ? .sections(.removeAll) : .sections(.move(from: sectionAddress(), to: sectionAddress()))
        case 8: return .sections(.move(from: sectionAddress(), to: sectionAddress()))
        case 9: return .sections(.swap(sectionAddress(), with: sectionAddress()))
        case 10: return .elements(of: .section(sectionAddress()), .set(elements()))
        case 11, 12, 13: return .elements(of: .section(sectionAddress()), .add(elements(), at: place(elementAddress())))
        case 14:
            return .newSection(identifier: pick("s", "t", "u", "v"), elements(), at: place(.position(0)))
        case 15, 16:
            let at = random.chance(3) ? place(elementAddress()) : nil
            return .elements(of: .section(sectionAddress()), .put(elementAddress(), element(), at: at))
        case 17, 18:
            let patch = pick(#"{"n":1}"#, #"{"n":2}"#, #"{"m":1}"#, #"{"m":2}"#, #"{"id":"c"}"#, #"{"id":[]}"#)
            return .elements(of: .section(sectionAddress()), .patch(elementAddress(), ValueDraft(parsed(patch))))
        case 19: return .elements(of: .section(sectionAddress()), .remove(elementAddress()))
        case 20:
            return .elements(
                of: .section(sectionAddress()), .removeSeveral((0..<max(2, most / 20)).map { _ in elementAddress() }))
        case 21:
            return random.chance(3)
                ? .elements(of: .section(sectionAddress()), .removeAll) : .removeVariable(name: "none")
        case 22:
            return .elements(
                of: .section(sectionAddress()),
                .move(
                    from: elementAddress(), to: elementAddress(),
                    into: ElementDestination(section: random.chance(2) ? sectionAddress() : nil)))
        default: return .elements(of: .section(sectionAddress()), .swap(elementAddress(), with: elementAddress()))
        }
    }
}
