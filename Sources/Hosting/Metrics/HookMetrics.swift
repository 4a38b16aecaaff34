import Metrics
import Webhooks

/// The outcomes of UIs' questions, for `/metrics`.
package final class QuestionCounters: Sendable {
    /// Values that a hook's target has given, now or before.
    package let answered = Counter()
    /// Values among them that the target had given before, from the cache of answers.
    package let cached = Counter()
    /// Values that were defaults, with a hook or without.
    package let defaults = Counter()
    /// Answers that had no value of the event's type.
    package let unusable = Counter()
    /// Answers whose operations were performed.
    package let applied = Counter()
    /// Answers whose operations could not be performed or stored.
    package let refused = Counter()

    /// Makes counters at zero.
    package init() {}
}

extension HookCaller {
    /// Declares the metrics of event hooks.
    package func declareMetrics(in registry: MetricsRegistry) {
        registry.add { [weak self] text in
            guard let self else { return }
            let metrics = dispatcher.metrics
            metrics.write(to: &text)
            writeAnswers(metrics, to: &text)
        }
        registry.counter("callboard_hook_connections_opened_total", "Connections opened to hooks' targets.") {
            [transport] in transport.statistics.connectionsOpened
        }
        registry.gauge("callboard_hook_requests_waiting", "Calls that wait for their turn.") {
            [transport] in transport.statistics.waiting
        }
    }

    private func writeAnswers(_ metrics: DispatcherMetrics, to text: inout MetricsText) {
        text.begin(
            "callboard_hook_answers_total", .counter,
            "Answers that asked for operations, by what came of them, and those to questions that were of no use.")
        for (kind, outcome, count) in [
            ("notification", "applied", metrics.appliedAnswers), ("notification", "refused", metrics.refusedAnswers),
            ("question", "applied", counters.applied.current), ("question", "refused", counters.refused.current),
            ("question", "unusable", counters.unusable.current),
        ] {
            text.sample("callboard_hook_answers_total", [("kind", kind), ("outcome", outcome)], count)
        }
        text.begin("callboard_event_answers_total", .counter, "Values that UIs were answered, by where they are from.")
        for (source, count) in [
            ("hook", counters.answered.current - counters.cached.current), ("cache", counters.cached.current),
            ("default", counters.defaults.current),
        ] {
            text.sample("callboard_event_answers_total", [("source", source)], max(0, count))
        }
    }
}
