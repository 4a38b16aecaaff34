internal import CNGHTTP2
internal import HTTPTypes
internal import HTTPWire

extension HTTP2Machine {
    /// Takes in bytes that arrived; `nextEvent` says what they led to.
    ///
    /// - Parameter now: Nanoseconds of a clock that never goes back.
    package func receive(_ bytes: Span<UInt8>, now: UInt64) {
        guard let session, !isDriving else { return }
        self.now = now
        isDriving = true
        // SAFETY: nghttp2 reads the bytes within the call only.
        let result = bytes.withUnsafeBufferPointer { receive($0, session) }
        isDriving = false
        if result < 0 { fail(fault?.failure ?? Self.failure(result)) }
    }

    /// Gives nghttp2 the bytes up to each DATA frame, and looks whether its stream is closed then: nghttp2 says nothing of
    /// such a frame.
    ///
    /// - Returns: A negative number where nghttp2 or a bound ends the connection.
    private func receive(_ bytes: UnsafeBufferPointer<UInt8>, _ session: OpaquePointer) -> Int {
        var (given, index) = (0, 0)
        while true {
            let frame = dataFrames.next(in: bytes.span, from: &index)
            let end = frame == nil ? bytes.count : max(given, index - DataFrameFinder.headerCount)
            if end > given {
                let part = UnsafeBufferPointer(rebasing: bytes[given..<end])
                let result = nghttp2_session_mem_recv(session, part.baseAddress, part.count)
                if result < 0 { return Int(result) }
                given = end
            }
            guard let frame else { return 0 }
            guard isClosed(frame.stream) else { continue }
            refuseFrame(onClosed: frame.stream)
            if frame.isEmpty, noteIdleFrame() != 0 { return CNGHTTP2_CALLBACK_FAILURE }
        }
    }

    /// The next event, or nil where there is none now. An answer may make room for a request that waits, and so bring one.
    package func nextEvent() -> HTTP2Event? {
        while let event = events.popFirst() {
            if announce(event) { return event }
        }
        return nil
    }

    /// Whether the driver is to see an event: not where the stream has closed before the driver knew it.
    private func announce(_ event: HTTP2Event) -> Bool {
        switch event {
        case .contentBegins(let stream, _):
            guard let place = place(of: stream) else { return false }
            streams[place].isAnnounced = true
        case .contentProgressed(let stream, _):
            return place(of: stream) != nil
        case .request(let request):
            guard let place = place(of: request.stream) else { return dropUnseen(request.stream) }
            streams[place].isAnnounced = true
            counters.requests += 1
        case .refused(let stream, _):
            guard let place = place(of: stream) else { return dropUnseen(stream) }
            streams[place].isAnnounced = true
        case .closed, .failed:
            break
        }
        return true
    }

    /// A request that the client took back before anybody saw it holds no place.
    private func dropUnseen(_ stream: StreamID) -> Bool {
        releaseClosed(stream)
        return false
    }

    // MARK: Called by nghttp2

    /// A frame's header has arrived.
    func frameBegins(_ header: nghttp2_frame_hd) -> Int32 {
        fieldBlock.interrupt()
        switch UInt32(header.type) {
        case NGHTTP2_HEADERS.rawValue:
            // nghttp2 throws away what comes for a closed stream.
            if isClosed(header.stream_id) {
                guard noteIdleFrame() == 0 else { return Int32(CNGHTTP2_CALLBACK_FAILURE) }
                refuseFrame(onClosed: header.stream_id)
            }
        case NGHTTP2_CONTINUATION.rawValue where header.length > Self.maxFrameSize:
            // nghttp2 looks at the length of all other frames (RFC 9113, section 4.2).
            return violation(.frameSizeError)
        case NGHTTP2_CONTINUATION.rawValue:
            counters.continuations += 1
        case NGHTTP2_DATA.rawValue, NGHTTP2_RST_STREAM.rawValue:
            return 0
        case NGHTTP2_PRIORITY.rawValue where header.stream_id == 0:
            // nghttp2 looks at none of it, since priorities of that kind are off (RFC 9113, section 6.3).
            return violation(.protocolError)
        case NGHTTP2_WINDOW_UPDATE.rawValue where bounds.takeWindowUpdate():
            return 0
        default:
            return noteIdleFrame()
        }
        return fieldBlock.take(header) ? 0 : abuse(.headerBlock)
    }

