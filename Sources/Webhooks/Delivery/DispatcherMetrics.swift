import Directors
import Metrics

/// The dispatcher's counts since the start, and the number of waiting deliveries.
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
    package private(set) var latency = Histogram(
        .microseconds,
        bounds: [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000].map { $0 * 1000 })

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

    /// Whether the target was called, so that the time of the call tells of the target.
    var isOfTarget: Bool {
        switch self {
        case .success, .redirect, .clientError, .serverError, .timeout, .tooLarge, .unreachable: true
        case .refused, .crowded, .abandoned: false
        }
    }
}

extension DispatcherMetrics {
    /// Writes the dispatcher's part of the `/metrics` page.
    package func write(to text: inout MetricsText) {
        let kinds = [("notification", notifications), ("question", questions)]
        text.begin("callboard_hook_calls_total", .counter, "Calls of hooks' targets, by kind and how they ended.")
        for (kind, calls) in kinds {
            for outcome in CallOutcome.allCases {
                text.sample(
                    "callboard_hook_calls_total", [("kind", kind), ("outcome", outcome.rawValue)],
                    calls.outcomes[outcome] ?? 0)
            }
        }
        text.begin(
            "callboard_hook_call_duration_seconds", .histogram,
            "Time of a call, from its turn in the queue to its answer.")
        for (kind, calls) in kinds {
            text.histogram("callboard_hook_call_duration_seconds", [("kind", kind)], calls.latency)
        }
        deliveries.write(to: &text)
        text.single(
            "callboard_deliveries_pending", .gauge, "Notifications that wait to be delivered.", waiting.count)
        text.single(
            "callboard_deliveries_dead", .gauge, "Notifications that were given up and are kept.", dead.count)
        text.single("callboard_deliveries_under_way", .gauge, "Notifications that are being tried.", underWay)
    }
}
