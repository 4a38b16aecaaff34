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
