/// The heaviest increasing runs found so far, by where they end: a Fenwick tree of the maxima of all prefixes.
///
/// Each node holds the greatest of a range of ends, as the run's weight above its last member plus one; zero is no run.
struct HeaviestTails: IncreasingRuns {
    private var maxima: [UInt64]

    /// Makes room for runs that end below a value.
    init(ends: Int) {
        maxima = Array(repeating: 0, count: ends + 1)
    }

    var last: Int32 {
        Self.member(heaviest(below: maxima.count - 1))
    }

    /// Extends the heaviest run that ends below a value.
    ///
    /// - Complexity: O(log *n*) for *n* ends.
    mutating func extend(to end: Int32, by member: Int32, weighing weight: Int32) -> Int32? {
        let previous = heaviest(below: Int(end))
        let run = (previous >> 32 + UInt64(weight)) << 32 | UInt64(member + 1)
        if heaviest(below: Int(end) + 1) >> 32 >= run >> 32 {
            return nil
        }
        var node = Int(end) + 1
        while node < maxima.count {
            maxima[node] = max(maxima[node], run)
            node += node & -node
        }
        return Self.member(previous)
    }

    private func heaviest(below end: Int) -> UInt64 {
        var result: UInt64 = 0
        var node = end
        while node > 0 {
            result = max(result, maxima[node])
            node -= node & -node
        }
        return result
    }

    private static func member(_ run: UInt64) -> Int32 {
        Int32(truncatingIfNeeded: run & 0xFFFF_FFFF) - 1
    }
}
