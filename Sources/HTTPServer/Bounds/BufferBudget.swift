import HTTPWire
import Metrics
import Synchronization

/// How many bytes all connections of a server may keep for their clients: unfinished requests, requests in work, and
/// answers that clients have not taken.
///
/// Connections of all loops share it. Only what is kept past a turn of the loop is charged, so that an ordinary request,
/// which is read and answered within its turn, touches nothing here. All methods may be called from any thread.
package final class BufferBudget: Sendable {
    /// The kinds of work that are given up because their bytes would exceed the bound; the raw values are their names in
    /// `/metrics`.
    package enum Refusal: String, Sendable, CaseIterable {
        /// A request that was answered 503.
        case request
        /// An answer that was replaced by a 503, or cut off where it had begun.
        case answer
        /// A stream that lagged and was ended.
        case stream
    }

    /// A budget without a bound, for owners of exchanges that keep nothing.
    static let unbounded = BufferBudget(limit: .max)

    /// The bound in bytes.
    package let limit: Int
    private let charged = Atomic<Int>(0)
    private let requests = Counter()
    private let answers = Counter()
    private let streams = Counter()

    /// Makes a budget of `limit` bytes.
    package init(limit: Int) {
        self.limit = limit
    }

    /// The bytes that are charged at this moment.
    package var current: Int { charged.load(ordering: .relaxed) }

    /// Whether so many bytes more would fit now.
    func hasRoom(for bytes: Int) -> Bool {
        bytes <= limit - current
    }

    /// Charges bytes; false, and nothing is charged, where they do not fit. `release` gives them back.
    func take(_ bytes: Int) -> Bool {
        if charged.wrappingAdd(bytes, ordering: .relaxed).newValue <= limit { return true }
        charged.wrappingSubtract(bytes, ordering: .relaxed)
        return false
    }

    /// Gives back what was taken.
    func release(_ bytes: Int) {
        charged.wrappingSubtract(bytes, ordering: .relaxed)
    }

    /// Counts one more holder of a frame, which is charged once for all holders; false if it does not fit.
    ///
    /// `letGo` takes the keeper off again.
    package func keep(_ frame: EventFrame) -> Bool {
        keep(frame.keepers, size: frame.bytes.count)
    }

    /// Takes off one who has kept a frame; the last one gives back its bytes.
    package func letGo(_ frame: EventFrame) {
        letGo(frame.keepers, size: frame.bytes.count)
    }

    /// Counts one more holder of a shared buffer, which is charged once for all holders; false if the buffer does not
    /// fit.
    ///
    /// - Parameters:
    ///   - keepers: How many keep it. The budget alone changes the number.
    ///   - size: The bytes, always the same for the same thing.
    package func keep(_ keepers: borrowing Atomic<Int>, size: Int) -> Bool {
        guard keepers.wrappingAdd(1, ordering: .relaxed).oldValue == 0 else { return true }
        if take(size) { return true }
        // Someone may have relied on this charge meanwhile, and will release it: then it is made all the same.
        if keepers.wrappingSubtract(1, ordering: .relaxed).newValue > 0 {
            charged.wrappingAdd(size, ordering: .relaxed)
        }
        return false
    }

    /// Takes off one who has kept something; the last one gives back its bytes.
    package func letGo(_ keepers: borrowing Atomic<Int>, size: Int) {
        guard keepers.wrappingSubtract(1, ordering: .relaxed).newValue == 0 else { return }
        release(size)
    }

    /// Counts something that was given up.
    package func noteRefusal(of what: Refusal) { counter(of: what).add() }

    /// How often something was given up.
    func refusals(of what: Refusal) -> Int { counter(of: what).current }

    private func counter(of what: Refusal) -> Counter {
        switch what {
        case .request: requests
        case .answer: answers
        case .stream: streams
        }
    }

    /// Declares the metrics of what is kept.
    func declareMetrics(in registry: MetricsRegistry) {
        registry.gauge(
            "callboard_buffered_bytes", "Bytes of unfinished requests and unsent answers that are kept now."
        ) { [self] in current }
        registry.counter(
            "callboard_buffer_refusals_total",
            "Requests answered 503, answers replaced or cut off, and streams ended, for want of room for those bytes."
        ) { [self] in refusals(of: $0) }
    }
}
