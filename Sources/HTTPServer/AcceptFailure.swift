import Reactor
import Synchronization

/// Why connections could not be accepted.
package struct AcceptFailure: Sendable, Hashable {
    /// The system's error of the last attempt.
    package let error: SystemError
    /// Attempts that have failed since the application was last told.
    package let attempts: Int
    /// Connections that are open.
    package let connections: Int

    /// Makes one; the server does so, and a test of an application.
    package init(error: SystemError, attempts: Int, connections: Int) {
        self.error = error
        self.attempts = attempts
        self.connections = connections
    }
}

/// Tells the application that connections cannot be accepted, once a minute at most over all loops.
///
/// A listener that finds no descriptor tries again several times a second: that is for a counter, not for a log.
final class AcceptFailureReporter: Sendable {
    private static let interval: LoopInstant = 60_000_000_000

    private let application: any HTTPApplication
    private let budget: ConnectionBudget
    private let attempts = Atomic<Int>(0)
    /// When the application may be told again; 0 before the first time.
    private let next = Atomic<LoopInstant>(0)

    init(application: any HTTPApplication, budget: ConnectionBudget) {
        self.application = application
        self.budget = budget
    }

    /// Takes note of a failure at a time of the loops' clock.
    func note(_ error: SystemError, now: LoopInstant) {
        attempts.wrappingAdd(1, ordering: .relaxed)
        let due = next.load(ordering: .relaxed)
        guard now >= due else { return }
        // Two loops may find it due: the first one tells.
        let isFirst = next.compareExchange(expected: due, desired: now &+ Self.interval, ordering: .relaxed).exchanged
        guard isFirst else { return }
        let count = attempts.exchange(0, ordering: .relaxed)
        application.acceptFailed(AcceptFailure(error: error, attempts: count, connections: budget.count))
    }
}
