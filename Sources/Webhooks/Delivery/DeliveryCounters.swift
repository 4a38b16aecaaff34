import Metrics

/// The counts of deliveries since the start.
package struct DeliveryCounters: Sendable, Hashable {
    /// Notifications that were accepted, those that took the place of an earlier one among them.
    package var accepted = 0
    /// Notifications that took the place of an earlier one.
    package var coalesced = 0
    /// Notifications that were refused.
    package var refused = 0
    /// Deliveries that have arrived.
    package var delivered = 0
    /// Attempts that have failed.
    package var failedAttempts = 0
    /// Deliveries that went dead.
    package var died = 0
    /// Dead ones that were dropped because there were too many.
    package var dropped = 0
    /// Deliveries that went with their director.
    package var forgotten = 0
    /// Dead ones that were put back into their queue.
    package var revived = 0
    /// Dead ones that were removed because someone asked for it.
    package var removed = 0

    /// Nothing yet.
    package init() {}

    /// Writes the metric of them.
    func write(to text: inout MetricsText) {
        let events = [
            ("accepted", accepted), ("coalesced", coalesced), ("refused", refused),
            ("delivered", delivered), ("failed", failedAttempts), ("dead", died),
            ("dropped", dropped), ("retried", revived), ("forgotten", forgotten),
            ("removed", removed),
        ]
        text.begin(
            "callboard_deliveries_total", .counter,
            "Notifications by their outcome; failed counts attempts, dropped dead ones that are no longer kept, and "
                + "forgotten those of deleted directors.")
        for (event, count) in events { text.sample("callboard_deliveries_total", [("event", event)], count) }
    }
}
