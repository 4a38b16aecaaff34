import TestSupport
import Testing

@testable import ListDiff

@Suite("The labels of a list's places")
struct ListLabelTests {
    @Test("never run out, wherever elements are inserted", arguments: [0, 1, 500, 999, 1_000])
    func insertsAtOnePlace(place: Int) {
        var array = (0..<1_000).map { Card(id: $0 % 300) }
        var list = PersistentList(array)
        for number in 0..<2_000 {
            list.insert(Card(id: -number), at: place)
            array.insert(Card(id: -number), at: place)
        }
        #expect(list.elementsEqual(array))
        #expect(list.brokenInvariants() == [])
    }

    @Test("leave older versions alone when they change")
    func olderVersions() {
        let list = PersistentList((0..<1_000).map { Card(id: $0) })
        var changed = list
        for number in 0..<200 {
            changed.insert(contentsOf: [Card(id: -number), Card(id: 5)], at: 400)
        }
        #expect(changed.brokenInvariants() == [] && list.brokenInvariants() == [])
        #expect(list.elementsEqual((0..<1_000).map { Card(id: $0) }))
    }

    @Test("are made anew where the numbers end", arguments: [false, true])
    func ends(isUpperEnd: Bool) {
        let first = isUpperEnd ? -Labels.lowest - 100 : Labels.lowest
        var list = PersistentList<Card>()
        list.places = CountedTree(count: 100) { Place(label: first + Int64($0), element: Card(id: $0)) }
        list.settleIndex()
        var array = Array(list)
        for number in 0..<100 {
            list.insert(Card(id: -number), at: isUpperEnd ? list.count : 0)
            array.insert(Card(id: -number), at: isUpperEnd ? array.count : 0)
        }
        list.insert(contentsOf: array, at: 50)
        array.insert(contentsOf: array, at: 50)
        #expect(list.elementsEqual(array))
        #expect(list.brokenInvariants() == [])
    }

    @Test("allow moves to anywhere and back, with and without repeated hashes", arguments: [1, 2])
    func moves(stride: Int) {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("moves"))
        var array = (0..<300).map { Card(id: $0 * stride) }
        var list = PersistentList(array)
        for number in 0..<3_000 {
            let source = number % 3 == 0 ? 299 : generator.below(300)
            let target = number % 3 == 0 ? 150 : generator.below(300)
            list.move(from: source, to: target)
            array.insert(array.remove(at: source), at: target)
            if number % 100 == 0 {
                #expect(list.brokenInvariants() == [])
            }
        }
        #expect(list.hasDuplicateHashes == (stride == 1))
        #expect(list.elementsEqual(array))
        #expect(list.brokenInvariants() == [])
    }

    @Test("change for few places at a time, on average")
    func cost() {
        var list = PersistentList((0..<5_000).map { Card(id: $0) })
        var changed = 0
        for number in 0..<1_000 {
            let before = Set(list.places.map(\.label))
            list.insert(Card(id: -number), at: 2_500)
            changed += list.places.count { !before.contains($0.label) } - 1
        }
        #expect(changed < 1_000 * 30)
    }
}
