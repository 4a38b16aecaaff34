import Directors
import Synchronization

/// What the dispatcher shows of itself to other threads.
final class DispatcherBoard: Sendable {
    fileprivate struct State {
        var health: [HookAddress: HookHealth] = [:]
        var metrics = DispatcherMetrics()
    }

    /// The most hooks of which the health is kept: of more than that, those are forgotten that were quiet longest.
    static let maximumHooks = 50_000

    private let state = Mutex(State())

    /// How a hook is doing; nothing where nothing is known of it.
    func health(of address: HookAddress) -> HookHealth {
        state.withLock { $0.health[address] ?? HookHealth() }
    }

    var metrics: DispatcherMetrics { state.withLock { $0.metrics } }

    /// Notes that a receiver has taken or answered something, which may have left something to say.
    func succeeded(_ address: HookAddress, at time: WallTime, note: String? = nil) {
        state.withLock { state in
            state.change(address) { health in
                health.lastSuccess = time
                health.consecutiveFailures = 0
                if let note { health.lastError = HookHealth.Problem(time: time, text: note) }
            }
        }
    }

    /// Notes that something went wrong.
    func failed(_ address: HookAddress, at time: WallTime, _ text: String) {
        state.withLock { state in
            state.change(address) { health in
                health.lastError = HookHealth.Problem(time: time, text: text)
                health.consecutiveFailures += 1
            }
        }
    }

    /// Counts something.
    func count(_ change: (inout DispatcherMetrics) -> Void) {
        state.withLock { change(&$0.metrics) }
    }

    /// Shows how the queues are now.
    func show(_ queues: DeliveryQueues, touched: Set<HookAddress>) {
        state.withLock { state in
            for address in touched {
                let (waiting, dead) = queues.counts(of: address)
                // Only what is worth knowing makes an entry.
                guard waiting + dead > 0 || state.health[address] != nil else { continue }
                state.change(address) { ($0.waiting, $0.dead) = (waiting, dead) }
            }
            state.metrics.deliveries = queues.counters
            state.metrics.waiting = queues.waiting
            state.metrics.dead = queues.dead
            state.metrics.underWay = queues.attemptsUnderWay
            state.metrics.oldestWaiting = queues.oldestWaiting
        }
    }

    /// Forgets how a hook was doing, but for what waits and what is dead.
    func forget(_ address: HookAddress) {
        state.withLock { $0.forget(address) }
    }

    /// Forgets how some hooks were doing, but for what waits and what is dead. One look at each hook that is known.
    func forget(where isOver: (HookAddress) -> Bool) {
        state.withLock { state in
            for address in state.health.keys.filter(isOver) { state.forget(address) }
        }
    }
}

extension DispatcherBoard.State {
    fileprivate mutating func change(_ address: HookAddress, _ body: (inout HookHealth) -> Void) {
        body(&health[address, default: HookHealth()])
        if health.count > DispatcherBoard.maximumHooks { forgetQuiet() }
    }

    fileprivate mutating func forget(_ address: HookAddress) {
        guard let known = health[address] else { return }
        var rest = HookHealth()
        (rest.waiting, rest.dead) = (known.waiting, known.dead)
        health[address] = rest == HookHealth() ? nil : rest
    }

    /// Makes room for a quarter of what is kept.
    private mutating func forgetQuiet() {
        let quiet = health.filter { $0.value.waiting == 0 }.sorted { $0.value.lastChange < $1.value.lastChange }
        for (address, _) in quiet.prefix(DispatcherBoard.maximumHooks / 4) { health[address] = nil }
    }
}

extension DeliveryQueues {
    /// How many deliveries of a hook wait, and how many are dead.
    func counts(of address: HookAddress) -> (waiting: Int, dead: Int) {
        (queues[address]?.waiting.count ?? 0, queues[address]?.dead.count ?? 0)
    }
}
