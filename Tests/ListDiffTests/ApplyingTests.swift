import ListDiff
import TestSupport
import Testing

@testable import ListDiffTesting

@Suite("Applying a changeset")
struct ApplyingTests {
    /// Two sections to apply things to: `#1 [10, 11, 12]` and `#2 [20]`.
    static let list = [Group(1, ids: [10, 11, 12]), Group(2, ids: [20])]

    struct Misfit: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let changeset: Changeset<Group>
        let operation: ChangesetOperation
        var index = 0
        let reason: ChangesetError.Reason

        init(
            _ description: String,
            _ operation: ChangesetOperation,
            _ reason: ChangesetError.Reason,
            index: Int = 0,
            _ changeset: Changeset<Group>
        ) {
            testDescription = description
            self.operation = operation
            self.reason = reason
            self.index = index
            self.changeset = changeset
        }
    }

    static let item = Item(id: 99)
    static let group = Group(9, ids: [90])

    static let rangeMisfits = [
        Misfit(
            "an update of an element that is not there", .elementUpdated, .outOfRange(count: 3),
            Changeset(elementUpdated: [ElementChange(at: path(0, 3), element: item)])),
        Misfit(
            "an update in a section that is not there", .elementUpdated, .outOfRange(count: 2),
            Changeset(elementUpdated: [ElementChange(at: path(2, 0), element: item)])),
        Misfit(
            "a delete before the first element", .elementDeleted, .outOfRange(count: 3),
            Changeset(elementDeleted: [path(0, -1)])),
        Misfit(
            "a delete at the greatest index", .elementDeleted, .outOfRange(count: 2),
            Changeset(elementDeleted: [path(.max, .max)])),
        Misfit(
            "a move from an element that is not there", .elementMoved, .outOfRange(count: 1),
            Changeset(elementMoved: [ElementMove(from: path(1, 1), to: path(0, 0))])),
        Misfit(
            "a move to a place after the last", .elementMoved, .outOfRange(count: 3),
            Changeset(elementMoved: [ElementMove(from: path(0, 0), to: path(0, 3))])),
        Misfit(
            "a move to a section that is not there", .elementMoved, .outOfRange(count: 2),
            Changeset(elementMoved: [ElementMove(from: path(0, 0), to: path(.min, 0))])),
        Misfit(
            "an insert after the last place", .elementInserted, .outOfRange(count: 2),
            Changeset(elementInserted: [ElementChange(at: path(1, 2), element: item)])),
        Misfit(
            "an insert after the places that a delete leaves", .elementInserted, .outOfRange(count: 1),
            Changeset(elementDeleted: [path(1, 0)], elementInserted: [ElementChange(at: path(1, 1), element: item)])),
        Misfit(
            "an insert in a section that is not there after a delete", .elementInserted, .outOfRange(count: 1),
            Changeset(sectionDeleted: [0], elementInserted: [ElementChange(at: path(1, 0), element: item)])),
        Misfit(
            "a delete of a section that is not there", .sectionDeleted, .outOfRange(count: 2),
            Changeset(sectionDeleted: [2])),
        Misfit(
            "a section inserted after the last place", .sectionInserted, .outOfRange(count: 3),
            Changeset(sectionInserted: [SectionChange(at: 3, section: group)])),
        Misfit(
            "a section moved from where none is", .sectionMoved, .outOfRange(count: 2),
            Changeset(sectionMoved: [SectionMove(from: -1, to: 0)])),
        Misfit(
            "a section moved to after the last place", .sectionMoved, .outOfRange(count: 2),
            Changeset(sectionMoved: [SectionMove(from: 0, to: 2)])),
        Misfit(
            "an update of a section that is not there", .sectionUpdated, .outOfRange(count: 2),
            Changeset(sectionUpdated: [SectionChange(at: 2, section: group)])),
    ]

    static let conflicts = [
        Misfit(
            "one element deleted twice", .elementDeleted, .sourceTaken, index: 1,
            Changeset(elementDeleted: [path(0, 1), path(0, 1)])),
        Misfit(
            "one element updated and deleted", .elementDeleted, .sourceTaken,
            Changeset(
                elementUpdated: [ElementChange(at: path(0, 1), element: Item(id: 11, content: 1))],
                elementDeleted: [path(0, 1)])),
        Misfit(
            "one element updated and moved", .elementMoved, .sourceTaken,
            Changeset(
                elementUpdated: [ElementChange(at: path(0, 1), element: Item(id: 11, content: 1))],
                elementMoved: [ElementMove(from: path(0, 1), to: path(0, 0))])),
        Misfit(
            "one element moved to two places", .elementMoved, .sourceTaken, index: 1,
            Changeset(elementMoved: [
                ElementMove(from: path(0, 1), to: path(0, 0)), ElementMove(from: path(0, 1), to: path(0, 2)),
            ])),
        Misfit(
            "one section deleted and moved", .sectionMoved, .sourceTaken,
            Changeset(sectionDeleted: [0], sectionMoved: [SectionMove(from: 0, to: 0)])),
        Misfit(
            "one section moved and updated", .sectionUpdated, .sourceTaken,
            Changeset(
                sectionMoved: [SectionMove(from: 0, to: 1)],
                sectionUpdated: [SectionChange(at: 0, section: Group(1, [], content: 1))])),
        Misfit(
            "two elements inserted at one place", .elementInserted, .targetTaken, index: 1,
            Changeset(elementInserted: [
                ElementChange(at: path(1, 0), element: item), ElementChange(at: path(1, 0), element: item),
            ])),
        Misfit(
            "two elements inserted at the last place of a section that has too few", .elementInserted, .targetTaken,
            Changeset(elementInserted: [
                ElementChange(at: path(1, 2), element: item), ElementChange(at: path(1, 2), element: item),
            ])),
        Misfit(
            "a section inserted where another is moved to", .sectionMoved, .targetTaken,
            Changeset(
                sectionInserted: [SectionChange(at: 2, section: group)], sectionMoved: [SectionMove(from: 0, to: 2)])),
    ]

    static let intrusions = [
        Misfit(
            "an element deleted in a section that is deleted", .elementDeleted, .insideDeletedSection,
            Changeset(sectionDeleted: [0], elementDeleted: [path(0, 0)])),
        Misfit(
            "an element updated in a section that is deleted", .elementUpdated, .insideDeletedSection,
            Changeset(
                elementUpdated: [ElementChange(at: path(0, 0), element: Item(id: 10))], sectionDeleted: [0])),
        Misfit(
            "an element moved out of a section that is deleted", .elementMoved, .insideDeletedSection,
            Changeset(sectionDeleted: [0], elementMoved: [ElementMove(from: path(0, 0), to: path(0, 0))])),
        Misfit(
            "an element inserted in a section that is inserted", .elementInserted, .insideInsertedSection,
            Changeset(
                sectionInserted: [SectionChange(at: 1, section: group)],
                elementInserted: [ElementChange(at: path(1, 0), element: item)])),
        Misfit(
            "an element moved into a section that is inserted", .elementMoved, .insideInsertedSection,
            Changeset(
                sectionInserted: [SectionChange(at: 0, section: group)],
                elementMoved: [ElementMove(from: path(0, 0), to: path(0, 0))])),
        Misfit(
            "an update to another element", .elementUpdated, .differentIdentifier,
            Changeset(elementUpdated: [ElementChange(at: path(0, 0), element: item)])),
        Misfit(
            "an update to another section", .sectionUpdated, .differentIdentifier,
            Changeset(sectionUpdated: [SectionChange(at: 0, section: group)])),
    ]

    static func path(_ section: Int, _ element: Int) -> ElementPath {
        ElementPath(section: section, element: element)
    }

    @Test("is refused with the operation and the reason", arguments: rangeMisfits + conflicts + intrusions)
    func refuses(misfit: Misfit) {
        let expected = ChangesetError(stage: 0, operation: misfit.operation, index: misfit.index, reason: misfit.reason)
        #expect(throws: expected) { try Self.list.applying(misfit.changeset) }
        // As a later stage, it is named by its number.
        let later = StagedChangeset(stages: [Changeset(), misfit.changeset])
        var numbered = expected
        numbered.stage = 1
        #expect(throws: numbered) { try Self.list.applying(later) }
    }

    @Test(
        "is refused where what is replaced is not there, is another one, or comes twice",
        arguments: [
            (Self.path(0, 9), 10, ChangesetError.Reason.outOfRange(count: 3)),
            (Self.path(7, 0), 10, .outOfRange(count: 2)), (Self.path(-1, 0), 10, .outOfRange(count: 2)),
            (Self.path(0, 1), 10, .differentIdentifier), (Self.path(0, 0), 10, .sourceTaken),
        ])
    func refusesReplacing(at path: ElementPath, id: Int, reason: ChangesetError.Reason) throws {
        let first = ElementChange(at: Self.path(0, 0), element: Item(id: 10, detail: 1))
        let last = ElementChange(at: path, element: Item(id: id, detail: 2))
        let staged = StagedChangeset<Group>(stages: [Changeset()], replaced: [first, last])
        let expected = ChangesetError(stage: nil, operation: .elementUpdated, index: 1, reason: reason)
        #expect(throws: expected) { try Self.list.applying(staged) }
        #expect(throws: expected) { try PersistentList(Self.list.map { Shelf($0) }).applying(staged.persistent) }
        #expect("\(expected)" == "/replaced/1: \(reason)")
        let right = StagedChangeset<Group>(stages: [], replaced: [first])
        #expect(try Self.list.applying(right)[0].elements[0] == first.element)
        #expect(!right.isEmpty && right.operationCount == 0)
    }

    @Test("follows the rules of a batch update when kinds are mixed in one stage")
    func mixedStage() throws {
        let changeset = Changeset<Group>(
            elementUpdated: [ElementChange(at: Self.path(0, 0), element: Item(id: 10, content: 1))],
            elementDeleted: [Self.path(0, 1)],
            sectionInserted: [SectionChange(at: 0, section: Self.group)],
            elementInserted: [ElementChange(at: Self.path(1, 0), element: Self.item)],
            elementMoved: [ElementMove(from: Self.path(1, 0), to: Self.path(1, 2))],
            sectionUpdated: [SectionChange(at: 1, section: Group(2, [], content: 1))]
        )
        let expected = [
            Self.group,
            Group(1, [Self.item, Item(id: 10, content: 1), Item(id: 20), Item(id: 12)]),
            Group(2, [], content: 1),
        ]
        #expect(try Self.list.applying(changeset) == expected)
    }

    @Test("says what does not fit, where and why")
    func description() {
        let error = ChangesetError(stage: 3, operation: .elementMoved, index: 2, reason: .outOfRange(count: 4))
        #expect("\(error)" == "/stages/3/elementMoved/2: its place is out of range, there are 4")
    }

    @Test("never traps, and does what the oracle does where the oracle finds it legal")
    func survivesAnything() {
        var generator = SeededGenerator(seed: runSeed)
        var (applied, refused) = (0, 0)
        for _ in 0..<20_000 {
            let list = generator.pair().source
            let changeset = generator.changeset(for: list)
            let result = try? list.applying(changeset)
            var oracle = BatchUpdateOracle(list)
            do throws(Violation) {
                try oracle.perform(changeset)
                #expect(result == oracle.list, "CALLBOARD_SEED=\(runSeed): \(changeset) on \(list)")
                applied += 1
            } catch {
                refused += result == nil ? 1 : 0
            }
        }
        #expect(applied > 1_000, "too few were legal: \(applied)")
        #expect(refused > 1_000, "too few were refused: \(refused)")
    }
}

