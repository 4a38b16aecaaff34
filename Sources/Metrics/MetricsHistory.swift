import Synchronization

/// The numbers of a metrics page at regular moments of the last hour, in memory.
///
/// Numbers that differ by method or route alone are added up. So the number of series depends on the program's
/// declarations alone. Any thread.
package final class MetricsHistory: Sendable {
    /// How long from one reading to the next.
    package static let interval = Duration.seconds(10)
    /// The most readings that are kept: those of an hour. The oldest makes room for the newest.
    package static let capacity = 360
    /// The most series that are kept, which bounds the memory: 8 bytes for each number. Further ones are counted as omitted.
    package static let maxSeries = 2000

    private struct Reading {
        let milliseconds: Int
        /// The values in the order of the series; shorter where series have come later.
        var values: [Double]
    }

    private struct State {
        var series: [MetricsSeries] = []
        var places: [MetricsSeries: Int] = [:]
        var readings: [Reading] = []
        /// The place of the oldest reading, once there are as many as are kept.
        var oldest = 0
        var omitted = 0

        /// The values of readings in the order of the series, nan for a series without one.
        mutating func reading(of found: [(MetricsSeries, Double)], at milliseconds: Int) -> Reading {
            var values = [Double](repeating: .nan, count: series.count)
            omitted = 0
            for (key, value) in found {
                if let place = places[key] {
                    values[place] = value
                } else if series.count < MetricsHistory.maxSeries {
                    places[key] = series.count
                    series.append(key)
                    values.append(value)
                } else {
                    omitted += 1
                }
            }
            return Reading(milliseconds: milliseconds, values: values)
        }

        mutating func keep(_ reading: Reading) {
            guard readings.count == MetricsHistory.capacity else { return readings.append(reading) }
            readings[oldest] = reading
            oldest = (oldest + 1) % MetricsHistory.capacity
        }
    }

    /// What was read, oldest first.
    package struct Excerpt: Sendable {
        /// When, in milliseconds since 1970.
        package let times: [Int]
        /// Each series with its value at each time; nil where it had none.
        package let series: [(MetricsSeries, values: [Double?])]
        /// How many series were left out, since there are too many.
        package let omitted: Int
    }

    private let registry: MetricsRegistry
    private let state = Mutex(State())

    /// Makes an empty history of what a registry declares.
    package init(_ registry: MetricsRegistry) { self.registry = registry }

    /// Takes a reading. It may call the file system: do not call it on a loop.
    package func note(at milliseconds: Int) {
        let found = registry.readings
        state.withLock { state in
            let reading = state.reading(of: found, at: milliseconds)
            state.keep(reading)
        }
    }

    /// The kept readings, and one of this moment behind them. It may call the file system: do not call it on a loop.
    ///
    /// - Parameter metrics: The names of the metrics that are wanted, of a histogram without `_bucket`, `_sum` and `_count`;
    ///   all where it is empty.
    /// - Complexity: O(*r* · *s*) in the readings and the series.
    package func excerpt(of metrics: Set<String>, now milliseconds: Int) -> Excerpt {
        let found = registry.readings
        return state.withLock { state in
            let now = state.reading(of: found, at: milliseconds)
            let readings = state.readings[state.oldest...] + state.readings[..<state.oldest] + [now]
            let wanted = state.series.indices.filter { metrics.isEmpty || metrics.contains(state.series[$0].family) }
            let series = wanted.map { place in
                (state.series[place], values: readings.map { $0.values.at(place) })
            }
            return Excerpt(times: readings.map(\.milliseconds), series: series, omitted: state.omitted)
        }
    }
}

/// The name and labels of a number on a metrics page, without method and route.
package struct MetricsSeries: Sendable, Hashable {
    /// The name, of a histogram with `_bucket`, `_sum` or `_count`.
    package let metric: String
    /// The labels.
    package let labels: Labels
    /// The name as it was declared.
    package let family: String

    init(_ metric: String, family: String, _ labels: [(String, String)]) {
        (self.metric, self.family) = (metric, family)
        self.labels = Labels(
            pairs: labels.filter { $0.0 != "method" && $0.0 != "route" }.map(Label.init(name:value:)))
    }

    /// Labels in the order in which they were written.
    package struct Labels: Sendable, Hashable {
        /// Each with its name.
        package let pairs: [Label]
    }

    /// A label with its name.
    package struct Label: Sendable, Hashable {
        /// The name.
        package let name: String
        /// The label.
        package let value: String
    }
}

extension [Double] {
    /// The value at a place; nil where there is none.
    fileprivate func at(_ place: Int) -> Double? {
        guard place < count, !self[place].isNaN else { return nil }
        return self[place]
    }
}
