import Directors
import Synchronization

/// The dispatcher's state for other threads.
final class DispatcherBoard: Sendable {
    fileprivate struct State {
        var hooks: [HookAddress: Standing] = [:]
        var metrics = DispatcherMetrics()
    }

    /// A hook's status: the health of one of its targets, and its waiting deliveries.
    fileprivate struct Standing {
        var health = HookHealth()
        /// The target that the health is of; nil where none was called.
        var target: HookURL?
        /// The newest call of that target.
        var call = 0
    }

    /// The most hooks of which the health is kept: of more than that, those are forgotten that were quiet longest.
    static let maximumHooks = 50_000

    private let state = Mutex(State())

    /// How a hook is doing; nothing where nothing is known of it.
    func health(of address: HookAddress) -> HookHealth {
        state.withLock { $0.hooks[address]?.health ?? HookHealth() }
    }

    /// How a hook is doing that leads to a target, or to none; of another target that it had, nothing is told.
    func health(of address: HookAddress, at target: HookURL?) -> HookHealth {
        state.withLock { state in
            guard let known = state.hooks[address] else { return HookHealth() }
            return known.target == target ? known.health : known.health.queued
        }
    }

    var metrics: DispatcherMetrics { state.withLock { $0.metrics } }

    /// Notes that a target has taken or answered something, which may have left something to say.
    func succeeded(_ call: HookCall, at time: WallTime, note: String? = nil) {
        state.withLock { state in
            state.change(call) { health in
                health.lastSuccess = time
                health.consecutiveFailures = 0
                if let note { health.lastError = HookHealth.Problem(time: time, text: note) }
            }
        }
    }

    /// Notes that something went wrong.
    func failed(_ call: HookCall, at time: WallTime, _ text: String) {
        state.withLock { state in
            state.change(call) { health in
                health.lastError = HookHealth.Problem(time: time, text: text)
                health.consecutiveFailures += 1
            }
        }
    }

    /// Notes how long a call took.
    func took(_ call: HookCall, _ time: Duration) {
        state.withLock { state in state.change(call) { $0.latency.record(time) } }
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
                guard waiting + dead > 0 || state.hooks[address] != nil else { continue }
                state.change(address) { ($0.health.waiting, $0.health.dead) = (waiting, dead) }
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
            for address in state.hooks.keys.filter(isOver) { state.forget(address) }
        }
    }
}

extension DispatcherBoard.State {
    /// Changes the health that a call is of. A call of another target than the newest one counts for nothing: it began
    /// before the hook was given its target.
    fileprivate mutating func change(_ call: HookCall, _ body: (inout HookHealth) -> Void) {
        change(call.address) { known in
            if known.target != call.target {
                guard call.number > known.call else { return }
                known.health = known.health.queued
                known.target = call.target
            }
            known.call = max(known.call, call.number)
            body(&known.health)
        }
    }

    fileprivate mutating func change(_ address: HookAddress, _ body: (inout DispatcherBoard.Standing) -> Void) {
        body(&hooks[address, default: DispatcherBoard.Standing()])
        if hooks.count > DispatcherBoard.maximumHooks { forgetQuiet() }
    }

    fileprivate mutating func forget(_ address: HookAddress) {
        guard let known = hooks[address] else { return }
        let rest = known.health.queued
        hooks[address] = rest == HookHealth() ? nil : DispatcherBoard.Standing(health: rest)
    }

    /// Makes room for a quarter of what is kept.
    private mutating func forgetQuiet() {
        let quiet = hooks.filter { $0.value.health.waiting == 0 }
            .sorted { $0.value.health.lastChange < $1.value.health.lastChange }
        for (address, _) in quiet.prefix(DispatcherBoard.maximumHooks / 4) { hooks[address] = nil }
    }
}

extension DeliveryQueues {
    /// How many deliveries of a hook wait, and how many are dead.
    func counts(of address: HookAddress) -> (waiting: Int, dead: Int) {
        (queues[address]?.waiting.count ?? 0, queues[address]?.dead.count ?? 0)
    }
}
