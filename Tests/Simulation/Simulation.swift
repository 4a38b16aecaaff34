import TestSupport

/// The simulations whose random histories keep every guarantee: the tests play some, the program as many as it is asked for.
enum Simulation: String, CaseIterable, Sendable {
    /// A director's life on one node and several: commands, losses, restarts.
    case lives
    /// Whole clusters: nodes with their looks, writers and takeovers.
    case clusters

    /// Histories are drawn in so many ranges, each from a seed of its own.
    static let ranges = 0..<4

    /// Plays random histories of a range.
    ///
    /// - Returns: The description of the first history that breaks a guarantee, made as short as it can be; nil if all keep them.
    func counterexample(range: Int, histories: Int, seed: UInt64) -> String? {
        let seed = seed &+ UInt64(range)
        // Most of what can go wrong needs two nodes; what needs more is looked for in one of the ranges.
        switch self {
        case .lives:
            var generator = HistoryGenerator(seed: seed, nodes: range == 3 ? 3 : 2)
            return generator.counterexample(among: histories)?.description
        case .clusters:
            var generator = ClusterGenerator(seed: seed, nodes: range == 3 ? 4 : 2 + range % 2)
            return generator.counterexample(among: histories)?.description
        }
    }
}
