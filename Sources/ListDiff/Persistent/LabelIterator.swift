/// A walk over the labels that an index has for a hash.
@usableFromInline
struct LabelIterator: IteratorProtocol {
    private var entries: TreeIterator<IndexEntry>
    private let hash: UInt

    /// The walk over both trees where there are two; one reference, since look-ups by identity copy the iterator and there
    /// is nearly always one tree.
    private let both: TwoTreeWalk?

    init(_ tree: CountedTree<IndexEntry>, _ recent: CountedTree<IndexEntry>, hash: Int) {
        let first = IndexEntry(hash: hash, label: .min)
        self.hash = first.hash
        entries = TreeIterator(tree, from: first)
        both = recent.isEmpty ? nil : TwoTreeWalk(entries, TreeIterator(recent, from: first), hash: first.hash)
    }

    @usableFromInline
    mutating func next() -> Int64? {
        if let both {
            return both.next()
        }
        guard let entry = entries.next(), entry.hash == hash else {
            return nil
        }
        return entry.label
    }
}

/// A walk over the labels that two trees have for a hash, ascending.
private final class TwoTreeWalk {
    private var first: TreeIterator<IndexEntry>
    private var second: TreeIterator<IndexEntry>
    private let hash: UInt

    /// The next label of each tree.
    private var heads: (first: Int64?, second: Int64?) = (nil, nil)

    init(_ first: TreeIterator<IndexEntry>, _ second: TreeIterator<IndexEntry>, hash: UInt) {
        self.first = first
        self.second = second
        self.hash = hash
        heads = (label(self.first.next()), label(self.second.next()))
    }

    func next() -> Int64? {
        switch heads {
        case (let one?, let other) where other.map({ one < $0 }) ?? true:
            heads.first = label(first.next())
            return one
        case (_, let other?):
            heads.second = label(second.next())
            return other
        default:
            return nil
        }
    }

    private func label(_ entry: IndexEntry?) -> Int64? {
        entry.flatMap { $0.hash == hash ? $0.label : nil }
    }
}
