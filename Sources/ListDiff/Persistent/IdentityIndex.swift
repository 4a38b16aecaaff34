/// Where the elements of a list are by their identity: a tree of their hashes and labels.
///
/// Labels stay when positions change, so that an edit touches only the entries of the elements that it is about.
@usableFromInline
struct IdentityIndex: Sendable {
    @usableFromInline var tree = CountedTree<IndexEntry>()

    /// Makes an empty index.
    @usableFromInline
    init() {}

    /// Makes an index of entries that are in the order of their labels.
    ///
    /// - Complexity: O(*n*) where the hashes are spread evenly; O(*n* log *n*) at most.
    @usableFromInline
    init(_ entries: ContiguousArray<IndexEntry>) {
        var sorted = entries
        HashOrder.sort(&sorted)
        tree = CountedTree(count: sorted.count) { sorted[$0] }
    }

    /// An index of the entries of this one and of others, which are in the order of their labels.
    ///
    /// - Complexity: O(*n*) where the hashes are spread evenly; O(*n* log *n*) at most.
    @usableFromInline
    func merging(_ others: ContiguousArray<IndexEntry>) -> IdentityIndex {
        var sorted = others
        HashOrder.sort(&sorted)
        var merged: ContiguousArray<IndexEntry> = []
        merged.reserveCapacity(count + sorted.count)
        var next = 0
        for entry in tree {
            while next < sorted.count, sorted[next] < entry {
                merged.append(sorted[next])
                next += 1
            }
            merged.append(entry)
        }
        merged.append(contentsOf: sorted[next...])
        var index = IdentityIndex()
        index.tree = CountedTree(count: merged.count) { merged[$0] }
        return index
    }

    @usableFromInline var isEmpty: Bool { tree.isEmpty }

    /// The number of entries.
    @usableFromInline var count: Int { tree.count }

    /// How many entries have the same hash as the one before them.
    @usableFromInline var repeats: Int { tree.root?.summary.repeats ?? 0 }

    /// Adds an entry.
    ///
    /// - Complexity: O(log *n*).
    @usableFromInline
    mutating func insert(_ entry: IndexEntry) {
        tree.insert(entry, at: KeySearch(entry))
    }

    /// Removes an entry that is in the index.
    ///
    /// - Complexity: O(log *n*).
    @usableFromInline
    mutating func remove(_ entry: IndexEntry) {
        tree.remove(at: KeySearch(entry))
    }

    /// Changes the labels of the elements of neighbouring places.
    ///
    /// - Parameter changes: Every element's hash with its old and its new label, in the order of the labels.
    /// - Complexity: O(*m* log *n*) for *m* changes, at most O(*n*).
    @usableFromInline
    mutating func relabel(_ changes: ContiguousArray<LabelChange>) {
        // What goes up is changed from the highest down and what goes down from the lowest up, so that no entry passes
        // another one and every entry can be changed where it is.
        for change in changes.reversed() where change.label > change.entry.label {
            relabel(change)
        }
        for change in changes where change.label < change.entry.label {
            relabel(change)
        }
    }

    /// Changes the label of an entry that keeps its place among those of its hash.
    ///
    /// - Complexity: O(log *n*).
    @usableFromInline
    mutating func relabel(_ change: LabelChange) {
        _ = tree.update(at: KeySearch(change.entry)) { $0.label = change.label }
    }

    /// The labels of the entries with a hash, ascending.
    @usableFromInline
    func labels(of hash: Int) -> LabelIterator {
        LabelIterator(TreeIterator(tree, from: IndexEntry(hash: hash, label: .min)), hash: UInt(bitPattern: hash))
    }
}

/// An entry of an index, and the label that its element gets.
@usableFromInline
struct LabelChange {
    /// The entry as it is.
    @usableFromInline let entry: IndexEntry

    /// The label as it will be.
    @usableFromInline let label: Int64

    @inlinable
    init(entry: IndexEntry, label: Int64) {
        self.entry = entry
        self.label = label
    }
}

/// A walk over the labels that an index has for a hash.
@usableFromInline
struct LabelIterator: IteratorProtocol {
    private var entries: TreeIterator<IndexEntry>
    private let hash: UInt

    init(_ entries: TreeIterator<IndexEntry>, hash: UInt) {
        self.entries = entries
        self.hash = hash
    }

    @usableFromInline
    mutating func next() -> Int64? {
        guard let entry = entries.next(), entry.hash == hash else {
            return nil
        }
        return entry.label
    }
}

extension IdentityIndex {
    /// The labels of all entries whose hash occurs more than once, in the order of the hashes.
    ///
    /// - Complexity: O(*d* log *n*) for *d* labels.
    @usableFromInline
    func repeatedLabels() -> [Int64] {
        var labels = RepeatedLabels()
        if let root = tree.root {
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
