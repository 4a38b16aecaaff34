extension PersistentList {
    /// Puts an element in the place of another.
    ///
    /// - Complexity: O(log *n*). The index is not touched if the identity hash stays.
    /// - Returns: The element that was there.
    @inlinable
    @discardableResult
    public mutating func replace(at position: Int, with element: Element) -> Element {
        update(at: position) { current in
            let old = current
            current = element
            return old
        }
    }

    /// Changes an element where it is.
    ///
    /// The element's content is not copied unless the list shares the element's leaf with another list. The change must
    /// not use the list.
    /// - Complexity: O(log *n*) besides the change. The index is not touched if the identity hash stays.
    /// - Throws: What the change throws; what it has changed until then stays.
    @inlinable
    public mutating func update<Output, Failure: Error>(
        at position: Int,
        _ change: (inout Element) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        precondition(position >= 0 && position < count, "the position is not in the list")
        let isIndexed = !index.isEmpty
        var old = IndexEntry(hash: 0, label: 0)
        var new = old
        let result = places.update(at: PositionSearch(position)) { place throws(Failure) in
            if isIndexed {
                old = place.entry
            }
            defer {
                if isIndexed {
                    new = place.entry
                }
            }
            return try change(&place.element)
        }
        if old != new {
            index.remove(old)
            index.insert(new)
        }
        guard let result else {
            preconditionFailure("the position is not in the list")
        }
        return try result.get()
    }

    /// Inserts an element, so that it stands at a position.
    ///
    /// - Complexity: O(log *n*), amortised over the labels that are changed.
    @inlinable
    public mutating func insert(_ element: Element, at position: Int) {
        precondition(position >= 0 && position <= count, "the position is not in the list")
        insertPlace(element, at: position)
        settleIndex()
    }

    /// Adds an element at the end.
    ///
    /// - Complexity: O(log *n*).
    @inlinable
    public mutating func append(_ element: Element) {
        insertPlace(element, at: count)
        settleIndex()
    }

    /// Removes an element.
    ///
    /// - Complexity: O(log *n*).
    /// - Returns: The element.
    @inlinable
    @discardableResult
    public mutating func remove(at position: Int) -> Element {
        precondition(position >= 0 && position < count, "the position is not in the list")
        let element = removePlace(at: position)
        settleIndex()
        return element
    }

    /// Moves an element, so that it stands at `target` once it is there.
    ///
    /// - Complexity: O(log *n*), amortised over the labels that are changed.
    @inlinable
    public mutating func move(from source: Int, to target: Int) {
        precondition(source >= 0 && source < count, "the position is not in the list")
        precondition(target >= 0 && target < count, "the target is not in the list")
        if source == target {
            return
        }
        if !index.isEmpty, index.repeats == 0 {
            movePlace(from: source, to: target)
        } else {
            insertPlace(removePlace(at: source), at: target)
        }
        settleIndex()
    }

    /// Lets two elements change places.
    ///
    /// - Complexity: O(log *n*).
    @inlinable
    public mutating func swapAt(_ first: Int, _ second: Int) {
        if first != second {
            let element = self[first]
            replace(at: first, with: replace(at: second, with: element))
        }
    }
}

// MARK: - Single places

extension PersistentList {
    /// Inserts an element without bringing the index in or out of being.
    @inlinable
    mutating func insertPlace(_ element: Element, at position: Int) {
        let place = Place(label: makeLabels(1, at: position).first, element: element)
        places.insert(place, at: GapSearch(position))
        if !index.isEmpty {
            index.insert(place.entry)
        }
    }

    /// Moves an element of a list without repeated hashes; its entry keeps its place in the index.
    @inlinable
    mutating func movePlace(from source: Int, to target: Int) {
        guard let place = places.remove(at: PositionSearch(source)) else {
            preconditionFailure("the position is not in the list")
        }
        let label = makeLabels(1, at: target).first
        places.insert(Place(label: label, element: place.element), at: GapSearch(target))
        if !index.isEmpty {
            index.relabel(LabelChange(entry: place.entry, label: label))
        }
    }

    /// Removes an element without bringing the index in or out of being.
    @inlinable
    mutating func removePlace(at position: Int) -> Element {
        guard let place = places.remove(at: PositionSearch(position)) else {
            preconditionFailure("the position is not in the list")
        }
        if !index.isEmpty {
            index.remove(place.entry)
        }
        return place.element
    }
}
