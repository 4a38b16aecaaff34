import Logging
import Synchronization

/// A clock whose sleeps are over at once.
struct ImmediateClock: Clock {
    struct Instant: InstantProtocol {
        func advanced(by duration: Duration) -> Instant { self }
        func duration(to other: Instant) -> Duration { .zero }
        static func < (left: Self, right: Self) -> Bool { false }
    }

    var now: Instant { Instant() }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws { try Task.checkCancellation() }
}

/// Values that are handed out one after the other, the last one again and again.
final class SizeScript: Sendable {
    private let values: Mutex<[Int?]>
    init(_ values: [Int?]) { self.values = Mutex(values) }
    func next() -> Int? { values.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? nil } }
}

/// Keeps what is logged, one text for each entry: level, message and details.
struct LogCollector: LogHandler {
    final class Entries: Sendable {
        private let list = Mutex<[String]>([])

        var all: [String] { list.withLock { $0 } }

        func add(_ entry: String) { list.withLock { $0.append(entry) } }
    }

    let entries: Entries
    var logLevel = Logger.Level.info
    var metadata = Logger.Metadata()

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let details = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
        entries.add("\(event.level): \(event.message)" + details.joined())
    }
}
