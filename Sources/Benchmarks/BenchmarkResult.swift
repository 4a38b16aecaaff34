import Foundation

/// One comparison with a yardstick that was measured in the same run.
///
/// Every benchmark reports through this type, so that `Config/bench` can gather the lines of the Swift benchmarks and
/// of those against other servers in one table.
struct BenchmarkResult: Sendable {
    /// What was measured, such as `diff of 5,000 UUIDs`.
    var name: String
    /// Our figure with its unit.
    var ours: String
    /// The yardstick's name and figure with its unit.
    var yardstick: String
    /// How many times better than the yardstick we are; above 1 is better, whatever the unit.
    var ratio: Double
    /// The ratio to reach.
    var target: Double

    /// The line that `Config/bench` looks for: `result | name | ours | yardstick | ratio | target`.
    var line: String {
        let figures = [ratio, target].map { String(format: "%.2f", $0) }
        return (["result", name, ours, yardstick] + figures).joined(separator: " | ")
    }

    /// Writes the line to standard output at once, so that a reader of a pipe sees progress.
    func report() {
        print(line)
        fflush(nil)
    }
}
