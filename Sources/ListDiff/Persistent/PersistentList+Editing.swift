extension PersistentList {
    /// Puts an element in the place of another.
    ///
    /// - Returns: The element that was there.
    @inlinable
    @discardableResult
    public mutating func replace(at position: Int, with element: Element) -> Element {
        let old = storage[position]
        storage[position] = element
        return old
    }

    /// Changes an element where it is.
    ///
    /// - Throws: What the change throws; what it has changed until then stays.
    @inlinable
    public mutating func update<Result, Failure: Error>(
        at position: Int,
        _ change: (inout Element) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try change(&storage[position])
    }

    /// Inserts an element, so that it stands at a position.
    @inlinable
    public mutating func insert(_ element: Element, at position: Int) {
        storage.insert(element, at: position)
    }

    /// Inserts elements in their order, so that the first one stands at a position.
    @inlinable
    public mutating func insert(contentsOf elements: some Sequence<Element>, at position: Int) {
        storage.insert(contentsOf: Array(elements), at: position)
    }

    /// Adds an element at the end.
    @inlinable
    public mutating func append(_ element: Element) {
        storage.append(element)
    }

    /// Adds elements at the end, in their order.
    @inlinable
    public mutating func append(contentsOf elements: some Sequence<Element>) {
        storage.append(contentsOf: elements)
    }

    /// Adds another list at the end.
    @inlinable
    public mutating func append(contentsOf other: Self) {
        storage.append(contentsOf: other.storage)
    }

    /// Removes an element.
    ///
    /// - Returns: The element.
    @inlinable
    @discardableResult
    public mutating func remove(at position: Int) -> Element {
        storage.remove(at: position)
    }

    /// Removes the elements of a range of positions.
    @inlinable
    public mutating func removeSubrange(_ positions: Range<Int>) {
        storage.removeSubrange(positions)
    }

    /// Removes the elements at some positions, all of which count the list as it is before; the order and repetitions of
    /// the positions do not matter.
    @inlinable
    public mutating func remove(at positions: some Sequence<Int>) {
        for position in Set(positions).sorted(by: >) {
            storage.remove(at: position)
        }
    }

    /// Moves an element, so that it stands at `target` once it is there.
    @inlinable
    public mutating func move(from source: Int, to target: Int) {
        storage.insert(storage.remove(at: source), at: target)
    }

    /// Lets two elements change places.
    @inlinable
    public mutating func swapAt(_ first: Int, _ second: Int) {
        storage.swapAt(first, second)
    }

    /// Divides the list in front of a position.
    @inlinable
    public func split(at position: Int) -> (head: Self, tail: Self) {
        (Self(storage[..<position]), Self(storage[position...]))
    }

    /// The elements of a range of positions, as a list.
    @inlinable
    public func sublist(_ positions: Range<Int>) -> Self {
        Self(storage[positions])
    }
}
