extension CountedTree {
    /// What is broken in the tree; nothing, unless there is a fault in the code.
    ///
    /// - Complexity: O(*n*).
    func brokenInvariants() -> [String] {
        guard let root else {
            return []
        }
        var broken: [String] = []
        if root.count == 0 {
            broken.append("an empty tree has a root")
        } else if root.height > 0, root.edges.count < 2 {
            broken.append("the root has a single child")
        }
        root.check(isRoot: true, into: &broken)
        var previous: Item.Key?
        for item in self {
            if let previous, !(previous < item.key) {
                broken.append("the key \(item.key) follows \(previous)")
            }
            previous = item.key
        }
        return broken
    }
}

extension CountedNode {
    fileprivate func check(isRoot: Bool, into broken: inout [String]) {
        if fill > Item.fanOut || !isRoot && fill < Self.minimumFill {
            broken.append("a node of height \(height) has \(fill) items or children")
        }
        if height == 0 {
            checkLeaf(into: &broken)
        } else {
            checkEdges(into: &broken)
        }
    }

    private func checkLeaf(into broken: inout [String]) {
        if !edges.isEmpty {
            broken.append("a leaf has children")
        }
        if count != items.count {
            broken.append("a leaf of \(items.count) items counts \(count)")
        }
        let sum = Item.Summary(of: items)
        if summary != sum {
            broken.append("a leaf knows \(summary) of its items, not \(sum)")
        }
    }

    private func checkEdges(into broken: inout [String]) {
        if !items.isEmpty {
            broken.append("an inner node has items")
        }
        for edge in edges {
            if edge.node.height != height - 1 {
                broken.append("a node of height \(height) has a child of height \(edge.node.height)")
            }
            edge.node.check(isRoot: false, into: &broken)
            if edge.count != edge.node.count {
                broken.append("a child of \(edge.node.count) items is counted as \(edge.count)")
            }
            if edge.node.fill > 0, edge.lastKey != edge.node.lastKey {
                broken.append("a child that ends at \(edge.node.lastKey) is known to end at \(edge.lastKey)")
            }
            if edge.summary != edge.node.summary {
                broken.append("\(edge.summary) is known of a child that is \(edge.node.summary)")
            }
        }
        let (sum, total) = Self.sum(of: edges)
        if count != sum {
            broken.append("a node over \(sum) items counts \(count)")
        }
        if summary != total {
            broken.append("a node knows \(summary) of its items, not \(total)")
        }
    }
}
