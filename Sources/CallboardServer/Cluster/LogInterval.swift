import Reactor
import Synchronization

/// Lets one log entry through a second, so that what others do does not fill the log. Any thread.
final class LogInterval: Sendable {
    private let next = Atomic<UInt64>(0)

    /// Makes one that lets the first through.
    init() {}

    /// Whether an entry is due.
    var isDue: Bool {
        let now = MonotonicClock().now()
        let known = next.load(ordering: .relaxed)
        return now >= known
            && next.compareExchange(expected: known, desired: now + 1_000_000_000, ordering: .relaxed).exchanged
    }
}
