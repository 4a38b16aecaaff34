/// The places of a list's elements by their identity: trees of their hashes and labels.
///
/// Labels stay when positions change, so that an edit touches only the entries of the elements that it is about.
///
/// Hashes are spread over the whole tree, so that adding many entries one by one copies most of its leaves. Entries that
/// are added together therefore go into a second, small tree, which is made anew each time; it is merged into the first
/// one once it has grown, or when an entry is added or removed by itself.
@usableFromInline
struct IdentityIndex: Sendable {
    /// The entries, but for those that were added together since the trees were last merged.
    @usableFromInline var tree = CountedTree<IndexEntry>()

    /// Entries that were added together and are not in `tree`; none where `tree` has none.
    @usableFromInline var recent = CountedTree<IndexEntry>()

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

    @usableFromInline var isEmpty: Bool { tree.isEmpty }

    /// The number of entries.
    @usableFromInline var count: Int { tree.count + recent.count }

    /// How many entries have the same hash as the one before them.
    ///
    /// - Complexity: O(1), or that of merging the trees.
    @usableFromInline var repeats: Int { merged.tree.root?.summary.repeats ?? 0 }

    /// Adds an entry.
    ///
    /// - Complexity: O(log *n*), or that of merging the trees.
    @usableFromInline
    mutating func insert(_ entry: IndexEntry) {
        merge()
        tree.insert(entry, at: KeySearch(entry))
    }

    /// Adds entries to an index that is not empty.
    ///
    /// - Parameter entries: The entries in the order of their labels.
    /// - Complexity: O(*m* + *r*) for *m* entries, where *r* are those added since the trees were last merged, and O(*n*)
    ///   once *m* + *r* passes an eighth of *n*, where the hashes are spread evenly.
    @usableFromInline
    mutating func insert(contentsOf entries: ContiguousArray<IndexEntry>) {
        var sorted = entries
        HashOrder.sort(&sorted)
        recent = recent.merging(sorted)
        if recent.count > tree.count / 8 {
            merge()
        }
    }

    /// Removes an entry that is in the index.
    ///
    /// - Complexity: O(log *n*), or that of merging the trees.
    @usableFromInline
    mutating func remove(_ entry: IndexEntry) {
        merge()
        tree.remove(at: KeySearch(entry))
    }

    /// Removes entries that are in the index.
    ///
    /// - Parameter entries: The entries in the order of their labels.
    /// - Complexity: O(*m* + *r*) for *m* entries that were added together, where *r* are all that were and have not
    ///   been merged since; otherwise O(*n*). This holds if the hashes are spread evenly.
    @usableFromInline
    mutating func remove(contentsOf entries: ContiguousArray<IndexEntry>) {
        var sorted = entries
        HashOrder.sort(&sorted)
        if !recent.isEmpty {
            recent = recent.removing(&sorted)
        }
        if !sorted.isEmpty {
            tree = tree.removing(&sorted)
        }
        if tree.isEmpty {
            (tree, recent) = (recent, tree)
        }
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
    /// - Complexity: O(log *n*), or that of merging the trees.
    @usableFromInline
    mutating func relabel(_ change: LabelChange) {
        merge()
        _ = tree.update(at: KeySearch(change.entry)) { $0.label = change.label }
    }

    /// The label of the only entry with a hash; `several` also where that takes longer to tell.
    ///
    /// - Complexity: O(log *n*).
    @usableFromInline
    func soleLabel(of hash: Int) -> SoleLabel {
        let first = IndexEntry(hash: hash, label: .min)
        guard recent.isEmpty, let (leaf, _) = tree.leaf(with: first) else {
            return recent.isEmpty ? .none : .several
        }
        let offset = KeySearch<IndexEntry>(first).offset(in: leaf.items)
        guard offset < leaf.items.count, leaf.items[offset].hash == first.hash else {
            return .none
        }
        // Behind the last entry of a leaf stands the first one of the next.
        guard offset + 1 < leaf.items.count, leaf.items[offset + 1].hash != first.hash else {
            return .several
        }
        return .one(leaf.items[offset].label)
    }

    /// The labels of the entries with a hash, ascending.
    @usableFromInline
    func labels(of hash: Int) -> LabelIterator {
        LabelIterator(tree, recent, hash: hash)
    }
}

/// The result of a look-up of a hash.
@usableFromInline
enum SoleLabel {
    /// There is none.
    case none
    /// One, with this label.
    case one(Int64)
    /// There may be more than one.
    case several
}

/// An entry of an index, and the label that its element gets.
@usableFromInline
@frozen
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
