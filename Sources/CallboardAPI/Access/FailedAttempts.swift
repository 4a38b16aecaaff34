import Notation

/// How often each address has presented a credential that was not good.
///
/// An address may fail ``burst`` times, and once a second after that; until then it is answered 429, unless what it presents
/// was found good before or is a static token that is. Others are not slowed by it.
struct FailedAttempts: Sendable {
    /// Failures of an address that cost no wait.
    static let burst = 20
    /// The most addresses that are remembered; beyond it the ones before are forgotten, half of them at a time.
    static let limit = 20_000

    /// The second at which an address has as many failures left as it may have.
    private var recoveries: [Name: Int] = [:]

    /// Makes one without failures.
    init() {}

    /// The seconds until an address may try again; nil where it may now.
    func delay(of address: String, now: Int) -> Int? {
        guard let recovery = recoveries[address], recovery - now > Self.burst else { return nil }
        return recovery - now - Self.burst
    }

    /// Takes note of a failure.
    mutating func note(_ address: String, now: Int) {
        if recoveries.count >= Self.limit, recoveries[address] == nil { forget(now: now) }
        // A clock that was set back must not lock an address out.
        let recovery = min(recoveries[address] ?? now, now + Self.burst + 1)
        recoveries[address] = max(recovery, now) + 1
    }

    private mutating func forget(now: Int) {
        recoveries = recoveries.filter { $0.value > now }
        guard recoveries.count >= Self.limit else { return }
        let middle = recoveries.values.sorted()[recoveries.count / 2]
        recoveries = recoveries.filter { $0.value > middle }
    }
}
