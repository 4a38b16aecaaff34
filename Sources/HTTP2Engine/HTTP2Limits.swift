/// The bounds that one HTTP/2 connection is held to.
package struct HTTP2Limits: Sendable, Hashable {
    /// So many at once, and so many more a second.
    package struct Rate: Sendable, Hashable {
        /// How many may come at once.
        package var burst: Int
        /// How many may come each second after that.
        package var perSecond: Int

        /// Makes a rate.
        package init(burst: Int, perSecond: Int) {
            self.burst = burst
            self.perSecond = perSecond
        }
    }

    /// Streams that are open at once: SETTINGS_MAX_CONCURRENT_STREAMS. nghttp2 refuses one more with REFUSED_STREAM.
    package var maxStreams = 1000
    /// Requests that the application has and has not answered, those that the client has cancelled meanwhile included.
    /// Further ones wait.
    package var maxInFlight = 128
    /// The bytes of heads and content of requests that wait. A request that does not fit is reset with REFUSED_STREAM,
    /// after which the client may repeat the request (RFC 9113, section 8.7).
    package var maxWaitingBytes = 256 * 1024
    /// A request's fields, uncompressed (RFC 9113, section 6.5.2): SETTINGS_MAX_HEADER_LIST_SIZE. More is answered 431.
    package var maxFieldSection = 64 * 1024
    /// A request's fields as they are sent. More ends the connection: a decoder that leaves something out cannot go on.
    package var maxHeaderBlock = 96 * 1024
    /// CONTINUATION frames of one field section. More ends the connection.
    package var maxContinuations = 16
    /// Streams that the client resets before they are answered. Resetting an answered one costs nothing.
    package var resets = Rate(burst: 1000, perSecond: 100)
    /// Streams that the client makes the server reset, by faults or by ignoring limits.
    package var provokedResets = Rate(burst: 200, perSecond: 20)
    /// Frames that bring nothing forward: SETTINGS, PING, PRIORITY, empty DATA, and more WINDOW_UPDATE than there was
    /// DATA sent.
    package var idleFrames = Rate(burst: 10_000, perSecond: 1000)
    /// Acknowledgements of SETTINGS and PING that wait to be sent.
    package var maxAcknowledgements = 256
    /// Content of one request that is thrown away behind its answer, such as a 413. Clients that look at an answer only when
    /// they have sent everything get it so; more ends in a reset with NO_ERROR (RFC 9113, section 8.1).
    package var maxDiscarded = 1024 * 1024
    /// The bytes that a client may send of one request's content before it is read: SETTINGS_INITIAL_WINDOW_SIZE.
    package var streamWindow = 256 * 1024
    /// The same for all requests of the connection together.
    package var connectionWindow = 1024 * 1024

    /// Makes the limits that suit a server with many clients.
    package init() {}
}

/// Counts events against a rate: a bucket that is full of tokens at first and is refilled with time.
struct TokenBucket: Sendable {
    private let rate: HTTP2Limits.Rate
    private var tokens: Int
    private var refilled: UInt64 = 0

    init(_ rate: HTTP2Limits.Rate) {
        self.rate = rate
        tokens = rate.burst
    }

    /// Takes a token; false where none is left.
    ///
    /// - Parameter now: Nanoseconds of a clock that never goes back.
    mutating func take(now: UInt64) -> Bool {
        if tokens < rate.burst, rate.perSecond > 0, now > refilled {
            let (scaled, overflows) = (now - refilled).multipliedReportingOverflow(by: UInt64(rate.perSecond))
            let gained = overflows ? UInt64(rate.burst) : scaled / 1_000_000_000
            if gained > 0 {
                tokens += Int(min(gained, UInt64(rate.burst - tokens)))
                refilled = now
            }
        } else {
            refilled = max(refilled, now)
        }
        guard tokens > 0 else { return false }
        tokens -= 1
        return true
    }
}
