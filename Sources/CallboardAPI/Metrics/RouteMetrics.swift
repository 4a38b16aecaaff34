import Hosting

/// How often a route answered with which status, and how long it took.
final class RouteMetrics: Sendable {
    /// The statuses that are counted one by one; any other is counted as `other`.
    static let statuses = [
        200, 201, 202, 204, 304, 400, 401, 403, 404, 405, 406, 409, 410, 412, 413, 415, 422, 429, 500, 501, 503, 507,
    ]
    /// Upper bounds of the latency histogram's buckets, in microseconds.
    static let buckets = [50, 100, 250, 500, 1000, 2500, 5000, 10_000, 50_000, 250_000, 1_000_000, 5_000_000]

    private static let statusIndex: [Int: Int] = Dictionary(
        uniqueKeysWithValues: statuses.enumerated().map { ($1, $0) })

    private let byStatus = (0...RouteMetrics.statuses.count).map { _ in Counter() }
    private let byBucket = (0...RouteMetrics.buckets.count).map { _ in Counter() }
    private let microseconds = Counter()

    /// Counts one answered request. A few additions; any thread.
    func record(status: Int, microseconds taken: Int) {
        byStatus[status == 200 ? 0 : Self.statusIndex[status] ?? Self.statuses.count].add()
        byBucket[Self.buckets.firstIndex { taken <= $0 } ?? Self.buckets.count].add()
        microseconds.add(taken)
    }

    /// Writes the counts of one route in the Prometheus text format.
    func writeCounts(route: String, method: String, to text: inout MetricsText) {
        for (index, counter) in byStatus.enumerated() where counter.current > 0 {
            let status = index < Self.statuses.count ? String(Self.statuses[index]) : "other"
            text.sample(
                "callboard_http_requests_total", [("route", route), ("method", method), ("status", status)],
                counter.current)
        }
    }

    /// Writes the latency histogram of one route; nothing for a route that was never asked for.
    func writeLatency(route: String, method: String, to text: inout MetricsText) {
        let name = "callboard_http_request_duration_seconds"
        var total = 0
        let counts = byBucket.map(\.current)
        guard counts.contains(where: { $0 > 0 }) else { return }
        for (index, count) in counts.enumerated() {
            total += count
            let bound = index < Self.buckets.count ? MetricsText.seconds(microseconds: Self.buckets[index]) : "+Inf"
            text.sample(name + "_bucket", [("route", route), ("method", method), ("le", bound)], total)
        }
        text.sample(
            name + "_sum", [("route", route), ("method", method)],
            literal: MetricsText.seconds(microseconds: microseconds.current))
        text.sample(name + "_count", [("route", route), ("method", method)], total)
    }
}
