extension PersistentList {
    /// The first position whose element meets a condition that all later elements meet, too.
    ///
    /// - Parameters:
    ///   - decide: Tells from the measure of neighbouring elements whether the first one meets the condition; nil where that
    ///     takes the element. Without it, a walk reads an element in memory of its own at each step.
    ///   - isMet: The condition; once it holds for an element it has to hold for every later one.
    /// - Returns: The position, or the number of elements if no element meets it.
    /// - Complexity: O(log *n*) evaluations of the condition, and O(log² *n*) steps between nodes, of which there are few.
    @inlinable
    public func firstPosition(
        deciding decide: (Element.Measure) -> Bool? = { _ in nil }, inOrder isMet: (Element) -> Bool
    ) -> Int {
        guard var node = places.root else { return 0 }
        var position = 0
        while node.height > 0 {
            var (low, high) = (0, node.children.count - 1)
            while low < high {
                let middle = (low + high + 1) / 2
                let isFirstMet =
                    decide(node.extents[middle].summary.measure) ?? isMet(node.children[middle].firstItem.element)
                if isFirstMet { high = middle - 1 } else { low = middle }
            }
            for index in 0..<low { position += node.extents[index].count }
            node = node.children[low]
        }
        var (low, high) = (0, node.items.count)
        while low < high {
            let middle = low + (high - low) / 2
            if isMet(node.items[middle].element) { high = middle } else { low = middle + 1 }
        }
        return position + low
    }
}

extension CountedNode {
    /// The first item of a node that is not empty.
    ///
    /// - Complexity: O(*h*) in the height.
    @inlinable
    var firstItem: Item {
        var node = self
        while node.height > 0 { node = node.children[0] }
        return node.items[0]
    }
}
