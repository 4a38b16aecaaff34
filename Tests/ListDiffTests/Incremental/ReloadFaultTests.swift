import ListDiff
import TestSupport
import Testing

@testable import ListDiffTesting

@Suite("The judge of persistent lists")
struct ReloadFaultTests {
    @Test("catches every fault that is planted in a right changeset")
    func catchesFaults() {
        var generator = SeededGenerator(seed: runSeed)
        var planted: Set<String> = []
        for _ in 0..<300 {
            let pair = generator.distinctPair()
            let source = PersistentList(pair.source.map { Shelf($0) })
            let target = source.adopting(pair)
            let judge = ReloadJudge(source: source, target: target)
            #expect(judge.violation() == nil)
            let changeset = StagedChangeset(from: source, to: target).plain
            for fault in FaultPlanter(pair, changeset).faults() {
                planted.insert(fault.name)
                if judge.violation(of: fault.changeset.persistent) == nil {
                    Issue.record(
                        "CALLBOARD_SEED=\(runSeed): \(fault.name) was not caught in \(pair): \(fault.changeset)")
                    return
                }
            }
        }
        #expect(planted == OracleFaultTests.kinds)
    }

    @Test("catches a changeset that moves more than it has to, in a long list")
    func catchesMoves() {
        let source = PersistentList([Shelf(0, PersistentList((0..<500).map { Item(id: $0) }))])
        var target = source
        target.update(at: 0) { $0.list.move(from: 0, to: 499) }
        let judge = ReloadJudge(source: source, target: target)
        #expect(judge.violation() == nil)
        let moves = (1..<500).map { element in
            ElementMove(
                from: ElementPath(section: 0, element: element), to: ElementPath(section: 0, element: element - 1))
        }
        #expect(judge.violation(of: StagedChangeset(stages: [Changeset(elementMoved: moves)])) != nil)
    }
}

extension PersistentList<Shelf> {
    /// The target of a pair whose source this list is, sharing sections and elements that are the same.
    fileprivate func adopting(_ pair: Pair) -> Self {
        PersistentList(
            pair.target.map { group in
                guard let position = firstIndex(where: { $0.id == group.id }) else {
                    return Shelf(group)
                }
                return Shelf(group.id, self[position].list.adopting(group.elements) { $0 == $1 }, title: group.content)
            })
    }
}
