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

/// A history that goes wrong, as short as it could be made.
struct Counterexample: CustomStringConvertible {
    /// How many histories it took.
    let number: Int
    /// The history.
    var history: History
    /// What goes wrong.
    var violation: String

    var description: String {
        let steps = history.steps.enumerated().map { "\($0 + 1). \($1)" }
        let begin = "\(history.names) directors\(history.isEmpty ? ", not created" : ""), \(history.nodes) nodes"
        return ([violation, begin] + steps).joined(separator: "\n")
    }
}

extension HistoryGenerator {
    /// Looks for a history that goes wrong, and removes the steps that it does not need.
    mutating func counterexample(among count: Int, fault: Fault? = nil) -> Counterexample? {
        for number in 1...count {
            let history = history()
            guard let violation = World.violation(in: history, fault: fault) else { continue }
            var found = Counterexample(number: number, history: history, violation: violation)
            found.shrink(fault: fault)
            return found
        }
        return nil
    }
}

extension Counterexample {
    /// Removes every step without which the history still goes wrong.
    fileprivate mutating func shrink(fault: Fault?) {
        var position = history.steps.count
        while position > 0 {
            position -= 1
            var fewer = history
            fewer.steps.remove(at: position)
            guard let violation = World.violation(in: fewer, fault: fault) else { continue }
            (history, self.violation) = (fewer, violation)
        }
    }
}
