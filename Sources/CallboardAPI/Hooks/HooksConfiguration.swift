/// How event hooks are called, and how far that may go (`hooks.*`).
package struct HooksConfiguration: Sendable {
    /// Targets inside the network that may be called all the same (`hooks.allow`): host names, `*.suffix`, address
    /// ranges such as `10.1.0.0/16`, and two words.
    ///
    /// `loopback` is this machine. `auto`, the default, is `loopback` as long as the server itself can be reached from
    /// this machine only, and nothing otherwise.
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
    /// Notifications that may wait for all hooks (`hooks.maxPendingTotal`; default 100,000); one more is answered 429.
    package var maxPendingTotal = 100_000
    /// The waits between the attempts at a notification (`hooks.retryDelays`, seconds); each is lengthened at random
    /// by up to a fifth.
    ///
    /// The default is that of Standard Webhooks. After the last of them the notification is given up.
    package var retryDelays: [Duration] = [
        .seconds(5), .seconds(300), .seconds(1800), .seconds(7200), .seconds(18_000), .seconds(36_000),
        .seconds(50_400), .seconds(72_000), .seconds(86_400),
    ]
    /// Notifications that were given up and are kept to be looked at and retried (`hooks.retainedDead`; default
    /// 10,000); the oldest go first.
    package var retainedDead = 10_000

    /// The word in `allow` that stands for `loopback` where the server listens on loopback only.
    package static let automatic = "auto"

    /// Makes the defaults.
    package init() {}
}
