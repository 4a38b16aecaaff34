import HTTPWire
import Synchronization

/// How many bytes all connections of a server may keep for their clients: unfinished requests, requests in work, and
/// answers that clients have not taken.
///
/// Connections of all loops share it. Only what is kept past a turn of the loop is charged, so that an ordinary request,
/// which is read and answered within its turn, touches nothing here. All methods may be called from any thread.
package final class BufferBudget: Sendable {
    /// The kinds of work that are given up because their bytes would exceed the bound.
    package enum Refusal: Sendable {
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
    private let requests = Atomic<Int>(0)
    private let answers = Atomic<Int>(0)
    private let streams = Atomic<Int>(0)

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
    package func noteRefusal(of what: Refusal) {
        switch what {
        case .request: requests.wrappingAdd(1, ordering: .relaxed)
        case .answer: answers.wrappingAdd(1, ordering: .relaxed)
        case .stream: streams.wrappingAdd(1, ordering: .relaxed)
        }
    }

    /// Adds the counts to `statistics`.
    func add(to statistics: inout ServerStatistics) {
        statistics.bytesBuffered += current
        statistics.requestsOverBudget += requests.load(ordering: .relaxed)
        statistics.answersOverBudget += answers.load(ordering: .relaxed)
        statistics.streamsOverBudget += streams.load(ordering: .relaxed)
    }
}
