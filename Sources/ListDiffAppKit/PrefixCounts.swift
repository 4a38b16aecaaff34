/// How many of the first places of a row are taken, while places become free: a Fenwick tree.
struct PrefixCounts {
    /// At *i*, how many are taken of the places that end in front of *i*, as many as *i*'s lowest bit says.
    private var sums: [Int]

    /// Counts the places that are taken.
    ///
    /// - Complexity: O(*n*) for *n* places.
    init(_ isTaken: [Bool]) {
        sums = [0] + isTaken.map { $0 ? 1 : 0 }
        for index in sums.indices.dropFirst() {
            let next = index + (index & -index)
            if next < sums.count { sums[next] += sums[index] }
        }
    }

    /// Frees a place that is taken.
    ///
    /// - Complexity: O(log *n*).
    mutating func remove(_ place: Int) {
        var index = place + 1
        while index < sums.count {
            sums[index] -= 1
            index += index & -index
        }
    }

    /// How many places in front of one are taken.
    ///
    /// - Complexity: O(log *n*).
    func count(below place: Int) -> Int {
        var (index, count) = (place, 0)
        while index > 0 {
            count += sums[index]
            index -= index & -index
        }
        return count
    }
}
