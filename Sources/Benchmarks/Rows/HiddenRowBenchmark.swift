import Directors
import JSONValues
import ListDiff

/// Hides and shows rows by a variable, in a director of 1,000,000 elements and in smaller ones.
enum HiddenRowBenchmark {
    /// How many elements the long row has that is hidden.
    private static let hidden = 100_000
    /// How many the short one has.
    private static let few = 10

    /// Runs it and prints the result lines.
    static func run() throws {
        var section = RowSubject(
            "1 x \(RowBenchmarks.long.grouped)", try .filled(sections: 1, elements: RowBenchmarks.long))
        var long = try subject(others: 9, of: hidden)
        var alone = try subject(others: 9, of: few)
        var small = RowSubject(
            "10 x \(few)", try .filled(rows: rows(others: 9, of: few, hidden: nil), variables: variables))
        var (wholly, partly) = (Readings(), Readings())
        let drafts = try (0..<hidden).map { try SampleValue.draft(RowBenchmarks.long * 2 + $0) }
        let places = RowBenchmarks.long / 2..<RowBenchmarks.long / 2 + hidden
        var budget = RoundBudget(least: 5, most: 100, time: .seconds(12))
        while budget.next() {
            for isHidden in [true, false] {
                wholly.add(try long.set("hideLong", isHidden, count: hidden), as: "ours", isHidden)
                wholly.add(try alone.set("hideLong", isHidden, count: hidden), as: "alone", isHidden)
                let operation: Directors.Operation =
                    isHidden
                    ? .elements(of: .section(.first), .removeSeveral(places.map { .position($0) }))
                    : .elements(of: .section(.first), .add(drafts, at: .position(places.lowerBound)))
                let reload = try section.measureReload(after: [operation]) {
                    verify($0, ChangeStep.Tally(hiding: isHidden, count: hidden), "elements of \($1)")
                }
                wholly.add(reload, as: "section", isHidden)
            }
        }
        budget = RoundBudget(least: 50, most: 1_000, time: .seconds(3))
        while budget.next() {
            for isHidden in [true, false] {
                partly.add(try long.set("hideFew", isHidden, count: few), as: "ours", isHidden)
                partly.add(try small.set("hideFew", isHidden, count: few), as: "small", isHidden)
            }
        }
        for isHidden in [true, false] {
            let name = "a row of \(hidden.grouped) \(isHidden ? "hidden" : "shown") by a variable in \(long.name)"
            wholly.report(name, isHidden, yardstick: "alone", "in \(alone.name)", RowBenchmarks.restFactor)
            wholly.report(
                name, isHidden, yardstick: "section",
                "reload of \(isHidden ? "a removal" : "an addition") in \(section.name)", nil)
            partly.report(
                "a row of \(few) \(isHidden ? "hidden" : "shown") by a variable in \(long.name)", isHidden,
                yardstick: "small", "in \(small.name)", RowBenchmarks.restFactor)
        }
    }

    private static let variables = ["hideLong": "false", "hideFew": "false"]

    private static func subject(others: Int, of elements: Int) throws -> RowSubject {
        let rows = rows(others: others, of: elements, hidden: hidden)
        let count = rows.reduce(0) { $0 + ($1.elements ?? 0) }
        return RowSubject(
            "\(rows.count) rows, \(count.grouped) elements", try .filled(rows: rows, variables: variables))
    }

    /// Rows of so many elements, and among them the long row that can be hidden, if there is to be one, and the short.
    private static func rows(others: Int, of elements: Int, hidden: Int?) -> [RowSample] {
        var rows = (0..<others).map { RowSample(identifier: "r\($0)", elements: elements) }
        rows.insert(
            RowSample(identifier: "few", elements: few, members: #","hideWhen":{"var":"variables.hideFew"}"#),
            at: others / 3)
        if let hidden {
            rows.insert(
                RowSample(identifier: "long", elements: hidden, members: #","hideWhen":{"var":"variables.hideLong"}"#),
                at: others / 2)
        }
        return rows
    }

    fileprivate static func verify(_ change: PublishedChange?, _ expected: ChangeStep.Tally, _ name: String) {
        let tally = ChangeStep.Tally(change?.changeset.stages ?? [])
        guard tally == expected else { refute("\(name): the changeset has \(tally), expected \(expected)") }
    }

    /// The times by what was done.
    private struct Readings {
        private var times: [String: [Duration]] = [:]

        mutating func add(_ time: Duration, as subject: String, _ isHidden: Bool) {
            times["\(subject) \(isHidden)", default: []].append(time)
        }

        func report(_ name: String, _ isHidden: Bool, yardstick: String, _ what: String, _ limit: Double?) {
            BenchmarkResult.times(
                name, ours: median(times["ours \(isHidden)"] ?? []), yardstick: what,
                median(times["\(yardstick) \(isHidden)"] ?? []), target: limit.map { .atMost($0) } ?? .none
            ).report()
        }
    }
}

extension ChangeStep.Tally {
    /// As many deletions or insertions.
    fileprivate init(hiding isHidden: Bool, count: Int) {
        self.init(inserted: isHidden ? 0 : count, deleted: isHidden ? count : 0)
    }
}

extension RowSubject {
    /// Sets a variable that hides or shows as many elements, for the price of one expression.
    fileprivate mutating func set(_ variable: String, _ isHidden: Bool, count: Int) throws -> Duration {
        let evaluations = director.evaluations
        let value = try JSONValue(parsing: isHidden ? "true" : "false")
        let time = try measure([.setVariable(name: variable, value: value)]) {
            HiddenRowBenchmark.verify($0, ChangeStep.Tally(hiding: isHidden, count: count), "\(variable) in \($1)")
        }
        guard director.evaluations == evaluations + 1 else {
            refute("\(variable) in \(name): \(director.evaluations - evaluations) expressions were evaluated")
        }
        return time
    }
}
