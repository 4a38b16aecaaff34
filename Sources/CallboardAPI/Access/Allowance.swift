import Notation
import Synchronization

/// How much a token or an address may ask for (`limits.*`).
package struct LimitsConfiguration: Sendable {
    /// Requests a second of each token and of each address (`limits.requestsPerSecond`; 0, the default, is no bound).
    package var requestsPerSecond = 0.0
    /// Requests that may come at once after a pause (`limits.burst`; default 100).
    package var burst = 100
    /// Streams open at the same time of each token and of each address (`limits.streams`; 0, the default, is no bound).
    package var streams = 0

    /// Makes the defaults: no bounds.
    package init() {}
}

/// The rate limit and the open streams of one token or one address. Any thread; a request costs one exchange of a
/// number.
final class Allowance: Sendable {
    /// When the allowance is whole again, in nanoseconds of the monotonic clock (the generic cell rate algorithm, ITU-T
    /// I.371, annex A).
    private let whole = Atomic<UInt64>(0)
    /// Streams open now.
    private let streams = Atomic<Int>(0)

    /// Takes one request.
    ///
    /// - Parameters:
    ///   - now: The monotonic clock's nanoseconds.
    ///   - interval: Nanoseconds that one request takes.
    ///   - burst: Requests that may come at once.
    /// - Returns: Nanoseconds to wait where there is nothing left; nil where the request was taken.
    func take(now: UInt64, interval: UInt64, burst: Int) -> UInt64? {
        let room = interval * UInt64(max(1, burst))
        while true {
            let known = whole.load(ordering: .relaxed)
            let next = max(known, now) + interval
            guard next <= now + room else { return next - now - room }
            if whole.compareExchange(expected: known, desired: next, ordering: .relaxed).exchanged { return nil }
        }
    }

    /// Takes one stream; false where as many are open as may be.
    func beginStream(limit: Int) -> Bool {
        guard streams.add(1, ordering: .relaxed).newValue > limit else { return true }
        endStream()
        return false
    }

    /// Gives one stream back.
    func endStream() {
        streams.subtract(1, ordering: .relaxed)
    }

    /// Whether forgetting it makes no difference.
    func isUnused(now: UInt64) -> Bool {
        whole.load(ordering: .relaxed) <= now && streams.load(ordering: .relaxed) == 0
    }
}

/// The allowances of tokens and addresses by name; unused ones are forgotten when there are many.
struct AllowanceBook: Sendable {
    private var allowances: [Name: Allowance] = [:]
    private var bound = 10_000

    /// The allowance of a name.
    mutating func allowance(of name: String, now: UInt64) -> Allowance {
        if let known = allowances[name] { return known }
        if allowances.count >= bound {
            allowances = allowances.filter { !$0.value.isUnused(now: now) }
            // What is in use is kept; looking for the rest again costs each name a constant share.
            bound = max(10_000, allowances.count * 2)
        }
        let made = Allowance()
        allowances[name] = made
        return made
    }
}
