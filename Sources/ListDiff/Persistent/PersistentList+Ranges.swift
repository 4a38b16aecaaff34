extension PersistentList {
    /// Inserts elements in their order, so that the first one stands at a position.
    ///
    /// - Complexity: O(*m* log *n*) for *m* elements, at most that of making the list anew.
    @inlinable
    public mutating func insert(contentsOf elements: some Sequence<Element>, at position: Int) {
        precondition(position >= 0 && position <= count, "the position is not in the list")
        insertPlaces(ContiguousArray(elements), at: position)
        settleIndex()
    }

    /// Adds elements at the end, in their order.
    ///
    /// - Complexity: O(*m* log *n*) for *m* elements, at most that of making the list anew.
    @inlinable
    public mutating func append(contentsOf elements: some Sequence<Element>) {
        insertPlaces(ContiguousArray(elements), at: count)
        settleIndex()
    }

    /// Puts elements in the place of those of a range of positions.
    ///
    /// - Complexity: O(*m* log *n*) for *m* elements that go or come, at most that of making the index anew.
    @inlinable
    public mutating func replaceSubrange(_ positions: Range<Int>, with elements: some Sequence<Element>) {
        precondition(positions.lowerBound >= 0 && positions.upperBound <= count, "the range is not in the list")
        replacePlaces(positions, with: ContiguousArray(elements))
        settleIndex()
    }

    /// Removes the elements of a range of positions.
    ///
    /// - Complexity: O(*m* log *n*) for *m* positions, at most that of making the index of what remains.
    @inlinable
    public mutating func removeSubrange(_ positions: Range<Int>) {
        precondition(positions.lowerBound >= 0 && positions.upperBound <= count, "the range is not in the list")
        removePlaces(positions)
        settleIndex()
    }

    /// Removes the elements at some positions, all of which count the list as it is before; the order and repetitions
    /// of the positions do not matter.
    ///
    /// - Complexity: O(*m* log *n*) for *m* positions, at most that of making the list anew.
    @inlinable
    public mutating func remove(at positions: some Sequence<Int>) {
        var descending = positions.sorted(by: >)
        guard let highest = descending.first, let lowest = descending.last else {
            return
        }
        precondition(lowest >= 0 && highest < count, "a position is not in the list")
        if descending.count <= 32 + count / 16 {
            var previous = -1
            for position in descending where position != previous {
                _ = removePlace(at: position)
                previous = position
            }
        } else {
            var kept: ContiguousArray<Place<Element>> = []
            for (position, place) in zip(0..., places) {
                while let next = descending.last, next < position {
                    descending.removeLast()
                }
                if descending.last != position {
                    kept.append(place)
                }
            }
            places = CountedTree(count: kept.count) { kept[$0] }
            index = IdentityIndex()
        }
        settleIndex()
    }

    /// Adds another list at the end.
    ///
    /// Lists that come from dividing one and are put together again in its order share its memory.
    /// - Complexity: O(log *n*), and for the *m* elements of the shorter list O(*m* log *n*) for the index, at most
    ///   that of making it anew.
    @inlinable
    public mutating func append(contentsOf other: Self) {
        if count < other.count {
            let first = self
            self = other
            joinPlaces(first.places, inFront: true)
        } else {
            joinPlaces(other.places, inFront: false)
        }
        settleIndex()
    }

    /// Divides the list in front of a position.
    ///
    /// - Complexity: O(log *n*), and for the *m* elements of the shorter part O(*m* log *n*) for the index, at most
    ///   that of making it anew.
    @inlinable
    public func split(at position: Int) -> (head: Self, tail: Self) {
        (sublist(0..<position), sublist(position..<count))
    }

    /// The elements of a range of positions, as a list that shares its memory with this one.
    ///
    /// - Complexity: O(log *n*), and O(*m* log *n*) for the index, where *m* is the number of elements within the range
    ///   or of those outside, whichever is less; at most that of making the index anew.
    @inlinable
    public func sublist(_ positions: Range<Int>) -> Self {
        precondition(positions.lowerBound >= 0 && positions.upperBound <= count, "the range is not in the list")
        let (rest, tail) = places.split(at: positions.upperBound)
        let (head, places) = rest.split(at: positions.lowerBound)
        var part = Self(places: places, index: index)
        part.removeFromIndex(head)
        part.removeFromIndex(tail)
        part.settleIndex()
        return part
    }
}

// MARK: - Runs of places

extension PersistentList {
    /// Inserts elements without bringing the index into being; it is given up where they are many.
    @inlinable
    mutating func insertPlaces<Elements: RandomAccessCollection>(_ elements: Elements, at position: Int)
    where Elements.Element == Element, Elements.Index == Int {
        if elements.isEmpty {
            return
        }
        let labels = makeLabels(elements.count, at: position)
        let start = elements.startIndex
        let added = CountedTree<Place<Element>>(count: elements.count) { number in
            Place(label: labels[number], element: elements[start + number])
        }
        let (head, tail) = places.split(at: position)
        places = head
        places.append(added)
        places.append(tail)
        addToIndex(added)
    }

    /// Removes elements without bringing the index out of being; it is given up where they are many.
    @inlinable
    mutating func removePlaces(_ positions: Range<Int>) {
        let (rest, tail) = places.split(at: positions.upperBound)
        let (head, removed) = rest.split(at: positions.lowerBound)
        places = head
        places.append(tail)
        removeFromIndex(removed)
    }

    /// Adds the places of another list, which are labelled anew unless their labels fit.
    @inlinable
    mutating func joinPlaces(_ other: CountedTree<Place<Element>>, inFront: Bool) {
        let (first, second) = inFront ? (other, places) : (places, other)
        guard let last = first.root?.lastKey, let next = second.neighbours(ofGap: 0).after else {
            return
        }
        if last < next {
            places = first
            places.append(second)
            addToIndex(other)
        } else {
            insertPlaces(ContiguousArray(other.lazy.map { $0.element }), at: inFront ? 0 : count)
        }
    }
}
