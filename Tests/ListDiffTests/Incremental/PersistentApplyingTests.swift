import ListDiff
import TestSupport
import Testing

@testable import ListDiffTesting

@Suite("Applying a changeset to a persistent list")
struct PersistentApplyingTests {
    @Test(
        "is refused with the operation and the reason that an array refuses it with",
        arguments: ApplyingTests.rangeMisfits + ApplyingTests.conflicts + ApplyingTests.intrusions
    )
    func refuses(misfit: ApplyingTests.Misfit) {
        let list = PersistentList(ApplyingTests.list.map { Shelf($0) })
        var expected = ChangesetError(
            stage: 0, operation: misfit.operation, index: misfit.index, reason: misfit.reason)
        let staged = StagedChangeset(stages: [Changeset(), misfit.changeset]).persistent
        #expect(throws: expected) { try list.applying(staged.stages[1]) }
        expected.stage = 1
        #expect(throws: expected) { try list.applying(staged) }
    }

    @Test("never traps, and does or refuses what an array does or refuses")
    func followsArrays() {
        var generator = SeededGenerator(seed: runSeed)
        var (applied, refused) = (0, 0)
        for _ in 0..<20_000 {
            let list = generator.pair().source
            let staged = StagedChangeset(stages: [generator.changeset(for: list)])
            let expected = Result { () throws(ChangesetError) in try list.applying(staged) }
            let result = Result { () throws(ChangesetError) in
                try PersistentList(list.map { Shelf($0) }).applying(staged.persistent).plain
            }
            #expect(result == expected, "CALLBOARD_SEED=\(runSeed): \(staged) on \(list)")
            switch result {
            case .success: applied += 1
            case .failure: refused += 1
            }
        }
        #expect(applied > 1_000, "too few were legal: \(applied)")
        #expect(refused > 1_000, "too few were refused: \(refused)")
    }

    @Test("leaves the list as it was, and shares with it what does not change")
    func leavesTheList() throws {
        let list = PersistentList([Shelf(1, PersistentList((0..<5_000).map { Item(id: $0) })), Shelf(2, [])])
        let changeset = Changeset<Shelf>(elementDeleted: [ElementPath(section: 0, element: 4_000)])
        let result = try list.applying(changeset)
        #expect(list[0].list.count == 5_000)
        #expect(result[0].list.elementsEqual((0..<5_000).filter { $0 != 4_000 }.map { Item(id: $0) }))
        #expect(list.bytesNotShared(with: result) < list.bytesNotShared(with: []) / 20)
    }

    @Test("on a plain list follows an array, whichever section it is", arguments: [0, 1, 7])
    func plainList(section: Int) throws {
        var generator = SeededGenerator(seed: runSeed)
        for _ in 0..<500 {
            let before = (0..<generator.below(60)).map { _ in Item(id: generator.below(50), content: generator.below(2))
            }
            let after = (0..<generator.below(60)).map { _ in Item(id: generator.below(50), content: generator.below(2))
            }
            let (source, target) = (PersistentList(before), PersistentList(after))
            let staged = StagedChangeset(from: source, to: target, section: section)
            #expect(try source.applying(staged, section: section) == target, "CALLBOARD_SEED=\(runSeed)")
            #expect(try before.applying(staged, section: section) == after, "CALLBOARD_SEED=\(runSeed)")
            let batch = StagedChangeset(from: before, to: after, section: section)
            #expect(batch.elementMoves == staged.elementMoves, "CALLBOARD_SEED=\(runSeed)")
        }
    }

    @Test("on a plain list refuses sections, and other sections")
    func plainRefusals() {
        let list: PersistentList = [Item(id: 1)]
        let section = StagedChangeset<LinearSection<Item>>(stages: [Changeset(sectionDeleted: [0])])
        #expect(throws: ChangesetError(stage: 0, operation: .sectionDeleted, index: 0, reason: .noSections)) {
            try list.applying(section)
        }
        let other = StagedChangeset(from: list, to: [], section: 1)
        #expect(throws: ChangesetError(stage: 0, operation: .elementDeleted, index: 0, reason: .outOfRange(count: 1))) {
            try list.applying(other, section: 2)
        }
    }
}
