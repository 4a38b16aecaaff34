/// The making of one director's snapshots: one at a time, and of several that are asked for meanwhile the newest.
struct SnapshotTurns {
    private enum State {
        case idle
        /// One is being made; `isWanted` says that another one follows. The callers wait until none is being made.
        case making(isWanted: Bool, waiting: [@Sendable () -> Void])
    }

    /// The consequence of a snapshot's end.
    enum Next {
        /// Another one is to be made, of what is stored now.
        case snapshot
        /// None is being made: the callers are to be told.
        case tell([@Sendable () -> Void])
    }

    private var state = State.idle

    /// Whether a snapshot is being made.
    var isMaking: Bool {
        if case .making = state { true } else { false }
    }

    /// Asks for a snapshot; returns whether it is to be made now.
    mutating func want() -> Bool {
        switch state {
        case .idle:
            state = .making(isWanted: false, waiting: [])
            return true
        case .making(_, let waiting):
            state = .making(isWanted: true, waiting: waiting)
            return false
        }
    }

    /// Has a caller wait until none is being made; returns false if none is.
    mutating func wait(_ completion: @escaping @Sendable () -> Void) -> Bool {
        guard case .making(let isWanted, let waiting) = state else { return false }
        state = .making(isWanted: isWanted, waiting: waiting + [completion])
        return true
    }

    /// Takes note that a snapshot was made, or could not be.
    ///
    /// - Parameter isLiving: Whether the director is still worth one.
    mutating func end(isLiving: Bool) -> Next {
        guard case .making(let isWanted, let waiting) = state else { return .tell([]) }
        guard isWanted, isLiving else {
            state = .idle
            return .tell(waiting)
        }
        state = .making(isWanted: false, waiting: waiting)
        return .snapshot
    }
}
