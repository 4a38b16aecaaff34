import Metrics

/// The counters of one server's directors; ``init(_:)`` declares each in the registry of metrics.
package final class DirectorCounters: Sendable {
    /// Mutations accepted; a batch is one.
    package let mutations: Counter
    /// Reloads that published a version.
    package let versions: Counter
    /// Expressions of rows evaluated by reloads that published a version.
    package let evaluations: Counter
    /// Bytes of changesets, encoded once each.
    package let changesetBytes: Counter
    /// Streams that began with a snapshot.
    package let snapshots: Counter
    /// Streams that resumed.
    package let resumes: Counter
    /// Times that a stream was brought up to date by one changeset or a snapshot, because it had fallen behind.
    package let catchUps: Counter
    /// Versions retained by all directors at this moment.
    package let retainedVersions: Counter
    /// Bytes that retained versions of all directors take at this moment: changesets, and content that only older
    /// versions hold.
    package let retainedBytes: Counter

    /// Declares counters at zero.
    package init(_ registry: MetricsRegistry) {
        mutations = registry.counter("callboard_mutations_total", "Mutations accepted; a batch is one.")
        versions = registry.counter("callboard_versions_published_total", "Reloads that published a version.")
        evaluations = registry.counter(
            "callboard_row_evaluations_total", "Expressions of rows that reloads have evaluated.")
        changesetBytes = registry.counter(
            "callboard_changeset_bytes_total", "Bytes of changesets, each encoded once.")
        snapshots = registry.counter("callboard_stream_snapshots_total", "Streams that began with a snapshot.")
        resumes = registry.counter("callboard_stream_resumes_total", "Streams that resumed.")
        catchUps = registry.counter(
            "callboard_stream_catchups_total", "Streams that fell behind and were brought up to date.")
        retainedVersions = registry.gauge("callboard_feed_retained_versions", "Versions retained for resuming.")
        retainedBytes = registry.gauge(
            "callboard_feed_retained_bytes",
            "Bytes retained for resuming: changesets, and content that only older versions hold.")
    }
}
