extension CountedNode {
    /// Changes an item in place; its key has to stay between its neighbours' keys.
    ///
    /// The node must not be shared. The sums are right again even if the change throws.
    @inlinable
    func update<Search: TreeSearch<Item>, Output, Failure: Error>(
        at search: inout Search,
        _ change: (inout Item) throws(Failure) -> Output
    ) -> Result<Output, Failure> {
        if height == 0 {
            return updateItem(search.offset(in: items), change)
        }
        let index = search.child(in: extents)
        let result = uniqueChild(index).update(at: &search, change)
        readChild(index)
        sumChildren()
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

    /// Changes the items of a range of positions in place, in order; keys have to ascend as before once all are
    /// changed.
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
        for index in children.indices {
            let end = start + extents[index].count
            let part = positions.clamped(to: start..<end)
            if !part.isEmpty {
                let offset = start
                uniqueChild(index).updateAll(part.lowerBound - offset..<part.upperBound - offset) {
                    change($0 + offset, &$1)
                }
                readChild(index)
            }
            start = end
        }
        sumChildren()
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
        let index = search.child(in: extents)
        let half = uniqueChild(index).insert(item, at: &search)
        readChild(index)
        if let half {
            return insertChild(half, at: index + 1)
        }
        sumChildren()
        return nil
    }

    @inlinable
    func insertItem(_ item: Item, at offset: Int) -> CountedNode? {
        if items.count == Item.leafSize {
            let half = part(minimumFill..<Item.leafSize)
            items.removeSubrange(minimumFill...)
            count = items.count
            summary = Item.Summary(of: items)
            let isFirst = offset <= minimumFill
            _ = isFirst ? insertItem(item, at: offset) : half.insertItem(item, at: offset - minimumFill)
            return half
        }
        if items.capacity == items.count {
            items.reserveCapacity(Item.leafSize)
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
    func insertChild(_ child: CountedNode, at index: Int) -> CountedNode? {
        guard children.count == Item.fanOut else {
            placeChild(child, at: index)
            sumChildren()
            return nil
        }
        let half = part(minimumFill..<Item.fanOut)
        children.removeSubrange(minimumFill...)
        extents.removeSubrange(minimumFill...)
        if index <= minimumFill {
            placeChild(child, at: index)
        } else {
            half.placeChild(child, at: index - minimumFill)
            half.sumChildren()
        }
        sumChildren()
        return half
    }

    @inlinable
    func placeChild(_ child: CountedNode, at index: Int) {
        if children.capacity == children.count {
            children.reserveCapacity(Item.fanOut)
            extents.reserveCapacity(Item.fanOut)
        }
        children.insert(child, at: index)
        extents.insert(CountedExtent(child), at: index)
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
        let index = search.child(in: extents)
        let child = uniqueChild(index)
        let item = child.remove(at: &search)
        if child.fill < child.minimumFill, children.count > 1 {
            fillChild(index)
        } else {
            readChild(index)
        }
        sumChildren()
        return item
    }

    /// Merges a child that is less than half full with a neighbour, or takes some of the neighbour's children for it.
    @inlinable
    func fillChild(_ index: Int) {
        let left = max(index - 1, 0)
        let neighbour = children[left + 1]
        if let right = uniqueChild(left).absorb(neighbour) {
            children[left + 1] = right
            readChild(left + 1)
        } else {
            children.remove(at: left + 1)
            extents.remove(at: left + 1)
        }
        readChild(left)
    }
}
