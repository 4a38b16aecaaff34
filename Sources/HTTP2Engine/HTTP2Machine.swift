internal import CNGHTTP2
internal import HTTPTypes
package import HTTPWire

/// The server's side of HTTP/2 on one connection (RFC 9113, RFC 7541), on nghttp2: what happens goes in, events and bytes
/// come out.
///
/// It has no socket and no clock. The driver gives it the bytes that arrived with the time, takes events with
/// `nextEvent`, answers, and lets `output` append what is to be sent to a buffer of the driver's. The machine pulls the
/// content of streamed answers from their sources while there is room: the frames of many streams lie one behind the
/// other in one buffer.
///
/// Each `request` and each `refused` is answered by exactly one of `respond`, `startStream` and `reset`, also where the
/// stream has been closed meanwhile: its place among the requests in flight is free only then.
///
/// A driver whose output is not taken by the client gives no bytes to `receive`: that bounds what is queued in answer to
/// them. Not `Sendable`: a connection has one, and everything happens on the connection's loop.
package final class HTTP2Machine {
    let limits: HTTP2Limits
    let wire: WireLimits

    /// Nil once the connection is over.
    @exclusivity(unchecked) var session: OpaquePointer?
    /// Whether nghttp2 is at work further up the stack: it may not be entered again.
    var isDriving = false
    /// The time of the newest call.
    var now: UInt64 = 0

    // Streams.
    //
    // SAFETY: what each frame that is sent touches is not checked for overlapping access at run time, which took a third of
    // its time. No access to these properties lasts over a call that may come back to the machine: nghttp2 and sources are
    // called between accesses, and everything happens in one isolation domain, since the machine is not `Sendable`.
    @exclusivity(unchecked) var streams: [HTTP2Stream] = []
    var freePlaces: [Int] = []
    /// The stream whose source is asked, or -1; and whether it was woken meanwhile.
    @exclusivity(unchecked) var pulledPlace = -1
    @exclusivity(unchecked) var wasWokenWhilePulled = false

    // Receiving.
    var reader: FieldSectionReader
    /// The newest stream that the client has begun.
    var newestStream: Int32 = 0
    /// When its fields began to arrive.
    var headBegan: UInt64 = 0
    /// Whether a field section has begun and its last frame has not; `isHeadSlow` is what a driver holds to a deadline.
    package internal(set) var isReadingHead = false
    var headerBlockSize = 0
    var headerBlockFrames = 0
    var events: [HTTP2Event] = []
    var nextEventIndex = 0
    var waiting: [HTTP2Request] = []
    var nextWaitingIndex = 0
    var waitingBytes = 0
    /// Requests in flight whose streams are closed.
    var closedInFlight: Set<UInt32> = []
    /// The streams that the server has reset last.
    var streamsReset = RecentStreams()
    /// Finds DATA frames in what is received.
    var dataFrames = DataFrameFinder()
    /// Streams that may owe 100 (Continue).
    var continues: [StreamID] = []

    // Bounds.
    var resets: TokenBucket
    var provokedResets: TokenBucket
    var idleFrames: TokenBucket
    /// WINDOW_UPDATE frames that are paid for by DATA frames sent.
    @exclusivity(unchecked) var windowCredit = 64

    // Sending.
    /// The driver's buffer while `output` runs.
    @exclusivity(unchecked) var out: [UInt8] = []
    @exclusivity(unchecked) var outLimit = 0
    /// The offset of the header of a DATA frame whose content is in `out`; -1 without such a frame.
    @exclusivity(unchecked) var headerStart = -1
    var fields = ResponseFields()
    /// The bytes of content that had been sent when stalled streams were last looked for.
    var contentBytesAtLook = 0
    var failure: HTTP2Failure?
    /// Whether anything was sent: the server's SETTINGS are the first frame.
    @exclusivity(unchecked) var hasSent = false
    /// Whether nghttp2 has sent GOAWAY by itself because of a fault.
    var hasSentFault = false
    /// GOAWAY as it is to be sent once nghttp2 is out of use.
    var closingFrame: [UInt8] = []

    /// Requests that the application has and has not answered.
    package internal(set) var requestsInFlight = 0
    /// Streams that are open.
    package internal(set) var openStreams = 0
    /// Bytes of requests that are not complete, or that wait.
    package internal(set) var keptBytes = 0
    /// What happened so far.
    @exclusivity(unchecked) package internal(set) var counters = HTTP2Counters()

    /// Makes the machine of a connection that has just opened.
    ///
    /// - Throws: `HTTP2Failure.engine` where there is no memory.
    package init(limits: HTTP2Limits = HTTP2Limits(), wire: WireLimits = WireLimits()) throws(HTTP2Failure) {
        self.limits = limits
        self.wire = wire
        reader = FieldSectionReader(limits: wire, maxSize: limits.maxFieldSection)
        resets = TokenBucket(limits.resets)
        provokedResets = TokenBucket(limits.provokedResets)
        idleFrames = TokenBucket(limits.idleFrames)
        try open()
    }

    deinit {
        if let session { nghttp2_session_del(session) }
    }

    /// Whether something waits to be sent; content of streams whose window is shut does not count.
    package var wantsToSend: Bool {
        guard let session else { return !closingFrame.isEmpty }
        return nghttp2_session_want_write(session) != 0 || owesContinues
    }

    /// Whether interim responses are to be sent now.
    var owesContinues: Bool { !continues.isEmpty && events.isEmpty }

    /// Whether the connection is to be closed as soon as what was output is sent.
    package var isOver: Bool {
        guard let session else { return closingFrame.isEmpty }
        return nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
    }

    /// Whether no stream is open and no request in work.
    package var isIdle: Bool { openStreams == 0 && requestsInFlight == 0 }

    /// The bytes that a stream with nothing to send takes in the machine's own table; nghttp2 takes about 500 more.
    package static var bytesPerStream: Int { MemoryLayout<HTTP2Stream>.stride }

    // MARK: The table of streams

    /// An open stream's place in the table.
    func place(of id: Int32) -> Int? {
        guard let session, let data = nghttp2_session_get_stream_user_data(session, id) else { return nil }
        return Int(bitPattern: data) - 1
    }

    /// An open stream's place in the table.
    func place(of stream: StreamID) -> Int? {
        Int32(exactly: stream.number).flatMap { place(of: $0) }
    }

    /// Takes a place for a stream that opens.
    func addStream(_ id: Int32) {
        let stream = HTTP2Stream(id: id, state: .head)
        let place: Int
        if let free = freePlaces.popLast() {
            place = free
            streams[place] = stream
        } else {
            place = streams.count
            streams.append(stream)
        }
        openStreams += 1
        // SAFETY: nghttp2 only keeps the number, which is not 0; nobody takes it for a pointer.
        nghttp2_session_set_stream_user_data(session, id, UnsafeMutableRawPointer(bitPattern: place + 1))
    }

    /// Lets go of a stream's source; whatever that leads to happens after the table was changed.
    func dropSource(_ place: Int) {
        let source = streams[place].source.take()
        withExtendedLifetime(source) {}
    }

    /// Frees the place of a stream that has closed, and tells the driver where it knows the stream.
    func removeStream(at place: Int, code: HTTP2ErrorCode) {
        let stream = streams[place]
        // Everything that it holds is let go at once.
        streams[place] = HTTP2Stream(id: 0, state: .free)
        freePlaces.append(place)
        openStreams -= 1
        let id = StreamID(UInt32(stream.id))
        if let incoming = stream.incoming { keptBytes -= incoming.headSize + incoming.content.count }
        if stream.state == .answering { closedInFlight.insert(id.number) }
        if stream.isAnnounced { events.append(.closed(id, code)) }
    }
}
