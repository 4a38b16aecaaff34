import TestSupport
import Testing

@Suite("A director's life, simulated")
struct SimulationTests {
    /// How many histories each of the ranges has.
    private static let histories = 25_000

    @Test("any history of commands, losses and nodes keeps every guarantee", arguments: 0..<4)
    func histories(range: Int) {
        let seed = SeededGenerator.seedOfRun("histories, range \(range)") &+ UInt64(range)
        // Most of what can go wrong needs two nodes; what needs more is looked for in one of the ranges.
        var generator = HistoryGenerator(seed: seed, nodes: range == 3 ? 3 : 2)
        let failure = generator.counterexample(among: Self.histories)
        #expect(failure == nil, "seed \(seed)")
    }

    @Test("a fault that is planted is found", arguments: Fault.allCases)
    func planted(fault: Fault) throws {
        var generator = HistoryGenerator(seed: 1)
        let failure = generator.counterexample(among: 2_000, fault: fault)
        let found = try #require(failure)
        print("\(fault): found in history \(found.number), \(found.history.steps.count) steps; \(found.violation)")
    }
}
