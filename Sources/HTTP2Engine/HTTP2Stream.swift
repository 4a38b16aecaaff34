internal import HTTPWire

/// One open stream, as the machine's table holds it. An idle event stream has one of these and nothing else of ours.
struct HTTP2Stream {
    /// How far the stream has come.
    enum State: UInt8 {
        /// The place in the table is free.
        case free
        /// Fields arrive, or the request was malformed and is being reset.
        case head
        /// Content arrives.
        case content
        /// The request is complete, but others have to be answered first.
        case waiting
        /// The application has the request.
        case answering
        /// An answer was given.
        case responding
    }

    let id: Int32
    var state: State
    /// Whether the answer has no content, whatever its fields say.
    var isHead = false
    /// Whether the driver has seen an event of the stream.
    var isAnnounced = false
    /// Whether the client has sent everything.
    var isRemoteClosed = false
    /// Whether the source had nothing at its last turn and was not woken since.
    var isPending = false
    /// Whether the source had nothing behind what it gave last, and was not woken since.
    var isDrained = false
    /// Whether 100 (Continue) is owed.
    var owesContinue = false
    /// Whether the answer is complete though the request is not.
    var isLingering = false
    /// Whether the reset on its way is the driver's own.
    var isResetByDriver = false
    /// The request while its content arrives.
    var incoming: Incoming?
    /// The source of the next part; nil if the answer is one part.
    var source: (any HTTP2Source)?
    /// What is being sent.
    var part: [UInt8] = []
    /// The bytes of `part` from `start` to `end` are still to be sent.
    var start = 0
    var end = 0
    /// The bytes of an announced length that are still to come from the source; -1 if no length was announced.
    var remaining = -1
    /// Bytes of content that were thrown away.
    var discarded = 0
    /// Since when its window is known to be shut; 0 where it is not.
    var blockedSince: UInt64 = 0

    /// A request whose content is not complete.
    final class Incoming {
        let head: RequestHead
        let headSize: Int
        /// The most content that it may have.
        var maxBody: Int
        var content: [UInt8] = []
        /// Bytes since progress was last reported.
        var progress = 0
        /// When there was progress.
        var progressed: UInt64
        /// Bytes of trailers.
        var trailersSize = 0

        init(head: RequestHead, headSize: Int, maxBody: Int, now: UInt64) {
            self.head = head
            self.headSize = headSize
            self.maxBody = maxBody
            progressed = now
        }
    }
}
