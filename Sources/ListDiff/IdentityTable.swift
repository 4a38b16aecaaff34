/// Numbers the identifiers of a list, so that everything after it compares integers.
///
/// An identifier's number is the position at which it was first added. Hashing is what a difference spends most of its
/// time on: each identifier is hashed once, the hash is kept in the slot beside the position, and a list that is mostly
/// in order is looked up by comparing with the neighbour of the last hit, without hashing at all.
@usableFromInline
struct IdentityTable<Identifier: Hashable> {
    @usableFromInline var identifiers: ContiguousArray<Identifier> = []

    /// Open addressing with linear probing, never more than half full: the upper half of the hash above the position
    /// plus one; zero is empty.
    @usableFromInline var slots: ContiguousArray<UInt64>
    @usableFromInline let mask: Int

    /// Makes room for a number of identifiers; no more than that may be added.
    @inlinable
    init(capacity: Int) {
        // Positions are kept as 32-bit numbers all through the difference.
        precondition(capacity < Int(Int32.max), "a difference takes lists of fewer than 2^31 - 1 elements")
        var size = 8
        while size < capacity * 2 {
            size *= 2
        }
        mask = size - 1
        slots = ContiguousArray(repeating: 0, count: size)
        identifiers.reserveCapacity(capacity)
    }

    /// Adds the identifier of the next position, and gives the number of its first occurrence.
    @inlinable
    mutating func add(_ identifier: Identifier) -> Int32 {
        let hash = UInt(bitPattern: identifier.hashValue)
        let fragment = UInt64(hash) & ~UInt64(UInt32.max)
        var slot = Int(truncatingIfNeeded: hash) & mask
        let position = identifiers.count
        identifiers.append(identifier)
        while slots[slot] != 0 {
            if slots[slot] & ~UInt64(UInt32.max) == fragment {
                let first = Int(slots[slot] & UInt64(UInt32.max)) - 1
                if identifiers[first] == identifier {
                    return Int32(truncatingIfNeeded: first)
                }
            }
            slot = (slot + 1) & mask
        }
        slots[slot] = fragment | UInt64(position + 1)
        return Int32(truncatingIfNeeded: position)
    }

    /// The number of an identifier, or -1 if it was never added.
    @inlinable
    func number(of identifier: Identifier) -> Int32 {
        let hash = UInt(bitPattern: identifier.hashValue)
        let fragment = UInt64(hash) & ~UInt64(UInt32.max)
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            if slots[slot] & ~UInt64(UInt32.max) == fragment {
                let first = Int(slots[slot] & UInt64(UInt32.max)) - 1
                if identifiers[first] == identifier {
                    return Int32(truncatingIfNeeded: first)
                }
            }
            slot = (slot + 1) & mask
        }
        return -1
    }
}
