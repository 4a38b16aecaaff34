extension PersistentList {
    /// The memory that the list takes for its places and its index, without what the elements refer to: an estimate.
    ///
    /// - Complexity: O(1).
    @inlinable
    public var nodeBytes: Int {
        // Nodes are built to seven eighths and are half full at least; an inner node is one of some sixteen.
        let leaves = MemoryLayout<Place<Element>>.stride + (index.isEmpty ? 0 : MemoryLayout<IndexEntry>.stride)
        return count * leaves * 3 / 2
    }
}

extension PersistentList where Element: SizedListItem {
    /// The memory of this list that its later version does not share: its own nodes, and the values of their elements
    /// that the corresponding elements of the later list do not refer to. An estimate.
    ///
    /// It finds the unshared nodes in the same way as a changeset: the estimate is cheap enough for each new version.
    /// An element is compared with the element of the same identity at or near the same place. An element that has
    /// moved farther counts as unshared: the estimate is rather too high than too low.
    ///
    /// - Parameter newer: A list that was made by changing a copy of this one. Any other list gives all of the memory.
    /// - Complexity: O(*k* log *n*) for *k* leaves that are in this list alone.
    @inlinable
    public func bytesNotShared(with newer: Self) -> Int {
        if isIdentical(to: newer) {
            return 0
        }
        var bytes = 0
        let comparison = ListComparison(self, newer) { old, _, new in
            bytes += old.bytesNotShared(with: new)
            return false
        }
        bytes += comparison.looseBytesNotShared
        bytes += comparison.match.bytes
        return bytes + TreeMatch(index.tree, newer.index.tree).bytes
            + TreeMatch(index.recent, newer.index.recent).bytes
    }
}

extension ListComparison where Element: SizedListItem {
    /// The memory of the loose elements before that those after do not share: each is compared with one of the same
    /// identity, or else with one that is left, since a section that has another identifier may have the same elements.
    @inlinable
    var looseBytesNotShared: Int {
        let targets = looseSource.isEmpty ? [] : looseTarget
        var partners = IdentityTable<Element.DifferenceIdentifier>(capacity: targets.count)
        for item in targets {
            let element = targetElement(item)
            partners.add(element.differenceIdentifier, identityHash: element.identityHash)
        }
        var bytes = 0
        var rest: [Element] = []
        var isTaken = Array(repeating: false, count: looseTarget.count)
        var expected = 0
        for item in looseSource {
            let element = sourceElement(item)
            let partner = Int(
                partners.number(
                    of: element.differenceIdentifier, identityHash: element.identityHash, expected: &expected))
            if partner >= 0, !isTaken[partner] {
                bytes += element.bytesNotShared(with: targetElement(looseTarget[partner]))
                isTaken[partner] = true
            } else {
                rest.append(element)
            }
        }
        var others = looseTarget.indices.lazy.filter { !isTaken[$0] }.makeIterator()
        for element in rest {
            bytes += others.next().map { element.bytesNotShared(with: targetElement(looseTarget[$0])) } ?? element.bytes
        }
        return bytes
    }
}

extension TreeMatch {
    /// The memory of the nodes that are in the source alone.
    @inlinable
    var bytes: Int {
        let leaf = Item.leafSize * MemoryLayout<Item>.stride
        let inner = Item.fanOut * (MemoryLayout<CountedExtent<Item>>.stride + MemoryLayout<UnsafeRawPointer>.stride)
        return source.count * (leaf + Self.nodeOverhead) + innerCount * (inner + Self.nodeOverhead)
    }

    /// The memory that a node takes beside its items or children: the object, and the headers of its arrays.
    @inlinable static var nodeOverhead: Int { 160 }
}
