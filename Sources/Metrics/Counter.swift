import Synchronization

/// A number that is counted from any thread without a lock: one that only grows, or a gauge.
package final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    /// Makes a counter at zero that no page shows; ``MetricsRegistry`` makes one that is shown.
    package init() {}

    /// Adds to the count; relaxed, since nothing is ordered by it.
    @inline(__always)
    package func add(_ amount: Int = 1) {
        value.wrappingAdd(amount, ordering: .relaxed)
    }

    /// The count at this moment.
    package var current: Int { value.load(ordering: .relaxed) }
}
