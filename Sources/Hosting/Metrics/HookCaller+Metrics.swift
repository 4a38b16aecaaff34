import Metrics
import Webhooks

extension HookCaller {
    /// Declares the metrics of event hooks.
    package func declareMetrics(in registry: MetricsRegistry) {
        registry.add { [weak self] text in
            guard let self else { return }
            let metrics = dispatcher.metrics
            metrics.write(to: &text)
            writeAnswers(metrics, to: &text)
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
        let transport = transportStatistics
        text.single(
            "callboard_hook_connections_opened_total", .counter, "Connections opened to hooks' targets.",
            transport.connectionsOpened)
        text.single(
            "callboard_hook_requests_waiting", .gauge, "Calls that wait for their turn.", transport.waiting)
    }
}
