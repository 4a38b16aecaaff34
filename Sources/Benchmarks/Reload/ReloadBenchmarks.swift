import Directors
import ListDiff

/// Measures a change together with the reload that publishes it, in lists of different lengths.
///
/// The yardstick is the same change in the smallest list: what a reload costs has to follow what has changed, not how
/// long the list is. Beside it stand a fixed bound for a single change, and the batch algorithm for one update.
enum ReloadBenchmarks {
    /// How many times as long as in the smallest list a change may take.
    static let factor = 2.0
    /// How long a single change may take, in any list.
    static let bound = Duration.microseconds(30)

    /// Runs all of them and prints a result line for each; it takes about a minute.
    static func run() throws {
        var comparison = ReloadComparison(subjects: try [.long, .wide, .small].map(ReloadSubject.init))
        for addressing in [Addressing.identifier, .position] {
            for change in [ListChange.update, .move, .firstToEnd, .scatteredUpdates] {
                try comparison.run([change], by: addressing)
            }
            // In turn, so that the lists stay as long as they are.
            try comparison.run([.insert, .delete], by: addressing)
        }
        try BatchComparison.run(&comparison.subjects[0])
        comparison.subjects = try [.longQuarters, .wide, .smallQuarters].map(ReloadSubject.init)
        for addressing in Addressing.allCases {
            try comparison.run([.swapSections], by: addressing)
        }
        comparison.reportBounds()
        try CrossSectionBenchmark.run()
    }
}

/// The same changes in several lists, the last of which is the yardstick for the others.
struct ReloadComparison {
    var subjects: [ReloadSubject]
    /// The longest median of each change, over the lists and ways of addressing, and where it was.
    private var longest: [ListChange: (reading: Duration, place: String)] = [:]

    /// Compares lists.
    init(subjects: [ReloadSubject]) {
        self.subjects = subjects
    }

    /// Makes the changes in turn in each list, round by round, so that all lists see the machine in the same state.
    mutating func run(_ changes: [ListChange], by addressing: Addressing) throws {
        var readings = changes.map { _ in subjects.map { _ in [Duration]() } }
        var budget = RoundBudget(least: 5, most: 1_000, time: .seconds(4))
        while budget.next() {
            for (index, change) in changes.enumerated() {
                for list in subjects.indices {
                    readings[index][list].append(try subjects[list].measure(change, by: addressing))
                }
            }
        }
        for (change, readings) in zip(changes, readings) {
            report(change, addressing, readings.map(median))
        }
    }

    private mutating func report(_ change: ListChange, _ addressing: Addressing, _ medians: [Duration]) {
        guard let yardstick = medians.last, let small = subjects.last?.shape.name else { return }
        for (subject, median) in zip(subjects, medians) {
            let place = "by \(addressing.rawValue) in \(subject.shape.name)"
            if median > longest[change]?.reading ?? .zero { longest[change] = (median, place) }
            if subject.shape.name == small { continue }
            BenchmarkResult.times(
                "\(change.name) \(place)", ours: median, yardstick: "in \(small)", yardstick,
                target: .atMost(ReloadBenchmarks.factor)
            ).report()
        }
    }

    /// Holds the longest median of each single change against the bound.
    func reportBounds() {
        for change in ListChange.allCases where change.isSingle {
            guard let (reading, place) = longest[change] else { continue }
            BenchmarkResult.bound("\(change.name), longest: \(place)", ours: reading, limit: ReloadBenchmarks.bound)
                .report()
        }
    }
}
