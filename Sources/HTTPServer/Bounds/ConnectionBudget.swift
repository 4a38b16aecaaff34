import Synchronization

/// How many connections all workers of a server may have open together.
final class ConnectionBudget: Sendable {
    enum Admission {
        /// Within the limit.
        case admitted
        /// Over the limit, but few enough of these that each can be told so.
        case refused
        /// So many over the limit that it is closed without a word.
        case dropped
    }

    private let limit: Int
    private let refusalLimit: Int
    private let admitted = Atomic<Int>(0)
    private let refused = Atomic<Int>(0)

    init(limit: Int) {
        self.limit = limit
        refusalLimit = max(64, limit / 8)
    }

    /// Connections that are open now, over all loops.
    var count: Int { admitted.load(ordering: .relaxed) + refused.load(ordering: .relaxed) }

    /// Decides about a new connection; `release` must follow when it ends, unless it was dropped.
    func admit() -> Admission {
        if admitted.wrappingAdd(1, ordering: .relaxed).newValue <= limit { return .admitted }
        admitted.wrappingSubtract(1, ordering: .relaxed)
        if refused.wrappingAdd(1, ordering: .relaxed).newValue <= refusalLimit { return .refused }
        refused.wrappingSubtract(1, ordering: .relaxed)
        return .dropped
    }

    /// Gives back the place of a connection that has closed.
    func release(_ wasRefused: Bool) {
        if wasRefused {
            refused.wrappingSubtract(1, ordering: .relaxed)
        } else {
            admitted.wrappingSubtract(1, ordering: .relaxed)
        }
    }
}
