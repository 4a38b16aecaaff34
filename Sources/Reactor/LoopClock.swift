import Glibc
import Synchronization

/// A point in a loop's time, in nanoseconds since an origin of the clock's own.
package typealias LoopInstant = UInt64

/// The clock of an event loop.
package protocol LoopClock: Sendable {
    /// The time, which never goes backwards. Called from every loop that uses the clock.
    func now() -> LoopInstant
}

/// The kernel's monotonic clock.
package struct MonotonicClock: LoopClock {
    /// Makes the clock; all of them show the same time.
    package init() {}

    /// The time since the machine was started.
    package func now() -> LoopInstant {
        var time = timespec()
        // SAFETY: the kernel fills in the structure during the call.
        clock_gettime(CLOCK_MONOTONIC, &time)
        return LoopInstant(time.tv_sec) * 1_000_000_000 + LoopInstant(time.tv_nsec)
    }
}

/// A clock that stands still until it is told to go on, for tests of deadlines.
package final class ManualClock: LoopClock {
    private let time: Atomic<UInt64>

    /// Makes a clock that shows `start` nanoseconds.
    package init(start: LoopInstant = 1_000_000_000) {
        time = Atomic(start)
    }

    /// The start and everything that the clock was advanced by.
    package func now() -> LoopInstant {
        time.load(ordering: .acquiring)
    }

    /// Moves the time on and has the loops look at their timers; may be called from any thread.
    package func advance(by duration: Duration, waking loops: [EventLoop]) {
        time.wrappingAdd(duration.nanoseconds, ordering: .acquiringAndReleasing)
        for loop in loops { loop.execute {} }
    }
}

extension Duration {
    /// The whole nanoseconds of this duration: 0 for a negative one, and at most `Int64.max` (292 years).
    package var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < Int64.max / 1_000_000_000 else { return UInt64(Int64.max) }
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
