/// Comparing what arrays hold in memory: two values whose bits are the same are the same value, as long as both are alive.
///
/// A copy of a leaf has most elements from the original, and a copy of an inner node most children. Comparing these bit by
/// bit spares counting references, and looking at what is behind them. Values that are equal may differ in bits, so what
/// differs here may be the same nevertheless.
extension ContiguousArray {
    /// How many elements are the same in memory, from a place in each array on.
    ///
    /// - Parameters:
    ///   - start: The place in this array.
    ///   - other: Another array.
    ///   - otherStart: The place in the other array.
    ///   - limit: How many elements to compare at most; both arrays have to have as many from there on.
    ///   - skipped: How many bytes at the beginning of each element do not matter; a multiple of 8.
    @inlinable
    func sameCount(
        from start: Int,
        as other: Self,
        from otherStart: Int,
        atMost limit: Int,
        skipping skipped: Int = 0
    ) -> Int {
        sameCount(at: start, as: other, at: otherStart, step: 1, atMost: limit, skipping: skipped)
    }

    /// How many elements are the same in memory, back from a place in each array.
    ///
    /// - Parameters:
    ///   - end: The place behind the last element that is compared in this array.
    ///   - other: Another array.
    ///   - otherEnd: The place behind the last element that is compared in the other array.
    ///   - limit: How many elements to compare at most; both arrays have to have as many in front of that.
    ///   - skipped: How many bytes at the beginning of each element do not matter; a multiple of 8.
    @inlinable
    func sameCount(
        backFrom end: Int,
        as other: Self,
        backFrom otherEnd: Int,
        atMost limit: Int,
        skipping skipped: Int = 0
    ) -> Int {
        sameCount(at: end - 1, as: other, at: otherEnd - 1, step: -1, atMost: limit, skipping: skipped)
    }

    /// How many elements are the same in memory, one step after the other from a place in each array.
    @inlinable
    @inline(__always)
    func sameCount(
        at first: Int,
        as other: Self,
        at otherFirst: Int,
        step: Int,
        atMost limit: Int,
        skipping skipped: Int
    ) -> Int {
        // SAFETY: the places are in the arrays; what is in them is compared as bits and not kept.
        unsafe withUnsafeBytes { mine in
            unsafe other.withUnsafeBytes { others in
                for index in 0..<limit {
                    let place = (first + index * step) * MemoryLayout<Element>.stride + skipped
                    let otherPlace = (otherFirst + index * step) * MemoryLayout<Element>.stride + skipped
                    let size = MemoryLayout<Element>.size - skipped
                    guard unsafe Self.areSame(mine, place, others, otherPlace, size) else {
                        return index
                    }
                }
                return limit
            }
        }
    }

    /// Compares bytes, eight at a time as far as that goes.
    @inlinable
    @inline(__always)
    static func areSame(
        _ mine: UnsafeRawBufferPointer,
        _ place: Int,
        _ others: UnsafeRawBufferPointer,
        _ otherPlace: Int,
        _ size: Int
    ) -> Bool {
        var byte = 0
        // SAFETY: the caller's places lie in the buffers, with as many bytes behind them.
        while byte + 8 <= size {
            let one = unsafe mine.loadUnaligned(fromByteOffset: place + byte, as: UInt64.self)
            let other = unsafe others.loadUnaligned(fromByteOffset: otherPlace + byte, as: UInt64.self)
            if one != other {
                return false
            }
            byte += 8
        }
        while byte < size {
            if unsafe mine[place + byte] != others[otherPlace + byte] {
                return false
            }
            byte += 1
        }
        return true
    }
}
