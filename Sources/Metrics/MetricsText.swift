/// Writes the Prometheus text exposition format, version 0.0.4, or collects the numbers that it would write.
package struct MetricsText {
    /// The type of a metric.
    package enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    /// What has been written.
    package private(set) var text = ""

    /// The numbers, where they are collected and not written: those of one series added up, in the order of the page.
    private(set) var readings: [(MetricsSeries, Double)] = []
    private var places: [MetricsSeries: Int] = [:]
    private let isCollecting: Bool
    private var family = ""

    /// Makes an empty page.
    package init() { isCollecting = false }

    init(isCollecting: Bool) { self.isCollecting = isCollecting }

    /// Begins a metric: its help line and its type. Its samples follow.
    package mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        family = name
        if isCollecting { return }
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// Adds one sample with an integer value.
    package mutating func sample(_ name: String, _ labels: [(String, String)] = [], _ value: Int) {
        sample(name, labels, literal: String(value))
    }

    /// Writes a metric with one sample.
    package mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
        begin(name, kind, help)
        sample(name, [], value)
    }

    /// Writes a metric with one sample in seconds, from whole milliseconds.
    package mutating func seconds(_ name: String, _ kind: Kind, _ help: String, milliseconds: Int) {
        begin(name, kind, help)
        sample(name, [], literal: Self.number(milliseconds * 1000, .microseconds))
    }

    /// Adds a histogram's buckets, sum and count.
    package mutating func histogram(_ name: String, _ labels: [(String, String)] = [], _ histogram: Histogram) {
        var total = 0
        for (bound, count) in zip(histogram.bounds, histogram.counts) {
            total += count
            sample(name + "_bucket", labels + [("le", Self.number(bound, histogram.unit))], total)
        }
        sample(name + "_bucket", labels + [("le", "+Inf")], histogram.count)
        sample(name + "_sum", labels, literal: Self.number(histogram.sum, histogram.unit))
        sample(name + "_count", labels, histogram.count)
    }

    private mutating func sample(_ name: String, _ labels: [(String, String)], literal: String) {
        if isCollecting { return collect(MetricsSeries(name, family: family, labels), Double(literal) ?? 0) }
        text += name
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0)=\"\(Self.escape($1))\"" }.joined(separator: ",") + "}"
        }
        text += " \(literal)\n"
    }

    private mutating func collect(_ series: MetricsSeries, _ value: Double) {
        if let place = places[series] {
            readings[place].1 += value
        } else {
            places[series] = readings.count
            readings.append((series, value))
        }
    }

    private static func number(_ value: Int, _ unit: Histogram.Unit) -> String {
        switch unit {
        case .count: return String(value)
        case .microseconds:
            let fraction = String(value % 1_000_000)
            let padded = String(repeating: "0", count: 6 - fraction.count) + fraction
            return "\(value / 1_000_000).\(padded)"
        }
    }

    private static func escape(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
