import TestSupport
import Testing

@testable import ListDiff

@Suite("Parts of a persistent list")
struct ListPartTests {
    @Test("a list that is joined of parts, or followed by them, is the list of all elements")
    func joining() {
        let seed = SeededGenerator.seedOfRun("parts")
        var random = SeededGenerator(seed: seed)
        for round in 0..<200 {
            let first = cards(random.below(random.chance(2) ? 40 : 3000), &random)
            var list = PersistentList(first)
            if round.isMultiple(of: 3) { list = PersistentList(joining: parts(first, behind: .ofEmptyList, &random)) }
            #expect(list.elementsEqual(first), "seed \(seed), round \(round)")
            #expect(list.brokenInvariants().isEmpty, "seed \(seed), round \(round)")
            let earlier = list
            let added = cards(random.below(random.chance(2) ? 40 : 3000), &random)
            list.append(joining: parts(added, behind: list.end, &random))
            #expect(list.elementsEqual(first + added), "seed \(seed), round \(round)")
            #expect(list.brokenInvariants().isEmpty, "seed \(seed), round \(round)")
            #expect(earlier.elementsEqual(first) && earlier.brokenInvariants().isEmpty, "seed \(seed), round \(round)")
            for card in added.prefix(20) {
                let positions = list.positions(hash: card.identityHash) { $0.id == card.id }
                #expect(positions == (first + added).indices.filter { (first + added)[$0].id == card.id })
            }
        }
    }

    @Test("lists that grow by many elements at a time are the lists of all elements, whatever is done in between")
    func growing() {
        let seed = SeededGenerator.seedOfRun("growing")
        var random = SeededGenerator(seed: seed)
        for round in 0..<15 {
            var expected = cards(1_000 + random.below(3_000), &random)
            var list = PersistentList(expected)
            var separate = 0
            for _ in 0..<12 {
                let before = (list, expected)
                step(&list, &expected, &random)
                if !list.index.recent.isEmpty { separate += 1 }
                #expect(list.elementsEqual(expected), "seed \(seed), round \(round)")
                #expect(list.brokenInvariants() == [], "seed \(seed), round \(round)")
                #expect(before.0.elementsEqual(before.1), "seed \(seed), round \(round)")
                let id = random.below(5_000)
                #expect(
                    list.positions(identicalTo: Card(id: id)) == expected.indices.filter { expected[$0].id == id },
                    "seed \(seed), round \(round)")
                #expect(list.positionsOfDuplicateHashes() == PersistentList(expected).positionsOfDuplicateHashes())
            }
            #expect(separate > 0, "seed \(seed), round \(round)")
        }
    }

    /// Mostly adds so many elements that their entries are kept apart, else changes something.
    private func step(_ list: inout PersistentList<Card>, _ expected: inout [Card], _ random: inout SeededGenerator) {
        let position = random.below(expected.count)
        switch random.below(9) {
        case 0:
            list.remove(at: position)
            expected.remove(at: position)
        case 1:
            let card = Card(id: random.below(5_000))
            list.replace(at: position, with: card)
            expected[position] = card
        case 2:
            let target = random.below(expected.count)
            list.move(from: position, to: target)
            expected.insert(expected.remove(at: position), at: target)
        default:
            let added = cards(64 + random.below(200), &random)
            let place = random.chance(2) ? expected.count : position
            list.insert(contentsOf: added, at: place)
            expected.insert(contentsOf: added, at: place)
        }
    }

    @Test("parts of no elements change nothing, and there is room for hundreds of millions")
    func empty() {
        var list = PersistentList([Card(id: 1)])
        list.append(joining: [PersistentListPart([], at: 0, behind: list.end)])
        #expect(list.elementsEqual([Card(id: 1)]))
        #expect(PersistentListEnd.ofEmptyList.room > 500_000_000)
        #expect(PersistentList<Card>(joining: []).isEmpty)
    }

    private func cards(_ count: Int, _ random: inout SeededGenerator) -> [Card] {
        (0..<count).map { _ in Card(id: random.below(5000), content: random.below(3)) }
    }

    private func parts(
        _ cards: [Card], behind end: PersistentListEnd, _ random: inout SeededGenerator
    ) -> [PersistentListPart<Card>] {
        var parts: [PersistentListPart<Card>] = []
        var start = 0
        while start < cards.count {
            let next = min(cards.count, start + random.below(random.chance(2) ? 5 : 700))
            parts.append(PersistentListPart(ContiguousArray(cards[start..<next]), at: start, behind: end))
            start = next
        }
        return parts
    }
}
