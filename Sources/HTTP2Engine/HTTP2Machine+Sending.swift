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
            output.begin(&bytes, limit: limit)
            isDriving = true
            submitContinues()
            let result = run(session)
            isDriving = false
            output.end(&bytes)
            if result < 0 {
                fail(fault?.failure ?? Self.failure(result))
            } else if let fault, fault.isSent {
                fail(fault.failure)
                closingFrames = []
            }
        }
        if closingFrames.isEmpty { return }
        bytes.append(contentsOf: closingFrames)
        closingFrames = []
    }

    /// Has nghttp2 send; its error where it failed.
    private func run(_ session: OpaquePointer) -> Int {
        while !output.isFull {
            var data: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session, &data)
            guard count > 0 else { return count }
            // SAFETY: so many bytes are nghttp2's and are valid until the next call.
            output.append(UnsafeBufferPointer(start: data, count: count))
        }
        return 0
    }

    // MARK: Called by nghttp2

    /// Appends content of a stream for the next DATA frame, behind room for its header, and returns how much it is.
    func pull(_ place: Int, _ maximum: Int, _ flags: inout UInt32) -> Int {
        output.dropUnsent()
        if output.isFull { return CNGHTTP2_PAUSE }
        flags |= CNGHTTP2_DATA_NO_COPY
        if !streams[place].content.rest.isEmpty {
            let (bytes, range) = streams[place].content.takePart(maximum)
            output.appendContent(bytes, range)
            // Content that was given at once ends with its last byte.
            if streams[place].content.isEmpty { flags |= CNGHTTP2_DATA_END }
            return range.count
        }
        guard let source = streams[place].content.source else { return endPulled(&flags) }
        switch ask(source, place) {
        case .content(let bytes, let range):
            let taken = range.prefix(maximum)
            output.appendContent(bytes, taken)
            if taken.count < range.count { hold(place, bytes, taken.upperBound..<range.upperBound) }
            return taken.count
        case .pending: return CNGHTTP2_DEFERRED
        case .end: return endPulled(&flags)
        case .invalid: return CNGHTTP2_TEMPORAL_FAILURE
        }
    }

    /// Keeps a part of which not everything can be sent now, unless its source has reset the stream meanwhile.
    func hold(_ place: Int, _ bytes: [UInt8], _ range: Range<Int>) {
        if case .sending = streams[place].state { streams[place].content.hold(bytes, range) }
    }

    /// Has an empty frame end the stream.
    private func endPulled(_ flags: inout UInt32) -> Int {
        flags |= CNGHTTP2_DATA_END
        output.appendContent([], 0..<0)
        return 0
    }

    /// What a source has.
    enum Answer {
        case content([UInt8], Range<Int>)
        case pending, end, invalid
    }

    /// Asks a stream's source for the next part.
    func ask(_ source: any HTTP2Source, _ place: Int) -> Answer {
        while streams[place].content.beginAsking() {
            switch source.nextPart() {
            case .frame(let frame):
                if frame.payload.isEmpty { continue }
                return answer(place, frame.storage, frame.payload)
            case .latest(let frame):
                streams[place].content.finishAsking(.drained)
                if frame.payload.isEmpty { continue }
                return answer(place, frame.storage, frame.payload)
            case .bytes(let bytes, let range):
                let range = range.clamped(to: bytes.indices)
                if range.isEmpty { continue }
                return answer(place, bytes, range)
            case .pending:
                if streams[place].content.finishAsking(.pending) { return .pending }
            case .end:
                return endSource(place) ? .end : .invalid
            }
        }
        return .pending
    }

    private func answer(_ place: Int, _ bytes: [UInt8], _ range: Range<Int>) -> Answer {
        guard !streams[place].content.hasLength || streams[place].content.count(range.count) else { return .invalid }
        return .content(bytes, range)
    }

    /// Lets go of a stream's source; returns whether it has given all that was announced: otherwise only a reset tells the
    /// client.
    @discardableResult
    func endSource(_ place: Int) -> Bool {
        // Whatever letting go leads to happens after the table was changed.
        let (source, isWhole) = streams[place].content.endSource()
        return withExtendedLifetime(source) { isWhole }
    }

    /// Writes the header of a DATA frame whose content is appended.
    func completeData(_ header: UnsafePointer<UInt8>, _ count: Int, place: Int) -> Int32 {
        guard output.complete(header, count) else { return Int32(CNGHTTP2_CALLBACK_FAILURE) }
        if streams[place].blockedSince != 0 { streams[place].blockedSince = 0 }
        counters.dataFrames += 1
        counters.contentBytes += count
        bounds.noteDataSent()
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
            fault = (.violation(code), isSent: true)
        default: break
        }
        return 0
    }

    /// The answer is complete: what the client still sends is not needed.
    private func answerEnds(_ place: Int) {
        endSource(place)
        if streams[place].finishAnswer(), limits.maxDiscarded == 0 { submitReset(id(place), .noError) }
    }

    /// Counts a reset that the client has brought about.
    private func noteReset(_ frame: nghttp2_frame) -> Int32 {
        guard frame.rst_stream.error_code != HTTP2ErrorCode.noError.rawValue else { return 0 }
        if let place = place(of: frame.hd.stream_id), case .reset = streams[place].state { return 0 }
        counters.resetsProvoked += 1
        return bounds.takeProvokedReset(now: now) ? 0 : abuse(.provokedResets)
    }
}
