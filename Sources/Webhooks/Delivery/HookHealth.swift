import Directors

/// How a hook is doing, since the server was started or the hook was given its target.
package struct HookHealth: Sendable, Hashable {
    /// When its receiver last took something, or answered a question.
    package var lastSuccess: WallTime?
    /// The last failure; kept after a success.
    package var lastError: Problem?
    /// Attempts and questions that have failed since the last one that did not.
    package var consecutiveFailures = 0
    /// How long the latest calls took, of those that the target was sent.
    package var latency = CallLatency()
    /// Deliveries that wait.
    package var waiting = 0
    /// Dead ones.
    package var dead = 0

    /// Something that went wrong.
    package struct Problem: Sendable, Hashable {
        /// When.
        package var time: WallTime
        /// The failure, in a sentence without its full stop.
        package var text: String

        /// Makes a problem.
        package init(time: WallTime, text: String) {
            self.time = time
            self.text = text
        }
    }

    /// Nothing has happened yet.
    package init() {}

    /// The numbers of waiting and dead deliveries, without the target's health.
    var queued: HookHealth {
        var health = HookHealth()
        (health.waiting, health.dead) = (waiting, dead)
        return health
    }

    /// When something last happened.
    var lastChange: WallTime {
        let never = WallTime(milliseconds: 0)
        return max(lastSuccess ?? never, lastError?.time ?? never)
    }
}

/// A call of a hook's target, as its health counts it.
struct HookCall: Sendable, Hashable {
    /// The hook.
    let address: HookAddress
    /// The target that the hook led to when the call began.
    let target: HookURL
    /// A number that is larger in calls that began later.
    let number: Int
}
