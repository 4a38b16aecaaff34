import Synchronization

/// Everything that a server counts, in the order in which it was declared.
///
/// A metric is declared once, with its name and help, where it is counted; the page writes what has been declared. Any
/// thread.
package final class MetricsRegistry: Sendable {
    private let parts = Mutex<[@Sendable (inout MetricsText) -> Void]>([])

    /// Makes an empty registry.
    package init() {}

    /// Declares a counter.
    ///
    /// - Parameters:
    ///   - name: The metric's name, `callboard_…_total`.
    ///   - help: What is counted, a sentence.
    package func counter(_ name: String, _ help: String) -> Counter {
        let counter = Counter()
        self.counter(name, help) { counter.current }
        return counter
    }

    /// Declares a counter that is read when the page is made.
    package func counter(_ name: String, _ help: String, _ read: @escaping @Sendable () -> Int) {
        add { $0.single(name, .counter, help, read()) }
    }

    /// Declares a counter for each kind of something, read when the page is made; its label `kind` is the raw value.
    package func counter<Kind: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ help: String, _ read: @escaping @Sendable (Kind) -> Int
    ) {
        let kinds = Kind.allCases.map { (kind: $0, label: $0.rawValue) }
        add { text in
            text.begin(name, .counter, help)
            for (kind, label) in kinds { text.sample(name, [("kind", label)], read(kind)) }
        }
    }

    /// Declares a gauge that is counted up and down.
    package func gauge(_ name: String, _ help: String) -> Counter {
        let counter = Counter()
        gauge(name, help) { counter.current }
        return counter
    }

    /// Declares a gauge that is read when the page is made.
    package func gauge(_ name: String, _ help: String, _ read: @escaping @Sendable () -> Int) {
        add { $0.single(name, .gauge, help, read()) }
    }

    /// Declares metrics that are written together, such as values of one snapshot.
    package func add(_ write: @escaping @Sendable (inout MetricsText) -> Void) {
        parts.withLock { $0.append(write) }
    }

    /// The page at this moment. It may call the file system: do not call it on a loop.
    package var page: String { written(to: MetricsText()).text }

    /// The numbers of the page at this moment, without method and route. It may call the file system as well.
    var readings: [(MetricsSeries, Double)] { written(to: MetricsText(isCollecting: true)).readings }

    private func written(to text: MetricsText) -> MetricsText {
        var text = text
        for write in parts.withLock({ $0 }) { write(&text) }
        return text
    }
}
