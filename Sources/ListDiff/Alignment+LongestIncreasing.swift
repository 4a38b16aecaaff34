extension Alignment {
    /// Lets the longest run of pairs that are in the same order on both sides stay, and all others of the span move.
    ///
    /// - Complexity: O(*n* log *n*) for *n* pairs; a pair that follows all others so far costs O(1).
    /// - Returns: Whether all of them stay.
    mutating func stayLongest(_ span: SectionSpan) -> Bool {
        let start = span.target.lowerBound
        var tails = PatienceTails()
        var previous = Array(repeating: Self.none, count: span.target.count)
        var pairs = 0
        for position in span.target where sources[position] != Self.none {
            pairs += 1
            // Pairs have different sources, so no run of the same length ends at this one.
            let member = Int32(truncatingIfNeeded: position - start)
            previous[position - start] = tails.extend(to: sources[position], by: member) ?? Self.none
        }
        for position in span.source {
            isStaying[position] = false
        }
        var member = tails.last
        while member != Self.none {
            isStaying[Int(sources[start + Int(member)])] = true
            member = previous[Int(member)]
        }
        return tails.count == pairs
    }

    /// Lets the heaviest run of pairs that are in the same order on both sides stay, and all others of the span move.
    ///
    /// - Complexity: O(*n* log *n*) for *n* pairs.
    /// - Returns: Whether all of them stay.
    mutating func stayHeaviest(_ span: SectionSpan) -> Bool {
        let start = span.target.lowerBound
        var tails = HeaviestTails(ends: span.source.count)
        var previous = Array(repeating: Self.none, count: span.target.count)
        var pairs = 0
        for position in span.target where sources[position] != Self.none {
            pairs += 1
            let partner = Int(sources[position])
            let end = Int32(truncatingIfNeeded: partner - span.source.lowerBound)
            let member = Int32(truncatingIfNeeded: position - start)
            previous[position - start] = tails.extend(to: end, by: member, weighing: weights[partner]) ?? Self.none
        }
        for position in span.source {
            isStaying[position] = false
        }
        var member = tails.last
        while member != Self.none {
            isStaying[Int(sources[start + Int(member)])] = true
            member = previous[Int(member)]
            pairs -= 1
        }
        return pairs == 0
    }
}
