import Hosting
import Webhooks

extension HookCaller {
    /// Writes the part of the `/metrics` page that is about event hooks.
    func write(to text: inout MetricsText) {
        let metrics = dispatcher.metrics
        let kinds = [("notification", metrics.notifications), ("question", metrics.questions)]
        text.begin("callboard_hook_calls_total", "counter", "Calls of hooks' targets, by kind and how they ended.")
        for (kind, calls) in kinds {
            for outcome in CallOutcome.allCases {
                text.sample(
                    "callboard_hook_calls_total", [("kind", kind), ("outcome", outcome.rawValue)],
                    calls.outcomes[outcome] ?? 0)
            }
        }
        text.begin(
            "callboard_hook_call_duration_seconds", "histogram",
            "Time of a call, from its turn in the queue to its answer.")
        for (kind, calls) in kinds { text.write(calls.latency, "callboard_hook_call_duration_seconds", ("kind", kind)) }
        write(metrics.deliveries, to: &text)
        text.single(
            "callboard_deliveries_pending", "gauge", "Notifications that wait to be delivered.", metrics.waiting.count)
        text.single(
            "callboard_deliveries_dead", "gauge", "Notifications that were given up and are kept.", metrics.dead.count)
        text.single("callboard_deliveries_under_way", "gauge", "Notifications that are being tried.", metrics.underWay)
        text.begin(
            "callboard_hook_answers_total", "counter",
            "Answers that asked for operations, by what came of them, and those to questions that were of no use.")
        for (kind, outcome, count) in [
            ("notification", "applied", metrics.appliedAnswers), ("notification", "refused", metrics.refusedAnswers),
            ("question", "applied", counters.applied.current), ("question", "refused", counters.refused.current),
            ("question", "unusable", counters.unusable.current),
        ] {
            text.sample("callboard_hook_answers_total", [("kind", kind), ("outcome", outcome)], count)
        }
        text.begin("callboard_event_answers_total", "counter", "Values that UIs were answered, by where they are from.")
        for (source, count) in [
            ("hook", counters.answered.current - counters.cached.current), ("cache", counters.cached.current),
            ("default", counters.defaults.current),
        ] {
            text.sample("callboard_event_answers_total", [("source", source)], max(0, count))
        }
        let transport = transportStatistics
        text.single(
            "callboard_hook_connections_opened_total", "counter", "Connections opened to hooks' targets.",
            transport.connectionsOpened)
        text.single(
            "callboard_hook_requests_waiting", "gauge", "Calls that wait for their turn.", transport.waiting)
    }
}

extension HookCaller {
    private func write(_ counters: DeliveryCounters, to text: inout MetricsText) {
        let events = [
            ("accepted", counters.accepted), ("coalesced", counters.coalesced), ("refused", counters.refused),
            ("delivered", counters.delivered), ("failed", counters.failedAttempts), ("dead", counters.died),
            ("dropped", counters.dropped), ("retried", counters.revived), ("forgotten", counters.forgotten),
            ("removed", counters.removed),
        ]
        text.begin(
            "callboard_deliveries_total", "counter",
            "What has happened to notifications; failed counts attempts, dropped dead ones that are no longer kept, and "
                + "forgotten those of deleted directors.")
        for (event, count) in events { text.sample("callboard_deliveries_total", [("event", event)], count) }
    }
}

extension MetricsText {
    /// A histogram of milliseconds with its buckets, sum and count, under one label.
    fileprivate mutating func write(_ histogram: LatencyHistogram, _ name: String, _ label: (String, String)) {
        var total = 0
        for (bound, count) in zip(LatencyHistogram.bounds, histogram.counts) {
            total += count
            sample(name + "_bucket", [label, ("le", Self.seconds(microseconds: bound * 1000))], total)
        }
        sample(name + "_bucket", [label, ("le", "+Inf")], histogram.count)
        sample(name + "_sum", [label], literal: String(histogram.sum / .seconds(1)))
        sample(name + "_count", [label], histogram.count)
    }
}
