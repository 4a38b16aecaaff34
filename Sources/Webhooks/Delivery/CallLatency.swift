/// How long the latest calls of a target took.
package struct CallLatency: Sendable, Hashable {
    /// The times in microseconds, from ``next`` on the oldest ones.
    private var times: [UInt32] = []
    private var next = 0

    /// No calls yet.
    package init() {}

    /// How many calls the numbers are of.
    package var calls: Int { times.count }

    /// The time that half of the calls took at most; nil where there was none.
    ///
    /// - Complexity: O(*n* log *n*) in the number of calls that are kept, ``maximumCount`` at most.
    package var median: Duration? { quantile(0.5) }

    /// The time that 19 of 20 calls took at most; nil where there was none.
    package var percentile95: Duration? { quantile(0.95) }

    /// Notes the time of a call, in place of the oldest where there are ``maximumCount``.
    mutating func record(_ took: Duration) {
        let (seconds, attoseconds) = took.components
        let time = UInt32(clamping: seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
        if times.count < Self.maximumCount {
            times.append(time)
        } else {
            times[next] = time
            next = (next + 1) % Self.maximumCount
        }
    }

    /// The nearest rank: the smallest time that so large a part of the calls did not exceed.
    private func quantile(_ part: Double) -> Duration? {
        guard !times.isEmpty else { return nil }
        let rank = Int((part * Double(times.count)).rounded(.up))
        return .microseconds(times.sorted()[max(1, rank) - 1])
    }

    /// How many calls are kept: 128 bytes of a hook.
    package static let maximumCount = 32
}
