import TestSupport

/// One operation on a list; positions are taken modulo what there is, so that a sequence stays one when steps are left
/// out.
enum ListStep: Sendable {
    case replace(Int, Card)
    case update(Int, content: Int, isThrowing: Bool)
    case insert(Card, Int)
    case append(Card)
    case insertMany([Card], Int)
    case appendMany([Card])
    case remove(Int)
    case removeRange(Int, Int)
    case replaceRange([Card], Int, Int)
    case removeSome(every: Int, from: Int)
    case move(Int, Int)
    case swap(Int, Int)
    case keepHead(Int)
    case keepTail(Int)
    case keepPart(Int, Int)
    case exchangeParts(Int)
    case joinRetained(isInFront: Bool)
    case adopt([ListStep])
    case retain
    case restore
}

extension SeededGenerator {
    /// A list and operations on it: nearly always a short one, sometimes one that fills several levels of a tree.
    mutating func listCase() -> ListCase {
        let size = below(2_000)
        if size == 0 {
            return listCase(elements: 600 + below(2_500), identifiers: 4_000, steps: 1 + below(16))
        }
        if size < 100 {
            return listCase(elements: below(130), identifiers: 20 + below(400), steps: 1 + below(12))
        }
        return listCase(elements: below(7), identifiers: 2 + below(12), steps: 1 + below(5))
    }

    private mutating func listCase(elements: Int, identifiers: Int, steps: Int) -> ListCase {
        let cards = self.cards(elements, identifiers)
        return ListCase(cards: cards, steps: (0..<steps).map { _ in step(identifiers, longest: elements + 4) })
    }

    private mutating func cards(_ count: Int, _ identifiers: Int) -> [Card] {
        (0..<count).map { _ in card(identifiers) }
    }

    private mutating func card(_ identifiers: Int) -> Card {
        Card(id: below(identifiers), content: below(2))
    }

    private mutating func step(_ identifiers: Int, longest: Int) -> ListStep {
        let (one, other) = (below(1 << 30), below(1 << 30))
        switch below(21) {
        case 0: return .replace(one, card(identifiers))
        case 1: return .update(one, content: below(4), isThrowing: below(2) == 0)
        case 2, 3, 4: return .insert(card(identifiers), one)
        case 5: return .append(card(identifiers))
        case 6: return .insertMany(cards(below(longest), identifiers), one)
        case 7: return .appendMany(cards(below(longest), identifiers))
        case 8, 9: return .remove(one)
        case 10: return .removeRange(one, other)
        case 11: return .removeSome(every: 1 + below(40), from: one)
        case 12: return .move(one, other)
        case 13: return .swap(one, other)
        case 14: return cut(one, other)
        case 15: return .exchangeParts(one)
        case 16: return .joinRetained(isInFront: below(2) == 0)
        case 17: return .adopt((0..<below(4)).map { _ in step(identifiers, longest: 4) })
        case 18: return .retain
        case 19: return .replaceRange(cards(below(longest), identifiers), one, other)
        default: return .restore
        }
    }

    private mutating func cut(_ one: Int, _ other: Int) -> ListStep {
        switch below(3) {
        case 0: .keepHead(one)
        case 1: .keepTail(one)
        default: .keepPart(one, other)
        }
    }
}

/// A list, and what is done to it.
struct ListCase: Sendable, CustomStringConvertible {
    var cards: [Card]
    var steps: [ListStep]

    var description: String {
        "\(cards) with \(steps)"
    }
}
