extension CountedNode {
    /// Changes an item in place; its key has to stay between its neighbours' keys.
    ///
    /// The node must not be shared. What is known of the items is right again even if the change throws.
    @inlinable
    func update<Search: TreeSearch<Item>, Output, Failure: Error>(
        at search: inout Search,
        _ change: (inout Item) throws(Failure) -> Output
    ) -> Result<Output, Failure> {
        if height == 0 {
            return updateItem(search.offset(in: items), change)
        }
        let index = search.edge(in: edges)
        let result = uniqueChild(index).update(at: &search, change)
        readEdge(index)
        sumEdges()
        return result
    }

    @inlinable
    func updateItem<Output, Failure: Error>(
        _ offset: Int,
        _ change: (inout Item) throws(Failure) -> Output
    ) -> Result<Output, Failure> {
        defer {
            summary.add(items[offset])
            summary.settle(items)
        }
        summary.subtract(items[offset])
        do throws(Failure) {
            return .success(try change(&items[offset]))
        } catch {
            return .failure(error)
        }
    }

    /// Changes the items of a range of positions in place, in order; keys have to ascend as before once all are changed.
    ///
    /// The node must not be shared.
    @inlinable
    func updateAll(_ positions: Range<Int>, _ change: (Int, inout Item) -> Void) {
        if height == 0 {
            for position in positions {
                _ = updateItem(position) { change(position, &$0) }
            }
            return
        }
        var start = 0
        for index in edges.indices {
            let end = start + edges[index].count
            let part = positions.clamped(to: start..<end)
            if !part.isEmpty {
                let offset = start
                uniqueChild(index).updateAll(part.lowerBound - offset..<part.upperBound - offset) {
                    change($0 + offset, &$1)
                }
                readEdge(index)
            }
            start = end
        }
        sumEdges()
    }

    /// Inserts an item.
    ///
    /// The node must not be shared.
    /// - Returns: The second half of the node, if it was full.
    @inlinable
    func insert<Search: TreeSearch<Item>>(_ item: Item, at search: inout Search) -> CountedNode? {
        if height == 0 {
            return insertItem(item, at: search.offset(in: items))
        }
        let index = search.edge(in: edges)
        let half = uniqueChild(index).insert(item, at: &search)
        readEdge(index)
        if let half {
            return insertEdge(CountedEdge(half), at: index + 1)
        }
        sumEdges()
        return nil
    }

    @inlinable
    func insertItem(_ item: Item, at offset: Int) -> CountedNode? {
        if items.count == Item.fanOut {
            let half = CountedNode(items: ContiguousArray(items[Self.minimumFill...]))
            items.removeSubrange(Self.minimumFill...)
            count = items.count
            summary = Item.Summary(of: items)
            let isFirst = offset <= Self.minimumFill
            _ = isFirst ? insertItem(item, at: offset) : half.insertItem(item, at: offset - Self.minimumFill)
            return half
        }
        if items.capacity == items.count {
            items.reserveCapacity(Item.fanOut)
        }
        items.insert(item, at: offset)
        count += 1
        summary.add(item)
        summary.settle(items)
        return nil
    }

    /// Inserts a child, and sums up all of them.
    ///
    /// - Returns: The second half of the node, if it was full.
    @inlinable
    func insertEdge(_ edge: CountedEdge<Item>, at index: Int) -> CountedNode? {
        if edges.count < Item.fanOut {
            if edges.capacity == edges.count {
                edges.reserveCapacity(Item.fanOut)
            }
            edges.insert(edge, at: index)
            sumEdges()
            return nil
        }
        var all = edges
        all.insert(edge, at: index)
        let middle = all.count / 2
        edges = ContiguousArray(all[..<middle])
        sumEdges()
        return CountedNode(height: height, edges: ContiguousArray(all[middle...]))
    }

    /// Removes an item.
    ///
    /// The node must not be shared; it may be left less than half full.
    @inlinable
    func remove<Search: TreeSearch<Item>>(at search: inout Search) -> Item {
        if height == 0 {
            let item = items.remove(at: search.offset(in: items))
            count -= 1
            summary.subtract(item)
            summary.settle(items)
            return item
        }
        let index = search.edge(in: edges)
        let child = uniqueChild(index)
        let item = child.remove(at: &search)
        if child.fill < Self.minimumFill, edges.count > 1 {
            fillChild(index)
        } else {
            readEdge(index)
        }
        sumEdges()
        return item
    }

    /// Merges a child that is less than half full with a neighbour, or takes some of the neighbour's children for it.
    @inlinable
    func fillChild(_ index: Int) {
        let left = max(index - 1, 0)
        let neighbour = edges[left + 1].node
        if let right = uniqueChild(left).absorb(neighbour) {
            edges[left + 1] = CountedEdge(right)
        } else {
            edges.remove(at: left + 1)
        }
        readEdge(left)
    }
}
