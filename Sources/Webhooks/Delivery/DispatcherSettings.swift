/// How notifications are delivered, and how many are kept.
package struct DispatcherSettings: Sendable, Hashable {
    /// When what did not arrive is tried again.
    package var schedule: RetrySchedule
    /// The most that may wait for one hook, and for all; beyond it, further ones are refused.
    package var maximumWaitingPerHook: Int
    /// The most that may wait for all hooks together.
    package var maximumWaiting: Bound
    /// How many dead ones are kept of one hook; beyond it, the oldest are dropped.
    package var retainedDeadPerHook: Int
    /// How many dead ones are kept of all hooks together; beyond it, the oldest are dropped.
    package var retainedDead: Bound
    /// How long a notification may take where its hook does not say, waiting for its turn included.
    package var notificationTimeout: Duration
    /// How long a question may take where its hook does not say, waiting for its turn included.
    package var questionTimeout: Duration
    /// How long until a delivery is tried again that the transport had no room for.
    package var crowdedDelay: Duration
    /// How long until storing is tried again after it has failed.
    package var storingDelay: Duration

    /// A bound by number and by bytes.
    package struct Bound: Sendable, Hashable {
        /// How many.
        package var count: Int
        /// How many bytes in all, about.
        package var bytes: Int

        /// Makes a bound.
        package init(count: Int, bytes: Int) {
            self.count = count
            self.bytes = bytes
        }
    }

    /// Makes settings.
    package init(
        schedule: RetrySchedule = RetrySchedule(),
        maximumWaitingPerHook: Int = 10_000,
        maximumWaiting: Bound = Bound(count: 200_000, bytes: 256 << 20),
        retainedDeadPerHook: Int = 1000,
        retainedDead: Bound = Bound(count: 20_000, bytes: 64 << 20),
        notificationTimeout: Duration = .seconds(15),
        questionTimeout: Duration = .seconds(5),
        crowdedDelay: Duration = .seconds(1),
        storingDelay: Duration = .seconds(1)
    ) {
        self.schedule = schedule
        self.maximumWaitingPerHook = maximumWaitingPerHook
        self.maximumWaiting = maximumWaiting
        self.retainedDeadPerHook = retainedDeadPerHook
        self.retainedDead = retainedDead
        self.notificationTimeout = notificationTimeout
        self.questionTimeout = questionTimeout
        self.crowdedDelay = crowdedDelay
        self.storingDelay = storingDelay
    }
}
