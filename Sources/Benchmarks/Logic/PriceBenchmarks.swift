import Foundation
import JSONLogic
import JSONValues

/// Measures how long a step of each operator takes on the arguments that are dearest for it.
///
/// The bound of a reload's steps is one of its time only if no step takes much longer than another.
enum PriceBenchmarks {
    /// The most that a step may take: 10 million, the bound of a reload, are a second then.
    static let limit = Duration.nanoseconds(100)

    /// Runs all of them and prints a result line for each; it takes some seconds.
    static func run() throws {
        let limits = LogicLimits(steps: 1 << 40, size: 1 << 40)
        let data = LogicData(members: [
            "variables": .json(try JSONDocument(PriceSample.text).root), "section": .null, "row": .null,
            "model": .null, "index": .null,
        ])
        for form in PriceSample.forms {
            let expression = try LogicExpression(JSONDocument(form).root, limits: limits)
            var steps = 0
            var (shortest, spent) = (Duration.seconds(3_600), Duration.zero)
            while spent < .milliseconds(100) {
                var taken = 0
                let start = processorTime()
                for _ in 0..<10 { keep(try? expression.evaluate(data, addingSteps: &taken)) }
                let time = processorTime() - start
                spent += time
                if time < shortest { (shortest, steps) = (time, taken) }
            }
            guard steps > 0 else { refute("\(form.prefix(100)) takes no steps, or has no value") }
            let name = form.count > 90 ? "\(form.prefix(60))… of \(form.count) bytes" : form
            BenchmarkResult.bound("a step of \(name)", ours: shortest / steps, limit: limit).report()
        }
    }

    /// The processor time of this thread, without that of other threads.
    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
