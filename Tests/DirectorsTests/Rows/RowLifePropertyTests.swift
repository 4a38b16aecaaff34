import JSONValues
import ListDiff
import TestSupport
import Testing

@testable import Directors

@Suite("The life of a director with rows")
struct RowLifePropertyTests {
    @Test("each reload publishes what a naive evaluation gives, by a change that is right and the least")
    func lives() throws {
        let seed = SeededGenerator.seedOfRun("lives with rows")
        let failure = try counterexample(seed: seed, runs: 250, RowSubject())
        #expect(failure == nil, "seed \(seed)")
    }

    @Test("so it is with rows of some hundred elements, of which versions share parts")
    func longLives() throws {
        let seed = SeededGenerator.seedOfRun("long lives with rows")
        let failure = try counterexample(seed: seed, runs: 10, isLong: true, RowSubject())
        #expect(failure == nil, "seed \(seed)")
    }

    @Test("rows that read a variable which was set, and are not evaluated again, are caught")
    func plantedReaders() throws {
        var subject = RowSubject()
        subject.reload = { director in
            director.changedVariables = []
            return try director.reload()
        }
        #expect(try counterexample(seed: 1, runs: 2_000, subject) != nil)
    }

    @Test("a hidden section that is still shown is caught")
    func plantedSection() throws {
        var subject = RowSubject()
        subject.reload = { director in
            let change = try director.reload()
            let shown = Set(director.published.list.sections.map(\.identifier))
            let hidden = director.working.list.sections.filter { !shown.contains($0.identifier) }
            let sections = director.published.list.array + hidden.map { Section(showing: $0, list: []) }
            director.published = PublishedState(
                restoring: ListState(sections: sections), version: director.published.version)
            return change
        }
        #expect(try counterexample(seed: 2, runs: 2_000, subject) != nil)
    }

    @Test("index paths that are off by one are caught")
    func plantedIndexPath() throws {
        var subject = RowSubject()
        subject.indexPaths = { list, section, row in
            list.indexPaths(ofRow: row, in: section).map { ElementPath(section: $0.section, element: $0.element + 1) }
        }
        #expect(try counterexample(seed: 3, runs: 2_000, subject) != nil)
    }

    @Test("rows that are shown where they were before they moved are caught")
    func plantedMove() throws {
        var subject = RowSubject()
        subject.perform = { director, operations in
            let before = director
            try director.perform(operations)
            let isMove = operations.contains { $0.verb == .rows(.move) }
            // What was evaluated last is taken for what is there now.
            if isMove, before.visibility != nil {
                director.visibility = Visibility(showing: director.working.list.content)
            }
        }
        #expect(try counterexample(seed: 4, runs: 2_000, subject) != nil)
    }

    @Test("a change that does not compare what rows tell beside their elements is caught")
    func plantedDisplay() throws {
        var subject = RowSubject()
        subject.reload = { director in
            let shown = director.published.list.array
            guard let change = try director.reload() else { return nil }
            let stages = change.changeset.stages.map { stage in
                var stage = stage
                stage.elementUpdated.removeAll {
                    shown[$0.at.section].elements[$0.at.element].value == $0.element.value
                }
                return stage
            }
            return PublishedChange(
                director: change.director, epoch: change.epoch, from: change.from, version: change.version,
                animations: nil, causes: change.causes,
                changeset: StagedChangeset(stages: stages, replaced: change.changeset.replaced),
                counts: change.counts)
        }
        #expect(try counterexample(seed: 5, runs: 2_000, subject) != nil)
    }

    /// Looks for a life that goes wrong and shortens it, step by step and operation by operation.
    func counterexample(seed: UInt64, runs: Int, isLong: Bool = false, _ subject: RowSubject) throws -> String? {
        var generator = RowStepGenerator(seed: seed, isLong: isLong)
        for _ in 0..<runs {
            var steps = generator.steps()
            guard var fault = try RowLife.fault(in: steps, subject) else { continue }
            var isShrinking = true
            while isShrinking {
                isShrinking = false
                for fewer in smaller(than: steps) {
                    guard let found = try RowLife.fault(in: fewer, subject) else { continue }
                    (steps, fault, isShrinking) = (fewer, found, true)
                    break
                }
            }
            return fault + " after\n" + steps.map(\.description).joined(separator: "\n")
        }
        return nil
    }

    private func smaller(than steps: [RowStep]) -> [[RowStep]] {
        steps.indices.flatMap { position in
            var fewer = steps
            fewer.remove(at: position)
            guard case .perform(let operations) = steps[position], operations.count > 1 else { return [fewer] }
            return [fewer]
                + operations.indices.map { index in
                    var without = (steps, operations)
                    without.1.remove(at: index)
                    without.0[position] = .perform(without.1)
                    return without.0
                }
        }
    }
}
