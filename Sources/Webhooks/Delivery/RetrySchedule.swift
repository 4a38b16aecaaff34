/// When a notification that did not arrive is tried again.
///
/// The delays are those of Standard Webhooks (https://www.standardwebhooks.com, "Deliverability and reliability")
/// unless told otherwise: ten attempts within about three days. Each is varied a little, so that what failed together
/// does not come back together.
package struct RetrySchedule: Sendable, Hashable {
    /// How long to wait after each failed attempt; after one more failure than there are delays, it is over.
    package var delays: [Duration]
    /// The part of a delay by which it varies, upwards and downwards: 0.2 for a fifth.
    package var jitter: Double
    /// The longest that a receiver's `Retry-After` is heeded.
    package var maximumRetryAfter: Duration

    /// Makes a schedule; without delays everything is tried once.
    package init(
        delays: [Duration] = Self.standardDelays, jitter: Double = 0.2, maximumRetryAfter: Duration = .seconds(86_400)
    ) {
        self.delays = delays
        self.jitter = min(max(0, jitter), 1)
        self.maximumRetryAfter = maximumRetryAfter
    }

    /// 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h after the attempt before.
    package static let standardDelays: [Duration] = [
        .seconds(5), .seconds(300), .seconds(1800),
        .seconds(2 * 3600), .seconds(5 * 3600), .seconds(10 * 3600), .seconds(14 * 3600), .seconds(20 * 3600),
        .seconds(24 * 3600),
    ]

    /// How long to wait after a number of attempts, all of which have failed.
    ///
    /// - Parameters:
    ///   - attempts: How many there were.
    ///   - retryAfter: What the receiver has asked for; it is waited for at least that long, within the bound.
    ///   - variation: Where between the shortest and the longest delay to be, from −1 to 1.
    /// - Returns: The delay; nil where there will be no further attempt.
    package func delay(afterAttempts attempts: Int, retryAfter: Duration?, variation: Double) -> Duration? {
        guard attempts > 0, attempts <= delays.count else { return nil }
        let factor = 1 + jitter * min(max(-1, variation), 1)
        let least = min(retryAfter ?? .zero, maximumRetryAfter)
        return max(least, max(.zero, delays[attempts - 1]) * factor)
    }

    /// The longest delay that can come about, which bounds what a clock that was set can do.
    package var longestDelay: Duration {
        max(maximumRetryAfter, (delays.max() ?? .zero) * (1 + jitter))
    }
}
