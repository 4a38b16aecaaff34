import Synchronization

/// Does something once: when so many things have happened, or when it is ended before. Any thread.
package final class Countdown: Sendable {
    private let state: Mutex<(left: Int, end: (@Sendable () -> Void)?)>

    /// Waits for `count` things, one at least.
    package init(_ count: Int, end: @escaping @Sendable () -> Void) {
        state = Mutex((count, end))
    }

    /// Takes note that one of them has happened.
    package func step() {
        let isOver = state.withLock { state in
            state.left -= 1
            return state.left == 0
        }
        if isOver { end() }
    }

    /// Waits for no more of them.
    package func end() {
        state.withLock { $0.end.take() }?()
    }
}
