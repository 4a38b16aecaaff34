internal import CNGHTTP2
package import HTTPTypes
package import HTTPWire

extension HTTP2Machine {
    /// Whether a stream waits for its answer.
    package func isAnswering(_ stream: StreamID) -> Bool {
        place(of: stream).map { streams[$0].debt == .answer } ?? false
    }

    /// Whether the owed answer's content is sent, if it has this status: not to HEAD, not with a 204 or 304, and not on a
    /// stream that is being reset.
    package func sendsContent(of status: HTTPResponse.Status, to stream: StreamID) -> Bool {
        guard let place = place(of: stream), case .answering(_, let isHead) = streams[place].state else { return false }
        return !isHead && !ResponseWriter.forbidsContent(status)
    }

    /// Answers a request with everything at once. Does nothing where the stream has closed meanwhile.
    ///
    /// - Parameters:
    ///   - content: An array that holds the content; it is not copied before it is sent.
    ///   - range: What of the array is the content.
    package func respond(
        _ stream: StreamID, _ head: ResponseHead, content: [UInt8] = [], range: Range<Int>? = nil, date: HTTPDate
    ) {
        guard let owed = claim(stream) else { return }
        let range = (range ?? content.indices).clamped(to: content.indices)
        let forbidsContent = ResponseWriter.forbidsContent(head.status)
        let hasContent = !range.isEmpty && !owed.isHead && !forbidsContent
        // 205 announces that it has no content; 204 and 304 announce nothing.
        let length: Int? = if head.status.code == 205 { 0 } else if forbidsContent { nil } else { range.count }
        submit(owed, head, length, date, hasContent ? AnswerContent(content, range) : nil)
    }

    /// Begins an answer whose content is pulled from `source`; its length is among the head's fields or is not known.
    ///
    /// - Returns: The argument of `wake`; nil if the source will not be asked: for HEAD, for statuses without
    ///   content, and for a closed stream.
    package func startStream(
        _ stream: StreamID, _ head: ResponseHead, date: HTTPDate, from source: any HTTP2Source
    ) -> HTTP2StreamKey? {
        guard let owed = claim(stream) else { return nil }
        let forbidsContent = ResponseWriter.forbidsContent(head.status)
        let hasContent = !owed.isHead && !forbidsContent
        let length = forbidsContent ? nil : head.fields[.contentLength].flatMap { Int($0) }.map { max($0, 0) }
        let content = hasContent ? AnswerContent(from: source, length: length) : nil
        guard submit(owed, head, length, date, content), hasContent else { return nil }
        return HTTP2StreamKey(place: Int32(owed.place), id: streams[owed.place].id)
    }

    /// Tells that a source that had nothing has something now. Complexity: O(1), and nothing is sent yet.
    package func wake(_ key: HTTP2StreamKey) {
        guard let place = streams.place(of: key) else { return }
        if streams[place].content.wake() { nghttp2_session_resume_data(session, key.id) }
    }

    /// Takes a request's answer on: its place in flight is free. Nil where there is none to give.
    private func claim(_ stream: StreamID) -> OwedAnswer? {
        guard let place = place(of: stream) else {
            releaseClosed(stream)
            return nil
        }
        guard streams[place].debt == .answer else { return nil }
        defer { release() }
        guard case .answering(let discarded, let isHead) = streams[place].state else {
            streams[place].change(to: .reset(.paid))
            return nil
        }
        streams[place].change(to: .sending(discarded: discarded))
        return OwedAnswer(place: place, discarded: discarded, isHead: isHead)
    }

    @discardableResult
    private func submit(
        _ owed: OwedAnswer, _ head: ResponseHead, _ length: Int?, _ date: HTTPDate, _ content: AnswerContent?
    ) -> Bool {
        let place = owed.place
        if let content { streams[place].change(to: .sending(discarded: owed.discarded), sending: content) }
        fields.write(head, contentLength: length, date: date)
        let (session, id) = (session, streams[place].id)
        let result = fields.withLines { lines, count in
            guard content != nil else { return nghttp2_submit_response(session, id, lines, count, nil) }
            var provider = cnghttp2_provider(Int32(place), Self.readContent)
            return nghttp2_submit_response(session, id, lines, count, &provider)
        }
        if result == 0 { return true }
        endSource(place)
        submitReset(self.id(place), .internalError)
        return false
    }

    /// Queues the interim responses that are owed (RFC 9110, section 10.1.1), once the driver has seen which requests they
    /// are for: it may refuse them instead.
    func submitContinues() {
        guard owesContinues else { return }
        for stream in continues {
            guard let place = place(of: stream), case .content(let incoming) = streams[place].state,
                incoming.owesContinue
            else { continue }
            incoming.owesContinue = false
            fields.write(ResponseHead(status: .continue), contentLength: nil, date: nil)
            let (session, id) = (session, streams[place].id)
            _ = fields.withLines { nghttp2_submit_headers(session, 0, id, nil, $0, $1, nil) }
        }
        continues = []
    }
}

/// An answer that the application owes.
private struct OwedAnswer {
    let place: Int
    let discarded: Int?
    let isHead: Bool
}
