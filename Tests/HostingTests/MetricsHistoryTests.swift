import Metrics
import Testing

@Suite("An hour of metrics")
struct MetricsHistoryTests {
    @Test("readings come oldest first, and the oldest makes room where there are too many")
    func capacity() {
        let registry = MetricsRegistry()
        let counter = registry.counter("callboard_things_total", "Things.")
        let history = MetricsHistory(registry)
        for number in 1...MetricsHistory.capacity + 40 {
            counter.add()
            history.note(at: number * 1000)
        }
        let excerpt = history.excerpt(of: [], now: 999_000)
        #expect(excerpt.times == (41...MetricsHistory.capacity + 40).map { $0 * 1000 } + [999_000])
        let values = (41...MetricsHistory.capacity + 40).map(Double.init) + [Double(MetricsHistory.capacity + 40)]
        #expect(excerpt.series.count == 1 && excerpt.series[0].values == values)
        // Reading it changes nothing.
        #expect(history.excerpt(of: [], now: 999_000).times == excerpt.times)
    }

    @Test("routes and methods are added up, other labels are kept, and a histogram is asked for by its own name")
    func labels() {
        let registry = MetricsRegistry()
        registry.add { text in
            text.begin("callboard_requests_total", .counter, "Requests.")
            for (route, status, count) in [("/a", "200", 3), ("/b", "200", 4), ("/a", "404", 1)] {
                text.sample(
                    "callboard_requests_total", [("route", route), ("method", "GET"), ("status", status)], count)
            }
            text.begin("callboard_seconds", .histogram, "Times.")
            var times = Histogram(.microseconds, bounds: [1000])
            times.record(500)
            text.histogram("callboard_seconds", [("route", "/a")], times)
            text.histogram("callboard_seconds", [("route", "/b")], times)
        }
        let history = MetricsHistory(registry)
        let all = history.excerpt(of: [], now: 0).series
        let requests = all.filter { $0.0.metric == "callboard_requests_total" }
        let statuses = requests.map { $0.0.labels.pairs.map { [$0.name, $0.value] } }
        #expect(statuses == [[["status", "200"]], [["status", "404"]]])
        #expect(requests.map(\.values) == [[7], [1]])
        let times = history.excerpt(of: ["callboard_seconds"], now: 0).series
        #expect(times.map(\.0.metric) == ["bucket", "bucket", "sum", "count"].map { "callboard_seconds_\($0)" })
        #expect(times.map(\.values) == [[2], [2], [0.001], [2]])
    }

    @Test("a series that comes later has nothing before, and one that is gone nothing after")
    func series() {
        let registry = MetricsRegistry()
        let present = registry.gauge("callboard_present", "Whether the other is there.")
        registry.add { text in
            if present.current == 1 { text.single("callboard_other", .gauge, "Another.", 5) }
        }
        let history = MetricsHistory(registry)
        for (time, isThere) in [(1, 0), (2, 1), (3, 0)] {
            present.add(isThere - present.current)
            history.note(at: time)
        }
        #expect(history.excerpt(of: ["callboard_other"], now: 4).series[0].values == [nil, 5, nil, nil])
    }

    @Test("series beyond the bound are left out and counted")
    func bound() {
        let registry = MetricsRegistry()
        registry.add { text in
            text.begin("callboard_many", .gauge, "Many.")
            for number in 0..<MetricsHistory.maxSeries + 7 {
                text.sample("callboard_many", [("kind", "\(number)")], number)
            }
        }
        let history = MetricsHistory(registry)
        history.note(at: 1)
        let excerpt = history.excerpt(of: [], now: 2)
        #expect(excerpt.series.count == MetricsHistory.maxSeries && excerpt.omitted == 7)
    }
}
