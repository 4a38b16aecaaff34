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

    // SAFETY: what each frame that is sent touches is not checked for overlapping access at run time, which took a third of
    // its time. No access to these properties lasts over a call that may come back to the machine: nghttp2 and sources are
    // called between accesses, and everything happens in one isolation domain, since the machine is not `Sendable`.

    /// Nil once the connection is over.
    @exclusivity(unchecked) var session: OpaquePointer?
    /// Whether nghttp2 is at work further up the stack: it may not be entered again.
    var isDriving = false
    /// The time of the newest call.
    var now: UInt64 = 0
    @exclusivity(unchecked) var streams = StreamTable()
    var requests: InFlightRequests
    var fieldBlock: FieldBlock
    var events = ArrayQueue<HTTP2Event>()
    @exclusivity(unchecked) var bounds: AbuseBounds
    /// Finds DATA frames in what is received.
    var dataFrames = DataFrameFinder()
    /// Streams that may owe 100 (Continue).
    var continues: [StreamID] = []
    /// The streams that the server has reset last.
    var streamsReset = RecentStreams()
    @exclusivity(unchecked) var output = FrameOutput()
    var fields = ResponseFields()
    /// The fault that the session is to end for, and whether nghttp2 has sent GOAWAY for it by itself.
    var fault: (failure: HTTP2Failure, isSent: Bool)?
    /// The last frames, to be sent once nghttp2 is out of use.
    var closingFrames: [UInt8] = []
    /// Bytes of requests whose content is not complete.
    var incomingBytes = 0
    /// The bytes of content that had been sent when stalled streams were last looked for.
    var contentBytesAtLook = 0
    /// The counts of what happened so far.
    @exclusivity(unchecked) package internal(set) var counters = HTTP2Counters()

    /// Makes the machine of a connection that has just opened.
    ///
    /// - Throws: `HTTP2Failure.engine` where there is no memory.
    package init(limits: HTTP2Limits = HTTP2Limits(), wire: WireLimits = WireLimits()) throws(HTTP2Failure) {
        self.limits = limits
        self.wire = wire
        requests = InFlightRequests(limits)
        fieldBlock = FieldBlock(limits: limits, wire: wire)
        bounds = AbuseBounds(limits)
        try open()
    }

    deinit {
        if let session { nghttp2_session_del(session) }
    }

    /// Whether something waits to be sent; content of streams whose window is shut does not count.
    package var wantsToSend: Bool {
        guard let session else { return !closingFrames.isEmpty }
        return nghttp2_session_want_write(session) != 0 || owesContinues
    }

    /// Whether interim responses are to be sent now.
    var owesContinues: Bool { !continues.isEmpty && events.isEmpty }

    /// Whether the connection is to be closed as soon as what was output is sent.
    package var isOver: Bool {
        guard let session else { return closingFrames.isEmpty }
        return nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
    }

    /// Requests that the application has and has not answered.
    package var requestsInFlight: Int { requests.count }

    /// Streams that are open.
    package var openStreams: Int { streams.count }

    /// Bytes of requests that are not complete, or that wait.
    package var keptBytes: Int { incomingBytes + requests.waitingBytes }

    /// Whether no stream is open and no request in work.
    package var isIdle: Bool { openStreams == 0 && requestsInFlight == 0 }

    /// Whether a field section has begun and its last frame has not; `isHeadSlow` is what a driver holds to a deadline.
    package var isReadingHead: Bool { fieldBlock.isOpen }

    /// The bytes that a stream with nothing to send takes in the machine's own table; nghttp2 takes about 500 more.
    package static var bytesPerStream: Int { MemoryLayout<HTTP2Stream>.stride }

    // MARK: Places of streams

    /// An open stream's place in the table.
    func place(of id: Int32) -> Int? {
        guard let session, let data = nghttp2_session_get_stream_user_data(session, id) else { return nil }
        return Int(bitPattern: data) - 1
    }

    /// An open stream's place in the table.
    func place(of stream: StreamID) -> Int? {
        Int32(exactly: stream.number).flatMap { place(of: $0) }
    }

    /// The stream of a place.
    func id(_ place: Int) -> StreamID { StreamID(UInt32(streams[place].id)) }

    /// Takes a place for a stream that opens.
    func addStream(_ id: Int32) {
        let place = streams.insert(id)
        // SAFETY: nghttp2 only keeps the number, which is not 0; nobody takes it for a pointer.
        nghttp2_session_set_stream_user_data(session, id, UnsafeMutableRawPointer(bitPattern: place + 1))
    }

    /// Frees the place of a stream that has closed, and tells the driver where it knows the stream.
    func removeStream(at place: Int, code: HTTP2ErrorCode) {
        // Everything that it holds is let go of at the end.
        let stream = streams.remove(at: place)
        let id = StreamID(UInt32(stream.id))
        if case .content(let incoming) = stream.state { incomingBytes -= incoming.size }
        if stream.debt == .answer { requests.close(id) }
        if stream.isAnnounced { events.append(.closed(id, code)) }
    }
}
