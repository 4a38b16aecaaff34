package import HTTPTypes

extension HTTP1Machine {
    /// Whether a stream waits for its answer; an answer to any other is late and to be dropped.
    package func isAnswering(_ stream: StreamID) -> Bool {
        if case .answering(let answering) = state { answering.stream == stream } else { false }
    }

    /// Whether a stream's answer is given part by part, and is not complete.
    package func isStreaming(_ stream: StreamID) -> Bool {
        if case .streaming(let streaming) = state { streaming.stream == stream } else { false }
    }

    /// Whether the request in work only reads (RFC 9110, section 9.2.1), so that it can be repeated without harm.
    package var isSafe: Bool {
        if case .answering(let answering) = state { answering.isSafe } else { false }
    }

    /// Has the connection close behind the answer that is owed or goes on; nothing where there is none.
    package mutating func endKeepAlive() {
        switch state {
        case .answering(var answering):
            answering.writer.keepAlive = false
            state = .answering(answering)
        case .streaming(var streaming):
            streaming.writer.keepAlive = false
            state = .streaming(streaming)
        case .awaitingHead, .idle, .content, .closing, .draining, .closed:
            break
        }
    }

    /// Whether the owed answer's content is sent, if it has this status: not to HEAD, and not with a 204 or 304.
    package func sendsContent(of status: HTTPResponse.Status) -> Bool {
        guard case .answering(let answering) = state else { return false }
        return !answering.writer.isHead && !ResponseWriter.forbidsContent(status)
    }

    /// Appends the head of the owed answer, whose content of `contentLength` bytes is known as a whole.
    ///
    /// The driver sends the content behind it where `sendsContent` said so. The stage is `receiving` or `closing` then.
    package mutating func respond(
        _ head: ResponseHead, contentLength: Int, date: HTTPDate, output: inout [UInt8]
    ) {
        guard case .answering(let answering) = state else { return }
        let framing = answering.writer.appendHead(head, contentLength: contentLength, date: date, to: &output)
        finish(answering.writer.keepsAlive(after: framing), leavesUnread: answering.leavesUnread)
    }

    /// Appends the head of the owed answer, whose content is given part by part; its length is among the head's fields or
    /// is not known.
    ///
    /// - Returns: Whether parts follow. False for HEAD and for statuses without content: the answer is complete.
    package mutating func startStream(_ head: ResponseHead, date: HTTPDate, output: inout [UInt8]) -> Bool {
        guard case .answering(let answering) = state else { return false }
        let length = head.fields[.contentLength].flatMap { Int($0) }
        let framing = answering.writer.appendHead(head, contentLength: length, date: date, to: &output)
        if case .none = framing {
            finish(answering.writer.keepAlive, leavesUnread: answering.leavesUnread)
            return false
        }
        state = .streaming(
            Streaming(
                stream: answering.stream, writer: answering.writer, leavesUnread: answering.leavesUnread,
                framing: framing))
        return true
    }

    /// Whether the connection will take another request behind the answer that is owed or goes on.
    package var keepsAlive: Bool {
        switch state {
        case .answering(let answering): answering.writer.keepAlive
        case .streaming(let streaming): streaming.writer.keepAlive
        case .awaitingHead, .idle, .content: true
        case .closing, .draining, .closed: false
        }
    }

    /// How a part of a stream is sent.
    package enum PartFraming: Sendable, Hashable {
        /// As a chunk of its own (RFC 9112, section 7.1).
        case chunk
        /// As it is.
        case plain
        /// Not at all: it is more than was announced, and a client would take it for the next answer. The connection is to
        /// be closed.
        case excess
    }

    /// Whether the parts of the stream that goes on are sent as chunks, of which the machine need not be told.
    package var sendsChunks: Bool {
        if case .streaming(let streaming) = state, case .chunked = streaming.framing { true } else { false }
    }

    /// Takes a part of the stream that goes on, of so many bytes; one of none is not to be sent as a chunk.
    package mutating func sendPart(of count: Int) -> PartFraming {
        guard case .streaming(var streaming) = state else { return .excess }
        if case .chunked = streaming.framing { return .chunk }
        guard case .length(let remaining) = streaming.framing else { return .plain }
        guard count <= remaining else { return .excess }
        streaming.framing = .length(remaining - count)
        state = .streaming(streaming)
        return .plain
    }

    /// Ends the stream that goes on, and appends what ends its content.
    ///
    /// - Parameter peerHasFinished: Whether the client sends nothing more, so that there is nothing to keep the connection
    ///   for.
    /// - Returns: Whether the answer is complete. If fewer bytes were given than announced, the connection is to be
    ///   closed: only that tells the client that some are missing.
    package mutating func endStream(peerHasFinished: Bool, output: inout [UInt8]) -> Bool {
        guard case .streaming(let streaming) = state else { return false }
        if case .length(1...) = streaming.framing { return false }
        if case .chunked = streaming.framing { output.append(contentsOf: ResponseWriter.lastChunk) }
        // What came during the stream was thrown away: what comes next would be the rest of a request.
        let hasIgnored = streaming.ignored > 0
        finish(
            streaming.writer.keepsAlive(after: streaming.framing) && !peerHasFinished && !hasIgnored,
            leavesUnread: streaming.leavesUnread || hasIgnored)
        return true
    }

    private mutating func finish(_ keepsAlive: Bool, leavesUnread: Bool) {
        state = keepsAlive ? .idle : .closing(leavesUnread: leavesUnread)
    }
}
