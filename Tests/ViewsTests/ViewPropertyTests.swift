import Directors
import Foundation
import HashTreeCollections
import JSONValues
import ListDiff
import Notation
import TestSupport
import Testing

@testable import Views

/// A view under test; a fault can be planted in what it takes and gives.
struct Subject {
    var apply: (inout View, PublishedState, TreeDictionary<Name, JSONValue>) -> ViewChange? = {
        $0.apply($1, variables: $2)
    }
}

@Suite("A view's life")
struct ViewPropertyTests {
    /// How many histories are tried: `CALLBOARD_VIEW_HISTORIES`, 300 where it is not set.
    static let histories =
        ProcessInfo.processInfo.environment["CALLBOARD_VIEW_HISTORIES"].flatMap { Int($0) } ?? 300 * runLength

    @Test("follows its source as an oracle does that computes everything afresh")
    func lives() {
        let seed = SeededGenerator.seedOfRun("views")
        let failure = counterexample(seed: seed, runs: Self.histories, Subject())
        #expect(failure == nil, "seed \(seed)")
    }

    @Test("so it does in lists of some hundred elements, of which versions share parts")
    func longLives() {
        let seed = SeededGenerator.seedOfRun("long views")
        let failure = counterexample(seed: seed, runs: max(20, Self.histories / 20), isLong: true, Subject())
        #expect(failure == nil, "seed \(seed)")
    }

    @Test("a view that does not hear of variables is caught")
    func plantedVariables() {
        var subject = Subject()
        subject.apply = { view, state, _ in view.apply(state) }
        #expect(counterexample(seed: 1, runs: 2_000, subject) != nil)
    }

    @Test("a changeset that loses a stage is caught")
    func plantedStage() {
        var subject = Subject()
        subject.apply = { view, state, variables in
            guard let change = view.apply(state, variables: variables) else { return nil }
            return ViewChange(
                from: change.from, version: change.version,
                changeset: StagedChangeset(
                    stages: change.changeset.stages.dropLast(), replaced: change.changeset.replaced),
                counts: change.counts, totals: change.totals)
        }
        #expect(counterexample(seed: 2, runs: 2_000, subject) != nil)
    }

    @Test("totals that are not announced are caught")
    func plantedTotals() {
        var subject = Subject()
        subject.apply = { view, state, variables in
            let change = view.apply(state, variables: variables)
            return change?.changeset.isEmpty == true ? nil : change
        }
        #expect(counterexample(seed: 3, runs: 2_000, subject) != nil)
    }

    @Test("a view that is made anew for each version, and so remembers nothing, passes as well")
    func fresh() {
        var subject = Subject()
        subject.apply = { view, state, variables in
            let fresh = View(view.plan, of: state, variables: variables)
            let change = view.apply(state, variables: variables)
            view = fresh
            return change
        }
        #expect(counterexample(seed: 4, runs: 100, subject) == nil)
    }

    /// Looks for a history that goes wrong and shortens it, step by step.
    func counterexample(seed: UInt64, runs: Int, isLong: Bool = false, _ subject: Subject) -> String? {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<runs {
            let view = RandomView(&random)
            var generator = HistoryGenerator(SeededGenerator(seed: random.next()), isLong: isLong)
            var steps = generator.steps()
            guard var fault = fault(in: steps, of: view, subject) else { continue }
            var position = 0
            while position < steps.count {
                var fewer = steps
                fewer.remove(at: position)
                if let smaller = self.fault(in: fewer, of: view, subject) {
                    (steps, fault) = (fewer, smaller)
                } else {
                    position += 1
                }
            }
            return "\(fault) for \(view) after\n" + steps.map(\.description).joined(separator: "\n")
        }
        return nil
    }

    private func fault(in steps: [SourceStep], of view: RandomView, _ subject: Subject) -> String? {
        do {
            var life = try ViewLife(view, subject)
            for step in steps {
                if let fault = try life.fault(in: step) { return fault }
            }
            return nil
        } catch {
            return "the history cannot be run: \(error)"
        }
    }
}
