/// A binary heap of payloads by deadline, the earliest on top; equal deadlines come out in the order they went in.
package struct DeadlineHeap<Payload> {
    private struct Entry {
        let deadline: LoopInstant
        let order: UInt64
        let payload: Payload

        @inline(__always)
        func isBefore(_ other: Entry) -> Bool {
            deadline != other.deadline ? deadline < other.deadline : order < other.order
        }
    }

    private var entries: [Entry] = []
    private var order: UInt64 = 0

    /// Makes an empty heap.
    package init() {}

    /// How many entries there are.
    package var count: Int { entries.count }

    /// The earliest deadline, in O(1).
    package var earliest: LoopInstant? { entries.first?.deadline }

    /// Adds a payload, in O(log n) comparisons.
    package mutating func insert(_ payload: Payload, at deadline: LoopInstant) {
        entries.append(Entry(deadline: deadline, order: order, payload: payload))
        order += 1
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].isBefore(entries[parent]) else { break }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes out the earliest payload if its deadline is not after `now`, in O(log n) comparisons.
    package mutating func popDue(at now: LoopInstant) -> Payload? {
        guard let top = entries.first, top.deadline <= now else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            siftDown(from: 0)
        }
        return top.payload
    }

    /// Takes out every payload that `predicate` picks, in O(n).
    package mutating func removeAll(where predicate: (Payload) -> Bool) {
        entries.removeAll { predicate($0.payload) }
        var index = entries.count / 2
        while index > 0 {
            index -= 1
            siftDown(from: index)
        }
    }

    private mutating func siftDown(from start: Int) {
        var parent = start
        while true {
            let left = 2 * parent + 1
            guard left < entries.count else { return }
            let right = left + 1
            let child = right < entries.count && entries[right].isBefore(entries[left]) ? right : left
            guard entries[child].isBefore(entries[parent]) else { return }
            entries.swapAt(child, parent)
            parent = child
        }
    }
}
