import TestSupport
import Testing

@testable import ListDiff
@testable import ListDiffTesting

@Suite("Faults in a persistent list")
struct ListFaultTests {
    /// A fault that is planted in the nodes of a list, which no other list shares.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let plant: @Sendable (inout PersistentList<Card>) -> Void

        init(_ name: String, _ plant: @escaping @Sendable (inout PersistentList<Card>) -> Void) {
            testDescription = name
            self.plant = plant
        }
    }

    static let faults: [Fault] = [
        Fault("a leaf's count") { firstLeaf($0.places)?.count += 1 },
        Fault("a node's count") { $0.places.root?.count -= 1 },
        Fault("a parent's count of a child") { $0.places.root?.extents[1].count += 1 },
        Fault("a leaf's measure") { firstLeaf($0.places)?.summary.measure.content += 1 },
        Fault("a node's measure") { $0.places.root?.summary.measure.count += 1 },
        Fault("a parent's measure of a child") { $0.places.root?.extents[0].summary.measure.count += 1 },
        Fault("a parent's last key of a child") { $0.places.root?.extents[0].lastKey += 1 },
        Fault("a child that its parent does not know") { _ = $0.places.root?.extents.removeLast() },
        Fault("an element that its measure does not know") { firstLeaf($0.places)?.items[3].element.content += 1 },
        Fault("an element that the index does not know") { firstLeaf($0.places)?.items[3].element.id = -8 },
        Fault("a label that the index does not know") { firstLeaf($0.places)?.items[3].label += 1 },
        Fault("labels out of order") { firstLeaf($0.places)?.items.swapAt(3, 4) },
        Fault("a label out of range") { firstLeaf($0.places)?.items[0].label = .min },
        Fault("a leaf that is too empty") { lose($0, 20) },
        Fault("a leaf that is too full") { firstLeaf($0.places)?.items.append(contentsOf: lastItems($0)) },
        Fault("children of different heights") { list in
            if let leaf = firstLeaf(list.places) {
                list.places.root?.children[1] = leaf
            }
        },
        Fault("a root with one child") { list in
            if let root = list.places.root {
                list.places.root = CountedNode(height: 3, children: [root], extents: [CountedExtent(root)])
            }
        },
        Fault("an index that misses an entry") { $0.index.tree.remove(at: PositionSearch(77)) },
        Fault("an index with an entry too many") { $0.index.insert(IndexEntry(hash: 5, label: 5)) },
        Fault("an index with a wrong label") { list in
            _ = list.index.tree.update(at: PositionSearch(77)) { $0.label += 1 }
        },
        Fault("an index's repeats") { $0.index.tree.root?.summary.repeats += 1 },
        Fault("a child's repeats") { $0.index.tree.root?.extents[1].summary.repeats -= 1 },
        Fault("a recent entry too few") { list in
            grow(&list)
            list.index.recent.remove(at: PositionSearch(7))
        },
        Fault("a recent entry with a wrong label") { list in
            grow(&list)
            _ = list.index.recent.update(at: PositionSearch(7)) { $0.label += 1 }
        },
        Fault("an entry in both trees") { list in
            grow(&list)
            if let entry = Array(list.index.recent).first { list.index.tree.insert(entry, at: KeySearch(entry)) }
        },
        Fault("the recent entries' repeats") { list in
            grow(&list)
            list.index.recent.root?.summary.repeats += 1
        },
        Fault("no index") { $0.index = IdentityIndex() },
        Fault("an index that is not needed") { list in
            let index = list.index
            list.removeSubrange(10..<list.count)
            list.index = index
        },
    ]

    /// Adds elements whose entries are kept apart.
    private static func grow(_ list: inout PersistentList<Card>) {
        list.append(contentsOf: (0..<100).map { Card(id: -$0 - 1) })
    }

    private static func firstLeaf<Item>(_ tree: CountedTree<Item>) -> CountedNode<Item>? {
        var node = tree.root
        while let child = node?.children.first {
            node = child
        }
        return node
    }

    private static func lose(_ list: PersistentList<Card>, _ number: Int) {
        firstLeaf(list.places)?.items.removeLast(number)
    }

    private static func lastItems(_ list: PersistentList<Card>) -> [Place<Card>] {
        list.places.suffix(20)
    }

    @Test("are reported by the invariants", arguments: faults)
    func planted(fault: Fault) {
        var list = PersistentList((0..<2_000).map { Card(id: $0 % 1_500) })
        #expect(list.brokenInvariants() == [])
        fault.plant(&list)
        #expect(list.brokenInvariants() != [])
    }

    /// Changes that leave a list whole, but not as it should be.
    static let mutants: [Fault] = [
        Fault("a changed element") { list in
            if !list.isEmpty {
                list.update(at: list.count / 2) { $0.content += 1 }
            }
        },
        Fault("another identifier") { list in
            if let last = list.last {
                list.replace(at: list.count - 1, with: Card(id: last.id + 2, content: last.content))
            }
        },
        Fault("another order") { list in
            if let last = list.last, last != list[0] {
                list.swapAt(0, list.count - 1)
            }
        },
        Fault("an element too few") { list in
            if list.count > 3 {
                list.remove(at: 3)
            }
        },
        Fault("an element too many") { $0.append(Card(id: 3)) },
    ]

    @Test("that leave a list whole are caught by the property, and the case is made small", arguments: mutants)
    func mutant(fault: Fault) throws {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("mutants"))
        for _ in 0..<200 {
            let listCase = generator.listCase()
            guard let violation = ListJudge.violation(listCase, fault: fault.plant) else {
                continue
            }
            let (shrunk, _) = shrink(listCase, violation) { ListJudge.violation($0, fault: fault.plant) }
            #expect(shrunk.steps.count + shrunk.cards.count <= 8, "\(shrunk)")
            return
        }
        Issue.record("the fault was not caught")
    }

    @Test("that reach into a list that was retained are caught by the property")
    func retained() {
        // The first step retains the list; the second is replaced by one that changes a shared node where it is.
        let listCase = ListCase(cards: (0..<50).map { Card(id: $0) }, steps: [.retain, .append(Card(id: 60))])
        var calls = 0
        let violation = ListJudge.violation(listCase) { list in
            calls += 1
            if calls == 2 {
                Self.firstLeaf(list.places)?.items[0].element.content += 1
            }
        }
        #expect(violation != nil)
    }
}
