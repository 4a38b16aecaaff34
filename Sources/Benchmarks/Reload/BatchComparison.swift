import Directors
import ListDiff

/// The time of the batch algorithm for one update; it reads both lists whole, as its peers do.
enum BatchComparison {
    /// Measures one update in the list of a subject and prints the result line.
    static func run(_ subject: inout ReloadSubject) throws {
        var (ours, batch): ([Duration], [Duration]) = ([], [])
        for _ in 0..<9 {
            // As many as it takes to see ours as it is, and not just after the batch algorithm has been at all of memory.
            for _ in 0..<100 {
                ours.append(try subject.measure(.update, by: .position))
            }
            let source = try elements(subject)
            ours.append(try subject.measure(.update, by: .position))
            let target = try elements(subject)
            let begin = ContinuousClock.now
            let changeset = StagedChangeset(from: source, to: target)
            batch.append(ContinuousClock.now - begin)
            guard changeset.operationCount == 1, changeset.stages.first?.elementUpdated.count == 1 else {
                refute("the batch algorithm finds \(changeset.operationCount) operations for one update")
            }
        }
        BenchmarkResult.times(
            "one update by position in \(subject.shape.name)", ours: median(ours), yardstick: "batch algorithm",
            median(batch), target: .none
        ).report()
    }

    private static func elements(_ subject: ReloadSubject) throws -> [Element] {
        Array(try subject.director.published.list.section(at: .first).section.elements)
    }
}