extension SeededGenerator {
    /// A changeset of a few operations at places near those that exist, now and then at an absurd one.
    mutating func changeset(for list: [Group]) -> Changeset<Group> {
        var changeset = Changeset<Group>()
        for _ in 0..<(1 + below(3)) {
            switch below(8) {
            case 0: changeset.elementDeleted.append(place(list))
            case 1: changeset.elementInserted.append(ElementChange(at: place(list), element: Item(id: below(9))))
            case 2: changeset.elementMoved.append(ElementMove(from: place(list), to: place(list)))
            case 3: changeset.sectionDeleted.append(index(list.count))
            case 4: changeset.sectionMoved.append(SectionMove(from: index(list.count), to: index(list.count)))
            case 5: changeset.sectionInserted.append(SectionChange(at: index(list.count), section: Group(7, [])))
            case 6: changeset.sectionUpdated.append(SectionChange(at: index(list.count), section: Group(below(4), [])))
            default: changeset.elementUpdated.append(ElementChange(at: place(list), element: Item(id: below(9))))
            }
        }
        return changeset
    }

    private mutating func place(_ list: [Group]) -> ElementPath {
        let section = index(list.count)
        let count = list.indices.contains(section) ? list[section].elements.count : 2
        return ElementPath(section: section, element: index(count))
    }

    private mutating func index(_ count: Int) -> Int {
        switch below(40) {
        case 0: .max
        case 1: .min
        case 2: -1
        case 3: count + 1
        default: below(count + 1)
        }
    }
}
