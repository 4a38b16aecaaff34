import DequeModule

/// Sequences in the order in which something happened to them; one that is gone is left standing until there is too much.
struct SequenceLog {
    /// The sequences, those that are gone among them.
    private(set) var entries = Deque<Int>()

    /// Adds a sequence behind the others.
    mutating func append(_ sequence: Int) {
        entries.append(sequence)
    }

    /// Drops what is gone, where it is more than what is there.
    ///
    /// - Complexity: O(1) for each sequence that was added, on average.
    mutating func trim(to count: Int, keeping isThere: (Int) -> Bool) {
        while let first = entries.first, !isThere(first) { entries.removeFirst() }
        if entries.count > 2 * count + 64 { entries.removeAll { !isThere($0) } }
    }
}
