/// The counts of a connection since its beginning.
package struct HTTP2Counters: Sendable, Hashable {
    /// Requests given to the application.
    package var requests = 0
    /// DATA frames sent.
    package var dataFrames = 0
    /// Bytes of content sent.
    package var contentBytes = 0
    /// Requests that had to wait for others to be answered.
    package var waited = 0
    /// Requests reset with REFUSED_STREAM, since there was no room for them to wait.
    package var refused = 0
    /// Streams that the client reset, answered or not.
    package var resetsReceived = 0
    /// Streams that were reset for a fault of the client's.
    package var resetsProvoked = 0
    /// Frames without progress.
    package var idleFrames = 0
    /// CONTINUATION frames.
    package var continuations = 0
    /// Connections ended for abuse: 1 at most.
    package var abuses = 0

    /// Makes counters that are 0.
    package init() {}
}
