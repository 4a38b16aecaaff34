/// Sorts entries by their hashes, leaving entries of equal hashes in their order.
///
/// A radix sort by as many of the highest bits in which the hashes differ as there have to be for few entries to agree
/// in all of them; what agrees is put in order by insertion, or by comparing where that would take long.
enum HashOrder {
    private static let digitBits = 11
    private static let longestInsertion = 24

    /// Sorts entries, whose labels ascend, by their hashes.
    ///
    /// - Complexity: O(*n*) where the hashes are spread evenly; O(*n* log *n*) at most.
    static func sort(_ entries: inout ContiguousArray<IndexEntry>) {
        guard entries.count > 1 else {
            return
        }
        let first = entries[0].hash
        var differing: UInt = 0
        for entry in entries {
            differing |= entry.hash ^ first
        }
        let bits = UInt.bitWidth - differing.leadingZeroBitCount
        let countBits = Int.bitWidth - entries.count.leadingZeroBitCount
        let digits = max(1, (countBits + digitBits / 2) / digitBits)
        var shift = max(0, bits - digits * digitBits)
        let bottom = shift
        var spare = ContiguousArray(repeating: entries[0], count: entries.count)
        for _ in 0..<digits where shift < bits {
            distribute(entries, into: &spare, by: shift)
            swap(&entries, &spare)
            shift += digitBits
        }
        if bottom > 0 {
            settle(&entries, above: bottom)
        }
    }

    /// Puts the entries in the order of one digit of their hashes.
    private static func distribute(
        _ entries: ContiguousArray<IndexEntry>,
        into target: inout ContiguousArray<IndexEntry>,
        by shift: Int
    ) {
        let mask: UInt = 1 << digitBits - 1
        var starts = ContiguousArray(repeating: 0, count: 1 << digitBits)
        for position in entries.indices {
            starts[Int(truncatingIfNeeded: entries[position].hash >> shift & mask)] += 1
        }
        var start = 0
        for digit in starts.indices {
            (starts[digit], start) = (start, start + starts[digit])
        }
        for position in entries.indices {
            let entry = entries[position]
            let digit = Int(truncatingIfNeeded: entry.hash >> shift & mask)
            target[starts[digit]] = entry
            starts[digit] += 1
        }
    }

    /// Orders entries that agree in all bits above some by the bits below.
    private static func settle(_ entries: inout ContiguousArray<IndexEntry>, above bits: Int) {
        var start = 0
        while start < entries.count {
            let group = entries[start].hash >> bits
            var end = start + 1
            while end < entries.count, entries[end].hash >> bits == group {
                end += 1
            }
            if end - start > longestInsertion {
                entries[start..<end].sort()
            } else if end - start > 1 {
                insertionSort(&entries, start..<end)
            }
            start = end
        }
    }

    private static func insertionSort(_ entries: inout ContiguousArray<IndexEntry>, _ range: Range<Int>) {
        for position in range.dropFirst() {
            let entry = entries[position]
            var hole = position
            while hole > range.lowerBound, entries[hole - 1].hash > entry.hash {
                entries[hole] = entries[hole - 1]
                hole -= 1
            }
            entries[hole] = entry
        }
    }
}
