extension PersistentList {
    /// The bytes that the list takes for its places and its index, without what the elements refer to: an estimate.
    @inlinable
    public var nodeBytes: Int {
        // Nodes are filled to three quarters on average; an entry of the index is a hash and a label.
        count * (MemoryLayout<Element>.stride + 3 * MemoryLayout<Int>.stride) * 4 / 3
    }
}

extension PersistentList where Element: SizedListItem {
    /// The bytes that this list holds and that a later one, which it was changed into, does not share: its own nodes and
    /// the elements in them that the other list does not have.
    ///
    /// - Parameter newer: A list that was made by changing a copy of this one.
    @inlinable
    public func bytesNotShared(with newer: Self) -> Int {
        if isIdentical(to: newer) {
            return 0
        }
        var positions: [Element.DifferenceIdentifier: Int] = [:]
        for position in newer.indices {
            positions[newer[position].differenceIdentifier] = position
        }
        return reduce(nodeBytes) { bytes, element in
            guard let partner = positions[element.differenceIdentifier] else {
                return bytes + element.bytes
            }
            return bytes + element.bytesNotShared(with: newer[partner])
        }
    }
}
