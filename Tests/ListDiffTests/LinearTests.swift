import ListDiff
import Testing

@testable import ListDiffTesting

@Suite("A plain list")
struct LinearTests {
    @Test("is changed in the one section, whichever it is", arguments: [0, 1, 7])
    func sectionNumber(section: Int) throws {
        let source = [1, 2, 3, 4].map { Item(id: $0) }
        let target = [Item(id: 4), Item(id: 2, content: 1), Item(id: 5), Item(id: 3)]
        let difference = StagedChangeset(from: source, to: target, section: section)
        func path(_ element: Int) -> ElementPath {
            ElementPath(section: section, element: element)
        }
        #expect(
            difference.stages == [
                Changeset(elementUpdated: [ElementChange(at: path(1), element: target[1])]),
                Changeset(elementDeleted: [path(0)]),
                Changeset(
                    elementInserted: [ElementChange(at: path(2), element: target[2])],
                    elementMoved: [ElementMove(from: path(2), to: path(0))]
                ),
            ])
        #expect(try source.applying(difference, section: section) == target)
    }

    @Test("refuses a changeset of another section")
    func otherSection() {
        let difference = StagedChangeset(from: [Item(id: 1)], to: [], section: 1)
        #expect(
            throws: ChangesetError(stage: 0, operation: .elementDeleted, index: 0, reason: .outOfRange(count: 1))
        ) {
            try [Item(id: 1)].applying(difference, section: 2)
        }
    }

    @Test(
        "refuses operations on sections",
        arguments: [
            Changeset<LinearSection<Item>>(sectionDeleted: [0]),
            Changeset(sectionInserted: [SectionChange(at: 0, section: LinearSection(elements: []))]),
            Changeset(sectionMoved: [SectionMove(from: 0, to: 0)]),
            Changeset(sectionUpdated: [SectionChange(at: 0, section: LinearSection(elements: []))]),
        ])
    func noSections(changeset: Changeset<LinearSection<Item>>) throws {
        let error = #expect(throws: ChangesetError.self) {
            try [Item(id: 1)].applying(StagedChangeset(stages: [changeset]))
        }
        #expect(error?.reason == .noSections)
    }

    @Test("of values that are their own identity can be compared as it is")
    func plainValues() throws {
        let difference = StagedChangeset(
            from: Array("callboard").map(Letter.init), to: Array("cardboard").map(Letter.init))
        // c a r d b o a r d: both l go, an r and a d come.
        #expect(difference.stages.map(\.kinds) == [[.elementDeleted], [.elementInserted]])
        #expect(difference.operationCount == 4)
        #expect(try Array("callboard").map(Letter.init).applying(difference) == Array("cardboard").map(Letter.init))
    }

    @Test("of the overview is compared as the overview says")
    func overview() throws {
        let before = [Contact(name: "Ada", city: "London"), Contact(name: "Grace", city: "New York")]
        let after = [Contact(name: "Grace", city: "Arlington"), Contact(name: "Ada", city: "London")]
        let difference = StagedChangeset(from: before, to: after)
        #expect(difference.stages.map(\.kinds) == [[.elementUpdated], [.elementMoved]])
        #expect(difference.stages.first?.elementUpdated.first?.at == ElementPath(section: 0, element: 1))
        #expect(try before.applying(difference) == after)
    }

    private struct Contact: Differentiable, Hashable {
        var name: String
        var city: String

        var differenceIdentifier: String { name }
    }

    @Test("tells identifiers apart whose hashes are the same")
    func clashingHashes() throws {
        let source = (0..<200).map(Clashing.init)
        let target = (0..<200).map { Clashing(number: $0 * 7 % 200 + $0 % 3) }
        let difference = StagedChangeset(from: source, to: target)
        #expect(try source.applying(difference) == target)
        let (before, after) = (source.map(\.number), target.map(\.number))
        let moves = difference.stages.reduce(0) { $0 + $1.elementMoved.count }
        #expect(moves == keptCount(before, after) - commonLength(before, after))
    }

    private struct Letter: Differentiable, Hashable {
        let character: Character
    }

    private struct Clashing: Differentiable, Hashable {
        let number: Int

        func hash(into hasher: inout Hasher) {}
    }
}
