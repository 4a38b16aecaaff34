/// The element that arrives at a place of a section in one stage, and the operation that brings it.
@usableFromInline
@frozen
package struct Arrival<Item> {
    /// The place after the stage.
    @usableFromInline package let at: Int
    /// What will stand there.
    @usableFromInline package let item: Item
    /// The kind of the operation.
    @usableFromInline package let operation: ChangesetOperation
    /// The number of the operation among those of its kind.
    @usableFromInline package let index: Int

    @inlinable
    package init(at: Int, item: Item, operation: ChangesetOperation, index: Int) {
        self.at = at
        self.item = item
        self.operation = operation
        self.index = index
    }

    /// Refuses arrivals, ascending by their places, that find none beside a number of items that stay.
    ///
    /// - Complexity: O(*k*) for *k* arrivals.
    /// - Throws: The first that is out of range, or whose place is another's.
    @inlinable
    package static func check(_ arrivals: [Arrival], staying: Int) throws(ArrivalMisfit) {
        let count = staying + arrivals.count
        var next = 0
        for (number, arrival) in arrivals.enumerated() {
            guard arrival.at >= 0, arrival.at < count else {
                throw ArrivalMisfit(arrival, .outOfRange(count: count))
            }
            // In front of it stand those that have arrived and, as far as there are any, those that stay.
            guard arrival.at >= next, arrival.at <= staying + number else {
                throw ArrivalMisfit(arrival, .targetTaken)
            }
            next = arrival.at + 1
        }
    }
}

extension Arrival: Sendable where Item: Sendable {}

/// An arrival that finds no place.
@usableFromInline
@frozen
package struct ArrivalMisfit: Error {
    /// The kind of the operation.
    @usableFromInline package let operation: ChangesetOperation
    /// The number of the operation among those of its kind.
    @usableFromInline package let index: Int
    /// Why it finds none.
    @usableFromInline package let reason: ChangesetError.Reason

    @inlinable
    package init<Item>(_ arrival: Arrival<Item>, _ reason: ChangesetError.Reason) {
        operation = arrival.operation
        index = arrival.index
        self.reason = reason
    }
}
