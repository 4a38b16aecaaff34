import Foundation

/// One comparison with a yardstick that was measured in the same run.
///
/// Every benchmark reports through this type, so that `Config/bench` can gather the lines of the Swift benchmarks and
/// of those against other servers in one table.
struct BenchmarkResult: Sendable {
    /// The bound of a ratio, and the ratio's meaning.
    enum Target: Sendable {
        /// The ratio says how many times better than the yardstick we are, whatever the unit; at least so often.
        case atLeast(Double)
        /// The ratio says how many times the yardstick we cost; at most so often.
        case atMost(Double)
        /// The ratio, of the first kind, is there to be known.
        case none
    }

    /// The measured operation, such as `diff of 5,000 UUIDs`.
    var name: String
    /// Our figure with its unit.
    var ours: String
    /// The yardstick's name and figure with its unit; where the target is a fixed bound, the bound.
    var yardstick: String
    /// The ratio that the target speaks of.
    var ratio: Double
    /// The ratio to reach.
    var target: Target

    /// The line that `Config/bench` looks for: `result | name | ours | yardstick | ratio | target`.
    ///
    /// The target is a number (reached by a ratio of at least that), `<=` and a number (by one of at most that) or
    /// `none`.
    var line: String {
        let goal =
            switch target {
            case .atLeast(let ratio): String(format: "%.2f", ratio)
            case .atMost(let ratio): String(format: "<= %.2f", ratio)
            case .none: "none"
            }
        return ["result", name, ours, yardstick, String(format: "%.2f", ratio), goal].joined(separator: " | ")
    }

    /// Writes the line to standard output at once, so that a reader of a pipe sees progress.
    func report() {
        print(line)
        fflush(nil)
    }
}

extension BenchmarkResult {
    /// Compares two times, of which the shorter is the better one.
    static func times(
        _ name: String, ours: Duration, yardstick: String, _ theirs: Duration, target: Target
    ) -> BenchmarkResult {
        let ratio = if case .atMost = target { ours / theirs } else { theirs / ours }
        return BenchmarkResult(
            name: name, ours: ours.inWords, yardstick: "\(yardstick) \(theirs.inWords)", ratio: ratio, target: target)
    }

    /// Holds a time against a fixed bound; the ratio says how many times it fits in.
    static func bound(_ name: String, ours: Duration, limit: Duration) -> BenchmarkResult {
        BenchmarkResult(
            name: name, ours: ours.inWords, yardstick: "bound \(limit.inWords)", ratio: limit / ours,
            target: .atLeast(1))
    }
}
