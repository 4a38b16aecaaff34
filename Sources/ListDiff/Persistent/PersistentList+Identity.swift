extension PersistentList {
    /// The positions of the elements that have a hash and match, ascending.
    ///
    /// - Parameters:
    ///   - hash: The `identityHash` of the elements that are sought.
    ///   - limit: How many positions are enough.
    ///   - matches: Tells an element that is sought from others with the same hash.
    @inlinable
    public func positions(hash: Int, limit: Int = .max, where matches: (Element) -> Bool) -> [Int] {
        var found: [Int] = []
        for position in indices where found.count < limit {
            if storage[position].identityHash == hash, matches(storage[position]) {
                found.append(position)
            }
        }
        return found
    }

    /// The first position of an element that has a hash and matches.
    @inlinable
    public func firstPosition(hash: Int, where matches: (Element) -> Bool) -> Int? {
        positions(hash: hash, limit: 1, where: matches).first
    }

    /// The positions of the elements that have an identity hash in common with another element, ascending.
    @inlinable
    public func positionsOfDuplicateHashes() -> [Int] {
        let groups = Dictionary(grouping: indices) { storage[$0].identityHash }
        return groups.values.filter { $0.count > 1 }.flatMap { $0 }.sorted()
    }

    /// Whether two elements have the same identity hash.
    @inlinable
    public var hasDuplicateHashes: Bool {
        !positionsOfDuplicateHashes().isEmpty
    }
}

extension PersistentList {
    /// The positions of the elements with a difference identifier, ascending.
    @inlinable
    public func positions(of identifier: Element.DifferenceIdentifier, hash: Int) -> [Int] {
        positions(hash: hash) { $0.differenceIdentifier == identifier }
    }

    /// The first position of an element that has the same identity as another one.
    @inlinable
    public func firstPosition(ofSameIdentityAs element: Element) -> Int? {
        let identifier = element.differenceIdentifier
        return firstPosition(hash: element.identityHash) { $0.differenceIdentifier == identifier }
    }
}
