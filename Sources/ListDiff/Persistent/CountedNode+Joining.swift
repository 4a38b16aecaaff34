extension CountedNode {
    /// Takes in a node of the same height whose items follow.
    ///
    /// The node must not be shared; the other one is not changed.
    /// - Returns: What follows the node now, if one node cannot hold everything. Unless both are half full at least
    ///   from the beginning, they are equally full then.
    @inlinable
    func absorb(_ next: CountedNode) -> CountedNode? {
        let (own, others) = (fill, next.fill)
        if own + others <= maximumFill {
            moveHere(next, others)
            return nil
        }
        if own >= minimumFill, others >= minimumFill {
            return next
        }
        let half = (own + others) / 2
        if own < half {
            moveHere(next, half - own)
            return next.part(half - own..<others)
        }
        let moved = part(half..<own)
        shorten(to: half)
        moved.moveHere(next, others)
        return moved
    }

    /// Adds the first items or children of a node whose items follow.
    @inlinable
    func moveHere(_ next: CountedNode, _ number: Int) {
        if height == 0 {
            let moved = number == next.items.count ? next : next.part(0..<number)
            summary.append(moved.summary, after: lastKey)
            items.append(contentsOf: moved.items)
            count = items.count
        } else {
            children.append(contentsOf: next.children[..<number])
            extents.append(contentsOf: next.extents[..<number])
            sumChildren()
        }
    }

    /// A node of some of the items or children.
    @inlinable
    func part(_ range: Range<Int>) -> CountedNode {
        if height == 0 {
            return CountedNode(items: ContiguousArray(items[range]))
        }
        return CountedNode(
            height: height,
            children: ContiguousArray(children[range]),
            extents: ContiguousArray(extents[range])
        )
    }

    /// Leaves the first items or children, as many as are said.
    @inlinable
    func shorten(to number: Int) {
        if height == 0 {
            items.removeSubrange(number...)
            count = number
            summary = Item.Summary(of: items)
        } else {
            children.removeSubrange(number...)
            extents.removeSubrange(number...)
            sumChildren()
        }
    }

    /// Adds all items of a tree that is not higher, behind the last one.
    ///
    /// The node must not be shared.
    /// - Complexity: O(difference in height).
    /// - Returns: What follows the node now, if it cannot hold everything.
    @inlinable
    func append(_ next: CountedNode) -> CountedNode? {
        if height == next.height {
            return absorb(next)
        }
        let last = children.count - 1
        let rest = uniqueChild(last).append(next)
        readChild(last)
        if let rest {
            return insertChild(rest, at: last + 1)
        }
        sumChildren()
        return nil
    }

    /// Adds all items of a lower tree, in front of the first one.
    ///
    /// The node must not be shared.
    /// - Complexity: O(difference in height).
    /// - Returns: What follows the node now, if it cannot hold everything.
    @inlinable
    func prepend(_ previous: CountedNode) -> CountedNode? {
        var rest: CountedNode?
        if height == previous.height + 1 {
            let first = CountedNode(copying: previous)
            rest = first.absorb(children[0])
            children[0] = first
        } else {
            rest = uniqueChild(0).prepend(previous)
        }
        readChild(0)
        if let rest {
            return insertChild(rest, at: 1)
        }
        sumChildren()
        return nil
    }

    /// One tree of the items of two, the second behind the first; neither is changed.
    ///
    /// - Complexity: O(1 + difference in height).
    @inlinable
    static func join(_ first: CountedNode?, _ second: CountedNode?) -> CountedNode? {
        guard let first, let second else {
            return first ?? second
        }
        let root = CountedNode(copying: first.height >= second.height ? first : second)
        let rest = first.height >= second.height ? root.append(second) : root.prepend(first)
        return root.withSibling(rest)
    }

    /// The root of the node and what follows it.
    @inlinable
    func withSibling(_ sibling: CountedNode?) -> CountedNode {
        guard let sibling else {
            return self
        }
        return CountedNode(
            height: height + 1,
            children: [self, sibling],
            extents: [CountedExtent(self), CountedExtent(sibling)]
        )
    }

    /// Two trees of the items in front of a position and of those from there on; the node is not changed.
    ///
    /// - Complexity: O(height), as the heights of the parts that are joined on the way grow.
    @inlinable
    func split(at position: Int) -> (CountedNode?, CountedNode?) {
        if position <= 0 {
            return (nil, self)
        }
        if position >= count {
            return (self, nil)
        }
        if height == 0 {
            return (part(0..<position), part(position..<count))
        }
        var search = PositionSearch<Item>(position)
        let index = search.child(in: extents)
        let (head, tail) = children[index].split(at: search.position)
        return (Self.join(tree(0..<index), head), Self.join(tail, tree(index + 1..<children.count)))
    }

    /// The tree of some of the children.
    @inlinable
    func tree(_ range: Range<Int>) -> CountedNode? {
        range.count > 1 ? part(range) : range.first.map { children[$0] }
    }
}
