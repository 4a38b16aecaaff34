/// The rates that a client is held to, and what it has used of them.
struct AbuseBounds {
    private var resets: TokenBucket
    private var provokedResets: TokenBucket
    private var idleFrames: TokenBucket
    /// WINDOW_UPDATE frames that are paid for by DATA frames sent.
    private var windowCredit = 64

    init(_ limits: HTTP2Limits) {
        resets = TokenBucket(limits.resets)
        provokedResets = TokenBucket(limits.provokedResets)
        idleFrames = TokenBucket(limits.idleFrames)
    }

    /// Takes note that a DATA frame was sent, which two WINDOW_UPDATE frames may follow.
    mutating func noteDataSent() { windowCredit = min(windowCredit + 2, 65_536) }

    /// Takes a WINDOW_UPDATE frame; false where it is not paid for and counts as idle.
    mutating func takeWindowUpdate() -> Bool {
        guard windowCredit > 0 else { return false }
        windowCredit -= 1
        return true
    }

    /// Takes a client's reset of a request that is not answered; false where that is too many.
    mutating func takeReset(now: UInt64) -> Bool { resets.take(now: now) }

    /// Takes a reset that the client has brought about; false where that is too many.
    mutating func takeProvokedReset(now: UInt64) -> Bool { provokedResets.take(now: now) }

    /// Takes a frame that brings nothing forward; false where that is too many.
    mutating func takeIdleFrame(now: UInt64) -> Bool { idleFrames.take(now: now) }
}
