import Foundation
import TestSupport
import Testing

/// How much is looked at in one run.
private enum ClusterRun {
    /// How many histories each of the ranges has; CALLBOARD_CLUSTER_HISTORIES=25000 makes 100,000 in all, which take minutes.
    static let histories: Int =
        ProcessInfo.processInfo.environment["CALLBOARD_CLUSTER_HISTORIES"].flatMap { Int($0) } ?? 4_000
    /// In how many histories each planted fault has to be found; most are in the first hundred.
    static let planted = 20_000
}

@Suite("A cluster of nodes, simulated")
struct ClusterSimulationTests {
    @Test("any history of nodes, commits and looks keeps every guarantee", arguments: 0..<4)
    func histories(range: Int) {
        let seed = SeededGenerator.seedOfRun("clusters, range \(range)") &+ UInt64(range)
        // Most of what can go wrong needs two nodes; what needs more is looked for in one of the ranges.
        var generator = ClusterGenerator(seed: seed, nodes: range == 3 ? 4 : 2 + range % 2)
        let failure = generator.counterexample(among: ClusterRun.histories)
        #expect(failure == nil, "seed \(seed)")
    }

    @Test("what has gone wrong once goes well, and goes wrong with its fault", arguments: ClusterSequence.all.indices)
    func sequences(index: Int) throws {
        let sequence = ClusterSequence.all[index]
        let histories = [(0, 1), (1, 0)].map { owner, other in
            ClusterHistory(owner: owner, steps: sequence.steps(owner: owner, other: other, name: 0))
        }
        for history in histories { #expect(history.violation(fault: nil) == nil) }
        let found = histories.compactMap { $0.violation(fault: sequence.fault) }
        #expect(!found.isEmpty, "\(sequence.fault.testDescription) is not found")
    }

    @Test("a fault that is planted is found", arguments: ClusterFault.all)
    func planted(fault: ClusterFault) throws {
        var generator = ClusterGenerator(seed: 1, nodes: 3)
        let failure = generator.counterexample(among: ClusterRun.planted, fault: fault)
        let found = try #require(failure)
        print(
            "\(fault.testDescription): found in history \(found.number), \(found.history.steps.count) steps; \(found.violation)"
        )
    }
}
