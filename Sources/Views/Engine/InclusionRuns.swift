import ListDiff

/// Which elements of a list belong to a view, as runs of elements that belong and runs of others.
///
/// The memory is that of the runs: one where all elements belong, whatever the length of the list.
struct InclusionRuns: Sendable {
    private var runs: PersistentList<Run> = []

    /// How many elements belong.
    var count: Int { runs.measure.included }

    /// Whether all elements belong.
    var isWhole: Bool { runs.measure.excluded == 0 }

    /// How many of the elements before a position belong.
    ///
    /// - Complexity: O(log *r*) in the number of runs.
    func count(before position: Int) -> Int {
        let index = runs.firstPosition { $0.elements > position }
        let before = runs.measure(before: index)
        return before.included + (index < runs.count ? min(runs[index].included, position - before.elements) : 0)
    }

    /// Puts elements in the place of those in a range.
    ///
    /// - Parameters:
    ///   - range: The positions of the elements that go.
    ///   - inclusion: For each element that comes, whether it belongs.
    /// - Complexity: O(*m* + *k* log *r*) for *m* elements that come, and *k* runs that come and go, out of *r*.
    mutating func replace(_ range: Range<Int>, with inclusion: [Bool]) {
        if range.count == 1, inclusion.count == 1, contains(range.lowerBound) == inclusion[0] { return }
        let first = runs.firstPosition { $0.elements >= range.lowerBound }
        let last = runs.firstPosition { $0.elements > range.upperBound }
        var new: [Run] = []
        if first < runs.count {
            let rest = range.lowerBound - runs.measure(before: first).elements
            new.append(min(runs[first].included, rest), belonging: true)
            new.append(rest - min(runs[first].included, rest), belonging: false)
        }
        for belongs in inclusion { new.append(1, belonging: belongs) }
        if last < runs.count {
            let rest = runs.measure(before: last + 1).elements - range.upperBound
            new.append(rest - min(runs[last].excluded, rest), belonging: true)
            new.append(min(runs[last].excluded, rest), belonging: false)
        }
        runs.replaceSubrange(first..<min(last + 1, runs.count), with: new)
    }

    /// Whether two are copies of one, neither of which has been changed since.
    func isIdentical(to other: InclusionRuns) -> Bool { runs.isIdentical(to: other.runs) }

    private func contains(_ position: Int) -> Bool {
        count(before: position + 1) > count(before: position)
    }
}

/// Elements that belong, and others behind them.
private struct Run: ListItem {
    var included = 0
    var excluded = 0

    // Runs are found by their positions alone.
    var differenceIdentifier: Int { 0 }
    var identityHash: Int { 0 }
    var measure: Length { Length(included: included, excluded: excluded) }
    func isContentEqual(to source: Run) -> Bool { included == source.included && excluded == source.excluded }

    /// Numbers of elements.
    struct Length: ListMeasure {
        var included = 0
        var excluded = 0

        var elements: Int { included + excluded }

        static func += (left: inout Length, right: Length) {
            left.included += right.included
            left.excluded += right.excluded
        }

        static func -= (left: inout Length, right: Length) {
            left.included -= right.included
            left.excluded -= right.excluded
        }
    }
}

extension [Run] {
    /// Adds elements behind the others.
    fileprivate mutating func append(_ count: Int, belonging belongs: Bool) {
        if count == 0 { return }
        if let last = indices.last, !belongs || self[last].excluded == 0 {
            if belongs { self[last].included += count } else { self[last].excluded += count }
        } else {
            append(belongs ? Run(included: count) : Run(excluded: count))
        }
    }
}
