import Testing

@testable import callboard_simulation

@Suite("A cluster of nodes, simulated")
struct ClusterSimulationTests {
    /// In how many histories each planted fault has to be found; most are in the first hundred.
    private static let planted = 20_000

    @Test("what has gone wrong once goes well, and goes wrong with its fault", arguments: ClusterSequence.all.indices)
    func sequences(index: Int) throws {
        let sequence = ClusterSequence.all[index]
        let roles = (0..<sequence.nodes).flatMap { owner in
            (0..<sequence.nodes).filter { $0 != owner }.map { (owner, $0) }
        }
        let histories = roles.map { owner, other in
            ClusterHistory(
                names: sequence.names, nodes: sequence.nodes, owner: owner,
                steps: sequence.steps(owner: owner, other: other, name: 0))
        }
        for history in histories { #expect(history.violation(fault: nil) == nil) }
        let found = histories.compactMap { $0.violation(fault: sequence.fault) }
        #expect(!found.isEmpty, "\(sequence.fault) is not found")
    }

    @Test("a fault that is planted is found", arguments: ClusterFault.all)
    func planted(fault: ClusterFault) throws {
        var generator = ClusterGenerator(seed: 1, nodes: 3)
        let failure = generator.counterexample(among: Self.planted, fault: fault)
        let found = try #require(failure)
        print("\(fault): found in history \(found.number), \(found.history.steps.count) steps; \(found.violation)")
    }
}
