import Directors
import JSONValues
import ListDiff

/// Patches an element of a model row of 1,000,000, beside the same in a section of as many.
enum RowElementBenchmark {
    /// A director with the row, and what an element costs that is touched.
    private struct Shape {
        let name: String
        /// The other members of the row.
        var members = ""
        /// How many expressions a patched element needs.
        var evaluations = 0
        /// Whether a constant row stands before the row, and one behind it.
        var isBetweenRows = false

        func director() throws -> Director {
            var rows = [RowSample(identifier: "people", elements: RowBenchmarks.long, members: members)]
            if isBetweenRows {
                rows.insert(RowSample(identifier: "start", members: #","height":44"#), at: 0)
                rows.append(RowSample(identifier: "end", members: #","height":44"#))
            }
            return try .filled(rows: rows)
        }
    }

    private static let shapes = [
        Shape(name: "a row"),
        Shape(name: "a row between two", isBetweenRows: true),
        Shape(
            name: "a row with heights", members: #","height":{"if":[{">":[{"var":"model.age"},60]},60,44]}"#,
            evaluations: 1),
        Shape(
            name: "a row that hides some", members: #","hideWhen":{">":[{"var":"model.age"},60]}"#, evaluations: 1),
    ]

    /// Runs it for each kind of row and prints the result lines.
    static func run() throws {
        let count = RowBenchmarks.long
        var section = RowSubject("a section", try .filled(sections: 1, elements: count))
        // One that no element has yet, so that each patch changes something.
        var score = 3 * count
        for shape in shapes {
            var row = RowSubject(shape.name, try shape.director())
            var random = SplitMix64(seed: 1)
            var (ours, yardstick): ([Duration], [Duration]) = ([], [])
            var budget = RoundBudget(least: 100, most: 4_000, time: .seconds(4))
            while budget.next() {
                score += 1
                let number = Int.random(in: 0..<count, using: &random)
                let place = number + (shape.isBetweenRows ? 1 : 0)
                let evaluations = row.director.evaluations
                ours.append(try row.patch(number, score: score, row: .identifier("people"), place: place))
                guard row.director.evaluations == evaluations + shape.evaluations else {
                    refute("\(row.name): \(row.director.evaluations - evaluations) expressions were evaluated")
                }
                let other = Int.random(in: 0..<count, using: &random)
                yardstick.append(try section.patch(other, score: score, row: nil, place: other))
            }
            BenchmarkResult.times(
                "one update in \(row.name) of \(count.grouped)", ours: median(ours), yardstick: "in \(section.name)",
                median(yardstick), target: .atMost(RowBenchmarks.sectionFactor)
            ).report()
        }
    }
}

extension RowSubject {
    /// Patches an element; it stands in the published section at a place that is known.
    fileprivate mutating func patch(_ number: Int, score: Int, row: Address?, place: Int) throws -> Duration {
        let identifier = SampleValue.identifier(number)
        let patch = Directors.Operation.elements(
            of: ElementOwner(section: .identifier("s0"), row: row),
            .patch(.identifier(identifier), ValueDraft(try SampleValue.patch(score: score))))
        let step = ChangeStep(
            operations: [patch], expected: ChangeStep.Tally(updated: 1),
            source: ElementPath(section: 0, element: place), identifier: identifier)
        return try measure(step.operations) { step.verify($0, "\(identifier) in \($1)") }
    }
}
