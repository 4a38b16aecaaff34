import Directors
import Hosting
import JSONValues
import Metrics
import Reactor

extension Application {
    /// Answers with what is made of the metrics. Reading them asks the file system, which may be slow: not on a loop.
    func answerMetrics(_ call: Call, _ make: @escaping @Sendable () -> Reply) throws(Problem) {
        if let node = call.query["node"], environment.cluster == nil {
            throw .notFound("There is no node \(node): this server has its content for itself.")
        }
        guard metricsThreads.run({ call.answer(make()) }) else {
            throw .unavailable(.tooManyReaders, "Others wait for them already; ask again.")
        }
    }

    /// Takes readings of the metrics from now on, until the loop has ended.
    package func keepHistory(on loop: EventLoop) {
        // Where the one before takes longer than that, a reading is left out.
        _ = historyThreads.run { [self] in history.note(at: WallTime.now().milliseconds) }
        loop.schedule(after: MetricsHistory.interval) { [weak self] in self?.keepHistory(on: loop) }
    }
}

extension MetricsHistory.Excerpt: AnswerObject {
    package static let form = AnswerForm<Self>(
        AnswerField("interval", "Seconds from one reading to the next; the last one is of this moment.") { _ in
            Int(MetricsHistory.interval / .seconds(1))
        },
        AnswerField("times", "When the readings were taken, oldest first.") { excerpt in
            excerpt.times.map { WallTime(milliseconds: $0) }
        },
        AnswerField("series", "The readings.") { $0.series.map(ShownSeries.init) },
        AnswerField("omitted", "Series that are left out, since there are more than are kept.") { $0.omitted })
}

/// The numbers of one series in an answer.
private struct ShownSeries: AnswerObject {
    let series: MetricsSeries
    let values: [Double?]

    static let form = AnswerForm<Self>(
        AnswerField("metric", "The name of the sample: of a histogram with `_bucket`, `_sum` or `_count`.") {
            $0.series.metric
        },
        AnswerField("labels", "Its labels, without method and route.") { $0.series.labels },
        AnswerField("values", "Its value at each time; null where it had none.") { $0.values })
}

extension MetricsSeries.Labels: AnswerValue {
    package static var schema: JSONSchema { .dictionary(.string()) }
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in for label in pairs { writer.member(label.name, label.value) } }
    }
}

extension Double: AnswerValue {
    package static var schema: JSONSchema { .number() }
    package func write(to writer: inout JSONWriter) { writer.double(self) }
}
