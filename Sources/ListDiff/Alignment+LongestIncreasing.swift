extension Alignment {
    /// Lets the longest run of pairs that are in the same order on both sides stay, and all others of the span move.
    ///
    /// Patience sorting: `tails[length]` is the target at which the best run of that length ends, the one whose source
    /// comes first.
    ///
    /// - Complexity: O(*n* log *n*) for *n* pairs; a pair that follows all others so far costs O(1).
    /// - Returns: Whether all of them stay.
    mutating func stayLongest(_ span: Span) -> Bool {
        var tails: [Int32] = []
        var previous: [Int32] = Array(repeating: Self.none, count: span.target.count)
        var pairs = 0
        for position in span.target where sources[position] != Self.none {
            pairs += 1
            let length = tailToReplace(by: sources[position], in: tails)
            if length > 0 {
                previous[position - span.target.lowerBound] = tails[length - 1]
            }
            if length == tails.count {
                tails.append(Int32(truncatingIfNeeded: position))
            } else {
                tails[length] = Int32(truncatingIfNeeded: position)
            }
        }
        for position in span.source {
            isStaying[position] = false
        }
        var position = tails.last ?? Self.none
        while position != Self.none {
            isStaying[Int(sources[Int(position)])] = true
            position = previous[Int(position) - span.target.lowerBound]
        }
        return tails.count == pairs
    }

    /// The first tail whose source does not come before the one given.
    @inline(__always)
    private func tailToReplace(by source: Int32, in tails: [Int32]) -> Int {
        guard let last = tails.last, sources[Int(last)] > source else {
            return tails.count
        }
        var low = 0
        var high = tails.count - 1
        while low < high {
            let middle = (low + high) / 2
            if sources[Int(tails[middle])] < source {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
