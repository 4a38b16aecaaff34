extension IdentityIndex {
    /// The labels of all entries whose hash occurs more than once, in the order of the hashes.
    ///
    /// - Complexity: O(*d* log *n*) for *d* labels, or that of merging the trees.
    @usableFromInline
    func repeatedLabels() -> [Int64] {
        var labels = RepeatedLabels()
        if let root = merged.tree.root {
            labels.visit(root)
        }
        return labels.found
    }
}

/// A walk over an index that goes down only where hashes are repeated.
private struct RepeatedLabels {
    private(set) var found: [Int64] = []
    private var previous: IndexEntry?
    private var isPreviousFound = false

    mutating func visit(_ node: CountedNode<IndexEntry>) {
        for entry in node.items {
            add(entry)
        }
        for (child, extent) in zip(node.children, node.extents) {
            if extent.summary.repeats > 0 {
                visit(child)
            } else {
                add(extent.summary.first)
                if extent.lastKey != extent.summary.first {
                    previous = extent.lastKey
                    isPreviousFound = false
                }
            }
        }
    }

    private mutating func add(_ entry: IndexEntry) {
        let isRepeat = entry.hash == previous?.hash
        if isRepeat, !isPreviousFound, let previous {
            found.append(previous.label)
        }
        if isRepeat {
            found.append(entry.label)
        }
        previous = entry
        isPreviousFound = isRepeat
    }
}
