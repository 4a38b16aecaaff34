/// Numbers the identifiers of a list, so that everything after it compares integers.
///
/// An identifier's number is the position at which it was first added. Hashing is what a difference spends most of its
/// time on. So each identifier is hashed once at most, half of the hash is kept in the slot beside the position, and a
/// list that is mostly in order is looked up by comparing with the neighbour of the last hit, without hashing at all.
@usableFromInline
@frozen
struct IdentityTable<Identifier: Hashable> {
    @usableFromInline var identifiers: ContiguousArray<Identifier> = []

    /// For each position, the number of its identifier.
    @usableFromInline var numbers: [Int32] = []

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
        numbers.reserveCapacity(capacity)
    }

    /// Adds the identifier of the next position, and notes the number of its first occurrence.
    @inlinable
    mutating func add(_ identifier: Identifier) {
        add(identifier, hash: UInt(bitPattern: identifier.hashValue))
    }

    /// Adds the identifier of the next position, whose `ListItem.identityHash` is known.
    @inlinable
    mutating func add(_ identifier: Identifier, identityHash: Int) {
        add(identifier, hash: Self.spread(identityHash))
    }

    /// Adds the identifier of the next position, whose hash is known.
    @inlinable
    mutating func add(_ identifier: Identifier, hash: UInt) {
        let position = identifiers.count
        identifiers.append(identifier)
        let (found, slot) = find(identifier, hash)
        if found < 0 {
            slots[slot] = UInt64(hash) & ~Self.positionMask | UInt64(position + 1)
            numbers.append(Int32(truncatingIfNeeded: position))
        } else {
            numbers.append(found)
        }
    }

    /// The number of an identifier, or -1 if it was never added.
    ///
    /// - Parameter expected: A position to try first without hashing; left behind the one that was found.
    @inlinable
    func number(of identifier: Identifier, expected: inout Int) -> Int32 {
        number(of: identifier, hash: UInt(bitPattern: identifier.hashValue), expected: &expected)
    }

    /// The number of an identifier whose `ListItem.identityHash` is known, or -1 if it was never added.
    @inlinable
    func number(of identifier: Identifier, identityHash: Int, expected: inout Int) -> Int32 {
        number(of: identifier, hash: Self.spread(identityHash), expected: &expected)
    }

    /// The number of an identifier whose hash is known, or -1 if it was never added.
    @inlinable
    func number(of identifier: Identifier, hash: @autoclosure () -> UInt, expected: inout Int) -> Int32 {
        if expected < identifiers.count, identifiers[expected] == identifier {
            expected += 1
            return numbers[expected - 1]
        }
        let (found, _) = find(identifier, hash())
        if found >= 0 {
            expected = Int(found) + 1
        }
        return found
    }

    /// The number of an identifier, or -1 and the slot that it would go to.
    @inlinable
    func find(_ identifier: Identifier, _ hash: UInt) -> (number: Int32, slot: Int) {
        let fragment = UInt64(hash) & ~Self.positionMask
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            if slots[slot] & ~Self.positionMask == fragment {
                let first = Int(slots[slot] & Self.positionMask) - 1
                if identifiers[first] == identifier {
                    return (Int32(truncatingIfNeeded: first), slot)
                }
            }
            slot = (slot + 1) & mask
        }
        return (-1, slot)
    }

    /// An identity hash with its bits spread: it may be a plain number (Murmur3's finalizer).
    @inlinable
    static func spread(_ hash: Int) -> UInt {
        var bits = UInt64(truncatingIfNeeded: hash)
        bits = (bits ^ (bits >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        bits = (bits ^ (bits >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        return UInt(truncatingIfNeeded: bits ^ (bits >> 33))
    }

    @inlinable static var positionMask: UInt64 { 0xFFFF_FFFF }
}
