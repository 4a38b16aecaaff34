import ListDiff

/// Keys in their order, each with the number of its occurrences.
struct OrderedKeys: Sendable {
    private var entries: PersistentList<Entry> = []

    /// The least key; nil of none.
    var least: SortKey? { entries.first?.key }

    /// The greatest key; nil of none.
    var greatest: SortKey? { entries.last?.key }

    /// Adds an occurrence of a key.
    ///
    /// - Complexity: O(log² *n*) in the number of different keys.
    mutating func insert(_ key: SortKey) {
        let position = position(of: key)
        if position < entries.count, entries[position].key == key {
            entries.update(at: position) { $0.count += 1 }
        } else {
            entries.insert(Entry(key: key), at: position)
        }
    }

    /// Takes away an occurrence of a key that was added.
    ///
    /// - Complexity: O(log² *n*) in the number of different keys.
    mutating func remove(_ key: SortKey) {
        let position = position(of: key)
        guard position < entries.count, entries[position].key == key else { return }
        if entries[position].count == 1 {
            entries.remove(at: position)
        } else {
            entries.update(at: position) { $0.count -= 1 }
        }
    }

    /// The position of the first key that is not below a key.
    private func position(of key: SortKey) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// A key with the number of its occurrences.
    private struct Entry: ListItem {
        let key: SortKey
        var count = 1
        let identityHash: Int

        init(key: SortKey) {
            self.key = key
            identityHash = key.json.hashValue
        }

        var differenceIdentifier: Int { identityHash }

        func isContentEqual(to source: Entry) -> Bool { count == source.count && key == source.key }
    }
}
