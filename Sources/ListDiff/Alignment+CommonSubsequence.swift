extension Alignment {
    /// Pairs a span in which numbers occur more than once, so that the longest run possible is in the same order.
    ///
    /// The fewest moves that any pairing leaves are those outside of a longest common subsequence. It is found exactly
    /// as long as the pairs of equal occurrences stay within a budget, and among the likely ones beyond.
    mutating func pairInOrder(_ span: SectionSpan, _ source: [Int32], _ target: [Int32]) {
        let occurrences = Occurrences(span, source, target)
        var search = CommonSubsequence(occurrences)
        search.run()
        for position in span.source {
            targets[position] = Self.none
        }
        for position in span.target {
            sources[position] = Self.none
        }
        for (from, to) in search.longest() {
            pair(span.source.lowerBound + from, span.target.lowerBound + to)
        }
        pairRemaining(span, occurrences)
    }

    /// Pairs in turn the occurrences that are not part of the common subsequence.
    private mutating func pairRemaining(_ span: SectionSpan, _ occurrences: Occurrences) {
        var cursors = occurrences.starts
        for from in occurrences.labels.indices where targets[span.source.lowerBound + from] == Self.none {
            let label = occurrences.labels[from]
            while cursors[label] < occurrences.starts[label + 1] {
                let to = span.target.lowerBound + Int(occurrences.positions[cursors[label]])
                cursors[label] += 1
                if sources[to] == Self.none {
                    pair(span.source.lowerBound + from, to)
                    break
                }
            }
        }
    }
}

/// Where each number of a span's source occurs in its target; all positions count from the span's beginning.
struct Occurrences {
    /// For each source position, its number, renumbered densely.
    let labels: [Int]
    /// For each label, where its target positions begin in `positions`; one more closes the last.
    let starts: [Int]
    /// The target positions of all labels, ascending within each.
    let positions: [Int32]
    /// For each label, how many source positions have it.
    let sourceCounts: [Int]
    let targetCount: Int

    init(_ span: SectionSpan, _ source: [Int32], _ target: [Int32]) {
        var labelOfNumber: [Int32: Int] = [:]
        var labels: [Int] = []
        var sourceCounts: [Int] = []
        labels.reserveCapacity(span.source.count)
        for position in span.source {
            let label = labelOfNumber[source[position], default: sourceCounts.count]
            if label == sourceCounts.count {
                labelOfNumber[source[position]] = label
                sourceCounts.append(0)
            }
            sourceCounts[label] += 1
            labels.append(label)
        }
        let targetLabels = span.target.map { target[$0] < 0 ? -1 : labelOfNumber[target[$0]] ?? -1 }
        var starts = Array(repeating: 0, count: sourceCounts.count + 1)
        for label in targetLabels where label >= 0 {
            starts[label + 1] += 1
        }
        for label in sourceCounts.indices {
            starts[label + 1] += starts[label]
        }
        var cursors = starts
        var positions = Array(repeating: Int32(0), count: starts[sourceCounts.count])
        for (position, label) in targetLabels.enumerated() where label >= 0 {
            positions[cursors[label]] = Int32(truncatingIfNeeded: position)
            cursors[label] += 1
        }
        self.labels = labels
        self.starts = starts
        self.positions = positions
        self.sourceCounts = sourceCounts
        targetCount = span.target.count
    }

    func targetCount(_ label: Int) -> Int {
        starts[label + 1] - starts[label]
    }

    /// The number of pairs of equal occurrences.
    var pairCount: Int {
        sourceCounts.indices.reduce(0) { $0 + sourceCounts[$1] * targetCount($1) }
    }
}
