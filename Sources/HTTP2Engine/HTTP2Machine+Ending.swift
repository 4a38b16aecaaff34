internal import CNGHTTP2
package import HTTPTypes
package import HTTPWire

extension HTTP2Machine {
    // MARK: Streams

    /// Ends a stream with an error, whatever it is busy with; its place among the requests in flight is free.
    package func reset(_ stream: StreamID, _ code: HTTP2ErrorCode) {
        guard let place = place(of: stream) else { return releaseClosed(stream) }
        let isOwed = streams[place].debt == .answer
        reset(place, code, owing: isOwed ? .paid : streams[place].debt)
        if isOwed { release() }
    }

    /// Ends a stream for a reason that does not count against the client.
    func reset(_ place: Int, _ code: HTTP2ErrorCode, owing debt: HTTP2Stream.Debt) {
        let last = streams[place].change(to: .reset(debt))
        if case .content(let incoming) = last.state { incomingBytes -= incoming.size }
        // A client that has its answer and goes on with its request is to read it.
        if case .lingering = last.state { submitReset(id(place), .noError) } else { submitReset(id(place), code) }
    }

    func submitReset(_ id: StreamID, _ code: HTTP2ErrorCode) {
        guard let session else { return }
        nghttp2_submit_rst_stream(session, 0, Int32(id.number), code.rawValue)
    }

    /// Whether a stream waits for the client only: its own window or the connection's is shut and it has content to send, or
    /// its answer is sent and the request goes on.
    package func isStalled(_ stream: StreamID) -> Bool {
        place(of: stream).map { isStalled($0) } ?? false
    }

    private func isStalled(_ place: Int) -> Bool {
        switch streams[place].state {
        case .lingering: return true
        case .sending where streams[place].content.readiness != .pending: break
        case .free, .head, .content, .waiting, .answering, .sending, .reset: return false
        }
        guard !isDriving, isWindowShut(place) || isWindowShut else { return false }
        // nghttp2 asks for nothing while the window is shut: only the source knows whether there is something.
        guard streams[place].content.rest.isEmpty, let source = streams[place].content.source else { return true }
        isDriving = true
        defer { isDriving = false }
        switch ask(source, place) {
        case .content(let bytes, let range):
            hold(place, bytes, range)
            return true
        case .end: return true
        case .pending: return false
        case .invalid:
            submitReset(id(place), .internalError)
            return false
        }
    }

    /// Streams that have been stalled for `duration` or longer.
    ///
    /// The time begins with the first call that finds a stream stalled: call it regularly, for example once in a
    /// quarter of the duration. While only the connection's window is shut, the time of all streams begins anew
    /// whenever one of them sends content.
    /// Complexity: O(streams).
    package func stalledStreams(for duration: UInt64, now: UInt64) -> [StreamID] {
        guard session != nil else { return [] }
        var stalled: [StreamID] = []
        let hasSentContent = counters.contentBytes != contentBytesAtLook
        contentBytesAtLook = counters.contentBytes
        for place in streams.places {
            guard isStalled(place) else {
                streams[place].blockedSince = 0
                continue
            }
            var since = streams[place].blockedSince
            if case .sending = streams[place].state, hasSentContent, !isWindowShut(place) { since = 0 }
            streams[place].blockedSince = since == 0 ? max(now, 1) : since
            if since != 0, now >= since, now - since >= duration { stalled.append(id(place)) }
        }
        return stalled
    }

    private func isWindowShut(_ place: Int) -> Bool {
        nghttp2_session_get_stream_remote_window_size(session, streams[place].id) <= 0
    }

    /// Whether the connection's window is shut, so that no stream sends content.
    package var isWindowShut: Bool {
        guard let session else { return false }
        return nghttp2_session_get_remote_window_size(session) <= 0
    }

    // MARK: The connection

    /// Tells the client to begin no more streams here; those on their way are still served (RFC 9113, section 6.8).
    ///
    /// `finishShutdown` follows once the client has had the time to see it.
    package func shutDown() {
        if let session { nghttp2_submit_shutdown_notice(session) }
    }

    /// Tells the client which stream is the last one; what it begins later is ignored. The connection is over when all
    /// streams are.
    package func finishShutdown() {
        guard let session else { return }
        let last = nghttp2_session_get_last_proc_stream_id(session)
        nghttp2_submit_goaway(session, 0, last, HTTP2ErrorCode.noError.rawValue, nil, 0)
    }

    /// Ends everything, without a word; for when the socket is closed, and not from within `nextPart`. `nextEvent` gives `closed` for the streams that the
    /// driver knows.
    package func close() {
        guard !isDriving, session != nil else { return }
        end(.cancel)
        closingFrames = []
    }

    // MARK: Failure

    /// Takes note that the client goes beyond a bound; what nghttp2's callback returns then.
    func abuse(_ abuse: HTTP2Abuse) -> Int32 {
        note(.abuse(abuse))
        return Int32(CNGHTTP2_CALLBACK_FAILURE)
    }

    /// Keeps the first fault that the session is to end for.
    func note(_ failure: HTTP2Failure) {
        if fault == nil { fault = (failure, isSent: false) }
    }

    /// Ends the connection with GOAWAY, and with SETTINGS before it where nothing was sent yet.
    func fail(_ failure: HTTP2Failure) {
        if case .abuse = failure { counters.abuses = 1 }
        let last = session.map { nghttp2_session_get_last_proc_stream_id($0) } ?? 0
        end(failure.code)
        events.append(.failed(failure))
        // The first frame is SETTINGS, also where another one would be the last (RFC 9113, section 3.4).
        closingFrames = output.hasBegun ? [] : [0, 0, 0, UInt8(NGHTTP2_SETTINGS.rawValue), 0, 0, 0, 0, 0]
        closingFrames += Self.goAway(last: UInt32(max(last, 0)), failure.code)
    }

    private func end(_ code: HTTP2ErrorCode) {
        if let session { nghttp2_session_del(session) }
        session = nil
        for place in streams.places where streams[place].id != 0 { removeStream(at: place, code: code) }
        requests.removeWaiting()
        continues = []
    }

    /// The meaning of an error of nghttp2.
    static func failure(_ result: Int) -> HTTP2Failure {
        switch result {
        case CNGHTTP2_BAD_PREFACE: .badPreface
        case CNGHTTP2_FLOODED: .abuse(.acknowledgements)
        default: .engine(code: result)
        }
    }

    /// A GOAWAY frame (RFC 9113, section 6.8).
    private static func goAway(last: UInt32, _ code: HTTP2ErrorCode) -> [UInt8] {
        var frame: [UInt8] = [0, 0, 8, UInt8(NGHTTP2_GOAWAY.rawValue), 0, 0, 0, 0, 0]
        for word in [last, code.rawValue] {
            for shift in [24, 16, 8, 0] as [UInt32] { frame.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        return frame
    }
}
