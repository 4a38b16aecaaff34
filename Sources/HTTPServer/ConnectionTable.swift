/// The connections of a worker by ticket: a place in the table and the generation of who has it.
struct ConnectionTable {
    private var slots: [Connection?] = []
    private var generations: [UInt32] = []
    private var free: [UInt32] = []
    private(set) var count = 0

    /// All connections that are open now.
    var all: [Connection] { slots.compactMap(\.self) }

    /// The connection with this ticket, unless it has closed; O(1).
    subscript(ticket: UInt64) -> Connection? {
        let index = Int(UInt32(truncatingIfNeeded: ticket))
        guard index < slots.count, let connection = slots[index], connection.ticket == ticket else { return nil }
        return connection
    }

    /// A ticket that no connection had before; `insert` must follow.
    mutating func claimTicket() -> UInt64 {
        if let index = free.popLast() {
            return UInt64(generations[Int(index)]) << 32 | UInt64(index)
        }
        slots.append(nil)
        generations.append(1)
        return 1 << 32 | UInt64(slots.count - 1)
    }

    mutating func insert(_ connection: Connection) {
        slots[Self.index(connection)] = connection
        count += 1
    }

    mutating func remove(_ connection: Connection) {
        let index = Self.index(connection)
        guard slots[index] === connection else { return }
        slots[index] = nil
        generations[index] = generations[index] == .max ? 1 : generations[index] + 1
        free.append(UInt32(index))
        count -= 1
    }

    private static func index(_ connection: Connection) -> Int {
        Int(UInt32(truncatingIfNeeded: connection.ticket))
    }
}
