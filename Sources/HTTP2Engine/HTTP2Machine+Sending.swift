internal import CNGHTTP2
internal import HTTPTypes
internal import HTTPWire

extension HTTP2Machine {
    /// Appends what is to be sent now, whole frames only, until nothing is left that may be sent or about `limit` bytes are
    /// appended: the last frame may go beyond it. `wantsToSend` says whether to call again.
    ///
    /// Sources are asked for content while there is room for it, in turns by bytes, so that streams share the connection
    /// alike. Complexity: O(*n*), *n* being the bytes; a frame is copied once.
    package func output(into bytes: inout [UInt8], limit: Int, now: UInt64) {
        guard !isDriving else { return }
        self.now = now
        if let session {
            swap(&out, &bytes)
            outLimit = out.count + limit
            isDriving = true
            submitContinues()
            let result = run(session)
            isDriving = false
            swap(&out, &bytes)
            if result < 0 {
                fail(failure ?? Self.failure(result))
            } else if hasSentFault {
                fail(failure ?? .violation(.protocolError))
                lastWords = []
            }
        }
        bytes.append(contentsOf: lastWords)
        lastWords = []
    }

    /// Has nghttp2 send; its error where it failed.
    private func run(_ session: OpaquePointer) -> Int {
        while out.count < outLimit {
            var data: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session, &data)
            guard count > 0 else { return count }
            // SAFETY: so many bytes are nghttp2's and are valid until the next call.
            out.append(contentsOf: UnsafeBufferPointer(start: data, count: count))
        }
        return 0
    }

    // MARK: Called by nghttp2

    /// Gets content of a stream, and returns how much of it the next frame takes.
    func pull(_ place: Int, _ maximum: Int, _ flags: inout UInt32) -> Int {
        if out.count >= outLimit { return CNGHTTP2_PAUSE }
        flags |= CNGHTTP2_DATA_NO_COPY
        if streams[place].start == streams[place].end {
            switch refill(place) {
            case .ready: break
            case .pending: return CNGHTTP2_DEFERRED
            case .end:
                flags |= CNGHTTP2_DATA_END
                return 0
            case .invalid: return CNGHTTP2_TEMPORAL_FAILURE
            }
        }
        let left = streams[place].end - streams[place].start
        if left <= maximum {
            // Content that was given at once ends with its last byte.
            if streams[place].source == nil { flags |= CNGHTTP2_DATA_END }
            return left
        }
        return maximum
    }

    /// What a source had.
    enum Refill {
        case ready, pending, end, invalid
    }

    /// Asks the source for the next part.
    func refill(_ place: Int) -> Refill {
        guard let source = streams[place].source else { return .end }
        pulledPlace = place
        defer { pulledPlace = -1 }
        while true {
            wasWokenWhilePulled = false
            switch source.nextPart() {
            case .frame(let frame):
                if frame.payload.isEmpty { continue }
                return take(place, frame.storage, frame.payload)
            case .bytes(let bytes, let range):
                let range = range.clamped(to: bytes.indices)
                if range.isEmpty { continue }
                return take(place, bytes, range)
            case .pending:
                if wasWokenWhilePulled { continue }
                streams[place].isPending = true
                return .pending
            case .end:
                streams[place].source = nil
                // Where fewer bytes were given than announced, only a reset tells the client.
                return streams[place].remaining > 0 ? .invalid : .end
            }
        }
    }

    private func take(_ place: Int, _ bytes: [UInt8], _ range: Range<Int>) -> Refill {
        if streams[place].remaining >= 0 {
            guard range.count <= streams[place].remaining else { return .invalid }
            streams[place].remaining -= range.count
        }
        streams[place].part = bytes
        streams[place].start = range.lowerBound
        streams[place].end = range.upperBound
        return .ready
    }

    /// Appends a DATA frame: its header, and content that `pull` announced.
    func appendData(_ header: UnsafePointer<UInt8>, _ count: Int, place: Int) -> Int32 {
        // SAFETY: nghttp2 gives the nine bytes of the header (RFC 9113, section 4.1).
        out.append(contentsOf: UnsafeBufferPointer(start: header, count: 9))
        let start = streams[place].start
        if count > 0 {
            // SAFETY: `pull` announced no more than the part has, and the slice is checked.
            streams[place].part.withUnsafeBufferPointer {
                out.append(contentsOf: UnsafeBufferPointer(rebasing: $0[start..<start + count]))
            }
        }
        streams[place].start = start + count
        streams[place].blockedSince = 0
        if start + count == streams[place].end { streams[place].part = [] }
        counters.dataFrames += 1
        counters.contentBytes += count
        windowCredit = min(windowCredit + 2, 65_536)
        if header[4] & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 { answerEnds(place) }
        return 0
    }

    /// A frame other than DATA is about to be sent.
    func willSend(_ frame: nghttp2_frame) -> Int32 {
        switch UInt32(frame.hd.type) {
        case NGHTTP2_HEADERS.rawValue:
            guard frame.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 else { return 0 }
            if let place = place(of: frame.hd.stream_id) { answerEnds(place) }
        case NGHTTP2_RST_STREAM.rawValue:
            return noteReset(frame)
        case NGHTTP2_GOAWAY.rawValue:
            let code = HTTP2ErrorCode(rawValue: frame.goaway.error_code)
            guard code != .noError else { return 0 }
            hasSentFault = true
            failure = .violation(code)
        default: break
        }
        return 0
    }

    /// The answer is complete: what the client still sends is not needed (RFC 9113, section 8.1).
    private func answerEnds(_ place: Int) {
        streams[place].source = nil
        if !streams[place].isRemoteClosed { submitReset(streams[place].id, .noError) }
    }

    /// Counts a reset that the client has brought about.
    private func noteReset(_ frame: nghttp2_frame) -> Int32 {
        guard frame.rst_stream.error_code != HTTP2ErrorCode.noError.rawValue else { return 0 }
        if let place = place(of: frame.hd.stream_id), streams[place].isResetByDriver { return 0 }
        counters.resetsProvoked += 1
        return provokedResets.take(now: now) ? 0 : abuse(.provokedResets)
    }
}
