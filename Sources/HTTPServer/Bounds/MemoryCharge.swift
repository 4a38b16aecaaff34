import HTTPWire

/// One connection's charge against the server's budget: bytes of its own, and a frame that others may keep too.
struct MemoryCharge {
    /// The bytes that are charged for the connection alone.
    private(set) var bytes = 0
    /// The frame that is charged besides, once for all connections that keep it.
    private(set) var frame: EventFrame?

    /// Whether anything is charged.
    var isNone: Bool { bytes == 0 && frame == nil }

    /// Charges so many bytes in place of those before; false, and nothing is changed, where that does not fit.
    mutating func set(_ count: Int, in budget: BufferBudget) -> Bool {
        if count > bytes {
            guard budget.take(count - bytes) else { return false }
        } else if count < bytes {
            budget.release(bytes - count)
        }
        bytes = count
        return true
    }

    /// Charges a frame, or none, in place of the one before; false where it does not fit, and none is charged then.
    mutating func set(_ frame: EventFrame?, in budget: BufferBudget) -> Bool {
        guard frame !== self.frame else { return true }
        if let old = self.frame.take() { budget.letGo(old) }
        guard let frame else { return true }
        guard budget.keep(frame) else { return false }
        self.frame = frame
        return true
    }

    /// Lets somebody else give back the bytes that are charged.
    mutating func handOver() {
        bytes = 0
    }

    /// Gives back everything.
    mutating func release(to budget: BufferBudget) {
        if bytes != 0 { budget.release(bytes) }
        bytes = 0
        if let frame = frame.take() { budget.letGo(frame) }
    }
}
