import Directors
import JSONValues
import ListDiff

/// Sets a variable that one row reads, among many rows of which each reads another, and among few.
enum VariableBenchmark {
    /// How many rows the yardstick has.
    private static let few = 10

    /// Runs it and prints the result lines.
    static func run() throws {
        var (wide, small) = (try subject(RowBenchmarks.wide), try subject(few))
        var random = SplitMix64(seed: 1)
        var (ours, yardstick): ([Duration], [Duration]) = ([], [])
        var evaluations = 0
        var budget = RoundBudget(least: 100, most: 4_000, time: .seconds(4))
        var height = 100
        while budget.next() {
            height += 1
            let before = wide.director.evaluations
            ours.append(
                try wide.set(Int.random(in: 0..<RowBenchmarks.wide, using: &random), to: height))
            evaluations = max(evaluations, wide.director.evaluations - before)
            yardstick.append(try small.set(Int.random(in: 0..<few, using: &random), to: height))
        }
        let name = "a variable that one of \(RowBenchmarks.wide.grouped) rows reads"
        BenchmarkResult.times(
            name, ours: median(ours), yardstick: "one of \(few)", median(yardstick),
            target: .atMost(RowBenchmarks.restFactor)
        ).report()
        BenchmarkResult(
            name: "\(name), expressions evaluated", ours: String(evaluations), yardstick: "the row's 1",
            ratio: Double(evaluations), target: .atMost(1)
        ).report()
    }

    private static func subject(_ count: Int) throws -> RowSubject {
        let rows = (0..<count).map {
            RowSample(identifier: "r\($0)", members: #","height":{"var":"variables.v\#($0)"}"#)
        }
        let variables = Dictionary(uniqueKeysWithValues: (0..<count).map { ("v\($0)", "44") })
        return RowSubject("\(count.grouped) rows", try .filled(rows: rows, variables: variables))
    }
}

extension RowSubject {
    /// Sets the variable that a row reads.
    fileprivate mutating func set(_ row: Int, to height: Int) throws -> Duration {
        let evaluations = director.evaluations
        let step = try ChangeStep.setting("v\(row)", to: String(height), expecting: ChangeStep.Tally(updated: 1))
        let time = try measure(step.operations) { change, name in
            step.verify(change, "v\(row) in \(name)")
            let updated = change?.changeset.stages.first?.elementUpdated.first
            guard updated?.at == ElementPath(section: 0, element: row) else {
                refute("v\(row) in \(name): \(updated.map { "\($0.at)" } ?? "nothing") is updated")
            }
        }
        guard director.evaluations == evaluations + 1 else {
            refute("v\(row) in \(name): \(director.evaluations - evaluations) expressions were evaluated")
        }
        return time
    }
}
