// An index keeps entries that were added together in a second tree, until it is merged into the first.

extension IdentityIndex {
    /// How many times as long it takes to add an entry by itself as to copy one.
    private static var insertionCost: Int { 256 }

    /// The index with all of its entries in one tree.
    ///
    /// - Complexity: As `merge()`.
    @usableFromInline var merged: IdentityIndex {
        var index = self
        index.merge()
        return index
    }

    /// Puts all entries into one tree.
    ///
    /// - Complexity: O(1) where there is one tree; for *r* entries in the second one O(*r* log *n*), at most O(*n*).
    @usableFromInline
    mutating func merge() {
        if recent.isEmpty {
            return
        }
        if recent.count < tree.count / Self.insertionCost {
            for entry in recent {
                tree.insert(entry, at: KeySearch(entry))
            }
        } else {
            tree = tree.merging(ContiguousArray(recent))
        }
        recent = CountedTree()
    }
}

extension CountedTree<IndexEntry> {
    /// A tree of the entries of this one and of others, which ascend.
    ///
    /// - Complexity: O(*n*).
    func merging(_ others: ContiguousArray<IndexEntry>) -> Self {
        var entries: ContiguousArray<IndexEntry> = []
        entries.reserveCapacity(count + others.count)
        var next = 0
        root?.forEachLeaf { leaf in
            for entry in leaf {
                while next < others.count, others[next] < entry {
                    entries.append(others[next])
                    next += 1
                }
                entries.append(entry)
            }
        }
        entries.append(contentsOf: others[next...])
        return CountedTree(count: entries.count) { entries[$0] }
    }
}

extension CountedTree<IndexEntry> {
    /// A tree of the entries of this one without others, which ascend.
    ///
    /// - Parameter others: The entries to remove; afterwards, those that were not in the tree.
    /// - Complexity: O(*n*).
    func removing(_ others: inout ContiguousArray<IndexEntry>) -> Self {
        var entries: ContiguousArray<IndexEntry> = []
        entries.reserveCapacity(count)
        var missing: ContiguousArray<IndexEntry> = []
        var next = 0
        root?.forEachLeaf { leaf in
            for entry in leaf {
                while next < others.count, others[next] < entry {
                    missing.append(others[next])
                    next += 1
                }
                if next < others.count, others[next] == entry {
                    next += 1
                } else {
                    entries.append(entry)
                }
            }
        }
        missing.append(contentsOf: others[next...])
        others = missing
        return entries.count == count ? self : CountedTree(count: entries.count) { entries[$0] }
    }
}
