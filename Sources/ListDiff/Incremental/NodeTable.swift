/// Finds nodes by their identity: open addressing with linear probing, never more than half full.
@usableFromInline
@frozen
struct NodeTable {
    /// Each slot's node, by its number plus one; zero is empty, and a number that is taken stays as its negative.
    @usableFromInline var slots: ContiguousArray<Int>
    @usableFromInline var identities: ContiguousArray<ObjectIdentifier> = []
    @usableFromInline let shift: Int

    /// Makes room for a number of nodes; no more than that may be added.
    @inlinable
    init(capacity: Int) {
        var bits = 3
        while 1 << bits < capacity * 2 {
            bits += 1
        }
        shift = Int.bitWidth - bits
        slots = ContiguousArray(repeating: 0, count: 1 << bits)
        identities.reserveCapacity(capacity)
    }

    /// The first place of the search for a node: the upper bits of its address times a number without a pattern
    /// (Knuth's multiplicative hashing).
    @inlinable
    func firstSlot(_ identity: ObjectIdentifier) -> Int {
        Int(truncatingIfNeeded: (UInt(bitPattern: identity) &* 0x9E37_79B9_7F4A_7C15) >> UInt(shift))
    }

    /// Adds the next node.
    @inlinable
    mutating func add(_ identity: ObjectIdentifier) {
        var slot = firstSlot(identity)
        while slots[slot] != 0 {
            slot = (slot + 1) & (slots.count - 1)
        }
        identities.append(identity)
        slots[slot] = identities.count
    }

    /// The number of a node that was added and not taken before.
    @inlinable
    mutating func take(_ identity: ObjectIdentifier) -> Int? {
        var slot = firstSlot(identity)
        while slots[slot] != 0 {
            if slots[slot] > 0, identities[slots[slot] - 1] == identity {
                slots[slot] = -slots[slot]
                return -slots[slot] - 1
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }
}
