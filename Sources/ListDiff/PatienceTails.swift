/// The increasing runs that a search has found so far, and which of them is the best to extend.
protocol IncreasingRuns {
    /// The last member of the best run, or -1.
    var last: Int32 { get }

    /// Extends the best run that ends below a value by that value.
    ///
    /// - Returns: The member before it in that run, -1 if it is the first, or nil if a run as good already ends at the
    ///   value or below, and nothing was changed.
    mutating func extend(to end: Int32, by member: Int32, weighing weight: Int32) -> Int32?
}

/// The ends of the best increasing runs found so far, one for each length: patience sorting's piles.
///
/// Of all runs of a length the one that ends lowest is the best to extend, so that the ends increase with the length.
struct PatienceTails {
    /// For each length less one, the lowest end of a run of that length.
    private var ends: [Int32] = []
    /// For each length less one, what the caller knows that run's last member by.
    private var members: [Int32] = []

    /// The length of the longest run.
    var count: Int { ends.count }

    /// The last member of the longest run, or -1.
    var last: Int32 { members.last ?? -1 }

    /// Extends the longest run that ends below a value by that value.
    ///
    /// - Complexity: O(log *n*) for *n* lengths; O(1) where the value is above all ends.
    /// - Returns: The member before it in that run, -1 if it is the first, or nil if a run of the new length already ends
    ///   at the value and nothing was changed.
    @inline(__always)
    mutating func extend(to end: Int32, by member: Int32) -> Int32? {
        let place = firstPlace(notBelow: end)
        if place == ends.count {
            ends.append(end)
            members.append(member)
        } else if ends[place] == end {
            return nil
        } else {
            ends[place] = end
            members[place] = member
        }
        return place == 0 ? -1 : members[place - 1]
    }

    @inline(__always)
    private func firstPlace(notBelow end: Int32) -> Int {
        var low = 0
        var high = ends.count
        if high == 0 || ends[high - 1] < end {
            return high
        }
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] < end {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}

extension PatienceTails: IncreasingRuns {
    /// Extends the longest run; every member weighs one.
    @inline(__always)
    mutating func extend(to end: Int32, by member: Int32, weighing weight: Int32) -> Int32? {
        extend(to: end, by: member)
    }
}
