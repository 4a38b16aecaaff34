import TestSupport
import Testing

@testable import callboard_simulation

@Suite("A director's life, simulated")
struct SimulationTests {
    @Test("random histories of lives and of clusters keep every guarantee", arguments: Simulation.allCases)
    func histories(simulation: Simulation) {
        let seed = SeededGenerator.seedOfRun(simulation.rawValue)
        for range in Simulation.ranges {
            #expect(simulation.counterexample(range: range, histories: 500, seed: seed) == nil)
        }
    }

    @Test("a fault that is planted is found", arguments: Fault.allCases)
    func planted(fault: Fault) throws {
        var generator = HistoryGenerator(seed: 1)
        let failure = generator.counterexample(among: 2_000, fault: fault)
        let found = try #require(failure)
        print("\(fault): found in history \(found.number), \(found.history.steps.count) steps; \(found.violation)")
    }
}
