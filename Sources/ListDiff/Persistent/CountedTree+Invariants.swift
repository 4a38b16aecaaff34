extension CountedTree {
    /// The broken invariants of the tree; none, unless there is a fault in the code.
    ///
    /// - Complexity: O(*n*).
    func brokenInvariants() -> [String] {
        guard let root else {
            return []
        }
        var broken: [String] = []
        if root.count == 0 {
            broken.append("an empty tree has a root")
        } else if root.height > 0, root.children.count < 2 {
            broken.append("the root has a single child")
        }
        root.check(isRoot: true, into: &broken)
        var previous: Item.Key?
        // A walk by positions would trust the counts.
        root.forEachLeaf { items in
            for item in items {
                if let previous, !(previous < item.key) {
                    broken.append("the key \(item.key) follows \(previous)")
                }
                previous = item.key
            }
        }
        return broken
    }
}

extension CountedNode {
    fileprivate func check(isRoot: Bool, into broken: inout [String]) {
        if fill > maximumFill || !isRoot && fill < minimumFill {
            broken.append("a node of height \(height) has \(fill) items or children")
        }
        if height == 0 {
            checkLeaf(into: &broken)
        } else {
            checkChildren(into: &broken)
        }
    }

    private func checkLeaf(into broken: inout [String]) {
        if !children.isEmpty || !extents.isEmpty {
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

    private func checkChildren(into broken: inout [String]) {
        if !items.isEmpty {
            broken.append("an inner node has items")
        }
        if children.count != extents.count {
            broken.append("a node knows of \(extents.count) children, not of \(children.count)")
        }
        for (child, extent) in zip(children, extents) {
            if child.height != height - 1 {
                broken.append("a node of height \(height) has a child of height \(child.height)")
            }
            child.check(isRoot: false, into: &broken)
            if extent.count != child.count {
                broken.append("a child of \(child.count) items is counted as \(extent.count)")
            }
            if child.fill > 0, extent.lastKey != child.lastKey {
                broken.append("a child that ends at \(child.lastKey) is known to end at \(extent.lastKey)")
            }
            if extent.summary != child.summary {
                broken.append("\(extent.summary) is known of a child that is \(child.summary)")
            }
        }
        let (sum, total) = Self.sum(of: extents)
        if count != sum {
            broken.append("a node over \(sum) items counts \(count)")
        }
        if summary != total {
            broken.append("a node knows \(summary) of its items, not \(total)")
        }
    }
}
