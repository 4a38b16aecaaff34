import HTTPServer
import Hosting

/// Writes the `/metrics` page (Prometheus text format).
enum MetricsPage {
    /// The page at this moment. Linear in the number of routes; asks the file system, so it is not for a loop.
    static func make(_ application: Application, statistics: ServerStatistics?) -> String {
        var text = MetricsText()
        writeRequests(application, to: &text)
        if let statistics { writeServer(statistics, to: &text) }
        writeDirectors(application, to: &text)
        let journal = application.environment.journal
        if let metrics = journal.metrics { metrics.write(to: &text, status: journal.status) }
        application.hooks?.write(to: &text)
        if let memory = ProcessMemory.current() {
            text.single(
                "process_resident_memory_bytes", "gauge", "Resident memory of the process.", memory.resident)
            text.single("process_virtual_memory_bytes", "gauge", "Virtual memory of the process.", memory.virtual)
        }
        return text.text
    }

    private static func writeRequests(_ application: Application, to text: inout MetricsText) {
        text.begin("callboard_http_requests_total", "counter", "Requests answered, by route, method and status.")
        for route in application.routes {
            route.metrics.writeCounts(route: route.path.description, method: route.method.rawValue, to: &text)
        }
        application.responder.unmatched.writeCounts(route: "none", method: "any", to: &text)
        text.begin(
            "callboard_http_request_duration_seconds", "histogram",
            "Time from a request's last byte to its answer; for a stream, to its head.")
        for route in application.routes {
            route.metrics.writeLatency(route: route.path.description, method: route.method.rawValue, to: &text)
        }
    }

    private static func writeServer(_ statistics: ServerStatistics, to text: inout MetricsText) {
        text.single("callboard_connections", "gauge", "Connections open now.", statistics.connectionsOpen)
        text.single(
            "callboard_connections_accepted_total", "counter", "Connections accepted.", statistics.connectionsAccepted)
        text.single(
            "callboard_connections_refused_total", "counter", "Connections answered 503 because there were too many.",
            statistics.connectionsRefused)
        text.single(
            "callboard_connections_timed_out_total", "counter", "Connections ended by a deadline.",
            statistics.connectionsTimedOut)
        text.single(
            "callboard_accept_pauses_total", "counter", "Times that a listener rested for want of descriptors.",
            statistics.acceptPauses)
        text.single(
            "callboard_requests_refused_total", "counter", "Requests that were no HTTP, too slow or too large.",
            statistics.requestsRefused)
        text.single(
            "callboard_buffered_bytes", "gauge", "Bytes of unfinished requests and unsent answers that are kept now.",
            statistics.bytesBuffered)
        text.begin(
            "callboard_buffer_refusals_total", "counter",
            "Requests answered 503, answers replaced or cut off, and streams ended, for want of room for those bytes.")
        for (kind, count) in [
            ("request", statistics.requestsOverBudget), ("answer", statistics.answersOverBudget),
            ("stream", statistics.streamsOverBudget),
        ] {
            text.sample("callboard_buffer_refusals_total", [("kind", kind)], count)
        }
        text.single(
            "callboard_received_bytes_total", "counter", "Bytes received from clients.", statistics.bytesReceived)
        text.single("callboard_sent_bytes_total", "counter", "Bytes sent to clients.", statistics.bytesSent)
    }

    private static func writeDirectors(_ application: Application, to text: inout MetricsText) {
        let counters = application.environment.counters
        text.single("callboard_directors", "gauge", "Directors on this server.", application.environment.registry.count)
        text.single("callboard_subscribers", "gauge", "Event streams open now.", application.subscribers)
        text.single(
            "callboard_mutations_total", "counter", "Mutations accepted; a batch is one.", counters.mutations.current)
        text.single(
            "callboard_versions_published_total", "counter", "Reloads that published a version.",
            counters.versions.current)
        text.single(
            "callboard_changeset_bytes_total", "counter", "Bytes of changesets, each encoded once.",
            counters.changesetBytes.current)
        text.single(
            "callboard_stream_snapshots_total", "counter", "Streams that began with a snapshot.",
            counters.snapshots.current)
        text.single("callboard_stream_resumes_total", "counter", "Streams that resumed.", counters.resumes.current)
        text.single(
            "callboard_stream_catchups_total", "counter", "Streams that fell behind and were brought up to date.",
            counters.catchUps.current)
        text.single(
            "callboard_feed_retained_versions", "gauge", "Versions retained for resuming.",
            counters.retainedVersions.current)
        text.single(
            "callboard_feed_retained_bytes", "gauge",
            "Bytes retained for resuming: changesets, and content that only older versions hold.",
            counters.retainedBytes.current)
    }
}
