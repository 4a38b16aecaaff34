extension CountedTree {
    /// Makes a tree of items in ascending order of their keys.
    ///
    /// Nodes are filled to seven eighths, and evenly: full nodes would split at the first insert.
    /// - Complexity: O(*n*).
    @inlinable
    init(count: Int, item: (Int) -> Item) {
        self.init()
        guard count > 0 else {
            return
        }
        var level: ContiguousArray<CountedNode<Item>> = []
        for range in Self.groups(count, of: Item.leafSize) {
            var items: ContiguousArray<Item> = []
            items.reserveCapacity(range.count)
            for position in range {
                items.append(item(position))
            }
            level.append(CountedNode(items: items))
        }
        var height = 1
        while level.count > 1 {
            var next: ContiguousArray<CountedNode<Item>> = []
            for range in Self.groups(level.count, of: Item.fanOut) {
                let children = ContiguousArray(level[range])
                let extents = ContiguousArray(children.lazy.map { CountedExtent($0) })
                next.append(CountedNode(height: height, children: children, extents: extents))
            }
            level = next
            height += 1
        }
        root = level[0]
    }

    /// Divides so many items or nodes evenly into as many ranges as nodes are needed for them.
    @inlinable
    static func groups(_ count: Int, of size: Int) -> EvenRanges {
        let fill = size * 7 / 8
        return EvenRanges(count: count, parts: count <= size ? 1 : (count + fill - 1) / fill)
    }
}

/// The ranges that a number of things falls into when it is divided evenly.
@usableFromInline
@frozen
struct EvenRanges: Sequence, IteratorProtocol {
    @usableFromInline let size: Int
    @usableFromInline var longer: Int
    @usableFromInline var left: Int
    @usableFromInline var start = 0

    @inlinable
    init(count: Int, parts: Int) {
        size = count / parts
        longer = count % parts
        left = parts
    }

    @inlinable
    mutating func next() -> Range<Int>? {
        guard left > 0 else {
            return nil
        }
        let end = start + size + (longer > 0 ? 1 : 0)
        defer {
            start = end
            left -= 1
            longer -= 1
        }
        return start..<end
    }
}
