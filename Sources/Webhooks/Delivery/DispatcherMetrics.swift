import Directors

/// What the dispatcher has done since the start, and what waits.
package struct DispatcherMetrics: Sendable, Hashable {
    /// What has happened to deliveries.
    package var deliveries = DeliveryCounters()
    /// Attempts to deliver notifications.
    package var notifications = CallMetrics()
    /// Questions.
    package var questions = CallMetrics()
    /// Answers to notifications whose operations were applied, and that could not be.
    package var appliedAnswers = 0
    /// Answers to notifications whose operations could not be applied.
    package var refusedAnswers = 0
    /// Deliveries that wait, and their bytes, about.
    package var waiting = DispatcherSettings.Bound(count: 0, bytes: 0)
    /// Dead ones that are kept, and their bytes, about.
    package var dead = DispatcherSettings.Bound(count: 0, bytes: 0)
    /// Deliveries that are being tried.
    package var underWay = 0
    /// When the delivery that waits longest was accepted; nil where none waits.
    package var oldestWaiting: WallTime?

    /// Nothing done yet.
    package init() {}
}

/// How calls of one kind have ended.
package struct CallMetrics: Sendable, Hashable {
    /// How many have ended in each way.
    package private(set) var outcomes: [CallOutcome: Int] = [:]
    /// How long they took, waiting for their turn included.
    package private(set) var latency = LatencyHistogram()

    /// No calls yet.
    package init() {}

    /// Counts a call.
    mutating func record(_ outcome: CallOutcome, took: Duration) {
        outcomes[outcome, default: 0] += 1
        latency.record(took)
    }
}

/// How a call of a target has ended; the raw value is a label for metrics.
package enum CallOutcome: String, Sendable, Hashable, CaseIterable {
    /// With a success.
    case success
    /// With a redirect, which is not followed, or another status that is neither success nor error.
    case redirect
    /// With a status from 400 on.
    case clientError = "client_error"
    /// With a status from 500 on.
    case serverError = "server_error"
    /// Without an answer in time.
    case timeout
    /// Not sent: its address is not allowed.
    case refused
    /// Not sent: too much waits for the target.
    case crowded
    /// With an answer that is too large.
    case tooLarge = "too_large"
    /// Without an answer: no connection, or one that broke.
    case unreachable
    /// Given up, since the server is closing.
    case abandoned
}

/// Counts durations by size.
package struct LatencyHistogram: Sendable, Hashable {
    /// The upper bounds of the buckets in milliseconds, ascending; one more bucket takes what is above the last.
    package static let bounds = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000]
    /// How many fell into each bucket: those not above its bound and above the one before.
    package private(set) var counts = Array(repeating: 0, count: bounds.count + 1)
    /// All of them together.
    package private(set) var sum = Duration.zero

    /// Makes an empty histogram.
    package init() {}

    /// How many there were.
    package var count: Int { counts.reduce(0, +) }

    /// Counts a duration.
    package mutating func record(_ duration: Duration) {
        let bucket = Self.bounds.firstIndex { duration <= .milliseconds($0) } ?? Self.bounds.count
        counts[bucket] += 1
        sum += duration
    }
}
