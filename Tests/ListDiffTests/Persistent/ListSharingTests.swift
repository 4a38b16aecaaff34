import Testing

@testable import ListDiff
@testable import ListDiffTesting

@Suite("What versions of a list share")
struct ListSharingTests {
    private let count = 20_000

    private func list() -> PersistentList<Card> {
        PersistentList((0..<count).map { Card(id: $0) })
    }

    /// The nodes of a tree, by identity.
    private func nodes<Item>(_ tree: CountedTree<Item>) -> Set<ObjectIdentifier> {
        var found: Set<ObjectIdentifier> = []
        var open = [tree.root].compactMap { $0 }
        while let node = open.popLast() {
            found.insert(ObjectIdentifier(node))
            open += node.children
        }
        return found
    }

    @Test("a list that is not shared is changed where it is")
    func unshared() {
        var list = list()
        let (places, index) = (nodes(list.places), nodes(list.index.tree))
        list.replace(at: 7_000, with: Card(id: 7_000, content: 1))
        list.update(at: 9_000) { $0.content = 3 }
        list.insert(Card(id: -2), at: 12_345)
        list.remove(at: 17)
        list.move(from: 5, to: 19_000)
        list.swapAt(100, 10_000)
        #expect(nodes(list.places) == places)
        #expect(nodes(list.index.tree) == index)
    }

    @Test("a change to a copy copies one path, and the index only where the identity changes")
    func shared() {
        let list = list()
        var changed = list
        changed.replace(at: 7_000, with: Card(id: 7_000, content: 1))
        #expect(nodes(changed.places).subtracting(nodes(list.places)).count == list.places.height + 1)
        #expect(nodes(changed.index.tree) == nodes(list.index.tree))
        changed = list
        changed.replace(at: 7_000, with: Card(id: -9))
        let fresh = nodes(changed.index.tree).subtracting(nodes(list.index.tree)).count
        #expect(fresh > 0 && fresh <= 2 * (list.index.tree.height + 1))
        #expect(list[7_000] == Card(id: 7_000))
    }

    @Test("elements that are added together copy none of the index, and are found all the same")
    func together() {
        let list = list()
        var changed = list
        changed.append(contentsOf: (0..<500).map { Card(id: 30_000 + $0) })
        changed.insert(contentsOf: (0..<500).map { Card(id: 40_000 + $0) }, at: 1_000)
        #expect(nodes(changed.index.tree) == nodes(list.index.tree))
        #expect(changed.index.recent.count == 1_000)
        #expect(changed.firstPosition(identicalTo: Card(id: 30_250)) == 20_750)
        #expect(changed.firstPosition(identicalTo: Card(id: 40_250)) == 1_250)
        #expect(changed.firstPosition(identicalTo: Card(id: 7)) == 7)
        changed.remove(at: 1_250)
        #expect(changed.index.recent.isEmpty && changed.brokenInvariants() == [])
        #expect(changed.firstPosition(identicalTo: Card(id: 40_250)) == nil)
    }

    @Test("an element that holds a list is changed without copying that list")
    func nested() {
        struct Shelf: ListItem {
            let id: Int
            var cards: PersistentList<Card>
            var differenceIdentifier: Int { id }
            func isContentEqual(to source: Shelf) -> Bool { true }
        }
        let shelves = (0..<40).map { Shelf(id: $0, cards: list()) }
        var outer = PersistentList(shelves.map { Shelf(id: $0.id, cards: PersistentList(Array($0.cards))) })
        let before = nodes(outer[30].cards.places)
        outer.update(at: 30) { shelf in
            shelf.cards.update(at: 777) { $0.content = 1 }
        }
        #expect(nodes(outer[30].cards.places) == before)
    }

    @Test("a part shares all but the nodes at its edges")
    func parts() {
        let list = list()
        let (head, tail) = list.split(at: 9_999)
        let shared = nodes(head.places).union(nodes(tail.places)).intersection(nodes(list.places)).count
        #expect(shared > nodes(list.places).count - 4 * (list.places.height + 1))
        var joined = head
        joined.append(contentsOf: tail)
        #expect(joined == list)
        #expect(nodes(joined.places).subtracting(nodes(list.places)).count < 6 * (list.places.height + 1))
    }

    @Test("a list that takes in what it holds already is itself")
    func adoptingTheSame() {
        let list = list()
        #expect(list.adopting(Array(list)) { $0 == $1 }.isIdentical(to: list))
    }

    @Test("a list that takes in a few changes shares the rest")
    func adoptingChanges() {
        let list = list()
        var cards = Array(list)
        cards[4_000].content = 1
        cards.remove(at: 8_000)
        cards.insert(Card(id: -7), at: 12_000)
        cards.insert(cards.remove(at: 16_000), at: 2)
        let adopted = list.adopting(cards) { $0 == $1 }
        #expect(Array(adopted) == cards)
        #expect(adopted.brokenInvariants() == [])
        #expect(nodes(adopted.places).subtracting(nodes(list.places)).count < 16 * (list.places.height + 1))
    }

    @Test("a list that takes in something else keeps the elements that it has already")
    func adoptingElements() {
        final class Note: ListItem {
            let id: Int
            init(_ id: Int) { self.id = id }
            var differenceIdentifier: Int { id }
            func isContentEqual(to source: Note) -> Bool { true }
        }
        let list = PersistentList((0..<500).map { Note($0) })
        let adopted = list.adopting((0..<500).reversed().map { Note($0) }) { $0.id == $1.id }
        #expect(zip(adopted, list.reversed()).allSatisfy { $0 === $1 })
        #expect(adopted.brokenInvariants() == [])
    }

    @Test("a list that takes in other contents of one identity asks about few elements for each")
    func adoptingDuplicates() {
        let list = PersistentList((0..<2_000).map { Card(id: 7, content: $0) })
        let cards = (0..<2_000).map { Card(id: 7, content: -$0 - 1) }
        var questions = 0
        let adopted = list.adopting(cards) { old, new in
            questions += 1
            return old == new
        }
        #expect(adopted.elementsEqual(cards))
        #expect(questions <= 10 * cards.count)
    }

    @Test("equal lists are equal whatever the form of their trees")
    func equality() {
        let list = list()
        var grown = PersistentList<Card>()
        for card in list {
            grown.append(card)
        }
        #expect(grown == list)
        grown.update(at: 19_999) { $0.content = 1 }
        #expect(grown != list)
        var copy = list
        copy.update(at: 3) { $0.content = 1 }
        #expect(copy != list)
        copy.update(at: 3) { $0.content = 0 }
        #expect(copy == list && !copy.isIdentical(to: list))
    }
}
