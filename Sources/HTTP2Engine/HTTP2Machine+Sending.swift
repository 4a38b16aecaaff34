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
            if headerStart >= 0 { dropUnsent() }
            swap(&out, &bytes)
            if result < 0 {
                fail(failure ?? Self.failure(result))
            } else if hasSentFault {
                fail(failure ?? .violation(.protocolError))
                closingFrame = []
            }
        }
        if closingFrame.isEmpty { return }
        bytes.append(contentsOf: closingFrame)
        closingFrame = []
    }

    /// Has nghttp2 send; its error where it failed.
    private func run(_ session: OpaquePointer) -> Int {
        while out.count < outLimit {
            var data: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session, &data)
            guard count > 0 else { return count }
            // SAFETY: so many bytes are nghttp2's and are valid until the next call.
            out.append(contentsOf: UnsafeBufferPointer(start: data, count: count))
            hasSent = true
        }
        return 0
    }

    // MARK: Called by nghttp2

    /// Appends content of a stream for the next DATA frame, behind room for its header, and returns how much it is.
    func pull(_ place: Int, _ maximum: Int, _ flags: inout UInt32) -> Int {
        if headerStart >= 0 { dropUnsent() }
        if out.count >= outLimit { return CNGHTTP2_PAUSE }
        flags |= CNGHTTP2_DATA_NO_COPY
        if streams[place].start == streams[place].end {
            guard let source = streams[place].source else { return endPulled(&flags) }
            switch ask(source, place) {
            case .content(let bytes, let range) where range.count <= maximum:
                appendContent(bytes, range)
                return range.count
            case .content(let bytes, let range): hold(place, bytes, range)
            case .pending: return CNGHTTP2_DEFERRED
            case .end: return endPulled(&flags)
            case .invalid: return CNGHTTP2_TEMPORAL_FAILURE
            }
        }
        let start = streams[place].start
        let end = min(streams[place].end, start + maximum)
        appendContent(streams[place].part, start..<end)
        streams[place].start = end
        if end == streams[place].end {
            streams[place].part = []
            // Content that was given at once ends with its last byte.
            if streams[place].source == nil { flags |= CNGHTTP2_DATA_END }
        }
        return end - start
    }

    /// Has an empty frame end the stream.
    private func endPulled(_ flags: inout UInt32) -> Int {
        flags |= CNGHTTP2_DATA_END
        appendContent([], 0..<0)
        return 0
    }

    private func appendContent(_ bytes: [UInt8], _ range: Range<Int>) {
        headerStart = out.count
        // SAFETY: the slice is checked.
        bytes.withUnsafeBufferPointer { bytes in
            out.append(contentsOf: Self.headerRoom)
            out.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[range]))
        }
    }

    /// Room for a frame's header (RFC 9113, section 4.1).
    private static let headerRoom = [UInt8](repeating: 0, count: 9)

    /// Takes back what was appended for a frame that nghttp2 did not send.
    private func dropUnsent() {
        out.removeSubrange(headerStart...)
        headerStart = -1
    }

    /// What a source has.
    enum Answer {
        case content([UInt8], Range<Int>)
        case pending, end, invalid
    }

    /// Asks a stream's source for the next part.
    func ask(_ source: any HTTP2Source, _ place: Int) -> Answer {
        pulledPlace = place
        defer { pulledPlace = -1 }
        while true {
            wasWokenWhilePulled = false
            switch streams[place].isDrained ? .pending : source.nextPart() {
            case .frame(let frame):
                if frame.payload.isEmpty { continue }
                return isWithinLength(place, frame.payload.count) ? .content(frame.storage, frame.payload) : .invalid
            case .latest(let frame):
                streams[place].isDrained = !wasWokenWhilePulled
                if frame.payload.isEmpty { continue }
                return isWithinLength(place, frame.payload.count) ? .content(frame.storage, frame.payload) : .invalid
            case .bytes(let bytes, let range):
                let range = range.clamped(to: bytes.indices)
                if range.isEmpty { continue }
                return isWithinLength(place, range.count) ? .content(bytes, range) : .invalid
            case .pending:
                if wasWokenWhilePulled { continue }
                streams[place].isDrained = false
                streams[place].isPending = true
                return .pending
            case .end:
                dropSource(place)
                // Where fewer bytes were given than announced, only a reset tells the client.
                return streams[place].remaining > 0 ? .invalid : .end
            }
        }
    }

    private func isWithinLength(_ place: Int, _ count: Int) -> Bool {
        let remaining = streams[place].remaining
        if remaining >= count { streams[place].remaining = remaining - count }
        return remaining < 0 || remaining >= count
    }

    /// Keeps a part of which not everything can be sent now.
    func hold(_ place: Int, _ bytes: [UInt8], _ range: Range<Int>) {
        streams[place].part = bytes
        streams[place].start = range.lowerBound
        streams[place].end = range.upperBound
    }

    /// Writes the header of a DATA frame whose content is appended.
    func completeData(_ header: UnsafePointer<UInt8>, _ count: Int, place: Int) -> Int32 {
        guard headerStart >= 0, headerStart + 9 + count == out.count else { return Int32(CNGHTTP2_CALLBACK_FAILURE) }
        // SAFETY: nghttp2 gives the nine bytes of the header, and `out` has as many from there on.
        out.withUnsafeMutableBytes { $0.baseAddress?.advanced(by: headerStart).copyMemory(from: header, byteCount: 9) }
        headerStart = -1
        streams[place].blockedSince = 0
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
            streamsReset.insert(frame.hd.stream_id)
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

    /// The answer is complete: what the client still sends is not needed.
    private func answerEnds(_ place: Int) {
        dropSource(place)
        guard !streams[place].isRemoteClosed else { return }
        streams[place].isLingering = true
        if limits.maxDiscarded == 0 { submitReset(streams[place].id, .noError) }
    }

    /// Counts a reset that the client has brought about.
    private func noteReset(_ frame: nghttp2_frame) -> Int32 {
        guard frame.rst_stream.error_code != HTTP2ErrorCode.noError.rawValue else { return 0 }
        if let place = place(of: frame.hd.stream_id), streams[place].isResetByDriver { return 0 }
        counters.resetsProvoked += 1
        return provokedResets.take(now: now) ? 0 : abuse(.provokedResets)
    }
}
