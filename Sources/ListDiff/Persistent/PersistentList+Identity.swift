extension PersistentList {
    /// The positions of the elements that have a hash and match, ascending.
    ///
    /// - Parameters:
    ///   - hash: The `identityHash` of the elements that are sought.
    ///   - limit: How many positions are enough.
    ///   - matches: Tells an element that is sought from others with the same hash.
    /// - Complexity: O(log *n*) for each element with the hash that is looked at.
    @inlinable
    public func positions(hash: Int, limit: Int = .max, where matches: (Element) -> Bool) -> [Int] {
        var found: [Int] = []
        var search = HashSearch(self, hash: hash)
        while found.count < limit, let position = search.next(where: matches) {
            found.append(position)
        }
        return found
    }

    /// The first position of an element that has a hash and matches.
    ///
    /// - Complexity: O(log *n*) for each element with the hash that is looked at.
    @inlinable
    public func firstPosition(hash: Int, where matches: (Element) -> Bool) -> Int? {
        var search = HashSearch(self, hash: hash)
        return search.next(where: matches)
    }

    /// Looks for the only element that has a hash and matches, in less time than a walk over all of them takes.
    ///
    /// - Parameters:
    ///   - hash: The `identityHash` of the element that is sought.
    ///   - matches: Tells it from another one with the same hash.
    /// - Returns: `several` where others have the hash too, or that takes longer to tell: a walk says more.
    /// - Complexity: O(log *n*).
    @inlinable
    public func soleMatch(hash: Int, where matches: (Element) -> Bool) -> SoleMatch {
        guard !index.isEmpty else {
            return places.root.map { Self.soleMatch(in: $0.items, hash: hash, where: matches) } ?? .none
        }
        switch index.soleLabel(of: hash) {
        case .none:
            return .none
        case .several:
            return .several
        case .one(let label):
            guard let (leaf, start) = places.leaf(with: label) else {
                return .none
            }
            let offset = KeySearch<Place<Element>>(label).offset(in: leaf.items)
            return matches(leaf.items[offset].element) ? .one(start + offset) : .none
        }
    }

    @inlinable
    static func soleMatch(
        in items: ContiguousArray<Place<Element>>, hash: Int, where matches: (Element) -> Bool
    ) -> SoleMatch {
        var found: SoleMatch = .none
        for (position, place) in items.enumerated() where place.element.identityHash == hash && matches(place.element) {
            guard case .none = found else {
                return .several
            }
            found = .one(position)
        }
        return found
    }

    /// The positions of the elements that have the same difference identifier as an element, ascending.
    ///
    /// - Complexity: O(log *n*) for each element with the same hash.
    @inlinable
    public func positions(identicalTo element: Element, limit: Int = .max) -> [Int] {
        let identifier = element.differenceIdentifier
        return positions(hash: element.identityHash, limit: limit) { $0.differenceIdentifier == identifier }
    }

    /// The first position of an element that has the same difference identifier as an element.
    ///
    /// - Complexity: O(log *n*) for each element with the same hash that is looked at.
    @inlinable
    public func firstPosition(identicalTo element: Element) -> Int? {
        let identifier = element.differenceIdentifier
        return firstPosition(hash: element.identityHash) { $0.differenceIdentifier == identifier }
    }
}

/// The result of a search for one element.
public enum SoleMatch: Hashable, Sendable {
    /// No element.
    case none
    /// One, at this position.
    case one(Int)
    /// More than one may be there.
    case several
}

/// A walk over the positions of the elements with a hash.
@usableFromInline
@frozen
struct HashSearch<Element: ListItem> {
    @usableFromInline let places: CountedTree<Place<Element>>
    @usableFromInline let hash: Int

    /// The labels from the index, or nil where the elements of the only leaf are looked at one by one.
    @usableFromInline var labels: LabelIterator?
    @usableFromInline var position = 0

    @inlinable
    init(_ list: PersistentList<Element>, hash: Int) {
        places = list.places
        self.hash = hash
        labels = list.index.isEmpty ? nil : list.index.labels(of: hash)
    }

    @inlinable
    mutating func next(where matches: (Element) -> Bool) -> Int? {
        if labels == nil {
            return nextInLeaf(where: matches)
        }
        while let label = labels?.next() {
            if let (leaf, start) = places.leaf(with: label) {
                let offset = KeySearch<Place<Element>>(label).offset(in: leaf.items)
                if matches(leaf.items[offset].element) {
                    return start + offset
                }
            }
        }
        return nil
    }

    @inlinable
    mutating func nextInLeaf(where matches: (Element) -> Bool) -> Int? {
        guard let leaf = places.root else {
            return nil
        }
        while position < leaf.items.count {
            defer { position += 1 }
            let element = leaf.items[position].element
            if element.identityHash == hash, matches(element) {
                return position
            }
        }
        return nil
    }
}

// MARK: - Duplicates

extension PersistentList {
    /// Whether two elements have the same identity hash.
    ///
    /// - Complexity: O(1).
    @inlinable
    public var hasDuplicateHashes: Bool {
        index.isEmpty ? !positionsOfDuplicateHashes().isEmpty : index.repeats > 0
    }

    /// The positions of the elements that have their identity hash in common with another one, ascending.
    ///
    /// - Complexity: O(*d* log *n*) for *d* positions.
    @inlinable
    public func positionsOfDuplicateHashes() -> [Int] {
        if index.isEmpty {
            let hashes = map(\.identityHash)
            return hashes.indices.filter { position in
                hashes.indices.contains { $0 != position && hashes[$0] == hashes[position] }
            }
        }
        return index.repeatedLabels().map { places.rank(of: $0) }.sorted()
    }
}