    /// Whether the client has used a stream that is closed now.
    private func isClosed(_ id: Int32) -> Bool {
        id > 0 && id & 1 == 1 && id <= fieldBlock.newestStream && place(of: id) == nil
    }

    /// Answers DATA or HEADERS on a closed stream with STREAM_CLOSED (RFC 9113, sections 5.1 and 6.1). Frames after the
    /// server's reset may have been on their way; they are only discarded.
    private func refuseFrame(onClosed id: Int32) {
        guard !streamsReset.contains(id) else { return }
        // Noted now: more frames may come before the reset is sent.
        streamsReset.insert(id)
        submitReset(StreamID(UInt32(id)), .streamClosed)
    }

    /// SETTINGS_MAX_FRAME_SIZE, which the server leaves as it is at first (RFC 9113, section 6.5.2).
    private static var maxFrameSize: Int { 16_384 }

    /// Takes note that a frame is against the protocol; what nghttp2's callback returns then.
    private func violation(_ code: HTTP2ErrorCode) -> Int32 {
        note(.violation(code))
        return Int32(CNGHTTP2_CALLBACK_FAILURE)
    }

    /// Counts a frame that brings nothing forward.
    private func noteIdleFrame() -> Int32 {
        counters.idleFrames += 1
        return bounds.takeIdleFrame(now: now) ? 0 : abuse(.idleFrames)
    }

    /// A request or its trailers begin.
    func fieldsBegin(_ frame: nghttp2_frame) -> Int32 {
        guard frame.headers.cat == NGHTTP2_HCAT_REQUEST else { return 0 }
        fieldBlock.beginRequest(frame.hd.stream_id, now: now)
        addStream(frame.hd.stream_id)
        // All streams share the connection alike, whatever the client would prefer.
        var priority = nghttp2_extpri(urgency: UInt32(NGHTTP2_EXTPRI_DEFAULT_URGENCY), inc: 1)
        nghttp2_session_change_extpri_stream_priority(session, frame.hd.stream_id, &priority, 1)
        return 0
    }

    /// A field has arrived.
    func received(_ frame: nghttp2_frame, name: Span<UInt8>, value: Span<UInt8>) -> Int32 {
        if frame.headers.cat == NGHTTP2_HCAT_REQUEST {
            fieldBlock.append(name: name, value: value)
        } else if let place = place(of: frame.hd.stream_id),
            case .content(let incoming) = streams[place].state
        {
            incoming.trailersSize += name.count + value.count + 32
        }
        return 0
    }

    /// A frame is complete and valid.
    func received(_ frame: nghttp2_frame) -> Int32 {
        let endsStream = frame.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        switch UInt32(frame.hd.type) {
        case NGHTTP2_HEADERS.rawValue:
            guard let place = place(of: frame.hd.stream_id) else { return 0 }
            if frame.headers.cat == NGHTTP2_HCAT_REQUEST {
                headComplete(place, endsStream: endsStream)
            } else {
                trailersComplete(place)
            }
        case NGHTTP2_DATA.rawValue:
            if endsStream, let place = place(of: frame.hd.stream_id) {
                contentComplete(place)
            } else if !endsStream, frame.hd.length <= frame.data.padlen {
                return noteIdleFrame()
            }
        case NGHTTP2_RST_STREAM.rawValue:
            return resetReceived(frame.hd.stream_id)
        default:
            break
        }
        return 0
    }

    /// The client resets a stream. A reset of an answered stream costs no more than a request: event streams end so.
    private func resetReceived(_ id: Int32) -> Int32 {
        counters.resetsReceived += 1
        if let place = place(of: id), streams[place].debt == .paid { return 0 }
        return bounds.takeReset(now: now) ? 0 : abuse(.resets)
    }

    /// A stream is closed, be it done or cut off.
    func streamClosed(_ id: Int32, _ code: HTTP2ErrorCode) -> Int32 {
        if let place = place(of: id) { removeStream(at: place, code: code) }
        return 0
    }
}
