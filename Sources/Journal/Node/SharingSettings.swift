import DirectorLife
import Directors

/// How a node follows the others that share its database.
package struct SharingSettings: Sendable {
    /// How often everything is looked at, whether or not something was notified: what hints did not tell is seen then.
    package var lookInterval = Duration.seconds(1)
    /// How long a look may take to be answered; then its connection is given up.
    package var lookDeadline = Duration.seconds(3)
    /// How long a failed look waits to be made again.
    package var retryDelay = Duration.milliseconds(100)
    /// How often rows are looked for that belong to directors which ended under nodes that are gone.
    package var sweepInterval = Duration.seconds(60)
    /// How long a node has to have taken part before directors are handed over to it.
    package var settling = Duration.seconds(3)
    /// How long after a life could not be read it is tried again.
    package var unreadableRetry = Duration.seconds(5)
    /// For how long nobody has to have asked for another node's director until it leaves memory; up to twice as long passes.
    package var idle = Duration.seconds(600)
    /// Whether what this node would take over is loaded before that, where there is nothing else to read.
    package var loadsAhead = true
    /// The most directors that are handed over after one look.
    package var handoverBatch = 256
    /// The fingerprint of the nodes' secret, which tells one secret from another.
    package var fingerprint: String
    /// How many versions of a director are kept.
    package var retention: VersionRetention
    /// The limits of a director while this node owns it.
    package var limits: DirectorLimits

    /// Makes the defaults.
    package init(fingerprint: String = "", retention: VersionRetention, limits: DirectorLimits) {
        self.fingerprint = fingerprint
        self.retention = retention
        self.limits = limits
    }
}
