import Webhooks

/// How event hooks are called, and how far that may go (`hooks.*`).
package struct HooksConfiguration: Sendable {
    /// Targets inside the network that may be called all the same (`hooks.allow`): host names, `*.suffix`, address
    /// ranges such as `10.1.0.0/16`, and two words.
    ///
    /// `loopback` is this machine. `auto`, the default, is `loopback` as long as the server itself can be reached from
    /// this machine only and `server.allowedHosts` lists no name, and nothing otherwise.
    package var allow = [HooksConfiguration.automatic]
    /// How long an answer to a question may take (`hooks.questionTimeout`, seconds; default 5).
    package var questionTimeout = Duration.seconds(5)
    /// How long a notification may take (`hooks.notificationTimeout`, seconds; default 15).
    package var notificationTimeout = Duration.seconds(15)
    /// Calls of one target at the same time (`hooks.concurrency`; default 16). A target is a scheme, a host and a port.
    package var concurrency = 16
    /// Bytes of a target's answer (`hooks.maxAnswerBytes`; default 1 MiB); a longer one counts as none.
    package var maxAnswerBytes = 1 << 20
    /// Notifications that may wait for one hook (`hooks.maxPending`; default 10,000); one more is answered 429.
    package var maxPending = 10_000
    /// Notifications that may wait for all hooks together (`hooks.maxPendingTotal`; default 200,000); one more is
    /// answered 429.
    package var maxPendingTotal = 200_000
    /// How long to wait after each failed attempt at a notification (`hooks.retryDelays`, seconds); each varies by up
    /// to a fifth. After one more failure than there are delays the notification is given up.
    ///
    /// The default is the schedule of Standard Webhooks: ten attempts within about three days.
    package var retryDelays = RetrySchedule.standardDelays
    /// Notifications that were given up and are kept to be looked at and retried (`hooks.retainedDead`; default
    /// 20,000), and a twentieth of them of one hook; the oldest go first.
    package var retainedDead = 20_000

    /// The word in `allow` that stands for `loopback` where the server listens on loopback only.
    package static let automatic = "auto"

    /// Makes the defaults.
    package init() {}
}
