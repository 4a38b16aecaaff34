extension Alignment {
    /// Pairs a span in which numbers occur more than once, so that the longest, or heaviest, run possible is in
    /// the same order.
    ///
    /// The fewest moves that any pairing leaves are those outside of a longest common subsequence. If one side is a
    /// subsequence of the other, it is the answer; otherwise the algorithm searches for it.
    mutating func pairInOrder(_ span: SectionSpan, _ source: [Int32], _ target: [Int32]) {
        unpair(span)
        if pairSubsequence(span, source, target) {
            return
        }
        unpair(span)
        let occurrences = Occurrences(span, source, target)
        let elements = span.source.count + span.target.count
        if weights.isEmpty {
            var search = CommonSubsequence(occurrences, elements: elements, tails: PatienceTails())
            search.run(weights: [])
            pair(search.best(), span)
        } else {
            let weights = weights[span.source]
            // What weighs more than one is on both sides.
            let more = weights.reduce(0) { $0 + Int($1) - 1 }
            let tails = HeaviestTails(ends: span.target.count)
            var search = CommonSubsequence(occurrences, elements: elements + 2 * more, tails: tails)
            search.run(weights: weights)
            pair(search.best(), span)
        }
        pairRemaining(span, occurrences)
    }

    private mutating func pair(_ pairs: [(source: Int, target: Int)], _ span: SectionSpan) {
        for (from, to) in pairs {
            pair(span.source.lowerBound + from, span.target.lowerBound + to)
        }
    }

    private mutating func unpair(_ span: SectionSpan) {
        for position in span.source {
            targets[position] = Self.none
        }
        for position in span.target {
            sources[position] = Self.none
        }
    }

    /// Pairs each element of the shorter side with the first equal one after the last pair.
    ///
    /// - Returns: Whether all of the shorter side found a partner; if not, some of it is paired nevertheless.
    private mutating func pairSubsequence(_ span: SectionSpan, _ source: [Int32], _ target: [Int32]) -> Bool {
        var (from, to) = (span.source.lowerBound, span.target.lowerBound)
        let isShrinking = span.source.count > span.target.count
        while from < span.source.upperBound, to < span.target.upperBound {
            if source[from] == target[to] {
                pair(from, to)
                from += 1
                to += 1
            } else if isShrinking {
                from += 1
            } else {
                to += 1
            }
        }
        return isShrinking ? to == span.target.upperBound : from == span.source.upperBound
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

/// The positions of each number of a span's source in its target; all positions count from the span's beginning.
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
