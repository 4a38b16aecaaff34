import ListDiff
import Testing

@testable import ListDiffTesting

@Suite("The stages")
struct ExampleTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let source: [Group]
        let target: [Group]
        let stages: [Changeset<Group>]
    }

    static func path(_ section: Int, _ element: Int) -> ElementPath {
        ElementPath(section: section, element: element)
    }

    static func insert(_ section: Int, _ element: Int, _ id: Int) -> ElementChange<Item> {
        ElementChange(at: path(section, element), element: Item(id: id))
    }

    static func move(_ from: (Int, Int), _ to: (Int, Int)) -> ElementMove {
        ElementMove(from: path(from.0, from.1), to: path(to.0, to.1))
    }

    static let elements = [
        Example(
            testDescription: "nothing has changed",
            source: [Group(1, ids: [1, 2])], target: [Group(1, ids: [1, 2])], stages: []),
        Example(
            testDescription: "one element is brought to the front: the others stay",
            source: [Group(1, ids: [1, 2, 3, 4])], target: [Group(1, ids: [4, 1, 2, 3])],
            stages: [Changeset(elementMoved: [move((0, 3), (0, 0))])]),
        Example(
            testDescription: "a move's source counts without what is deleted",
            source: [Group(1, ids: [9, 1, 2, 3])], target: [Group(1, ids: [3, 1, 2])],
            stages: [
                Changeset(elementDeleted: [path(0, 0)]), Changeset(elementMoved: [move((0, 2), (0, 0))]),
            ]),
        Example(
            testDescription: "an element that moves and changes is updated where it was, then moved",
            source: [Group(1, ids: [1, 2, 3])],
            target: [Group(1, [Item(id: 3, content: 5), Item(id: 1), Item(id: 2)])],
            stages: [
                Changeset(elementUpdated: [ElementChange(at: path(0, 2), element: Item(id: 3, content: 5))]),
                Changeset(elementMoved: [move((0, 2), (0, 0))]),
            ]),
        Example(
            testDescription: "an element moves across kept sections",
            source: [Group(1, ids: [1, 2]), Group(2, ids: [3])], target: [Group(1, ids: [1]), Group(2, ids: [2, 3])],
            stages: [Changeset(elementMoved: [move((0, 1), (1, 0))])]),
        Example(
            testDescription: "the second of two equals stays when the first one goes",
            source: [Group(1, ids: [1, 2, 1])], target: [Group(1, ids: [2, 1])],
            stages: [Changeset(elementDeleted: [path(0, 0)])]),
        Example(
            testDescription: "equals are paired in their own section before they cross",
            source: [Group(1, ids: [1]), Group(2, ids: [1])], target: [Group(1, []), Group(2, ids: [1, 1])],
            stages: [Changeset(elementMoved: [move((0, 0), (1, 1))])]),
    ]

    static let sections = [
        Example(
            testDescription: "a section comes with its elements",
            source: [Group(1, ids: [1])], target: [Group(2, ids: [2, 3]), Group(1, ids: [1])],
            stages: [Changeset(sectionInserted: [SectionChange(at: 0, section: Group(2, ids: [2, 3]))])]),
        Example(
            testDescription: "an element that leaves a deleted section is inserted",
            source: [Group(1, ids: [1]), Group(2, ids: [2])], target: [Group(2, ids: [1, 2])],
            stages: [Changeset(sectionDeleted: [0]), Changeset(elementInserted: [insert(0, 0, 1)])]),
        Example(
            testDescription: "an element that goes to an inserted section is deleted and comes with it",
            source: [Group(1, ids: [1, 2])], target: [Group(1, ids: [1]), Group(2, ids: [2])],
            stages: [
                Changeset(elementDeleted: [path(0, 1)]),
                Changeset(sectionInserted: [SectionChange(at: 1, section: Group(2, ids: [2]))]),
            ]),
        Example(
            testDescription: "a section that moves and changes is moved with its elements, then updated without them",
            source: [Group(1, ids: [1]), Group(2, ids: [2]), Group(3, ids: [3])],
            target: [Group(3, ids: [3], content: 4), Group(1, ids: [1]), Group(2, ids: [2])],
            stages: [
                Changeset(sectionMoved: [SectionMove(from: 2, to: 0)]),
                Changeset(sectionUpdated: [SectionChange(at: 0, section: Group(3, [], content: 4))]),
            ]),
        Example(
            testDescription: "all five stages, each with the indexes that the one before leaves",
            source: [Group(1, ids: [10]), Group(2, ids: [20, 21, 22]), Group(3, ids: [30])],
            target: [Group(3, ids: [30, 20]), Group(4, ids: [40]), Group(2, [Item(id: 22, content: 1)], content: 1)],
            stages: [
                Changeset(elementUpdated: [ElementChange(at: path(1, 2), element: Item(id: 22, content: 1))]),
                Changeset(sectionDeleted: [0], elementDeleted: [path(1, 1)]),
                Changeset(
                    sectionInserted: [SectionChange(at: 1, section: Group(4, ids: [40]))],
                    sectionMoved: [SectionMove(from: 1, to: 0)]),
                Changeset(elementMoved: [move((2, 0), (0, 1))]),
                Changeset(sectionUpdated: [SectionChange(at: 2, section: Group(2, [], content: 1))]),
            ]),
    ]

    @Test("follow the index rules", arguments: elements + sections)
    func stages(example: Example) throws {
        let difference = StagedChangeset(from: example.source, to: example.target)
        #expect(difference.stages == example.stages)
        #expect(try example.source.applying(difference) == example.target)
        #expect(difference.isEmpty == example.stages.isEmpty)
    }

    @Test("are not looked for inside a section that is the same array in memory")
    func sharedStorage() {
        let counter = Counter()
        let elements = (0..<100).map { Counted(id: $0, counter: counter) }
        let source = [CountedGroup(id: 1, elements: elements), CountedGroup(id: 2, elements: elements)]
        var target = source
        target[1].elements.removeLast()
        #expect(StagedChangeset(from: source, to: target).operationCount == 1)
        #expect(counter.comparisons == 99)
    }

    private final class Counter {
        var comparisons = 0
    }

    private struct Counted: Differentiable {
        let id: Int
        let counter: Counter

        var differenceIdentifier: Int { id }

        func isContentEqual(to source: Self) -> Bool {
            counter.comparisons += 1
            return true
        }
    }

    private struct CountedGroup: DifferentiableSection {
        let id: Int
        var elements: [Counted]

        init(id: Int, elements: [Counted]) {
            self.id = id
            self.elements = elements
        }

        init(copying section: Self, elements: [Counted]) {
            self.init(id: section.id, elements: elements)
        }

        var differenceIdentifier: Int { id }

        func isContentEqual(to source: Self) -> Bool { true }
    }
}
