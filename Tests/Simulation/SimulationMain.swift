import Foundation
import TestSupport

/// The program `callboard-simulation`: plays the simulations' random histories, optimized, in numbers that tests have no time for.
///
///     callboard-simulation HISTORIES [lives|clusters]…
///
/// Each simulation plays so many histories, all simulations unless some are named. The status is 1 if one breaks a
/// guarantee. `CALLBOARD_SEED` repeats a run.
@main
enum SimulationMain {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard let histories = arguments.first.flatMap({ Int($0) }), (1...1_000_000_000).contains(histories) else {
            refuse("tell how many histories are to be played: callboard-simulation HISTORIES [lives|clusters]…")
        }
        let named = arguments.dropFirst().map { name in
            guard let simulation = Simulation(rawValue: name) else {
                let known = Simulation.allCases.map(\.rawValue).joined(separator: ", ")
                refuse("there is no simulation \(name.debugDescription); there are: \(known)")
            }
            return simulation
        }
        for simulation in named.isEmpty ? Simulation.allCases : named {
            let start = ContinuousClock.now
            if let failure = await play(simulation, histories) {
                print(failure)
                exit(1)
            }
            print("\(simulation): \(histories) histories keep every guarantee, in \(ContinuousClock.now - start)")
        }
    }

    /// Plays all ranges of a simulation at once.
    ///
    /// - Returns: The description of a history that breaks a guarantee; nil if all keep them.
    private static func play(_ simulation: Simulation, _ histories: Int) async -> String? {
        let seed = SeededGenerator.seedOfRun(simulation.rawValue)
        return await withTaskGroup(of: String?.self) { group in
            for range in Simulation.ranges {
                group.addTask {
                    simulation.counterexample(
                        range: range, histories: max(1, histories / Simulation.ranges.count), seed: seed)
                }
            }
            return await group.first { $0 != nil } ?? nil
        }
    }

    private static func refuse(_ reason: String) -> Never {
        FileHandle.standardError.write(Data("error: \(reason)\n".utf8))
        exit(2)
    }
}
