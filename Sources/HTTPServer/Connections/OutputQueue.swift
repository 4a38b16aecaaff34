import HTTPWire

/// A connection's output: bytes of its own, and behind them at most one part that is held by reference.
struct OutputQueue {
    /// A large body or an event's frame, which is sent from where it lies.
    struct Part {
        /// Where the part lies.
        var bytes: [UInt8]
        /// The range of `bytes` that is still to be sent.
        var range: Range<Int>
        /// The bytes behind the part that belong to it, such as the end of a chunk.
        var end: [UInt8] = []
        /// The frame that the bytes are of, which other connections may be sending too.
        var frame: EventFrame?

        /// The bytes that nobody else is known to hold.
        var ownSize: Int { frame == nil ? bytes.count : 0 }
    }

    /// The connection's own bytes, with those in front that are sent.
    var bytes: [UInt8] = []
    /// How many of `bytes` are sent.
    private(set) var sent = 0
    /// What goes out behind `bytes`.
    var part: Part?

    /// Whether there is nothing to send.
    var isEmpty: Bool { sent == bytes.count && part == nil }

    /// The connection's own bytes that are not sent.
    var unsentCount: Int { bytes.count - sent }

    /// The bytes that are kept for this connection alone, those in front of the unsent ones included.
    var ownSize: Int { bytes.count + (part?.ownSize ?? 0) }

    /// Takes note that so many bytes more are sent.
    mutating func advance(by count: Int) {
        let fromBytes = min(count, unsentCount)
        sent += fromBytes
        if sent == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            sent = 0
        }
        guard let range = part?.range else { return }
        let start = range.lowerBound + count - fromBytes
        if start < range.upperBound {
            part?.range = start..<range.upperBound
        } else if let part = part.take() {
            bytes.append(contentsOf: part.end)
        }
    }

    /// Lends memory to write to, so that a connection needs none of its own unless it is blocked.
    mutating func lend(_ memory: inout [UInt8]) {
        guard bytes.isEmpty else { return }
        swap(&memory, &bytes)
    }

    /// Takes the memory back; what is not sent stays here.
    mutating func takeBack(_ memory: inout [UInt8]) {
        var lent: [UInt8] = []
        swap(&lent, &bytes)
        if sent < lent.count { bytes = Array(lent[sent...]) }
        sent = 0
        guard lent.capacity <= 256 * 1024, lent.capacity > memory.capacity else { return }
        lent.removeAll(keepingCapacity: true)
        memory = lent
    }
}
