import Metrics

/// How often a route answered with which status, and how long it took.
final class RouteMetrics: Sendable {
    /// The statuses that are counted one by one; any other is counted as `other`.
    static let statuses = [
        200, 201, 202, 204, 302, 304, 400, 401, 403, 404, 405, 406, 409, 410, 412, 413, 415, 422, 429, 500, 501, 503,
        507,
    ]

    private static let statusIndex: [Int: Int] = Dictionary(
        uniqueKeysWithValues: statuses.enumerated().map { ($1, $0) })

    private let byStatus = (0...RouteMetrics.statuses.count).map { _ in Counter() }
    private let latency = SharedHistogram(
        .microseconds,
        bounds: [50, 100, 250, 500, 1000, 2500, 5000, 10_000, 50_000, 250_000, 1_000_000, 5_000_000])

    /// Counts one answered request. A few additions; any thread.
    func record(status: Int, microseconds taken: Int) {
        byStatus[status == 200 ? 0 : Self.statusIndex[status] ?? Self.statuses.count].add()
        latency.record(taken)
    }

    /// Declares the metrics of all routes, and of requests that no route took.
    static func declare(_ routes: [Route], unmatched: RouteMetrics, in registry: MetricsRegistry) {
        registry.add { text in
            let name = "callboard_http_requests_total"
            text.begin(name, .counter, "Requests answered, by route, method and status.")
            for route in routes { route.metrics.writeCounts(name, route.labels, to: &text) }
            unmatched.writeCounts(name, [("route", "none"), ("method", "any")], to: &text)
        }
        registry.add { text in
            let name = "callboard_http_request_duration_seconds"
            text.begin(
                name, .histogram, "Time from a request's last byte to its answer; for a stream, to its head.")
            // Nothing for a route that was never asked for.
            for route in routes {
                let latency = route.metrics.latency.current
                if latency.count > 0 { text.histogram(name, route.labels, latency) }
            }
        }
    }

    private func writeCounts(_ name: String, _ labels: [(String, String)], to text: inout MetricsText) {
        for (index, counter) in byStatus.enumerated() where counter.current > 0 {
            let status = index < Self.statuses.count ? String(Self.statuses[index]) : "other"
            text.sample(name, labels + [("status", status)], counter.current)
        }
    }
}

extension Route {
    fileprivate var labels: [(String, String)] { [("route", path.description), ("method", method.rawValue)] }
}
