/// A table of elements by ticket: a ticket is a place in the table and the generation of the place's user.
///
/// A ticket is never given out twice, before 2³² others were for the same place. All operations are O(1).
struct TicketTable<Element> {
    private struct Slot {
        var element: Element?
        /// At least one, so that no ticket is below 2³².
        var generation: UInt32
    }

    private var slots: [Slot] = []
    private var free: [UInt32] = []
    private(set) var count = 0

    /// All elements that are there now; O(n).
    var all: [Element] { slots.compactMap(\.element) }

    /// The element with this ticket, unless it was removed.
    subscript(ticket: UInt64) -> Element? {
        let index = Self.index(ticket)
        guard index < slots.count, slots[index].generation == UInt32(ticket >> 32) else { return nil }
        return slots[index].element
    }

    /// A ticket that nothing had before; `insert` must follow.
    mutating func claimTicket() -> UInt64 {
        if let index = free.popLast() { return ticket(at: Int(index)) }
        slots.append(Slot(generation: 1))
        return ticket(at: slots.count - 1)
    }

    /// Puts an element where `claimTicket` or `renew` has made a place for it.
    mutating func insert(_ element: Element, for ticket: UInt64) {
        slots[Self.index(ticket)].element = element
        count += 1
    }

    /// Puts an element in the place of another one, which must be there.
    mutating func replace(_ element: Element, for ticket: UInt64) {
        slots[Self.index(ticket)].element = element
    }

    /// Removes the element with this ticket; nothing where it was removed before.
    mutating func remove(_ ticket: UInt64) {
        guard clear(ticket) else { return }
        free.append(UInt32(truncatingIfNeeded: ticket))
    }

    /// Removes the element with this ticket, which must be there, and claims another ticket for the same place.
    mutating func renew(_ ticket: UInt64) -> UInt64 {
        _ = clear(ticket)
        return self.ticket(at: Self.index(ticket))
    }

    private mutating func clear(_ ticket: UInt64) -> Bool {
        guard self[ticket] != nil else { return false }
        let index = Self.index(ticket)
        slots[index].element = nil
        slots[index].generation = slots[index].generation == .max ? 1 : slots[index].generation + 1
        count -= 1
        return true
    }

    private func ticket(at index: Int) -> UInt64 {
        UInt64(slots[index].generation) << 32 | UInt64(index)
    }

    private static func index(_ ticket: UInt64) -> Int {
        Int(UInt32(truncatingIfNeeded: ticket))
    }
}
