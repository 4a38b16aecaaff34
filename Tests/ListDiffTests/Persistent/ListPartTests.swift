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
