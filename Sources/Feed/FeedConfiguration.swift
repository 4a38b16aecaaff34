import DirectorLife
import Reactor

/// The bounds of what a director retains for its subscribers, and the timing of its streams (`feed.*`).
package struct FeedConfiguration: Sendable {
    /// Versions kept for resume, catch-up and `?version=` (`feed.retainedVersions`, 1 to 100,000; default 1,024).
    package var retainedVersions = 1024
    /// Memory that retained versions may take for each director, in bytes (`feed.retainedBytes`; default 64 MiB): their
    /// encoded changesets, and the content that only older versions hold, estimated.
    ///
    /// The oldest versions are dropped first when either bound is passed; the newest one always stays.
    package var retainedBytes = 64 << 20
    /// Events that a slow stream may lag behind (`feed.window`, 1 to 100,000; default 64).
    ///
    /// A stream that is further behind gets one changeset from its version to now, or a snapshot where that version is
    /// no longer retained.
    package var window = 64
    /// Bytes of events that a slow stream may lag behind (`feed.windowBytes`; default 8 MiB).
    package var windowBytes = 8 << 20
    /// Silence after which a stream sends `heartbeat` (`feed.heartbeat`, seconds; default 15).
    package var heartbeat = Duration.seconds(15)
    /// The shortest wait that `retry:` asks of a client (`feed.retryMin`, milliseconds; default 1,000).
    package var retryMin = Duration.milliseconds(1000)
    /// The longest wait that `retry:` asks of a client (`feed.retryMax`, milliseconds; default 5,000).
    ///
    /// Each stream is told a random time between the two, so that a restart does not bring all back at once.
    package var retryMax = Duration.milliseconds(5000)
    /// Directors that one stream may carry (`feed.maxDirectorsPerStream`; default 64).
    package var maxDirectorsPerStream = 64

    /// Makes the defaults.
    package init() {}

    /// How many versions a director retains.
    package var retention: VersionRetention { VersionRetention(count: retainedVersions, bytes: retainedBytes) }

    /// A random time between the bounds of `retry:`, so that clients do not come back all at once.
    package var jitteredRetry: Duration {
        let low = retryMin.nanoseconds / 1_000_000
        let high = max(low, retryMax.nanoseconds / 1_000_000)
        return .milliseconds(Int64(UInt64.random(in: low...high)))
    }
}
