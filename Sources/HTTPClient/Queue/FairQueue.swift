import Notation

/// The waiting requests of several senders: first in, first out for each, and the senders take turns.
struct FairQueue {
    private var lines: [Name: FIFO<UInt64>] = [:]
    /// The senders that have something here, the next one first.
    private var turn = FIFO<String>()
    private(set) var count = 0

    /// Puts something at the end of its sender's line.
    mutating func append(_ id: UInt64, of sender: String) {
        if lines[sender] == nil { turn.append(sender) }
        lines[sender, default: FIFO()].append(id)
        count += 1
    }

    /// Takes the first of the sender whose turn it is.
    mutating func popFirst() -> UInt64? {
        guard let sender = turn.popFirst(), let id = lines[sender]?.popFirst() else { return nil }
        if lines[sender]?.isEmpty == true {
            lines[sender] = nil
        } else {
            turn.append(sender)
        }
        count -= 1
        return id
    }

    /// Takes something out of its sender's line; returns whether it was there. O(the line and the senders).
    mutating func remove(_ id: UInt64, of sender: String) -> Bool {
        guard let index = lines[sender]?.firstIndex(where: { $0 == id }) else { return false }
        _ = lines[sender]?.remove(at: index)
        if lines[sender]?.isEmpty == true {
            lines[sender] = nil
            _ = turn.firstIndex { $0 == sender }.map { turn.remove(at: $0) }
        }
        count -= 1
        return true
    }
}
