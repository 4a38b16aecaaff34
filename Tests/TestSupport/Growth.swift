import Foundation

/// The time that something takes, as this thread's processor time: what others do meanwhile does not count.
///
/// - Parameter body: Runs on this thread from beginning to end.
public func processorTime(_ body: () throws -> Void) rethrows -> Duration {
    let start = threadTime()
    try body()
    return threadTime() - start
}

/// How much longer something takes for 8 times the input: about 8 where the time grows with the input, and 64 where it grows
/// with the square.
///
/// - Parameters:
///   - small: The smaller input, large enough to take a tenth of a millisecond.
///   - time: The processor time for an input; the least of several counts.
public func growthOfEightfold(_ small: Int, time: (Int) throws -> Duration) rethrows -> Double {
    func least(_ count: Int) throws -> Duration {
        try (0..<4).map { _ in try time(count) }.min() ?? .zero
    }
    return try least(8 * small) / max(least(small), .nanoseconds(1))
}

private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
